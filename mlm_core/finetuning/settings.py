"""The settings of a fine-tuning: model, examples, layers, optimizer.

    read      the first `n_read_layers`, or all; the head reads the last of them
    trained   "head" alone, the last `n_top_layers` of these and the head ("top"), or "all" of them
    start     the pretrained weights, or random ones, to measure the effect of pretraining

Invalid settings are refused when they are made.

Source: Devlin et al. 2019, section 4.1 and appendix A.3 (batches of 16, few epochs, a small
learning rate, all layers); Sajjad et al. 2023 (top-layer dropping).
Departs: the learning rates are higher than BERT's, because the bundled model is much narrower.

Read before this: upper_layers.py, encoded_examples.py.
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from mlm_core.encoder.model_list import BUNDLED_FOLDERS, READERS
from mlm_core.finetuning.defaults import (
    BATCH_SIZES,
    EPOCHS,
    RANDOM_EPOCHS,
    RANDOM_LAYERS,
    RANDOM_RATE,
    RATES,
    READ,
    STARTS,
    TRAINED,
    USUAL_LAYERS,
    Start,
    Trained,
)
from mlm_core.finetuning.heads import POOLINGS, Pooling
from mlm_core.number_format import grouped
from mlm_core.ranges import host_number, refuse_choices, refuse_counts, refuse_rates
from mlm_core.tagging.alignment import LABELLINGS, Labelling
from mlm_core.tagging.bio_tags import SCHEMES, Scheme
from mlm_core.training.loop import TrainingSettings

Data = Literal[
    "sentiment",
    "sentiment_de",
    "entailment",
    "paraphrase",
    "passages",
    "entities",
    "entities_de",
    "own_classes",
    "own_tags",
]
DATA: tuple[Data, ...] = get_args(Data)
SENTIMENT: dict[str, Data] = {"en": "sentiment", "de": "sentiment_de"}  # stored, by their language
TAGGED: dict[str, Data] = {"en": "entities", "de": "entities_de"}

MOST_EPOCHS = 40
MOST_STEPS = 5_000  # as of a small run: minutes of the one trainer
LARGEST_BATCH = 64  # examples
MOST_LAYERS = 100
LONGEST_OWN_DATA = host_number("MLM_OWN_DATA", 300_000, 10_000, 4_000_000)  # characters
RANGES = {
    "n_top_layers": (1, MOST_LAYERS),
    "n_epochs": (1, MOST_EPOCHS),
    "batch_size": (1, LARGEST_BATCH),
    "seed": (0, 2**31 - 1),
}


@dataclass(frozen=True, kw_only=True)
class FineTuneSettings:
    """One fine-tuning. Equal settings, equal run."""

    model: str  # the name of the encoder
    data: Data = "sentiment"
    own_data: str | None = None  # the text of uploaded examples; data says which kind

    start: Start = "pretrained"
    trained: Trained = "top"
    n_top_layers: int = USUAL_LAYERS  # of "top"; where fewer are read, all of these are trained
    n_read_layers: int | None = None  # from the first on; None: all
    pooling: Pooling = "mean"  # of classes
    scheme: Scheme = "BIO"  # of tags
    labelling: Labelling = "first_only"  # of tags
    n_examples: int | None = None  # for training; None: all

    n_epochs: int = 5  # times that each example is seen
    batch_size: int = 16  # examples
    peak_learning_rate: float = 5e-4  # learning rate at the end of the warm-up
    warmup_proportion: float = 0.1  # of the steps
    weight_decay: float = 0.01
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse invalid settings, and sizes that are too large for a shared server."""
        refuse_choices(self, {"data": DATA, "start": STARTS, "trained": TRAINED})
        refuse_choices(self, {"pooling": POOLINGS, "scheme": SCHEMES, "labelling": LABELLINGS})
        may_be_none = {"n_examples": (1, 1_000_000), "n_read_layers": (1, MOST_LAYERS)}
        given = {k: range_ for k, range_ in may_be_none.items() if getattr(self, k) is not None}
        refuse_counts(self, RANGES | given)
        refuse_rates(self, "peak_learning_rate", zero=False)
        refuse_rates(self, "warmup_proportion", "weight_decay", one=False)
        if self.start == "random" and self.trained != "all":
            raise ValueError(
                "a random start with some layers frozen would freeze random numbers: train all"
                " layers"
            )
        if (self.own_data is not None) != self.data.startswith("own_"):
            raise ValueError(f"data {self.data!r}: own data comes with its text, stored data none")
        if self.own_data is not None and len(self.own_data) > LONGEST_OWN_DATA:
            raise ValueError(
                f"the data has {grouped(len(self.own_data))} characters, and"
                f" {grouped(LONGEST_OWN_DATA)} are allowed: leave some examples out"
            )

    def n_read(self, n_layers: int) -> int:
        """Return how many layers of a model run, from the first on."""
        return min(self.n_read_layers or n_layers, n_layers)

    def n_trained_layers(self, n_layers: int) -> int:
        """Return how many layers of a model are trained beside the head."""
        n_read = self.n_read(n_layers)
        return {"head": 0, "top": min(self.n_top_layers, n_read), "all": n_read}[self.trained]

    def n_frozen(self, n_layers: int) -> int:
        """Return how many layers of a model run below the trained ones."""
        return self.n_read(n_layers) - self.n_trained_layers(n_layers)

    def n_steps(self, n_examples: int) -> int:
        """Return the number of steps (batches). Raises ValueError for too many."""
        n_steps = self.n_epochs * -(-n_examples // self.batch_size)
        if n_steps > MOST_STEPS:
            raise ValueError(
                f"{grouped(n_examples)} examples seen {self.n_epochs} times in batches of"
                f" {self.batch_size} take {grouped(n_steps)} steps, and {grouped(MOST_STEPS)} are"
                " allowed: choose fewer epochs, fewer examples or larger batches"
            )
        return n_steps

    def training(self, n_examples: int) -> TrainingSettings:
        """Return the settings of the training loop."""
        return TrainingSettings(
            n_steps=self.n_steps(n_examples),
            peak_learning_rate=self.peak_learning_rate,
            warmup_proportion=self.warmup_proportion,
            weight_decay=self.weight_decay,
        )


def language_of(data: Data) -> str:
    """Return the language of the stored examples."""
    named = (*SENTIMENT.items(), *TAGGED.items())
    return next((language for language, name in named if name == data), "en")


def usual_model(data: Data) -> str:
    """Return the bundled model that reads the stored examples."""
    return READERS[language_of(data)]


def default_settings(
    model: str, data: Data, trained: Trained = "top", start: Start = "pretrained", **others: Any
) -> FineTuneSettings:
    """Return good settings for the data and trained layers, except for `others`."""
    is_random = start == "random"
    # A random start trains as many layers as "top", so its batches may be as large.
    suited: dict[str, Any] = {
        "n_epochs": RANDOM_EPOCHS if is_random else EPOCHS[trained],
        "peak_learning_rate": RANDOM_RATE if is_random else RATES[trained],
        "batch_size": BATCH_SIZES["top" if is_random else trained][data != "passages"],
    }
    n_top_layers = others.get("n_top_layers", USUAL_LAYERS)
    if is_random:
        suited["n_read_layers"] = RANDOM_LAYERS
    elif trained == "top" and model in BUNDLED_FOLDERS and n_top_layers <= USUAL_LAYERS:
        suited["n_read_layers"] = READ
    return FineTuneSettings(
        model=model, data=data, trained=trained, start=start, **(suited | others)
    )
