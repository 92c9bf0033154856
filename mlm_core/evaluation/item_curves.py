"""How the questions of a test went: the proportion right, and the curve of each over ability.

    P(right | ability)   1 / (1 + exp(-(slope ability + intercept)))
    ability              of the learners: normal, with mean 0 and standard deviation 1
    difficulty           -intercept / slope: the ability at which half of the answers are right
    likelihood           of one learner's answers: the product over the questions of P(right) or
                         1 - P(right), integrated over ability
    estimates            slopes and intercepts with the largest product of all learners' likelihoods
    standard errors      from the second derivatives of its logarithm there

Each question has its own slope (two-parameter logistic model) where there are many learners; where
there are fewer, all questions have one slope (Rasch model).

Source: Rasch 1960; Birnbaum 1968; marginal maximum likelihood: Bock & Aitkin 1981.
Departs: a quasi-Newton search in place of EM; the integral is a sum over 61 abilities.

What this leaves out: guessing. A curve goes down to 0, so where learners guess, the observed
proportions of low scores are above it.

Read before this: study.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from mlm_core.evaluation.seeds import Z_95, interval_of_proportion

# Learners, for any curve and for a slope of each question. On simulated answers to 24 questions
# with slopes around 1.2, half of the difficulties have ± 0.65 or more with 50 learners, ± 0.5 with
# 100; with own slopes, a tenth of them have ± 1.2 or more with 100 learners, ± 0.7 with 250. In all
# of these, 94 to 97 % of the 95 % intervals hold the true difficulty.
FEWEST, FEWEST_FOR_SLOPES = 50, 250
N_GROUPS = 5  # of learners, by their scores
ABILITIES = np.linspace(-6, 6, 61)
LOG_DENSITY = -(ABILITIES**2) / 2 - np.logaddexp.reduce(-(ABILITIES**2) / 2)
STEP = 1e-4  # of the differences that give second derivatives
FLATTEST, STEEPEST = 0.01, 10.0  # slopes beyond have no largest likelihood, or no difficulty


@dataclass(frozen=True, kw_only=True)
class ItemStatistics:
    """How one question went in one group."""

    question: str
    n: int
    before: float  # proportion right
    after: float
    fit: float | None  # correlation after the lessons with the score in all other questions


@dataclass(frozen=True, kw_only=True)
class Curves:
    """The curves of all questions of a test."""

    slopes: Float[np.ndarray, " question"]
    intercepts: Float[np.ndarray, " question"]
    covariances: Float[np.ndarray, "question 2 2"]  # of each slope with its intercept
    log_likelihood: float
    has_one_slope: bool

    def difficulties(self) -> tuple[Float[np.ndarray, " question"], Float[np.ndarray, " question"]]:
        """Return the difficulty of each question, and its standard error (delta method)."""
        difficulties = -self.intercepts / self.slopes
        by_both = np.stack([difficulties, np.ones_like(difficulties)], axis=-1)
        variances = np.einsum("qi,qij,qj->q", by_both, self.covariances, by_both)
        return difficulties, np.sqrt(variances) / np.abs(self.slopes)

    def probabilities(
        self, question: int, abilities: Float[np.ndarray, " ability"]
    ) -> Float[np.ndarray, "3 ability"]:
        """Return a question's curve at some abilities, between the ends of its 95 % intervals."""
        by_both = np.stack([abilities, np.ones_like(abilities)])
        variances = np.einsum("ia,ij,ja->a", by_both, self.covariances[question], by_both)
        logits = self.slopes[question] * abilities + self.intercepts[question]
        reach = Z_95 * np.sqrt(variances)
        return 1 / (1 + np.exp(-np.stack([logits - reach, logits, logits + reach])))


@dataclass(frozen=True, kw_only=True)
class ScoreGroup:
    """Learners with about the same score in all other questions than one."""

    n: int
    ability: float  # where the curve has the proportion right that it expects of them
    proportion: float  # right in that question
    low: float  # 95 % interval
    high: float


def item_statistics(
    right: Bool[np.ndarray, "form learner question"], questions: Sequence[str]
) -> tuple[ItemStatistics, ...]:
    """Return how each question went; `fit` is None where all answers or all scores are alike."""
    found = []
    for number, question in enumerate(questions):
        before, after = right[0, :, number], right[1, :, number]
        others = np.delete(right[1], number, axis=1).mean(axis=1)
        is_known = after.any() and not after.all() and np.ptp(others) > 0
        fit = float(np.corrcoef(after, others)[0, 1]) if is_known else None
        found.append(
            ItemStatistics(
                question=question,
                n=len(after),
                before=float(before.mean()),
                after=float(after.mean()),
                fit=fit,
            )
        )
    return tuple(found)


def fit_curves(
    right: Bool[np.ndarray, "learner question"], *, has_one_slope: bool | None = None
) -> Curves:
    """Return the curves of a test's questions; without `has_one_slope` the learners' number says.

    Raises ValueError for too few learners, a question that all or none have right, and answers
    that have no largest likelihood.
    """
    from scipy import optimize

    n, n_questions = right.shape
    if n < FEWEST:
        raise ValueError(f"{n} learners answered all questions: a curve needs at least {FEWEST}")
    proportions = right.mean(axis=0)
    if not ((proportions > 0) & (proportions < 1)).all():
        raise ValueError("a question that everybody or nobody has right has no curve: leave it out")
    if has_one_slope is None:
        has_one_slope = n < FEWEST_FOR_SLOPES
    n_slopes = 1 if has_one_slope else n_questions
    start = np.concatenate([np.ones(n_slopes), np.log(proportions / (1 - proportions))])
    answers = right.astype(float)
    search = {"method": "L-BFGS-B", "options": {"maxiter": 1_000, "ftol": 1e-13, "gtol": 1e-6}}
    found = optimize.minimize(_loss, start, args=(answers,), jac=True, **search)
    slopes = np.abs(found.x[:n_slopes])
    if not found.success or slopes.min() < FLATTEST or slopes.max() > STEEPEST:
        raise ValueError("the questions have too little or too much in common for curves")
    covariance = np.linalg.inv(_second_derivatives(found.x, answers))
    numbers = np.arange(n_questions)
    pairs = np.stack([numbers % n_slopes, n_slopes + numbers], axis=1)  # of slope and intercept
    return Curves(
        slopes=found.x[pairs[:, 0]],
        intercepts=found.x[pairs[:, 1]],
        covariances=covariance[pairs[:, :, None], pairs[:, None, :]],
        log_likelihood=-float(found.fun),
        has_one_slope=has_one_slope,
    )


def score_groups(
    curves: Curves, right: Bool[np.ndarray, "learner question"], question: int
) -> list[ScoreGroup]:
    """Return the observed proportions right of a question by learners' scores in all others.

    A learner's answers to the others say how probable each ability is, and so which proportion
    right the curve expects.
    """
    logs, own = _logs(curves.slopes, curves.intercepts), right[:, question]
    log_right, log_wrong = (log[:, question] for log in logs)
    log_own = np.where(own[:, None], log_right, log_wrong)
    expected = _normalized(_joint(*logs, right.astype(float)) - log_own) @ np.exp(log_right)
    score = right.sum(axis=1) - own
    edges = np.quantile(score, np.arange(1, N_GROUPS) / N_GROUPS)
    group_of = np.searchsorted(edges, score)
    groups = []
    for chosen in (group_of == group for group in np.unique(group_of)):
        n, share = int(chosen.sum()), expected[chosen].mean()
        low, high = interval_of_proportion(float(own[chosen].sum()), n)
        logit = np.log(share / (1 - share))
        ability = float((logit - curves.intercepts[question]) / curves.slopes[question])
        proportion = float(own[chosen].mean())
        groups.append(ScoreGroup(n=n, ability=ability, proportion=proportion, low=low, high=high))
    return groups


def _loss(
    parameters: Float[np.ndarray, " parameter"], right: Float[np.ndarray, "learner question"]
) -> tuple[float, Float[np.ndarray, " parameter"]]:
    """Return the negative log-likelihood of all answers, and its derivatives.

    A derivative is the mean, over the abilities that a learner's answers make probable, of what it
    would be at a known ability (Fisher's identity).
    """
    n_questions = right.shape[1]
    slopes, intercepts = parameters[:-n_questions], parameters[-n_questions:]
    log_right, log_wrong = _logs(slopes, intercepts)
    joint = _joint(log_right, log_wrong, right)
    weights = _normalized(joint)
    # How many more answers are right than the curves say, by ability.
    surplus = weights.T @ right - weights.sum(axis=0)[:, None] * np.exp(log_right)
    by_slope = ABILITIES @ surplus
    if len(slopes) == 1:
        by_slope = by_slope.sum(keepdims=True)
    log_likelihood = np.logaddexp.reduce(joint, axis=1).sum()
    return -float(log_likelihood), -np.concatenate([by_slope, surplus.sum(axis=0)])


def _logs(
    slopes: Float[np.ndarray, " slope"], intercepts: Float[np.ndarray, " question"]
) -> tuple[Float[np.ndarray, "ability question"], Float[np.ndarray, "ability question"]]:
    """Return log P(right) and log P(wrong) at each ability."""
    logits = ABILITIES[:, None] * slopes + intercepts
    return -np.logaddexp(0, -logits), -np.logaddexp(0, logits)


def _joint(
    log_right: Float[np.ndarray, "ability question"],
    log_wrong: Float[np.ndarray, "ability question"],
    right: Float[np.ndarray, "learner question"],
) -> Float[np.ndarray, "learner ability"]:
    """Return log P(a learner's answers and an ability)."""
    return right @ log_right.T + (1 - right) @ log_wrong.T + LOG_DENSITY


def _normalized(
    joint: Float[np.ndarray, "learner ability"],
) -> Float[np.ndarray, "learner ability"]:
    """Return the probability of each ability, given a learner's answers."""
    return np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None])


def _second_derivatives(
    parameters: Float[np.ndarray, " parameter"], right: Float[np.ndarray, "learner question"]
) -> Float[np.ndarray, "parameter parameter"]:
    """Return those of the loss, by central differences of its derivatives."""
    steps = STEP * np.eye(len(parameters))
    rows = [
        (_loss(parameters + step, right)[1] - _loss(parameters - step, right)[1]) / (2 * STEP)
        for step in steps
    ]
    return (np.stack(rows) + np.stack(rows).T) / 2
