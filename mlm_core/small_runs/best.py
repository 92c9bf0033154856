"""The best possible result of a small run: Bayes' rule on its held-out test.

The mini world's grammar is known, and so is the best prediction of each chosen word. Computed on
the same corrupted texts as the encoder's, it is a lower bound of the encoder's loss and an upper
bound of its accuracy.

The grammar has words, the encoder tokens: a text with a word of several subwords is left out, and
if that is more than one in twenty, there is no figure. Nor is there one for other texts than the
mini world, or for the next word.

Read before this: held_out.py, ../text/mini_world/best.py.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.prediction.pair_examples import FOLLOWS
from mlm_core.small_runs.held_out import HeldOutTest, PretrainingBatch
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.text import PreparedText
from mlm_core.text.mini_world import world as mini_world
from mlm_core.text.mini_world.best import MASK, ChannelRates, ShownText, WorldReader
from mlm_core.text.mini_world.floor import (
    BestFigures,
    CorruptedText,
    best_possible,
    word_probabilities,
)
from mlm_core.text.tokens import entry_of

MOST_LEFT_OUT = 0.05  # of the texts, for a word of several subwords


def best_on_test(text: PreparedText, settings: SmallRunSettings) -> BestFigures:
    """Return the best possible figures on a run's held-out test, words and pairs.

    On the pairs, only whether B follows is predicted.
    Raises ValueError if there is no such figure for these settings.
    """
    if settings.own_text is not None or settings.objective != "mlm_nsp":
        raise ValueError("the best possible is known for the mini world, hidden words and pairs")
    proportions = word_probabilities(mini_world.world("train"))
    test = HeldOutTest(text, settings)
    # B is always the next sentence in the test of words, and no final stop is lost.
    reader = WorldReader(
        proportions, ChannelRates(no_stop_rate=0.0, follows_rate=1.0), last_too=True
    )
    batches = [batch for batch in test.batches if isinstance(batch, PretrainingBatch)]
    words = best_possible(reader, _whole(batches, text, proportions))
    pairs = best_possible(WorldReader(proportions), _whole(test.pairs, text, proportions))
    return replace(
        words,
        next_sentence_loss=pairs.next_sentence_loss,
        next_sentence_accuracy=pairs.next_sentence_accuracy,
        n_pairs=pairs.n_pairs,
    )


def _whole(
    batches: Sequence[PretrainingBatch], text: PreparedText, proportions: Mapping[str, float]
) -> list[CorruptedText]:
    """Return the texts in which every word is one token."""
    texts = [one for batch in batches for one in _texts(batch, text)]
    whole = [one for one in texts if all(word in proportions for word in one.words)]
    if len(texts) - len(whole) > MOST_LEFT_OUT * len(texts):
        raise ValueError(
            f"a vocabulary of {text.tokenizer.get_vocab_size()} entries cuts words of"
            f" {len(texts) - len(whole)} of {len(texts)} texts in pieces: ask for"
            f" {mini_world.VOCABULARY_SIZE}"
        )
    return whole


def _texts(batch: PretrainingBatch, text: PreparedText) -> Iterator[CorruptedText]:
    """Yield a batch's rows as words, corrupted and original."""
    special = text.special
    added = (special.cls, special.sep, special.pad)
    n = len(batch.ids)
    pair_labels = [FOLLOWS] * n if batch.pair_labels is None else batch.pair_labels.tolist()
    for ids, positions, labels, pair_label in zip(
        batch.ids.tolist(),
        batch.positions.tolist(),
        batch.labels.tolist(),
        pair_labels,
        strict=True,
    ):
        chosen = {
            position: label
            for position, label in zip(positions, labels, strict=True)
            if label != IGNORED_LABEL
        }
        of_text = [i for i, id_ in enumerate(ids) if id_ not in added]
        in_a = [i for i in of_text if i < ids.index(special.sep)]
        shown = [
            MASK if ids[i] == special.mask else entry_of(text.tokenizer, ids[i]) for i in of_text
        ]
        yield CorruptedText(
            shown=ShownText(
                a=tuple(shown[: len(in_a)]),
                b=tuple(shown[len(in_a) :]),
                chosen=tuple(k for k, i in enumerate(of_text) if i in chosen),
            ),
            words=tuple(entry_of(text.tokenizer, chosen.get(i, ids[i])) for i in of_text),
            follows=pair_label == FOLLOWS if len(in_a) < len(of_text) else None,
        )
