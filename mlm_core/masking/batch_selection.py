"""Whole words and spans chosen in a whole batch at once, as steps.py does in one text.

    units    the words of each text: tokens that are chosen together or not at all
    words    each with the rate by itself, or in random order as long as they fit the count
    spans    from a random token on, as many words as drawn, again until the count is full

No loop goes over the texts. Words to a count need at most one round for each different length
of a word, spans one round for each span of the text that has the most.

Source: google-research/bert (whole words under a fixed count); Joshi et al. 2020, section 3.1
(spans with geometric lengths).
Departs: as steps.py; a span's start is drawn among the tokens not yet chosen.

Read before this: rule.py, steps.py. Read next: batch.py.
"""

from typing import NamedTuple

import torch

from mlm_core.shapes import Bool, Float, Int, Tensor


class Units(NamedTuple):
    """The words of each text, counted from 0 by where they begin; unused columns have size 0."""

    number: Int[Tensor, "batch token"]  # each token's word; -1 where it may not be chosen
    stretch: Int[Tensor, "batch token"]  # equal where no barred token stands between two words
    size: Int[Tensor, "batch unit"]  # tokens in each word


def find_units(
    may_be_chosen: Bool[Tensor, "batch token"], word_of_token: Int[Tensor, "batch token"]
) -> Units:
    """Return the words that can be chosen; a token of no word (-1) is a unit by itself.

    Raises ValueError if the words of a text are not numbered from 0.

    >>> may = torch.tensor([[False, True, True, True, False, True]])
    >>> units = find_units(may, torch.tensor([[-1, 0, 1, 1, -1, 2]]))
    >>> units.number.tolist(), units.stretch.tolist(), units.size.tolist()
    ([[-1, 0, 1, 1, -1, 2]], [[-1, 1, 1, 1, -1, 2]], [[1, 2, 1, 0, 0, 0]])
    """
    n_texts, n = may_be_chosen.shape
    if (word_of_token >= n).any():
        raise ValueError(
            f"word {int(word_of_token.max())} in a text of {n} tokens: number each text's words"
            " from 0 on, those of a second segment after those of the first"
        )
    place = torch.arange(n, device=may_be_chosen.device).expand(n_texts, n)
    # A column for each word, then one for each token without a word, and a last one for all
    # that is barred.
    key = torch.where(word_of_token >= 0, word_of_token.long(), n + place)
    key = key.masked_fill(~may_be_chosen, 2 * n)
    start = place.new_full((n_texts, 2 * n + 1), n).scatter_reduce(1, key, place, "amin")
    start = start.gather(1, key)
    number = ((may_be_chosen & (start == place)).cumsum(-1) - 1).gather(1, start)
    column = number.masked_fill(~may_be_chosen, n)
    empty = place.new_zeros((n_texts, n + 1))
    size = empty.scatter_add(1, column, torch.ones_like(column))
    first = (empty + n).scatter_reduce(1, column, place, "amin")
    last = (empty - 1).scatter_reduce(1, column, place, "amax")
    is_apart = torch.ones_like(first, dtype=torch.bool)
    is_apart[:, 1:] = first[:, 1:] != last[:, :-1] + 1
    return Units(
        number=number.masked_fill(~may_be_chosen, -1),
        stretch=is_apart.cumsum(-1).gather(1, column).masked_fill(~may_be_chosen, -1),
        size=size[:, :n],
    )


def choose_words_by_themselves(
    units: Units, rate: float, generator: torch.Generator
) -> Bool[Tensor, "batch token"]:
    """Return the tokens of the words that are chosen, each word with the rate."""
    draws = torch.rand(units.size.shape, generator=generator, device=units.size.device)
    return _tokens_of(draws < rate, units)


def choose_words_to_count(
    units: Units, count: Int[Tensor, " batch"], generator: torch.Generator
) -> Bool[Tensor, "batch token"]:
    """Return the tokens of words taken in random order, `count` tokens a text at most.

    A word that would go beyond the count is passed over, so a text may stay below it.
    """
    draws = torch.rand(units.size.shape, generator=generator, device=units.size.device)
    order = draws.argsort(dim=-1)
    size = units.size.gather(1, order)
    room = count.unsqueeze(-1)
    waits, is_taken = size > 0, torch.zeros_like(size, dtype=torch.bool)
    # A round takes words up to the first that does not fit. Room only shrinks, so that one and
    # all of its length are out for good: as many rounds as different lengths, at most.
    while (waits := waits & (size <= room)).any():
        fits = waits & ((size * waits).cumsum(-1) <= room)
        is_taken, waits = is_taken | fits, waits & ~fits
        room = room - (size * fits).sum(-1, keepdim=True)
    return _tokens_of(torch.zeros_like(is_taken).scatter(1, order, is_taken), units)


def draw_spans(
    units: Units,
    count: Int[Tensor, " batch"],
    length_shares: Float[Tensor, " length"],
    generator: torch.Generator,
) -> Int[Tensor, "batch token"]:
    """Return the span that took each token, counted from 0, and -1 for tokens not chosen.

    A span is of whole words, but the last of a text may be cut short: each text has `count`
    tokens, or all that may be chosen if they are fewer. No span goes across a barred token.
    `length_shares` are the cumulated probabilities of 1, 2, ... words (`span_length_shares`).
    """
    number, room = units.number, count.unsqueeze(-1)
    span, n_spans = torch.full_like(number, -1), 0
    while (is_left := (number >= 0) & (span < 0) & (room > 0)).any():
        start_draw, length_draw = torch.rand(
            (2, len(number), 1), generator=generator, device=number.device
        )
        start = _draw_place(is_left, start_draw)
        length = torch.searchsorted(length_shares, length_draw, right=True) + 1
        word = number.gather(1, start)
        fits = is_left & (number >= word) & (number < word + length)
        fits &= units.stretch == units.stretch.gather(1, start)
        fits &= fits.cumsum(-1) <= room
        span = span.masked_fill(fits, n_spans)
        room = room - fits.sum(-1, keepdim=True)
        n_spans += 1
    return span


def span_length_shares(
    stop_rate: float, longest: int, device: torch.device | None = None
) -> Float[Tensor, " length"]:
    """Return the chance that a span has at most 1, 2, ..., `longest` words.

    Geometric, cut at the longest and rescaled: `CorruptionRule.span_length` for a batch.

    >>> span_length_shares(0.5, 3).tolist()  # 4, 2 and 1 of 7
    [0.5714285969734192, 0.8571428656578064, 1.0]
    """
    words = torch.arange(1, longest + 1, dtype=torch.float64, device=device)
    reached = 1 - (1 - stop_rate) ** words
    # Divided by itself, the last share is exactly 1, above any draw.
    return (reached / reached[-1]).float()


def _draw_place(
    is_left: Bool[Tensor, "batch token"], draw: Float[Tensor, "batch 1"]
) -> Int[Tensor, "batch 1"]:
    """Return one of the places that are left, all equally likely; 0 where none is."""
    n_left = is_left.sum(-1, keepdim=True)
    k = torch.minimum((draw * n_left).long(), n_left - 1)
    return (is_left & (is_left.cumsum(-1) == k + 1)).byte().argmax(-1, keepdim=True)


def _tokens_of(is_chosen: Bool[Tensor, "batch unit"], units: Units) -> Bool[Tensor, "batch token"]:
    return (units.number >= 0) & is_chosen.gather(1, units.number.clamp(min=0))
