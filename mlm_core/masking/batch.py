"""The 80/10/10 corruption of a batch: choose positions, then replace tokens.

    choose   about 15 % of the real, non-special tokens: a fixed count a text, as BERT does,
             or each token by itself, as transformers does
    replace  each chosen token by [MASK] (80 %), a random word (10 %) or itself (10 %)

Both steps are drawn anew every time a text comes up ("dynamic masking", RoBERTa), so the
model never sees the same corruption twice.

Source: Devlin et al. 2019, section 3.1 and appendix A.1; SLP3 section 11.2.1;
google-research/bert for the fixed count; transformers' DataCollatorForLanguageModeling for the
other rule; Liu et al. 2019, section 4.1, for drawing anew.
Departs: random words come by unigram frequency; BERT draws them uniformly. A special token is
never drawn as a random word; both originals can draw one.
Left out: whole words and spans. A corpus keeps token ids only, not which tokens are one word;
steps.py chooses words and spans in one text.

Read before this: steps.py. Read next: ../training/loop.py.
"""

from typing import NamedTuple

import torch

from mlm_core.masking.rule import IGNORED_LABEL, CorruptionRule
from mlm_core.shapes import Bool, Float, Int, Tensor

MASKED, RANDOM, KEPT = 0, 1, 2  # branches; -1 where nothing was chosen


class Corruption(NamedTuple):
    """The ids that the model sees, the labels, and the branch of each token."""

    ids: Int[Tensor, "batch token"]  # what the model sees
    labels: Int[Tensor, "batch token"]  # the original id where chosen, IGNORED_LABEL elsewhere
    branch: Int[Tensor, "batch token"]  # MASKED, RANDOM, KEPT, or -1


def choose(
    may_be_chosen: Bool[Tensor, "batch token"],
    n_real: Int[Tensor, " batch"],
    rule: CorruptionRule,
    generator: torch.Generator,
) -> Bool[Tensor, "batch token"]:
    """Return which tokens the model must predict.

    With "fixed_count" each text has exactly `count_to_choose(n_real)` of them (fewer if there
    are fewer to choose from), without replacement and all equally likely. With
    "independent" each token is chosen with the rate, and a text may have none.
    Raises ValueError for a rule that chooses words or spans.
    """
    if rule.unit != "token":
        raise ValueError(
            f"unit {rule.unit!r}: a batch is corrupted token by token, so choose 'token';"
            " steps.py takes words and spans, for one text at a time"
        )
    draws = torch.rand(may_be_chosen.shape, generator=generator, device=may_be_chosen.device)
    if rule.selection == "independent":
        return may_be_chosen & (draws < rule.mlm_probability)
    # The smallest draws win. Tokens that may not be chosen get 2, so they come last. Only as many
    # are sorted as a text without padding needs: the largest count would make a GPU wait.
    width = may_be_chosen.shape[-1]
    most = min(width, int(count_to_choose(torch.tensor(width), rule.mlm_probability)))
    winners = torch.where(may_be_chosen, draws, 2.0).topk(most, largest=False).indices
    counts = count_to_choose(n_real, rule.mlm_probability).unsqueeze(-1)
    wins = torch.arange(most, device=winners.device) < counts
    return may_be_chosen & torch.zeros_like(may_be_chosen).scatter_(-1, winners, wins)


def count_to_choose(n_real: Int[Tensor, "*batch"], rate: float) -> Int[Tensor, "*batch"]:
    """Return BERT's count: the rate times the text's tokens, rounded, and at least 1.

    >>> count_to_choose(torch.tensor([3, 12, 128]), 0.15)
    tensor([ 1,  2, 19])
    """
    # In float64, as BERT's Python: in float32 an exact half can fall on the other side.
    return (n_real.double() * rate).round().long().clamp(min=1)


def replace(
    ids: Int[Tensor, "batch token"],
    chosen: Bool[Tensor, "batch token"],
    rule: CorruptionRule,
    generator: torch.Generator,
    *,
    mask_id: int,
    word_cdf: Float[Tensor, " vocabulary"],
) -> Corruption:
    """Return the batch with its chosen tokens replaced, the labels and the branches.

    `word_cdf` are the cumulated probabilities of the random words (see `random_word_cdf`).
    """
    branch_draws = torch.rand(ids.shape, generator=generator, device=ids.device)
    word_draws = torch.rand(ids.shape, generator=generator, device=ids.device)
    is_masked = chosen & (branch_draws < rule.mask_rate)
    is_random = chosen & ~is_masked & (branch_draws < rule.mask_rate + rule.random_rate)
    branch = torch.where(chosen, KEPT, -1)
    branch.masked_fill_(is_random, RANDOM).masked_fill_(is_masked, MASKED)
    seen = torch.where(is_masked, mask_id, ids)
    if ids.device.type == "cpu":  # look up the few words that are needed
        seen[is_random] = torch.searchsorted(word_cdf, word_draws[is_random], right=True)
    else:  # look up all: a GPU would have to wait until the few are counted
        seen = torch.where(is_random, torch.searchsorted(word_cdf, word_draws, right=True), seen)
    labels = torch.where(chosen, ids, IGNORED_LABEL)
    return Corruption(ids=seen, labels=labels, branch=branch)


def random_word_cdf(
    counts: Int[Tensor, " vocabulary"], special_ids: frozenset[int]
) -> Float[Tensor, " vocabulary"]:
    """Return the cumulated probabilities from which `replace` draws its random words.

    Words are weighted by their counts; special tokens have weight 0.
    Raises ValueError if no word is left to draw.

    >>> random_word_cdf(torch.tensor([9, 3, 1]), frozenset({0}))
    tensor([0.0000, 0.7500, 1.0000])
    """
    weights = counts.clone()
    weights[list(special_ids)] = 0
    if not weights.any():
        raise ValueError("no word to draw at random: the corpus holds special tokens only")
    # Summed in float64 and divided at the end: the last one is exactly 1, above any draw.
    proportions = weights.double().cumsum(0)
    return (proportions / proportions[-1]).float()


class Slots(NamedTuple):
    """The chosen positions as a matrix; a text with fewer of them has unused slots."""

    positions: Int[Tensor, "batch slot"]
    labels: Int[Tensor, "batch slot"]  # IGNORED_LABEL in an unused slot


def gather_slots(labels: Int[Tensor, "batch token"], n_slots: int | None = None) -> Slots:
    """Return the labelled positions, `n_slots` a text (None: as many as needed).

    A fixed `n_slots` lets a GPU run ahead: counting first would make it wait.
    """
    is_chosen = labels != IGNORED_LABEL
    if n_slots is None:
        n_slots = max(1, int(is_chosen.sum(dim=-1).max()))
    positions = is_chosen.byte().argsort(dim=-1, descending=True, stable=True)[:, :n_slots]
    return Slots(positions, labels.gather(1, positions))
