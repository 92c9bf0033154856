"""A study with two groups: what a lesson adds to a test's score, and how many learners it needs.

    after = a + b before + c [form B first] + d [has the lesson]    by least squares
    d                     the groups' difference at equal scores before and equal order (ANCOVA)
    interval              d +- t s(d), with n - 4 degrees of freedom
    s(d)^2                s^2 (v + gap^2 / S), s^2 of the residuals; v = 1 / n_lesson + 1 / n_other
                          where both groups have the same mix of orders, else a little more
    power                 P(the interval leaves out 0) if the true difference is d

before, after    proportion of right answers, 0 to 1
n                learners of both groups
gap, S           of a line for the scores before, from group and order: what it gives the group,
                 and the sum of its squared residuals

Scores before are taken into account, since chance alone makes groups differ there; that also makes
the interval narrower, by sqrt(1 - r^2) for a correlation r of the two scores. The order is, since
one form may be harder. Where all learners have one order, c is left out: n - 3 degrees.

Source: ANCOVA: Fisher 1932; for two tests of randomized groups Vickers & Altman 2001. Power by the
noncentral t distribution: Cohen 1988. Simulated learners: the three-parameter model of item
response theory (Birnbaum 1968), and mastery of single ideas with slips and guesses (DINA;
Junker & Sijtsma 2001).
Departs: in the simulation an item asks for one idea.

What this can't show: whether groups that were not drawn by chance differ by the lesson. Groups
of very different sizes, with different spreads, have intervals that are a little off: with 40 and
10 learners, 93 to 96 % of simulated ones hold the truth.

Read before this: learning_gain.py.
"""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float

from mlm_core.evaluation.learning_gain import RIGHT, SITTINGS, WHEN
from mlm_core.text.plain_text import decode_text

COLUMNS = ("learner", "group", "order", "sitting", "question", "answer")
ALPHA = 0.05
ROUNDING, DIGITS = 1e-12, 12  # what is smaller is an error of floating-point numbers
LONGEST_NUMBER = 4  # digits; learners without a study's seat have numbers, all did in older files
MOST_LEARNERS = 5_000  # a group, in the search for the number that is needed
GUESS, SLIP = 0.25, 0.1  # of simulated answers, of which four are offered
Way = Literal["response", "mastery"]


@dataclass(frozen=True, kw_only=True)
class Difference:
    """What the lesson adds, with its 95 % interval; of several studies at once arrays."""

    n: int  # learners of both groups
    difference: Float[np.ndarray, "*study"]
    low: Float[np.ndarray, "*study"]
    high: Float[np.ndarray, "*study"]
    p: Float[np.ndarray, "*study"]  # two-sided
    slope: Float[np.ndarray, "*study"]  # of the score before


@dataclass(frozen=True, kw_only=True)
class Learner:
    """What one learner answered, without a name."""

    group: str = ""  # "" for who came in without a study's link
    order: str = ""  # the forms of the test, before and after: "AB" or "BA"
    # By sitting and question; a sitting of which nothing was answered is empty.
    answers: dict[str, dict[str, str]] = field(
        default_factory=lambda: {sitting: {} for sitting in SITTINGS}
    )

    def answered(self, questions: Sequence[str], sittings: Sequence[str] = WHEN) -> bool:
        """Return whether all questions were answered in each sitting."""
        return all(set(questions) <= self.answers[sitting].keys() for sitting in sittings)


def compare_groups(
    before: Float[np.ndarray, "*study learner"],
    after: Float[np.ndarray, "*study learner"],
    has_lesson: Bool[np.ndarray, " learner"],
    has_b_first: Bool[np.ndarray, " learner"],
) -> Difference:
    """Return what the lesson adds at equal scores before and equal order of the forms.

    Raises ValueError for fewer than two learners in a group, where group and order can't be told
    apart, or where all had the same score.
    """
    from scipy import stats

    n, n_lesson = len(has_lesson), int(has_lesson.sum())
    if min(n_lesson, n - n_lesson) < 2:
        raise ValueError(f"{n_lesson} of {n} learners have the lesson: give two of each group")
    columns = [has_lesson, np.ones(n)]
    if 0 < has_b_first.sum() < n:
        columns.append(has_b_first)
    design = np.stack(columns, axis=1).astype(float)
    free = n - len(columns) - 1
    if free < 1 or np.linalg.matrix_rank(design) < len(columns):
        raise ValueError("group and order go together: give two learners of each group and order")
    # What goes with group and order alone is taken out of both scores.
    weights = [scores @ np.linalg.pinv(design).T for scores in (before, after)]
    residuals = [
        scores - one @ design.T for scores, one in zip((before, after), weights, strict=True)
    ]
    squares = (residuals[0] ** 2).sum(-1)
    if (squares < ROUNDING).any():
        raise ValueError("all learners of a group had the same score before: nothing to adjust by")
    slope = (residuals[0] * residuals[1]).sum(-1) / squares
    gap_before, gap_after = (one[..., 0] for one in weights)
    rest = residuals[1] - slope[..., None] * residuals[0]
    variance = (rest**2).sum(-1) / free
    of_groups = np.linalg.inv(design.T @ design)[0, 0]
    difference = (gap_after - slope * gap_before).round(DIGITS)
    error = np.sqrt(variance * (of_groups + gap_before**2 / squares)).round(DIGITS)
    reach = stats.t.ppf(1 - ALPHA / 2, free) * error
    without_rest = np.where(difference == 0, 0.0, np.inf)
    ratio = np.divide(np.abs(difference), error, out=without_rest, where=error > 0)
    return Difference(
        n=n,
        difference=np.asarray(difference),
        low=np.asarray(difference - reach),
        high=np.asarray(difference + reach),
        p=np.asarray(2 * stats.t.sf(ratio, free)),
        slope=np.asarray(slope),
    )


def power(n_each: int, difference: float, deviation: float, correlation: float) -> float:
    """Return the probability that a study finds a true difference, with `n_each` in each group.

    `deviation` is the standard deviation of scores after the lessons, `correlation` that of the
    scores before and after, both of learners with one group and one order of the forms.
    """
    from scipy import stats

    free = 2 * n_each - 4
    by_chance = 1 + 1 / (2 * n_each - 5)  # the groups' mean difference before adds that much
    error = deviation * math.sqrt((1 - correlation**2) * 2 / n_each * by_chance)
    edge, shift = stats.t.ppf(1 - ALPHA / 2, free), abs(difference) / error
    return float(stats.nct.sf(edge, free, shift) + stats.nct.cdf(-edge, free, shift))


def learners_needed(
    difference: float, deviation: float, correlation: float, at_least: float = 0.8
) -> int:
    """Return how many learners each group needs.

    Raises ValueError where 5,000 are too few.

    >>> learners_needed(0.1, 0.15, 0.6)
    25
    """
    for n_each in range(3, MOST_LEARNERS + 1):
        if power(n_each, difference, deviation, correlation) >= at_least:
            return n_each
    raise ValueError(f"more than {MOST_LEARNERS} learners a group: expect a larger difference")


def read_answers(*files: bytes) -> dict[str, Learner]:
    """Return the learners by their ids, of CSV files with one row an answer.

    Files may repeat each other's rows. A row without a question is a seat without answers. A number
    is another learner in another file: of several files, learners with a number and no group are
    left out. Raises ValueError for such a number with a group, for rows that contradict each
    other, and for another file.
    """
    found: dict[str, Learner] = {}
    for data in files:
        for row in _rows(data):
            name = row["learner"]
            if len(files) > 1 and len(name) <= LONGEST_NUMBER and name.isdecimal():
                if not row["group"]:
                    continue
                raise ValueError(
                    f"learner {name} has a number, not a random id: read this file alone"
                )
            new = Learner(group=row["group"], order=row["order"])
            learner = found.setdefault(name, new)
            _same(name, f"{learner.group} {learner.order}", f"{new.group} {new.order}")
            if question := row["question"]:
                kept = learner.answers[row["sitting"]].setdefault(question, row["answer"])
                _same(name, f"{question}: {kept}", f"{question}: {row['answer']}")
    return found


def _rows(data: bytes) -> Iterator[dict[str, str]]:
    text = decode_text(data).text
    # A file that was saved in German has semicolons, as its spreadsheets do.
    rows = csv.DictReader(io.StringIO(text), delimiter=";" if ";" in text[:40] else ",")
    missing = set(COLUMNS) - set(rows.fieldnames or ())
    if missing:
        raise ValueError(f"no column {', '.join(sorted(missing))}: save the answers at the desk")
    for number, row in enumerate(rows, start=2):
        if row["question"] and row["sitting"] not in SITTINGS:
            raise ValueError(
                f"line {number} has the sitting {row['sitting']!r}, not before, after or delayed"
            )
        yield row


def _same(learner: str, first: str, then: str) -> None:
    if first != then:
        raise ValueError(
            f"rows of learner {learner} contradict each other, {first!r} and {then!r}:"
            " leave out the wrong file"
        )


def right_answers(
    learners: Iterable[Learner], questions: Sequence[str], sittings: Sequence[str] = WHEN
) -> Bool[np.ndarray, "form learner question"]:
    """Return whose answers are right, of who answered all questions in two sittings."""
    twice = [
        [[one.answers[sitting][name] == RIGHT for name in questions] for sitting in sittings]
        for one in learners
        if one.answered(questions, sittings)
    ]
    return np.array(twice, dtype=bool).reshape(-1, 2, len(questions)).swapaxes(0, 1)


def simulated_answers(
    way: Way,
    has_lesson: Bool[np.ndarray, " learner"],
    gain: float,
    rng: np.random.Generator,
    *,
    n_studies: int = 1,
    n_questions: int = 24,
    test: int = 1,
    has_b_first: Bool[np.ndarray, " learner"] | None = None,
    b_harder: float = 0.0,
) -> Bool[np.ndarray, "sitting study learner question"]:
    """Return which answers are right in studies of learners who are drawn, not asked.

    `gain` is what the lesson adds: "response" to the ability, in standard deviations; "mastery" to
    the probability that an idea which was not mastered is learned. Both groups gain a little
    between the tests, as from a test itself. The number `test` decides how hard the questions are,
    `b_harder` how much harder they are in form B: "response" in standard deviations of the
    ability, "mastery" as more slips. Without `has_b_first` all have form A first.
    """
    of_test = np.random.default_rng(test)
    steepness, place = of_test.lognormal(0.2, 0.3, n_questions), of_test.normal(0, 1, n_questions)
    shape = (n_studies, len(has_lesson))
    first = np.zeros(len(has_lesson), bool) if has_b_first is None else has_b_first
    harder = [b_harder * has_b[:, None] for has_b in (first, ~first)]  # at each sitting
    if way == "response":
        ability = rng.normal(size=(*shape, 1))
        growth = np.where(has_lesson, 0.2 + gain, 0.2)[:, None] + rng.normal(0, 0.3, (*shape, 1))
        chances = [
            GUESS + (1 - GUESS) / (1 + np.exp(-steepness * (one - place - more)))
            for one, more in zip((ability, ability + growth), harder, strict=True)
        ]
    else:
        share = rng.beta(2, 3, size=(*shape, 1))
        mastered = rng.random((*shape, n_questions)) < share
        learns = np.where(has_lesson, 0.05 + gain, 0.05)[:, None]
        later = mastered | (rng.random(mastered.shape) < learns)
        chances = [
            np.where(one, 1 - SLIP - more, GUESS)
            for one, more in zip((mastered, later), harder, strict=True)
        ]
    return np.stack([rng.random((*shape, n_questions)) < chance for chance in chances])
