"""The best possible prediction in the mini world, by Bayes' rule.

Some positions of a text were chosen and show [MASK], a random word or the original word. Bayes'
rule gives the probability of the original words:

    P(words | shown)  =  P(words) P(shown | words) / sum over all words that are possible
    P(shown | words)  =  product over positions: 1 if not chosen and the same, 0 if not the same;
                         where chosen:  mask_rate                                  for [MASK],
                                       keep_rate [same] + random_rate P(shown)       for a word

A text is explained by a pattern of the grammar (for a pair: by two that follow each other in
one document, or by two of different documents). Within a pattern the variables are independent,
so the sum is P(pattern) times a product over variables of sums over their values. No encoder
can have a lower expected loss on texts of this grammar.

Exact for texts that the grammar draws, with A and B drawn as in pretraining/sentence_pairs.py (A
is any sentence but a document's last, a random B any but the first of another document).
Departs: the held-out part has no sentence of the training part, which this reader does not know;
this costs about 0.02 nats a word.

Source: Bayes' rule; the noisy channel of Devlin et al. 2019, section 3.1.

Read before this: world.py.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mlm_core.text.mini_world.grammar import KINDS, Pattern, Slot, patterns

MASK = None  # what a masked position shows


@dataclass(frozen=True, kw_only=True)
class ShownText:
    """A text as the encoder sees it: words without [CLS] and [SEP]."""

    a: tuple[str | None, ...]  # None is [MASK]
    b: tuple[str | None, ...] = ()  # empty: A stands alone
    chosen: tuple[int, ...]  # positions to predict, counted through A and B

    def __post_init__(self) -> None:
        """Refuse positions that are not possible."""
        shown = self.a + self.b
        hidden = {i for i, word in enumerate(shown) if word is MASK}
        if not self.a or not hidden <= set(self.chosen) <= set(range(len(shown))):
            raise ValueError(
                f"{len(self.a)} words in A, masked positions {sorted(hidden)}, chosen"
                f" {self.chosen}: give at least one word, choose every masked position, and"
                f" count positions from 0 to {len(shown) - 1}"
            )


@dataclass(frozen=True, kw_only=True)
class ChannelRates:
    """The rates of the corruption. BERT's values by default."""

    mask_rate: float = 0.8  # of the chosen
    random_rate: float = 0.1
    keep_rate: float = 0.1
    no_stop_rate: float = 0.25  # of the texts without B: without final stop
    follows_rate: float = 0.5  # of the pairs


class BestPrediction(NamedTuple):
    """The probabilities of a text's hidden words, given what is shown."""

    words: dict[int, dict[str, float]]  # chosen position -> word -> probability
    follows: float | None  # probability that B follows A; None without B


# The slots of a pattern at positions of a text: (position, slot).
_Placed = tuple[tuple[int, Slot], ...]


class WorldReader:
    """Predicts hidden words by Bayes' rule over all patterns of the grammar."""

    def __init__(
        self,
        word_probabilities: Mapping[str, float],
        rates: ChannelRates | None = None,
        *,
        last_too: bool = False,
    ) -> None:
        """Sort the patterns; `word_probabilities` are those of the random words.

        `last_too`: A may also be the last sentence of its document.
        """
        self.rates = rates or ChannelRates()
        self.last_too = last_too
        self.word_probabilities = word_probabilities
        self.patterns = patterns()
        self.n_steps: dict[str, int] = {}
        # The patterns that have a word at a position, as the bits of one number: the patterns that
        # explain a sentence are the bitwise "and" of a few.
        self._with_word: dict[tuple[int, int, str], int] = {}
        self._of_length: dict[int, int] = {}
        for number, pattern in enumerate(self.patterns):
            length, bit = len(pattern.slots), 1 << number
            self.n_steps[pattern.scene] = max(self.n_steps.get(pattern.scene, 0), pattern.step + 1)
            self._of_length[length] = self._of_length.get(length, 0) | bit
            for i, slot in enumerate(pattern.slots):
                for word in slot.words:
                    key = (length, i, word)
                    self._with_word[key] = self._with_word.get(key, 0) | bit
        self._n_followed = sum(n - 1 for n in self.n_steps.values())

    def predict(self, text: ShownText) -> BestPrediction:
        """Return the probabilities of the chosen words, and of "B follows A".

        Raises ValueError if the grammar has no such text.
        """
        totals: dict[int, dict[str, float]] = {i: {} for i in text.chosen}
        if not text.b:
            total = self._explain(self._alone(text, may_lose_stop=True), text, totals)
            return BestPrediction(words=_normalized(totals, total), follows=None)
        follows = self._explain(self._pairs(text), text, totals)
        total = follows + self._explain_apart(text, totals)
        return BestPrediction(words=_normalized(totals, total), follows=follows / (total or 1.0))

    def _alone(self, text: ShownText, *, may_lose_stop: bool) -> Iterator[tuple[float, _Placed]]:
        """Yield the patterns that explain A, any sentence but the last of its document."""
        lost = self.rates.no_stop_rate if may_lose_stop else 0.0
        for cut, proportion in ((0, 1 - lost), (1, lost)):
            for pattern in self._matches(text.a, 0, text, cut) if proportion else ():
                if self.last_too or pattern.step < self.n_steps[pattern.scene] - 1:
                    yield proportion * self._prior(pattern), _placed(pattern, 0, len(text.a))

    def _second(self, text: ShownText) -> Iterator[tuple[float, _Placed]]:
        """Yield the patterns that explain B by itself, any sentence but the first."""
        offset = len(text.a)
        for pattern in self._matches(text.b, offset, text, 0):
            if pattern.step > 0:
                yield self._prior(pattern), _placed(pattern, offset, len(text.b))

    def _pairs(self, text: ShownText) -> Iterator[tuple[float, _Placed]]:
        """Yield the patterns for A with those of the next step of the same document for B."""
        offset = len(text.a)
        seconds: dict[tuple[str, int, str], list[Pattern]] = {}
        for pattern in self._matches(text.b, offset, text, 0):
            seconds.setdefault((pattern.scene, pattern.step, pattern.kind), []).append(pattern)
        for first in self._matches(text.a, 0, text, 0):
            for second in seconds.get((first.scene, first.step + 1, first.kind), ()):
                placed = _placed(first, 0, offset) + _placed(second, offset, len(text.b))
                prior = self.rates.follows_rate * self._prior(first) * second.probability
                yield prior, placed

    def _explain_apart(self, text: ShownText, totals: dict[int, dict[str, float]]) -> float:
        """Add the words of A and B of different documents; return their probability."""
        parts: list[dict[int, dict[str, float]]] = [
            {i: {} for i in text.chosen if (i >= len(text.a)) == is_b} for is_b in (False, True)
        ]
        of_a = self._explain(self._alone(text, may_lose_stop=False), text, parts[0])
        of_b = self._explain(self._second(text), text, parts[1])
        proportion = 1 - self.rates.follows_rate
        for part, other in zip(parts, (of_b, of_a), strict=True):
            for i, words in part.items():
                for word, weight in words.items():
                    totals[i][word] = totals[i].get(word, 0.0) + proportion * weight * other
        return proportion * of_a * of_b

    def _explain(
        self,
        explanations: Iterator[tuple[float, _Placed]],
        text: ShownText,
        totals: dict[int, dict[str, float]],
    ) -> float:
        """Add each explanation's weight to its words; return the sum, P(what is shown)."""
        shown, chosen, sum_of_all = text.a + text.b, set(text.chosen), 0.0
        for prior, placed in explanations:
            weights = self._weights(placed, shown, chosen)
            sums = {name: sum(values) for name, values in weights.items()}
            weight = prior * math.prod(sums.values())
            for i, slot in placed:
                word = shown[i]
                if slot.variable is None and word is not None:
                    weight *= self._channel(slot.words[0], word, i in chosen)
            if not weight:
                continue
            sum_of_all += weight
            for i, slot in placed:
                if i in totals:
                    _add_words(totals[i], slot, weight, weights, sums)
        return sum_of_all

    def _weights(
        self, placed: _Placed, shown: Sequence[str | None], chosen: set[int]
    ) -> dict[str, list[float]]:
        """Return, for each variable, the weight of each of its values given what is shown."""
        weights: dict[str, list[float]] = {}
        for i, slot in placed:
            if slot.variable is None:
                continue
            name, n = slot.variable.name, slot.variable.n_values
            before = weights.setdefault(name, [1 / n] * n)
            seen = shown[i]
            if seen is not None:
                weights[name] = [
                    weight * self._channel(word, seen, i in chosen)
                    for weight, word in zip(before, slot.words, strict=True)
                ]
        return weights

    def _channel(self, word: str, shown: str, is_chosen: bool) -> float:
        """Return P(shown | word) of one position that is not masked.

        At a masked position P is mask_rate for every word, and cancels.
        """
        if not is_chosen:
            return float(word == shown)
        kept = self.rates.keep_rate * (word == shown)
        return kept + self.rates.random_rate * self.word_probabilities.get(shown, 0.0)

    def _matches(
        self, shown: Sequence[str | None], offset: int, text: ShownText, cut: int
    ) -> Iterator[Pattern]:
        """Yield the patterns, `cut` words longer, that fit the words not chosen."""
        length, chosen = len(shown) + cut, set(text.chosen)
        bits = self._of_length.get(length, 0)
        for i, word in enumerate(shown):
            if i + offset not in chosen:
                bits &= self._with_word.get((length, i, word), 0)
        while bits:
            lowest = bits & -bits
            yield self.patterns[lowest.bit_length() - 1]
            bits ^= lowest

    def _prior(self, pattern: Pattern) -> float:
        """Return a pattern's probability among all sentences but one of each document."""
        return pattern.probability / (len(KINDS) * self._n_followed)


def _placed(pattern: Pattern, offset: int, n_words: int) -> _Placed:
    return tuple((offset + i, slot) for i, slot in enumerate(pattern.slots[:n_words]))


def _add_words(
    totals: dict[str, float],
    slot: Slot,
    weight: float,
    weights: dict[str, list[float]],
    sums: dict[str, float],
) -> None:
    if slot.variable is None:
        totals[slot.words[0]] = totals.get(slot.words[0], 0.0) + weight
        return
    name = slot.variable.name
    for word, value_weight in zip(slot.words, weights[name], strict=True):
        if value_weight:
            totals[word] = totals.get(word, 0.0) + weight * value_weight / sums[name]


def _normalized(totals: dict[int, dict[str, float]], total: float) -> dict[int, dict[str, float]]:
    if not total:
        raise ValueError(
            "the mini world has no such text: use its sentences whole, in its own words,"
            " with the final stop as a word"
        )
    return {i: {word: w / total for word, w in words.items()} for i, words in totals.items()}
