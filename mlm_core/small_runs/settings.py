"""Everything that defines an encoder small enough to train while you watch.

    sizes       vocabulary, width, layers, heads, window       -> how many parameters
    objective   hide words (MLM), judge pairs too (MLM + NSP), or say the next word (causal)
    schedule    steps, texts a step, learning rate             -> how many tokens are read

What can't be is refused when the settings are made, before any work is done. The caps are what
a server can train for a class of thirty at once: a step of the largest run takes a fraction of
a second, and all its memory stays below 100 MB.

Source: the settings of Devlin et al. 2019, appendix A.2, scaled down.

Read before this: ../pretraining/objectives.py, ../encoder/cost.py.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from mlm_core.encoder.bert import BertConfig
from mlm_core.encoder.cost import count_parameters
from mlm_core.masking.batch import CorruptionSettings
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

MOST_CHECKPOINTS = 16
CHECKPOINT_BYTES = 24_000_000  # for all checkpoints of a run together
TRAINING_BYTES = 16  # a parameter: itself, its gradient and AdamW's two memories, in float32
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
    choose_rate: float = 0.15  # share of the tokens that are chosen
    mask_rate: float = 0.8  # share of the chosen; the three sum to 1
    random_rate: float = 0.1
    keep_rate: float = 0.1
    single_rate: float = 0.2  # share of texts of one sentence; the others have two

    n_steps: int = 1_600
    n_texts: int = 48  # a batch
    peak_rate: float = 4e-3  # learning rate at the end of the warm-up
    warm_up_share: float = 0.1  # of the steps
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
        if self.n_texts * self.length > MOST_TOKENS_A_BATCH:
            raise ValueError(
                f"{self.n_texts} texts of up to {self.length} tokens are"
                f" {self.n_texts * self.length:,} tokens a step, and {MOST_TOKENS_A_BATCH:,} are"
                " allowed: choose fewer texts or a shorter window"
            )
        self._refuse_rates()
        if self.own_text is not None and len(self.own_text) > LONGEST_OWN_TEXT:
            raise ValueError(
                f"the text has {len(self.own_text):,} characters, and {LONGEST_OWN_TEXT:,} are"
                " allowed: shorten it"
            )

    def _refuse_counts(self) -> None:
        ranges = {
            "vocabulary_size": (SMALLEST_VOCABULARY, LARGEST_VOCABULARY),
            "hidden_size": (4, LARGEST_WIDTH),
            "n_layers": (1, MOST_LAYERS),
            "n_heads": (1, LARGEST_WIDTH),
            "length": (SHORTEST_LENGTH, LONGEST_LENGTH),
            "n_steps": (1, MOST_STEPS),
            "n_texts": (1, MOST_TOKENS_A_BATCH // SHORTEST_LENGTH),
            "evaluate_every": (1, MOST_STEPS),
            "seed": (0, 2**31 - 1),
        }
        for name, (least, most) in ranges.items():
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise ValueError(
                    f"{name} is {value!r}: choose a whole number from {least:,} to {most:,}"
                )

    def _refuse_rates(self) -> None:
        for name, least, most in (("peak_rate", 0, 1), ("choose_rate", 0, 1)):
            value = getattr(self, name)
            if not least < value <= most:
                raise ValueError(f"{name} is {value}: choose a number above 0, at most 1")
        for name in ("single_rate", "warm_up_share", "weight_decay"):
            value = getattr(self, name)
            if not 0 <= value < 1:
                raise ValueError(f"{name} is {value}: choose a number from 0 to below 1")
        _ = self.corruption  # refuses rates that are no shares

    @property
    def corruption(self) -> CorruptionSettings:
        """Return the rule of hiding words in training."""
        return CorruptionSettings(
            choose_rate=self.choose_rate,
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
            peak_rate=self.peak_rate,
            warm_up_share=self.warm_up_share,
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
            inner_size=4 * self.hidden_size,
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
    def memory_bytes(self) -> int:
        """Return the memory of weights, gradients, AdamW and checkpoints; not of activations."""
        return self.parameter_count * TRAINING_BYTES + self.kept_bytes

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
