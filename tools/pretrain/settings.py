"""The settings of a pretraining run, and its vocabulary, corpora and task.

run.json keeps the settings beside the model. The defaults are those of the bundled model.

Read before this: objectives.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from tokenizers import Tokenizer

from mlm_core.encoder.bert import BertConfig
from mlm_core.encoder.checkpoints import load_bert
from mlm_core.masking.rule import CorruptionRule
from mlm_core.pretraining.corpus import open_corpus, write_corpus
from mlm_core.pretraining.documents import read_documents
from mlm_core.pretraining.objectives import BatchShape, Phase, PretrainingTask
from mlm_core.pretraining.sentence_pairs import SpecialIds
from mlm_core.pretraining.starting_weights import StartSettings
from mlm_core.pretraining.vocabulary import learn_wordpieces
from mlm_core.text.tokens import load_tokenizer, save_tokenizer
from mlm_core.training.loop import TrainingSettings


@dataclass(frozen=True, kw_only=True)
class PretrainingSettings:
    """A run: its text, its model, its batches and its schedule."""

    train_files: tuple[Path, ...]
    held_out_files: tuple[Path, ...]
    folder: Path  # for all files of the run
    start_from: Path | None = None  # a BERT's folder: its vocabulary, sizes and weights
    seed: int = 1

    vocabulary_size: int = 16_000  # entries
    alphabet_size: int = 400  # characters that get an entry; rarer ones become [UNK]

    hidden_size: int = 256
    n_layers: int = 12
    n_heads: int = 4
    intermediate_size: int = 1024
    length: int = 128  # tokens; the model's window
    dropout_rate: float = 0.0  # in pretraining; the checkpoint says 0.1, for fine-tuning
    start: StartSettings = field(default_factory=StartSettings)

    tokens_a_batch: int = 131_072  # padding included
    short_length: int = 64  # tokens; of the first part of the run, which is cheaper
    short_proportion: float = 0.3  # of the steps
    natural_length: int = 64  # tokens; whole sentences, padded
    natural_every: int = 4  # one batch in so many is of natural sentences; 0: none

    corruption: CorruptionRule = field(default_factory=CorruptionRule)
    peak_learning_rate: float = 1.5e-3
    warmup_proportion: float = 0.05  # of the steps
    weight_decay: float = 0.01

    log_every: int = 50  # steps
    evaluate_every: int = 1000  # steps
    save_every_seconds: float = 120.0
    n_held_out_batches: int = 8  # of each kind, in an evaluation
    held_out_texts: int = 256  # texts in each of them

    def __post_init__(self) -> None:
        """Refuse held-out files that are trained on, and lengths that don't fit."""
        both = {path.name for path in self.train_files} & {p.name for p in self.held_out_files}
        if both:
            raise ValueError(f"{', '.join(sorted(both))} would be trained on and held out: choose")
        if max(self.short_length, self.natural_length) > self.length:
            raise ValueError(
                f"short_length {self.short_length} and natural_length {self.natural_length}"
                f" must fit into length {self.length}"
            )
        if min(self.short_length, self.natural_length) < 24:
            raise ValueError("lengths below 24 tokens leave no room for a pair: choose more")

    def bert_config(self, n_entries: int, dropout_rate: float) -> BertConfig:
        """Return the model's sizes; the vocabulary may be smaller than vocabulary_size.

        Raises ValueError if the model to start from can't read such texts or predict tokens.
        """
        if self.start_from is not None:
            config = load_bert(self.start_from).config
            if self.length > config.n_positions:
                raise ValueError(
                    f"length {self.length} is beyond the {config.n_positions} positions of"
                    f" {self.start_from.name}: choose at most {config.n_positions}"
                )
            if not config.has_masked_language_head:
                raise ValueError(
                    f"{self.start_from.name} was saved without a masked-language head: start from"
                    " a model that has one"
                )
            return replace(config, dropout_rate=dropout_rate)
        return BertConfig(
            vocabulary_size=n_entries,
            hidden_size=self.hidden_size,
            n_layers=self.n_layers,
            n_heads=self.n_heads,
            intermediate_size=self.intermediate_size,
            n_positions=self.length,
            dropout_rate=dropout_rate,
            initializer_range=self.start.weight_scale,
        )

    def phases(self, n_steps: int) -> tuple[Phase, ...]:
        """Return what the batches look like from the first step to the last."""
        until = round(n_steps * self.short_proportion)
        short = Phase(until_step=until, shapes=self._in_turn(self.short_length))
        return (short, Phase(until_step=n_steps, shapes=self._in_turn(self.length)))

    def training(self, n_steps: int, *, bfloat16: bool) -> TrainingSettings:
        """Return the settings of the training loop."""
        return TrainingSettings(
            n_steps=n_steps,
            peak_learning_rate=self.peak_learning_rate,
            warmup_proportion=self.warmup_proportion,
            weight_decay=self.weight_decay,
            bfloat16=bfloat16,
            check_every=self.log_every,
        )

    def full_shape(self, length: int) -> BatchShape:
        """Return batches of full pairs."""
        return BatchShape(length=length, batch_size=max(1, self.tokens_a_batch // length))

    def natural_shape(self) -> BatchShape:
        """Return batches of natural sentences."""
        batch_size = max(1, self.tokens_a_batch // self.natural_length)
        return BatchShape(length=self.natural_length, batch_size=batch_size, natural=True)

    def _in_turn(self, length: int) -> tuple[BatchShape, ...]:
        full = self.full_shape(length)
        if not self.natural_every:
            return (full,)
        return (full,) * (self.natural_every - 1) + (self.natural_shape(),)


def prepare_text(settings: PretrainingSettings) -> Iterator[str]:
    """Make the vocabulary and both corpora, if missing; yield lines for a log."""
    folder = settings.folder / "vocabulary"
    if not (folder / "tokenizer_config.json").is_file():
        if settings.start_from is not None:
            tokenizer = load_tokenizer(settings.start_from)
        else:
            yield "learning the vocabulary"
            tokenizer = learn_wordpieces(
                lambda: (p for document in read_documents(settings.train_files) for p in document),
                settings.vocabulary_size,
                settings.alphabet_size,
            )
        save_tokenizer(tokenizer, folder, max_tokens=settings.length)
    tokenizer = load_tokenizer(folder)
    yield f"vocabulary of {tokenizer.get_vocab_size():,} entries"
    for name, files in (("train", settings.train_files), ("held_out", settings.held_out_files)):
        for n_documents, n_tokens in write_corpus(files, tokenizer, settings.folder / name):
            yield f"{name}: {n_documents:,} documents, {n_tokens:,} tokens so far"
        corpus = open_corpus(settings.folder / name)
        yield f"{name}: {corpus.n_documents:,} documents, {corpus.n_tokens:,} tokens"


def make_task(
    folder: Path,
    tokenizer: Tokenizer,
    phases: tuple[Phase, ...],
    settings: PretrainingSettings,
    device: torch.device,
) -> PretrainingTask:
    """Return the pretraining task on the corpus in `folder`."""
    corpus = open_corpus(folder).to(device)
    return PretrainingTask(corpus, phases, SpecialIds.of(tokenizer), settings.corruption)
