"""How well the best possible prediction does on corrupted texts of the mini world.

The texts are drawn and corrupted as in pretraining (single sentences and pairs, 15 % chosen,
80/10/10), the prediction is best.py's, and what comes out are the floor of the loss
and the ceiling of the accuracies: what a training run can be held against.

Source: Devlin et al. 2019, section 3.1 and appendix A.1.
Departs: words are counted where pretraining counts tokens; with a vocabulary that has every
word whole, these are the same.

Read before this: best.py. Read next: ../../pretraining/evaluation.py, for a model.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from mlm_core.text.mini_world.best import MASK, ChannelRates, ShownText, WorldReader
from mlm_core.text.mini_world.world import WorldDocument


@dataclass(frozen=True, kw_only=True)
class CorruptedText:
    """A text as it is shown, and what it was."""

    shown: ShownText
    words: tuple[str, ...]  # A and B before corruption
    follows: bool | None  # None without B


@dataclass(frozen=True, kw_only=True)
class BestFigures:
    """Means over all predictions, and over all pairs."""

    masked_language_loss: float  # nats a chosen word
    masked_accuracy: float
    next_sentence_loss: float  # nats a pair; nan without pairs
    next_sentence_accuracy: float  # likewise
    n_predictions: int
    n_pairs: int


def word_shares(documents: Sequence[WorldDocument]) -> dict[str, float]:
    """Return how frequent each word is: the unigram prediction, and that of random words."""
    counts = Counter(w for d in documents for sentence in d.sentences for w in sentence.words)
    total = counts.total()
    return {word: count / total for word, count in counts.items()}


def unigram_loss(shares: Mapping[str, float], documents: Sequence[WorldDocument]) -> float:
    """Return the nats a word of `documents` that guessing by `shares` costs.

    A word that `shares` lacks makes it infinite.
    """
    words = [w for d in documents for sentence in d.sentences for w in sentence.words]
    return math.fsum(-math.log(shares[w]) if w in shares else math.inf for w in words) / len(words)


def corrupted_texts(
    documents: Sequence[WorldDocument],
    n: int,
    shares: Mapping[str, float],
    rng: Random,
    *,
    single_rate: float = 0.5,
    choose_rate: float = 0.15,
    rates: ChannelRates | None = None,
) -> tuple[CorruptedText, ...]:
    """Return `n` texts drawn from `documents` and corrupted, as the pretraining does it.

    `single_rate` of them are one sentence, the others a pair. [CLS] and [SEP] count when 15 %
    are taken, as in BERT, but are never chosen. Raises ValueError if there is one document only.
    """
    if len(documents) < 2:
        raise ValueError(f"{len(documents)} documents: a random B needs a second one")
    rates = rates or ChannelRates()
    vocabulary, cumulated = list(shares), list(accumulate(shares.values()))
    texts = []
    for _ in range(n):
        a, b, follows = _draw(documents, rng, single_rate, rates)
        n_real = len(a) + len(b) + (3 if b else 2)
        n_chosen = min(len(a) + len(b), max(1, round(n_real * choose_rate)))
        chosen = sorted(rng.sample(range(len(a) + len(b)), n_chosen))
        shown: list[str | None] = [*a, *b]
        for i in chosen:
            die = rng.random()
            if die < rates.mask_rate:
                shown[i] = MASK
            elif die < rates.mask_rate + rates.random_rate:
                shown[i] = rng.choices(vocabulary, cum_weights=cumulated)[0]
        text = ShownText(a=tuple(shown[: len(a)]), b=tuple(shown[len(a) :]), chosen=tuple(chosen))
        texts.append(CorruptedText(shown=text, words=a + b, follows=follows))
    return tuple(texts)


def best_possible(reader: WorldReader, texts: Sequence[CorruptedText]) -> BestFigures:
    """Return the figures of the best possible prediction on `texts`."""
    losses, n_right, pair_losses, pairs_right = [], 0, [], 0
    for text in texts:
        best = reader.predict(text.shown)
        for i, words in best.words.items():
            losses.append(-math.log(words[text.words[i]]))
            n_right += max(words, key=words.__getitem__) == text.words[i]
        if best.follows is not None:
            believed = best.follows if text.follows else 1 - best.follows
            # 1 - follows can round to 0, which the exact number never is.
            pair_losses.append(-math.log(max(believed, 1e-16)))
            pairs_right += (best.follows >= 0.5) == text.follows
    n_pairs = len(pair_losses)
    return BestFigures(
        masked_language_loss=math.fsum(losses) / len(losses) if losses else math.nan,
        masked_accuracy=n_right / len(losses) if losses else math.nan,
        next_sentence_loss=math.fsum(pair_losses) / n_pairs if n_pairs else math.nan,
        next_sentence_accuracy=pairs_right / n_pairs if n_pairs else math.nan,
        n_predictions=len(losses),
        n_pairs=n_pairs,
    )


def _draw(
    documents: Sequence[WorldDocument], rng: Random, single_rate: float, rates: ChannelRates
) -> tuple[tuple[str, ...], tuple[str, ...], bool | None]:
    """Return A, B and whether B follows; all sentences with a next one are equally likely."""
    n_starts = [len(document.sentences) - 1 for document in documents]
    first, other = rng.choices(range(len(documents)), n_starts, k=2)
    start = rng.randrange(n_starts[first])
    a = documents[first].sentences[start].words
    if rng.random() < single_rate:
        return (a[:-1] if rng.random() < rates.no_stop_rate else a), (), None
    if rng.random() < rates.follows_rate:
        return a, documents[first].sentences[start + 1].words, True
    while other == first:
        other = rng.choices(range(len(documents)), n_starts)[0]
    return a, documents[other].sentences[1 + rng.randrange(n_starts[other])].words, False
