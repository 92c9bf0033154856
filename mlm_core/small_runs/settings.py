"""Everything that defines an encoder small enough to train while you watch.

    sizes       vocabulary, width, layers, heads, window       -> how many parameters
    objective   hide words (MLM), judge pairs too (MLM + NSP), or say the next word (causal)
    schedule    steps, texts a step, learning rate             -> how many tokens are read

What can't be is refused when the settings are made, before any work is done. The caps are what
a server can train for a class of thirty at once: a step of the largest run takes a fraction of
a second. What a run takes of the memory is counted before it begins: what it holds as long as
it is there, and what a piece of its work takes beside that, which one run at a time needs.

Source: the settings of Devlin et al. 2019, appendix A.2, scaled down.

Read before this: ../pretraining/objectives.py, ../encoder/cost.py.
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

from mlm_core.encoder.bert import BertConfig
from mlm_core.encoder.cost import count_parameters
from mlm_core.masking.batch import CorruptionSettings
from mlm_core.number_format import formatted, grouped
from mlm_core.pretraining.starting_weights import StartSettings
from mlm_core.training.loop import TrainingSettings

Objective = Literal["mlm", "mlm_nsp", "next_word"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)

LARGEST_WIDTH = 128  # numbers a token
MOST_LAYERS = 4
LARGEST_VOCABULARY = 4_000  # entries
SMALLEST_VOCABULARY = 100  # entries; below, hardly more than letters
SHORTEST_LENGTH, LONGEST_LENGTH = 16, 64  # tokens
MOST_STEPS = 5_000
MOST_TOKENS_A_BATCH = 8_192
LONGEST_OWN_TEXT = 200_000  # characters
# Texts that a test judges at once; of next words every token has a row of logits.
TESTED, NEXT_WORD_TESTED = 128, 32

MOST_BYTES = 220_000_000  # of one run while it trains
MOST_CHECKPOINTS = 16
CHECKPOINT_BYTES = 24_000_000  # for all checkpoints of a run together
HELD_BYTES = 12  # a parameter: itself and AdamW's two memories, in float32
NUMBER_BYTES = 4
OWN_TEXT_BYTES = 50  # a character, cut and counted
# Numbers a token, in widths: what a layer keeps for its backward pass, what stands below and above
# the layers, and what one layer takes in a test. Measured: tests/classroom/test_run_memory.py.
LAYER_WIDTHS, OTHER_WIDTHS, TEST_WIDTHS = 17, 5, 13
STORED_BYTES = 2  # a parameter of a checkpoint, in float16


@dataclass(frozen=True, kw_only=True)
class SmallRunSettings:
    """One run: its text, its model, its task and its schedule. Equal settings, equal run."""

    own_text: str | None = None  # None: the corpus of this project, "mini world"

    vocabulary_size: int = 1_200  # entries asked for; the text may give fewer
    hidden_size: int = 64  # numbers a token
    n_layers: int = 2
    n_heads: int = 4
    length: int = 32  # tokens; the model's window

    objective: Objective = "mlm_nsp"
    mlm_probability: float = 0.15  # share of the tokens that are chosen
    mask_rate: float = 0.8  # share of the chosen; the three sum to 1
    random_rate: float = 0.1
    keep_rate: float = 0.1
    single_rate: float = 0.2  # share of texts of one sentence; the others have two

    n_steps: int = 1_600
    batch_size: int = 48  # a batch
    peak_learning_rate: float = 4e-3  # learning rate at the end of the warm-up
    warmup_proportion: float = 0.1  # of the steps
    weight_decay: float = 0.01
    evaluate_every: int = 100  # steps
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse what can't be, or is too much for a shared server."""
        if self.objective not in OBJECTIVES:
            raise ValueError(f"objective {self.objective!r}: choose one of {', '.join(OBJECTIVES)}")
        self._refuse_counts()
        if self.hidden_size % self.n_heads:
            raise ValueError(
                f"a width of {self.hidden_size} does not divide into {self.n_heads} heads: choose"
                " a width that is a multiple of the heads"
            )
        if self.batch_size * self.length > MOST_TOKENS_A_BATCH:
            raise ValueError(
                f"{self.batch_size} texts of up to {self.length} tokens are"
                f" {grouped(self.batch_size * self.length)} tokens a step, and"
                f" {grouped(MOST_TOKENS_A_BATCH)} are"
                " allowed: choose fewer texts or a shorter window"
            )
        self._refuse_rates()
        needed = self.held_bytes + self.extra_bytes
        if needed > MOST_BYTES:
            raise ValueError(
                f"this run takes {formatted(needed / 1e6, '.0f')} MB of memory while it trains, and"
                f" {formatted(MOST_BYTES / 1e6, '.0f')} are allowed: choose fewer texts, a"
                " shorter window, a smaller vocabulary or a smaller model"
            )
        if self.own_text is not None and len(self.own_text) > LONGEST_OWN_TEXT:
            raise ValueError(
                f"the text has {grouped(len(self.own_text))} characters, and"
                f" {grouped(LONGEST_OWN_TEXT)} are allowed: shorten it"
            )

    def _refuse_counts(self) -> None:
        ranges = {
            "vocabulary_size": (SMALLEST_VOCABULARY, LARGEST_VOCABULARY),
            "hidden_size": (4, LARGEST_WIDTH),
            "n_layers": (1, MOST_LAYERS),
            "n_heads": (1, LARGEST_WIDTH),
            "length": (SHORTEST_LENGTH, LONGEST_LENGTH),
            "n_steps": (1, MOST_STEPS),
            "batch_size": (1, MOST_TOKENS_A_BATCH // SHORTEST_LENGTH),
            "evaluate_every": (1, MOST_STEPS),
            "seed": (0, 2**31 - 1),
        }
        for name, (least, most) in ranges.items():
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise ValueError(
                    f"{name} is {value!r}: choose a whole number from {grouped(least)} to"
                    f" {grouped(most)}"
                )

    def _refuse_rates(self) -> None:
        for name, least, most in (("peak_learning_rate", 0, 1), ("mlm_probability", 0, 1)):
            value = getattr(self, name)
            if not least < value <= most:
                raise ValueError(f"{name} is {value}: choose a number above 0, at most 1")
        for name in ("single_rate", "warmup_proportion", "weight_decay"):
            value = getattr(self, name)
            if not 0 <= value < 1:
                raise ValueError(f"{name} is {value}: choose a number from 0 to below 1")
        _ = self.corruption  # refuses rates that are no shares

    @property
    def corruption(self) -> CorruptionSettings:
        """Return the rule of hiding words in training."""
        return CorruptionSettings(
            mlm_probability=self.mlm_probability,
            mask_rate=self.mask_rate,
            random_rate=self.random_rate,
            keep_rate=self.keep_rate,
        )

    @property
    def start(self) -> StartSettings:
        """Return how the weights start."""
        return StartSettings()

    def training(self, *, bfloat16: bool = False) -> TrainingSettings:
        """Return the settings of the training loop."""
        return TrainingSettings(
            n_steps=self.n_steps,
            peak_learning_rate=self.peak_learning_rate,
            warmup_proportion=self.warmup_proportion,
            weight_decay=self.weight_decay,
            bfloat16=bfloat16,
        )

    def bert_config(self, n_entries: int | None = None) -> BertConfig:
        """Return the model's sizes; the vocabulary may have come out smaller than asked for."""
        return BertConfig(
            vocabulary_size=self.vocabulary_size if n_entries is None else n_entries,
            hidden_size=self.hidden_size,
            n_layers=self.n_layers,
            n_heads=self.n_heads,
            intermediate_size=4 * self.hidden_size,
            n_positions=self.length,
            dropout_rate=0.0,  # no run here sees its text so often
            initializer_range=self.start.weight_scale,
            has_next_sentence_head=self.objective == "mlm_nsp",
        )

    @property
    def parameter_count(self) -> int:
        """Return the numbers to learn, if the vocabulary comes out as large as asked for.

        >>> SmallRunSettings(hidden_size=8, n_heads=2, n_layers=1, objective="mlm").parameter_count
        12048
        """
        return sum(term.count for term in count_parameters(self.bert_config()))

    @property
    def n_checkpoints(self) -> int:
        """Return how many states of the model are kept: as many as fit, from 2 to 16."""
        fitting = CHECKPOINT_BYTES // (STORED_BYTES * self.parameter_count)
        return max(2, min(MOST_CHECKPOINTS, fitting))

    @property
    def held_bytes(self) -> int:
        """Return the memory of a run that rests: weights, AdamW, checkpoints, a text of one's own.

        The mini world isn't counted: all runs share one.
        """
        own_text = OWN_TEXT_BYTES * len(self.own_text or "")
        return self.parameter_count * HELD_BYTES + self.kept_bytes + own_text

    @property
    def extra_bytes(self) -> int:
        """Return the memory that a piece of work takes beside it: a training step, or a test."""
        return NUMBER_BYTES * max(self._numbers_of_step(), self._numbers_of_test())

    def _numbers_of_step(self) -> int:
        """Return the numbers that are kept for the backward pass, and the gradients."""
        tokens, slots = self.batch_size * self.length, self._slots_a_text()
        # The last layer is computed at [CLS] and the positions that are asked for.
        last = tokens if self.objective == "next_word" else self.batch_size * (slots + 1)
        in_layers = (tokens * (self.n_layers - 1) + last) * LAYER_WIDTHS + tokens * OTHER_WIDTHS
        logits = self.batch_size * slots * self.vocabulary_size
        # The logits become their gradient in place, so they count once.
        return in_layers * self.hidden_size + logits + self.parameter_count

    def _numbers_of_test(self) -> int:
        """Return the numbers of one layer, and the logits with their logarithms."""
        slots = self._slots_a_text(CorruptionSettings().mlm_probability)
        batch_size = NEXT_WORD_TESTED if self.objective == "next_word" else TESTED
        in_layer = batch_size * self.length * self.hidden_size * TEST_WIDTHS
        return in_layer + 2 * batch_size * slots * self.vocabulary_size

    def _slots_a_text(self, mlm_probability: float | None = None) -> int:
        """Return how many positions of a text are asked for, which have a row of logits each."""
        rate = self.mlm_probability if mlm_probability is None else mlm_probability
        return self.length if self.objective == "next_word" else math.ceil(rate * self.length)

    @property
    def kept_bytes(self) -> int:
        """Return the memory of the checkpoints, which stay when the run has ended."""
        return self.parameter_count * STORED_BYTES * self.n_checkpoints

    @property
    def checkpoint_steps(self) -> tuple[int, ...]:
        """Return the steps whose weights are kept: 0, the last, and others closest at first.

        >>> SmallRunSettings(n_steps=100).checkpoint_steps
        (0, 1, 2, 3, 4, 6, 8, 12, 17, 24, 35, 49, 70, 100)
        """
        # One of the places is for the newest weights, which move on with the run.
        n_grown = max(1, self.n_checkpoints - 2)
        first = max(1.0, self.n_steps / 100)
        grown = {
            round(first * (self.n_steps / first) ** (i / max(1, n_grown - 1)))
            for i in range(n_grown - 1)
        }
        return tuple(sorted({0, self.n_steps} | grown))
