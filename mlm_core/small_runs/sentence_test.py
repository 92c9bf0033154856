"""What a class's encoder guesses in each sentence, each word masked in turn.

    test = SentenceTest(sentences, tokenizer, longest=64, held_out=(3,))
    test.by_word_counts()       # in the held-out sentences, without any encoder
    *_, (results, point) = test.run(bert, step=100)

Sentences are trained on, held out or left out. What the encoder has right in those that it was
trained on, it may repeat; only the others say how well it predicts.

Source: Jurafsky & Martin, SLP3 chapter 3, for counts with one added.

Read before this: held_out.py.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch.nn import functional as F

from mlm_core.encoder.bert import Bert
from mlm_core.pretraining.sentence_pairs import SpecialIds
from mlm_core.shapes import Bool, Float, Tensor
from mlm_core.small_runs.held_out import unigram_baseline
from mlm_core.small_runs.settings import TESTED
from mlm_core.text.tokens import entry_of, role_id


@dataclass(frozen=True, kw_only=True)
class SentenceResult:
    """What is guessed in a sentence, or in several, each word masked in turn."""

    n_words: int
    n_wrong: int
    loss: float  # nats a word; 0 without words


@dataclass(frozen=True, kw_only=True)
class ClassTest:
    """The same over all sentences that were trained on, and over those held out, after a step."""

    step: int
    loss: float  # nats a word
    n_learned: int  # different words that are guessed right at more than half of their places
    held_out: SentenceResult | None = None  # None where no word is held out


class SentenceTest:
    """Each word of each sentence masked in turn, prepared once for all tests of a run."""

    def __init__(
        self,
        sentences: Sequence[str],
        tokenizer: Tokenizer,
        *,
        longest: int,
        held_out: Collection[int] = (),
        left_out: Collection[int] = (),
    ) -> None:
        """Cut the sentences to `longest` tokens; the numbers are of those not trained on.

        Raises ValueError if the others have no words.
        """
        mask, pad = role_id(tokenizer, "[MASK]"), role_id(tokenizer, "[PAD]")
        special = SpecialIds.of(tokenizer).all
        self.n_sentences = len(sentences)
        rows: list[list[int]] = []
        at: list[int] = []
        true: list[int] = []
        of: list[int] = []
        for number, sentence in enumerate(sentences):
            ids = tokenizer.encode(sentence).ids
            ids = ids if len(ids) <= longest else [*ids[: longest - 1], ids[-1]]
            for place, id_ in enumerate(ids):
                if id_ in special or not any(map(str.isalnum, entry_of(tokenizer, id_))):
                    continue
                rows.append([*ids[:place], mask, *ids[place + 1 :]])
                at.append(place)
                true.append(id_)
                of.append(number)
        is_trained = [number not in (*held_out, *left_out) for number in of]
        if not any(is_trained):
            raise ValueError("nothing to learn from: the text has no words")
        width = max(map(len, rows))
        self.ids = torch.tensor([[*row, *[pad] * (width - len(row))] for row in rows])
        self.n_real = torch.tensor([len(row) for row in rows])
        self.at, self.true = torch.tensor(at), torch.tensor(true)
        self.of = torch.tensor(of)
        self.is_trained = torch.tensor(is_trained)
        self.is_held_out = torch.tensor([number in held_out for number in of])
        self.n_trained_words = len(self.true[self.is_trained].unique())

    def by_word_counts(self) -> SentenceResult | None:
        """Return what counts of the trained words guess in the held-out sentences, everywhere.

        Its loss is of the counts with one added to each different word of all sentences; its
        guess is the most frequent word. None where no word is held out.
        """
        labels = self.true[self.is_held_out]
        if not len(labels):
            return None
        counts = torch.bincount(self.true[self.is_trained], minlength=int(self.true.max()) + 1)
        no_words = frozenset(range(len(counts))) - set(self.true.tolist())
        loss, most_frequent = unigram_baseline(counts, no_words, labels)
        n_wrong = int((labels != most_frequent).sum())
        return SentenceResult(n_words=len(labels), n_wrong=n_wrong, loss=loss)

    def run(
        self, bert: Bert, step: int
    ) -> Iterator[tuple[tuple[SentenceResult, ...], ClassTest] | None]:
        """Yield None after each batch but the last, and the results at the end."""
        losses, rights = [], []
        for start in range(0, len(self.ids), TESTED):
            if start:
                yield None
            loss, is_right = self._batch(bert, slice(start, start + TESTED))
            losses.append(loss)
            rights.append(is_right)
        yield self._figures(torch.cat(losses), torch.cat(rights), step)

    @torch.no_grad()
    def _batch(
        self, bert: Bert, part: slice
    ) -> tuple[Float[Tensor, " word"], Bool[Tensor, " word"]]:
        ids, true = self.ids[part], self.true[part]
        not_padding = torch.arange(ids.shape[1]) < self.n_real[part].unsqueeze(1)
        was_training = bert.training
        bert.eval()
        states = bert.last_states(ids, None, not_padding, positions=self.at[part].unsqueeze(1))
        logits = bert.masked_language_logits(states[:, 0]).float()
        bert.train(was_training)
        return F.cross_entropy(logits, true, reduction="none"), logits.argmax(-1) == true

    def _figures(
        self, losses: Float[Tensor, " word"], is_right: Bool[Tensor, " word"], step: int
    ) -> tuple[tuple[SentenceResult, ...], ClassTest]:
        def result(chosen: Bool[Tensor, " word"]) -> SentenceResult:
            n, n_right = int(chosen.sum()), int(is_right[chosen].sum())
            loss = float(losses[chosen].double().sum()) / max(1, n)
            return SentenceResult(n_words=n, n_wrong=n - n_right, loss=loss)

        results = tuple(result(self.of == number) for number in range(self.n_sentences))
        trained, held = self.is_trained, self.is_held_out
        loss = float(losses[trained].mean())
        n_entries = int(self.true.max()) + 1
        seen = torch.bincount(self.true[trained], minlength=n_entries)
        right = torch.bincount(self.true[trained & is_right], minlength=n_entries)
        n_learned = int((2 * right > seen).sum())
        held_out = result(held) if held.any() else None
        return results, ClassTest(step=step, loss=loss, n_learned=n_learned, held_out=held_out)
