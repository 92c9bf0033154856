"""A class's encoder: trained from nothing on the sentences that a class wrote.

    sentences -> one vocabulary entry for each of their words
              -> masked-word training on nine of ten of them, but for those left out
              -> each word of each sentence masked in turn: is it the likeliest guess?

In sentences that were trained on, the encoder repeats; in those that are held out, it predicts. The
question is asked again with some sentences left out of the training. Vocabulary, held-out
sentences, starting weights and the number of steps stay the same then. The batches and the masks
are others, and it is one run each: a small difference can be chance, and an equal sentence that
stays in hides what another one teaches.

Source: Koh & Liang 2017, section 1, for leaving out training examples and training again.

Read before this: run.py, sentence_test.py.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tokenizers import Tokenizer, models

from mlm_core.encoder.language_model import OwnModel
from mlm_core.prediction.fillers import Filler, top_fillers
from mlm_core.pretraining.batches import BatchShape, Phase
from mlm_core.pretraining.corpus import TokenCorpus, corpus_in_memory
from mlm_core.pretraining.objectives import PretrainingTask
from mlm_core.pretraining.sentence_pairs import SpecialIds
from mlm_core.short_repr import short_repr
from mlm_core.small_runs.run import untrained_bert
from mlm_core.small_runs.sentence_test import ClassTest, SentenceResult, SentenceTest
from mlm_core.small_runs.settings import LARGEST_VOCABULARY, STORED_BYTES, SmallRunSettings
from mlm_core.small_runs.snapshot import Checkpoint, keep_weights, model_of
from mlm_core.text.tokens import SPECIAL_TOKENS, learnable, role_id, tokenize, train_tokenizer
from mlm_core.training.curve import LossCurve
from mlm_core.training.loop import train

MOST_SENTENCES = 300
MOST_LETTERS = 500  # characters with an entry; words with others become [UNK]
ONE_HELD_OUT_OF = 10  # sentences
STEPS_A_SENTENCE, FEWEST_STEPS, MOST_STEPS = 8, 300, 2_000


@dataclass(frozen=True, kw_only=True)
class ClassRunSettings:
    """One run. Equal settings, equal run."""

    sentences: tuple[str, ...]
    # Sentences that are not trained on, counted from 0: those that every run is tested by, and
    # those of whom asks what their own ones teach.
    held_out: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()
    n_steps: int
    test_every: int = 25  # steps
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse too few sentences, too many, and ones to leave out that aren't there."""
        n = len(self.sentences)
        n_trained = n - len(self.not_trained)
        if any(not 0 <= one < n for one in self.not_trained):
            raise ValueError(
                f"sentences {sorted(self.not_trained)} are left out of {n}: count from 0"
            )
        if n_trained < 1 or n > MOST_SENTENCES:
            raise ValueError(
                f"{n_trained} of {n} sentences to train on: a class's encoder takes from 1 to"
                f" {MOST_SENTENCES}"
            )

    @property
    def not_trained(self) -> frozenset[int]:
        """Return the sentences that are not trained on."""
        return frozenset((*self.held_out, *self.left_out))

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


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class ClassSnapshot:
    """A run at one moment."""

    settings: ClassRunSettings
    step: int = 0
    losses: tuple[tuple[int, float], ...] = ()  # of training: step, nats a masked token
    tests: tuple[ClassTest, ...] = ()
    n_words: int = 0  # different words in the sentences that are trained on
    baseline: SentenceResult | None = None  # what word counts guess in the held-out sentences
    results: tuple[SentenceResult, ...] = ()  # of all sentences, by the newest test
    checkpoint: Checkpoint | None = None  # by the newest test
    tokenizer: Tokenizer | None = field(default=None, repr=False)

    @property
    def is_finished(self) -> bool:
        """Return whether the last step is done and tested."""
        return bool(self.tests) and self.tests[-1].step == self.settings.n_steps


def choose_held_out(sentences: Sequence[str], seed: int) -> tuple[int, ...]:
    """Draw one sentence of ten, at least one; its copies are held out with it.

    None if all sentences are the same, or each has more copies than that.

    >>> choose_held_out(["A ship.", "Fish swim.", "a ship"], seed=1)
    (1,)
    """
    texts = [" ".join(re.findall(r"\w+", one.casefold())) for one in sentences]
    drawn, most = list(dict.fromkeys(texts)), max(1, len(texts) // ONE_HELD_OUT_OF)
    Random(seed).shuffle(drawn)
    found: list[int] = []
    for text in drawn if len(drawn) > 1 else ():
        equal = [i for i, one in enumerate(texts) if one == text]
        if len(found) + len(equal) <= most:
            found += equal
    return tuple(sorted(found))


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
    trained = [one for i, one in enumerate(settings.sentences) if i not in settings.not_trained]
    test = SentenceTest(
        settings.sentences,
        tokenizer,
        longest=small.length,
        held_out=settings.held_out,
        left_out=settings.left_out,
    )
    corpus = _corpus(trained, tokenizer)
    n_words, baseline = test.n_trained_words, test.by_word_counts()
    snapshot = replace(snapshot, tokenizer=tokenizer, n_words=n_words, baseline=baseline)
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
