"""The temperature of a prediction, and whether the model is as often right as it is confident.

    softmax(u / T)       T > 1 flattens the distribution, T < 1 sharpens it
    H = -sum y log y     its entropy, in nats
    confidence           the probability of the likeliest token
    ECE = sum over bins of n_b / n * |accuracy_b - mean confidence_b|

A model is calibrated if it is right in 80 % of the cases in which its confidence is 80 %. The
temperature that gives the smallest mean loss on one part of the data is measured on another.
It changes no accuracy: the likeliest token stays the likeliest.

Source: Guo et al. 2017, section 2 (reliability diagram, ECE, equal-width bins) and 4.2
(temperature scaling). Departs: the temperature is searched on a grid instead of by gradient
descent; `error_if_calibrated` is added, since the ECE of few cases is above 0 by chance alone.

Read before this: fillers.py.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import torch

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.prediction.fillers import positions_to_score
from mlm_core.prediction.masked_words import hide
from mlm_core.shapes import Bool, Float, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import tokenize

MASKED_RATE = 0.15  # Devlin et al. 2019
N_BINS = 10
TEMPERATURES = tuple(round(0.5 + 0.05 * k, 2) for k in range(31))  # 0.5 to 2, with 1


def at_temperature(
    logits: Float[Tensor, "*position vocabulary"], temperature: float
) -> Float[Tensor, "*position vocabulary"]:
    """Return softmax(u / T). Raises ValueError if T is not positive and finite.

    >>> at_temperature(torch.tensor([0.0, math.log(9.0)]), 2.0).round(decimals=4).tolist()
    [0.25, 0.75]
    """
    if not 0 < temperature < math.inf:
        raise ValueError(f"temperature {temperature}: choose one above 0")
    return (logits / temperature).softmax(dim=-1)


def entropy(probabilities: Float[Tensor, " vocabulary"]) -> float:
    """Return the entropy in nats: 0 if one token is certain, log V if all are equally likely.

    >>> round(entropy(torch.full((8,), 1 / 8)), 4) == round(math.log(8), 4)
    True
    """
    return -torch.special.xlogy(probabilities, probabilities).sum().item()


@short_repr("temperatures")
@dataclass(frozen=True, kw_only=True)
class ScoredBlanks:
    """How confident the model was at masked tokens, at each temperature, and if it was right."""

    temperatures: tuple[float, ...]
    confidence: Float[Tensor, "temperature blank"]
    losses: Float[Tensor, "temperature blank"]  # -log P of the true token, in nats
    is_right: Bool[Tensor, " blank"]  # at every temperature alike

    def at(self, temperature: float) -> Float[Tensor, " blank"]:
        """Return the confidence at one temperature."""
        return self.confidence[self.temperatures.index(temperature)]

    def mean_loss(self, temperature: float) -> float:
        """Return the mean loss at one temperature."""
        return self.losses[self.temperatures.index(temperature)].mean().item()


@dataclass(frozen=True, kw_only=True)
class Bin:
    """The cases whose confidence is in one interval (low, high]."""

    low: float
    high: float
    n: int
    confidence: float  # mean
    accuracy: float

    @property
    def standard_error(self) -> float:
        """Return that of the accuracy, if the model were calibrated."""
        return math.sqrt(self.confidence * (1 - self.confidence) / self.n)


@torch.inference_mode()
def score_blanks(
    model: MaskedLanguageModel,
    sentences: Sequence[str],
    rng: Random,
    temperatures: Sequence[float] = TEMPERATURES,
) -> ScoredBlanks:
    """Mask 15 % of each sentence's tokens, at least one, and score the predictions there.

    All of a sentence's masks are predicted in one pass, as in pretraining.
    Raises ValueError if there is no token to mask.
    """
    rows, targets = [], []
    for sentence in sentences:
        text = tokenize(model.tokenizer, sentence, max_tokens=model.max_tokens)
        places = positions_to_score(text)
        n_masked = min(len(places), max(1, round(MASKED_RATE * len(places))))
        chosen = sorted(rng.sample(places, n_masked))
        if not chosen:
            continue
        seen = hide(text, chosen, model.tokenizer)
        rows.append(model.vocabulary_logits(seen)[chosen] if model.bert is None else seen)
        targets.append([(i, text.ids[i]) for i in chosen])
    if not targets:
        raise ValueError("no sentence has a token to mask: pass at least one word")
    if model.bert is None:
        logits = torch.cat(rows)
    else:
        states = model.encode_batch(rows).last
        at = [(row, i) for row, chosen in enumerate(targets) for i, _ in chosen]
        logits = model.bert.masked_language_logits(states[tuple(torch.tensor(at).T)])
    true_ids = torch.tensor([id_ for chosen in targets for _, id_ in chosen], device=logits.device)
    return _scored(logits, true_ids, temperatures)


def _scored(
    logits: Float[Tensor, "blank vocabulary"], true_ids: Tensor, temperatures: Sequence[float]
) -> ScoredBlanks:
    """Return what is kept of the logits: two numbers for each blank and temperature."""
    best, best_ids = logits.max(dim=-1)
    true = logits.gather(-1, true_ids.unsqueeze(-1)).squeeze(-1)
    totals = [(logits / temperature).logsumexp(dim=-1) for temperature in temperatures]
    pairs = list(zip(temperatures, totals, strict=True))
    return ScoredBlanks(
        temperatures=tuple(temperatures),
        confidence=torch.stack([(best / t - total).exp() for t, total in pairs]),
        losses=torch.stack([total - true / t for t, total in pairs]),
        is_right=best_ids == true_ids,
    )


def join_blanks(parts: Sequence[ScoredBlanks]) -> ScoredBlanks:
    """Return the blanks of several parts in one. Raises ValueError if there is none."""
    if not parts:
        raise ValueError("no scored blanks to join: pass at least one part")
    return ScoredBlanks(
        temperatures=parts[0].temperatures,
        confidence=torch.cat([part.confidence for part in parts], dim=1),
        losses=torch.cat([part.losses for part in parts], dim=1),
        is_right=torch.cat([part.is_right for part in parts]),
    )


def best_temperature(blanks: ScoredBlanks) -> float:
    """Return the temperature of the grid with the smallest mean loss."""
    return min(blanks.temperatures, key=blanks.mean_loss)


def reliability(
    confidence: Float[Tensor, " blank"], is_right: Bool[Tensor, " blank"], n_bins: int = N_BINS
) -> tuple[Bin, ...]:
    """Return the bins of equal width that are not empty, with confidence and accuracy in each.

    Raises ValueError if there is no case or no bin.
    """
    if not len(confidence) or n_bins < 1:
        raise ValueError(f"{len(confidence)} cases in {n_bins} bins: give at least one of each")
    numbers = _bin_numbers(confidence, n_bins)
    bins = []
    for number in numbers.unique().tolist():
        inside = numbers == number
        bins.append(
            Bin(
                low=number / n_bins,
                high=(number + 1) / n_bins,
                n=int(inside.sum()),
                confidence=confidence[inside].mean().item(),
                accuracy=is_right[inside].float().mean().item(),
            )
        )
    return tuple(bins)


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error: the mean gap of the bins, weighted by their cases."""
    n = sum(each.n for each in bins)
    return sum(each.n * abs(each.accuracy - each.confidence) for each in bins) / n


def confidence_gap(
    confidence: Float[Tensor, " blank"], is_right: Bool[Tensor, " blank"]
) -> tuple[float, float]:
    """Return mean confidence minus accuracy, and its standard error for a calibrated model.

    A gap above 0 is overconfidence. In a calibrated model case i is right with probability
    confidence[i], on its own, so the variance of the number right is the sum of c (1 - c).
    """
    gap = confidence.mean() - is_right.float().mean()
    variance = (confidence * (1 - confidence)).sum()
    return gap.item(), variance.sqrt().item() / len(confidence)


def error_if_calibrated(
    confidence: Float[Tensor, " blank"],
    generator: torch.Generator,
    n_bins: int = N_BINS,
    n_draws: int = 200,
) -> float:
    """Return the mean ECE of a calibrated model with these confidences.

    Each draw makes case i right with probability confidence[i]. What a measured ECE is above
    this mean tells about the model; the mean itself comes from the number of cases.
    """
    confidence = confidence.cpu()
    is_right = torch.rand(n_draws, len(confidence), generator=generator) < confidence
    # n_b * |accuracy - confidence| is the size of a bin's summed differences.
    gaps = torch.zeros(n_draws, n_bins).index_add(
        1, _bin_numbers(confidence, n_bins), is_right.float() - confidence
    )
    return (gaps.abs().sum(dim=1) / len(confidence)).mean().item()


def _bin_numbers(confidence: Float[Tensor, " blank"], n_bins: int) -> Tensor:
    return (confidence * n_bins).ceil().long().sub(1).clamp(0, n_bins - 1)
