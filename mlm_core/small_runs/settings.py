"""Everything that defines an encoder small enough to train while you watch.

    sizes       vocabulary, width, layers, heads, window       -> how many parameters
    objective   masked words (MLM), pairs too (MLM + NSP), or the next word (causal)
    schedule    steps, texts a step, learning rate             -> how many tokens are read

Impossible settings are refused when they are made, before any work is done. The limits are for a
server that trains for a class of thirty at once: a step of the largest run takes a fraction of a
second. A run's memory is computed before it begins: `held_bytes` as long as the run is kept, and
`extra_bytes` for a piece of its work, which one run at a time needs.

Source: the settings of Devlin et al. 2019, appendix A.2, scaled down.

Read before this: ../pretraining/objectives.py, ../encoder/cost.py.
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

from mlm_core.encoder.bert import BertConfig
from mlm_core.encoder.cost import count_parameters
from mlm_core.encoder.modern import BLOCK_CHANGES, BlockChange
from mlm_core.masking.rule import CorruptionRule
from mlm_core.number_format import formatted, grouped
from mlm_core.pretraining.starting_weights import StartSettings
from mlm_core.ranges import host_number, refuse_choices, refuse_counts, refuse_rates
from mlm_core.training.loop import TrainingSettings

Objective = Literal["mlm", "mlm_nsp", "next_word"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)
ScheduleChange = Literal["falling_masks", "causal_first"]  # schedules.py
Change = BlockChange | ScheduleChange
CHANGES: tuple[Change, ...] = (*BLOCK_CHANGES, *get_args(ScheduleChange))
HIGHEST_MASK_RATE = 0.3  # at the start of falling_masks

LARGEST_WIDTH = 128  # dimensions per token
MOST_LAYERS = 4
LARGEST_VOCABULARY = 4_000  # entries
SMALLEST_VOCABULARY = 100  # entries; fewer would hold little more than letters
SHORTEST_LENGTH, LONGEST_LENGTH = 16, 64  # tokens
MOST_STEPS = 5_000
MOST_TOKENS_A_BATCH = 8_192
LONGEST_OWN_TEXT = host_number("MLM_OWN_TEXT", 200_000, 10_000, 2_000_000)  # characters
# Texts in a batch of the test; of next words every token has a row of logits.
TESTED, NEXT_WORD_TESTED = 128, 32

MOST_BYTES = 220_000_000  # of one run while it trains
MOST_CHECKPOINTS = 16
CHECKPOINT_BYTES = 24_000_000  # for all checkpoints of a run together
HELD_BYTES = 12  # a parameter: itself and AdamW's two moments, in float32
NUMBER_BYTES = 4
OWN_TEXT_BYTES = 50  # a character, with its tokens and counts
# Numbers a token, in multiples of hidden_size: in a layer for its backward pass, below and above
# the layers, and in one layer of a test. Measured: tests/pages/test_run_memory.py.
LAYER_WIDTHS, OTHER_WIDTHS, TEST_WIDTHS = 17, 5, 13
STORED_BYTES = 2  # a parameter of a checkpoint, in float16
RANGES = {
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


@dataclass(frozen=True, kw_only=True)
class SmallRunSettings:
    """One run: its text, model, task and schedule. Equal settings, equal run."""

    own_text: str | None = None  # None: the corpus of this project, "mini world"

    vocabulary_size: int = 1_200  # entries at most; the text may give fewer
    hidden_size: int = 64  # dimensions per token
    n_layers: int = 2
    n_heads: int = 4
    length: int = 32  # tokens; the model's window

    objective: Objective = "mlm_nsp"
    mlm_probability: float = 0.15  # proportion of the tokens that are chosen
    mask_rate: float = 0.8  # proportion of the chosen; the three sum to 1
    random_rate: float = 0.1
    keep_rate: float = 0.1
    single_rate: float = 0.2  # proportion of texts of one sentence; the others have two

    preset_heads: bool = True  # whether the first two layers' heads start by looking at neighbours
    changes: tuple[Change, ...] = ()  # of BERT's blocks and schedule, in the order of CHANGES

    n_steps: int = 1_600
    batch_size: int = 48  # texts
    peak_learning_rate: float = 4e-3  # learning rate at the end of the warm-up
    warmup_proportion: float = 0.1  # of the steps
    weight_decay: float = 0.01
    evaluate_every: int = 100  # steps
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse impossible settings, and runs that are too large for a shared server."""
        refuse_choices(self, {"objective": OBJECTIVES})
        refuse_counts(self, RANGES)
        if self.changes != tuple(one for one in CHANGES if one in self.changes):
            raise ValueError(f"changes {self.changes}: give some of {CHANGES}, in this order")
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
        refuse_rates(self, "peak_learning_rate", "mlm_probability", zero=False)
        refuse_rates(self, "single_rate", "warmup_proportion", "weight_decay", one=False)
        _ = self.corruption  # refuses rates that don't sum to 1
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

    @property
    def corruption(self) -> CorruptionRule:
        """Return the corruption rule in training."""
        return CorruptionRule(
            mlm_probability=self.mlm_probability,
            mask_rate=self.mask_rate,
            random_rate=self.random_rate,
            keep_rate=self.keep_rate,
        )

    @property
    def start(self) -> StartSettings:
        """Return how the weights start."""
        return StartSettings() if self.preset_heads else StartSettings(neighbour_gain=0.0)

    @property
    def block_changes(self) -> tuple[BlockChange, ...]:
        """Return the changes of the encoder itself."""
        return tuple(one for one in BLOCK_CHANGES if one in self.changes)

    @property
    def is_causal_at_times(self) -> bool:
        """Return whether some steps predict the next word at every position."""
        return self.objective == "next_word" or "causal_first" in self.changes

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
        """Return the model's sizes; the vocabulary may be smaller than vocabulary_size."""
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
        """Return the number of parameters, with a vocabulary of vocabulary_size.

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
        """Return the memory of a waiting run: weights, AdamW, own text.

        The mini world isn't counted: all runs share one.
        """
        own_text = OWN_TEXT_BYTES * len(self.own_text or "")
        return self.parameter_count * HELD_BYTES + own_text

    @property
    def extra_bytes(self) -> int:
        """Return the further memory of a piece of work: a training step, or a test."""
        return NUMBER_BYTES * max(self._numbers_of_step(), self._numbers_of_test())

    def _numbers_of_step(self) -> int:
        """Return the numbers that are kept for the backward pass, and the gradients."""
        tokens, slots = self.batch_size * self.length, self._slots_a_text()
        # The last layer is computed at [CLS] and the chosen positions.
        last = tokens if self.is_causal_at_times else self.batch_size * (slots + 1)
        in_layers = (tokens * (self.n_layers - 1) + last) * LAYER_WIDTHS + tokens * OTHER_WIDTHS
        logits = self.batch_size * slots * self.vocabulary_size
        # The logits become their gradient in place, so they count once.
        return in_layers * self.hidden_size + logits + self.parameter_count

    def _numbers_of_test(self) -> int:
        """Return the numbers of one layer, and the logits with their logarithms."""
        is_causal = self.objective == "next_word"
        rate = CorruptionRule().mlm_probability
        slots = self.length if is_causal else math.ceil(rate * self.length)
        batch_size = NEXT_WORD_TESTED if is_causal else TESTED
        in_layer = batch_size * self.length * self.hidden_size * TEST_WIDTHS
        return in_layer + 2 * batch_size * slots * self.vocabulary_size

    def _slots_a_text(self) -> int:
        """Return how many positions of a text have a row of logits in training, at most."""
        highest = HIGHEST_MASK_RATE if "falling_masks" in self.changes else 0.0
        rate = max(self.mlm_probability, highest)
        return self.length if self.is_causal_at_times else math.ceil(rate * self.length)

    @property
    def kept_bytes(self) -> int:
        """Return the bytes of the checkpoints, which stay when the run has ended."""
        return self.parameter_count * STORED_BYTES * (self.n_checkpoints + 1)  # and the best one

    @property
    def checkpoint_steps(self) -> tuple[int, ...]:
        """Return the steps whose weights are kept: 0, the last, and more of the first.

        >>> SmallRunSettings(n_steps=100).checkpoint_steps
        (0, 1, 2, 3, 4, 6, 8, 12, 17, 24, 35, 49, 70, 100)
        """
        # One checkpoint is the newest weights, which are replaced during the run.
        n_grown = max(1, self.n_checkpoints - 2)
        first = max(1.0, self.n_steps / 100)
        grown = {
            round(first * (self.n_steps / first) ** (i / max(1, n_grown - 1)))
            for i in range(n_grown - 1)
        }
        return tuple(sorted({0, self.n_steps} | grown))
