"""The settings of a contrastive training: pairs, layers, loss, optimizer.

    pairs    "labelled": sentences that say the same; "unlabelled": a sentence and itself
    layers   the first `n_read_layers` are read, the last `n_top_layers` of these are trained
    scoring  "vector": the cosine of one vector each; "tokens": late interaction

Invalid settings are refused when they are made.

Source: Gao et al. 2021, appendix A, for batches, epochs and dropout.
Departs: a hundred times fewer pairs, so smaller batches, more epochs and a higher rate.

Read before this: info_nce.py, ../finetuning/settings.py.
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from mlm_core.encoder.model_list import BUNDLED_FOLDERS
from mlm_core.finetuning.heads import POOLINGS, Pooling
from mlm_core.finetuning.settings import LARGEST_BATCH, MOST_LAYERS, MOST_STEPS, RANGES, READ
from mlm_core.number_format import grouped
from mlm_core.ranges import refuse_choices, refuse_counts, refuse_rates
from mlm_core.search.info_nce import TEMPERATURE
from mlm_core.training.loop import TrainingSettings

PairKind = Literal["labelled", "unlabelled"]
PAIR_KINDS: tuple[PairKind, ...] = get_args(PairKind)
Scoring = Literal["vector", "tokens"]


@dataclass(frozen=True, kw_only=True)
class ContrastiveSettings:
    """One contrastive training. Equal settings and pairs, equal run."""

    model: str  # the name of the encoder
    pairs: PairKind = "labelled"
    language: str = "en"  # of the pairs

    scoring: Scoring = "vector"
    pooling: Pooling = "mean"  # of scoring by one vector
    n_read_layers: int | None = None  # from the first on; None: all
    n_top_layers: int = 2  # the last of these; where fewer are read, all of them are trained

    temperature: float = TEMPERATURE  # 0 to 1; the cosines are divided by it
    dropout_rate: float = 0.1  # in the trained layers
    n_epochs: int = 6  # times that each pair is seen
    batch_size: int = 32  # pairs
    peak_learning_rate: float = 1e-3  # learning rate at the end of the warm-up
    warmup_proportion: float = 0.1  # of the steps
    weight_decay: float = 0.01
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse invalid settings."""
        refuse_choices(self, {"pairs": PAIR_KINDS, "pooling": POOLINGS})
        refuse_choices(self, {"scoring": get_args(Scoring)})
        ranges = RANGES | {"batch_size": (2, LARGEST_BATCH)}
        if self.n_read_layers is not None:
            ranges |= {"n_read_layers": (1, MOST_LAYERS)}
        refuse_counts(self, ranges)
        refuse_rates(self, "temperature", "peak_learning_rate", zero=False)
        refuse_rates(self, "dropout_rate", "warmup_proportion", "weight_decay", one=False)
        if self.pairs == "unlabelled" and not self.dropout_rate:
            raise ValueError(
                "without dropout a sentence and itself have the same vector, and nothing is learnt:"
                " choose a dropout_rate above 0"
            )

    def layers_of(self, n_layers: int) -> tuple[int, int]:
        """Return how many of an encoder's layers are read, and how many of these are trained."""
        n_read = min(self.n_read_layers or n_layers, n_layers)
        return n_read, min(self.n_top_layers, n_read)

    def training(self, n_pairs: int) -> TrainingSettings:
        """Return the settings of the training loop. Raises ValueError for too many steps."""
        n_steps = self.n_epochs * self.steps_an_epoch(n_pairs)
        if n_steps > MOST_STEPS:
            raise ValueError(
                f"{grouped(n_pairs)} pairs seen {self.n_epochs} times in batches of"
                f" {self.batch_size} take {grouped(n_steps)} steps, and {grouped(MOST_STEPS)} are"
                " allowed: choose fewer epochs, fewer pairs or larger batches"
            )
        return TrainingSettings(
            n_steps=n_steps,
            peak_learning_rate=self.peak_learning_rate,
            warmup_proportion=self.warmup_proportion,
            weight_decay=self.weight_decay,
        )

    def steps_an_epoch(self, n_pairs: int) -> int:
        """Return the number of batches that hold every pair once."""
        return -(-n_pairs // self.batch_size)


# Chosen on the dev part, which has 24 queries: of the bundled model, 8 layers did better than all
# 12; four trained layers or two, and rates from 2e-4 to 1e-3, were as good as each other. On the
# German dev part, of as many queries, 8 layers of mini-bert-de-en did better than 10 or 12, too.
UNLABELLED = {"n_epochs": 2, "peak_learning_rate": 2e-4, "n_top_layers": 4}
# Late interaction on the English dev part, three seeds: reciprocal rank .575 with four layers at
# this rate, .546 with two at 1e-3; .536 and .517 with a temperature of 0.02 and 0.1; .532 with 12
# layers read. On the German dev part all of these are between .495 and .522.
TOKENS: dict[str, Any] = {"peak_learning_rate": 5e-4, "n_top_layers": 4}


def default_settings(
    model: str, pairs: PairKind = "labelled", language: str = "en", **others: Any
) -> ContrastiveSettings:
    """Return good settings for a kind of pairs, except for `others`."""
    suited: dict[str, Any] = UNLABELLED if pairs == "unlabelled" else {}
    if others.get("scoring") == "tokens":
        suited = suited | TOKENS
    if model in BUNDLED_FOLDERS:
        suited = suited | {"n_read_layers": READ}
    return ContrastiveSettings(model=model, pairs=pairs, language=language, **(suited | others))
