"""A class's encoder: trained from nothing on the sentences that a class wrote.

    sentences -> one vocabulary entry for each of their words
              -> masked-word training on all of them, but for those left out
              -> each word of each sentence masked in turn: is it the likeliest guess?

Nothing is held out: the question is what the encoder repeats of each sentence. It is asked again
with some sentences left out of the training. Vocabulary, starting weights and the number of steps
stay the same then. The batches and the masks are others, and it is one run each: a small
difference can be chance, and an equal sentence that stays in hides what another one teaches.

Source: Koh & Liang 2017, section 1, for leaving out training examples and training again.

Read before this: run.py.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import torch
from tokenizers import Tokenizer, models
from torch.nn import functional as F

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import OwnModel
from mlm_core.prediction.fillers import Filler, top_fillers
from mlm_core.pretraining.batches import BatchShape, Phase
from mlm_core.pretraining.corpus import TokenCorpus, corpus_in_memory
from mlm_core.pretraining.objectives import PretrainingTask
from mlm_core.pretraining.sentence_pairs import SpecialIds
from mlm_core.shapes import Bool, Float, Int, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.small_runs.run import untrained_bert
from mlm_core.small_runs.settings import LARGEST_VOCABULARY, STORED_BYTES, TESTED, SmallRunSettings
from mlm_core.small_runs.snapshot import Checkpoint, keep_weights, model_of
from mlm_core.text.tokens import (
    SPECIAL_TOKENS,
    entry_of,
    learnable,
    role_id,
    tokenize,
    train_tokenizer,
)
from mlm_core.training.curve import LossCurve
from mlm_core.training.loop import train

MOST_SENTENCES = 300
MOST_LETTERS = 500  # characters with an entry; words with others become [UNK]
STEPS_A_SENTENCE, FEWEST_STEPS, MOST_STEPS = 8, 300, 2_000


@dataclass(frozen=True, kw_only=True)
class ClassRunSettings:
    """One run. Equal settings, equal run."""

    sentences: tuple[str, ...]
    left_out: tuple[int, ...] = ()  # sentences that are not trained on, counted from 0, in order
    n_steps: int
    test_every: int = 25  # steps
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse too few sentences, too many, and ones to leave out that aren't there."""
        n = len(self.sentences)
        n_trained = n - len(set(self.left_out))
        if any(not 0 <= one < n for one in self.left_out):
            raise ValueError(f"sentences {self.left_out} are left out of {n}: count from 0")
        if n_trained < 1 or n > MOST_SENTENCES:
            raise ValueError(
                f"{n_trained} of {n} sentences to train on: a class's encoder takes from 1 to"
                f" {MOST_SENTENCES}"
            )

    @property
    def small(self) -> SmallRunSettings:
        """Return the sizes and the schedule, as those of any small run."""
        return SmallRunSettings(
            vocabulary_size=LARGEST_VOCABULARY,
            objective="mlm",
            n_steps=self.n_steps,
            batch_size=32,
            # With 4e-3, the loss on sentences that were left out was 6.8 nats; with 1e-3, 4.7. At
            # 1e-3, 247 of 624 words of 96 sentences were still wrong after 600 steps.
            peak_learning_rate=2e-3,
            evaluate_every=self.test_every,
            seed=self.seed,
        )

    @property
    def kept_bytes(self) -> int:
        """Return the bytes of the weights, which stay when the run has ended."""
        return self.small.parameter_count * STORED_BYTES


@dataclass(frozen=True, kw_only=True)
class SentenceResult:
    """What the encoder guesses in one sentence, each word masked in turn."""

    n_words: int
    n_wrong: int
    loss: float  # nats a word; 0 without words


@dataclass(frozen=True, kw_only=True)
class ClassTest:
    """The same over all sentences that were trained on, after one step."""

    step: int
    loss: float  # nats a word
    n_learned: int  # different words that are guessed right at more than half of their places


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class ClassSnapshot:
    """A run at one moment."""

    settings: ClassRunSettings
    step: int = 0
    losses: tuple[tuple[int, float], ...] = ()  # of training: step, nats a masked token
    tests: tuple[ClassTest, ...] = ()
    n_words: int = 0  # different words in the sentences that are trained on
    results: tuple[SentenceResult, ...] = ()  # of all sentences, by the newest test
    checkpoint: Checkpoint | None = None  # by the newest test
    tokenizer: Tokenizer | None = field(default=None, repr=False)

    @property
    def is_finished(self) -> bool:
        """Return whether the last step is done and tested."""
        return bool(self.tests) and self.tests[-1].step == self.settings.n_steps


def steps_for(n_sentences: int) -> int:
    """Return the steps that so many sentences take.

    A class's 96 sentences take 8 seconds of one core, 300 take 30.

    >>> [steps_for(n) for n in (6, 96, 300)]
    [300, 768, 2000]
    """
    return min(MOST_STEPS, max(FEWEST_STEPS, STEPS_A_SENTENCE * n_sentences))


def class_run(settings: ClassRunSettings) -> Iterator[ClassSnapshot]:
    """Train; yield a snapshot after each piece of work: a step, or a batch of a test.

    Raises ValueError if the sentences have no words, NonFiniteLossError if the training diverges.
    """
    snapshot, small = ClassSnapshot(settings=settings), settings.small
    tokenizer = class_tokenizer(settings.sentences)
    left_out = frozenset(settings.left_out)
    trained = [one for i, one in enumerate(settings.sentences) if i not in left_out]
    test = _WordTest(settings, tokenizer)
    corpus = _corpus(trained, tokenizer)
    snapshot = replace(snapshot, tokenizer=tokenizer, n_words=test.n_trained_words)
    yield snapshot
    bert = untrained_bert(small, tokenizer.get_vocab_size())
    shape = BatchShape(
        length=small.length,
        batch_size=small.batch_size,
        natural=True,
        single_rate=1.0,
        trimmed=True,
    )
    phase = Phase(until_step=settings.n_steps, shapes=(shape,))
    special, rule = SpecialIds.of(tokenizer), small.corruption
    task = PretrainingTask(corpus, (phase,), special, rule, next_sentence=False)
    curve: LossCurve[tuple[int, float]] = LossCurve(_mean_point, most_points=60)
    for step in train(bert, task, small.training(), seed=settings.seed):
        curve.add((step.number, float(step.loss)))
        snapshot = replace(snapshot, step=step.number, losses=curve.points())
        is_last = step.number == settings.n_steps
        if not is_last:
            yield snapshot
        if is_last or step.number % settings.test_every == 0:
            for tested in test.run(bert, step.number):
                if tested is None:
                    yield snapshot
                    continue
                results, point = tested
                snapshot = replace(
                    snapshot,
                    results=results,
                    tests=(*snapshot.tests, point),
                    checkpoint=keep_weights(bert, step.number),
                )
                yield snapshot


def class_model(snapshot: ClassSnapshot) -> OwnModel:
    """Return the encoder after the newest test. Raises ValueError before the first one."""
    if snapshot.checkpoint is None or snapshot.tokenizer is None:
        raise ValueError("this encoder has not begun to learn: wait for its first test")
    name = f"class's encoder after {snapshot.checkpoint.step:,} steps"
    small = snapshot.settings.small
    return model_of(small, snapshot.tokenizer, snapshot.checkpoint, name)


def guesses_at_blanks(
    model: OwnModel, sentences: Sequence[str], n: int
) -> list[tuple[Filler, ...]]:
    """Return the `n` likeliest words at the first [MASK] of each sentence; none where none is."""
    texts = [tokenize(model.tokenizer, one, max_tokens=model.max_tokens) for one in sentences]
    mask = role_id(model.tokenizer, "[MASK]")
    blanks = [(i, one.ids.index(mask)) for i, one in enumerate(texts) if mask in one.ids]
    guesses: list[tuple[Filler, ...]] = [()] * len(sentences)
    if blanks:
        states = model.encode_batch([texts[i] for i, _ in blanks]).last
        for row, (i, place) in enumerate(blanks):
            logits = model.bert.masked_language_logits(states[row, place])
            guesses[i] = top_fillers(logits, n, model.tokenizer)
    return guesses


def with_blank(sentence: str) -> str:
    """Return a sentence with a blank for its longest word, the last of several.

    >>> with_blank("The whale swims, slowly.")
    'The whale swims, [MASK].'
    """
    words = list(re.finditer(r"\w+", sentence))
    if not words:
        return "[MASK]"
    start, end = max((one.end() - one.start(), one.span()) for one in words)[1]
    return f"{sentence[:start]}[MASK]{sentence[end:]}"


def class_tokenizer(sentences: Sequence[str]) -> Tokenizer:
    """Return a tokenizer with an entry for each word of the sentences, and for their letters.

    If there are too many words, the rarest are cut into letters. Cased, as all our vocabularies.

    >>> class_tokenizer(["Fish swim.", "Fish sleep!"]).encode("Fish wim.").tokens
    ['[CLS]', 'Fish', 'w', '##i', '##m', '.', '[SEP]']
    """
    lines = [learnable(sentence) for sentence in sentences]
    letters: Counter[str] = Counter(
        letter for line in lines for letter in line if letter.isprintable() and letter != " "
    )
    if not letters:
        raise ValueError("nothing to learn from: the text has no words")
    alphabet = _by_count(letters)[:MOST_LETTERS]
    # The rules around the vocabulary are those of every other tokenizer of ours.
    tokenizer = train_tokenizer("WordPiece", alphabet, len(SPECIAL_TOKENS) + 1)
    words: Counter[str] = Counter()
    for line in lines:
        text = tokenizer.normalizer.normalize_str(line) if tokenizer.normalizer else line
        words.update(word for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(text))
    pieces = [*alphabet, *(f"##{letter}" for letter in alphabet)]
    entries = dict.fromkeys([*SPECIAL_TOKENS, *pieces, *_by_count(words)])
    vocabulary = {entry: number for number, entry in enumerate(list(entries)[:LARGEST_VOCABULARY])}
    tokenizer.model = models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)
    return tokenizer


def _by_count(counts: Counter[str]) -> list[str]:
    return sorted(counts, key=lambda one: (-counts[one], one))


def _corpus(sentences: Sequence[str], tokenizer: Tokenizer) -> TokenCorpus:
    *_, corpus = corpus_in_memory(((sentence,) for sentence in sentences), tokenizer)
    assert corpus is not None  # the last one is the corpus
    return corpus


def _mean_point(points: Sequence[tuple[int, float]]) -> tuple[int, float]:
    return points[-1][0], sum(loss for _, loss in points) / len(points)


class _WordTest:
    """Each word of each sentence masked in turn, prepared once for all tests of a run."""

    def __init__(self, settings: ClassRunSettings, tokenizer: Tokenizer) -> None:
        length, left_out = settings.small.length, frozenset(settings.left_out)
        mask, pad = role_id(tokenizer, "[MASK]"), role_id(tokenizer, "[PAD]")
        special = SpecialIds.of(tokenizer).all
        self.n_sentences = len(settings.sentences)
        rows: list[list[int]] = []
        at: list[int] = []
        true: list[int] = []
        of: list[int] = []
        for number, sentence in enumerate(settings.sentences):
            ids = tokenizer.encode(sentence).ids
            ids = ids if len(ids) <= length else [*ids[: length - 1], ids[-1]]
            for place, id_ in enumerate(ids):
                if id_ in special or not any(map(str.isalnum, entry_of(tokenizer, id_))):
                    continue
                rows.append([*ids[:place], mask, *ids[place + 1 :]])
                at.append(place)
                true.append(id_)
                of.append(number)
        if all(number in left_out for number in of):
            raise ValueError("nothing to learn from: the text has no words")
        longest = max(map(len, rows))
        self.ids = torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows])
        self.n_real = torch.tensor([len(row) for row in rows])
        self.at, self.true = torch.tensor(at), torch.tensor(true)
        self.of = torch.tensor(of)
        self.is_trained = torch.tensor([number not in left_out for number in of])
        self.n_trained_words = len(self.true[self.is_trained].unique())

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
        n_words, n_wrong, summed = (
            _sums(values, self.of, self.n_sentences)
            for values in (torch.ones_like(losses), (~is_right).float(), losses)
        )
        results = tuple(
            SentenceResult(n_words=int(n), n_wrong=int(wrong), loss=loss / max(1.0, n))
            for n, wrong, loss in zip(n_words, n_wrong, summed, strict=True)
        )
        trained = self.is_trained
        loss = float(losses[trained].mean())
        n_entries = int(self.true.max()) + 1
        seen = torch.bincount(self.true[trained], minlength=n_entries)
        right = torch.bincount(self.true[trained & is_right], minlength=n_entries)
        n_learned = int((2 * right > seen).sum())
        return results, ClassTest(step=step, loss=loss, n_learned=n_learned)


def _sums(values: Float[Tensor, " word"], of: Int[Tensor, " word"], n: int) -> list[float]:
    return torch.zeros(n, dtype=torch.float64).index_add_(0, of, values.double()).tolist()
