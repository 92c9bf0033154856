"""The settings of a fine-tuning: model, examples, trained layers, optimizer.

    trained   "head" alone, the last `n_top_layers` and the head ("top"), or "all"
    start     the pretrained weights, or random ones, to measure the effect of pretraining

Invalid settings are refused when they are made.

Source: Devlin et al. 2019, section 4.1 and appendix A.3 (batches of 16, few epochs, a small
learning rate, all layers).
Departs: the learning rates are higher than BERT's, because the bundled model is much narrower.

Read before this: upper_layers.py, encoded_examples.py.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from mlm_core.finetuning.heads import POOLINGS, Pooling
from mlm_core.number_format import grouped
from mlm_core.ranges import host_number, refuse_counts, refuse_rates
from mlm_core.tagging.alignment import LABELLINGS, Labelling
from mlm_core.tagging.bio_tags import SCHEMES, Scheme
from mlm_core.training.loop import TrainingSettings

Data = Literal["sentiment", "entailment", "passages", "entities", "own_classes", "own_tags"]
DATA: tuple[Data, ...] = get_args(Data)
Trained = Literal["head", "top", "all"]
TRAINED: tuple[Trained, ...] = get_args(Trained)
Start = Literal["pretrained", "random"]
STARTS: tuple[Start, ...] = get_args(Start)

MOST_EPOCHS = 40
MOST_STEPS = 5_000  # as of a small run: minutes of the one trainer
LARGEST_BATCH = 64  # examples
LONGEST_OWN_DATA = host_number("MLM_OWN_DATA", 300_000, 10_000, 4_000_000)  # characters
RANGES = {
    "n_top_layers": (1, 100),
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
    n_top_layers: int = 4  # of "top"; a model with fewer has all its layers trained
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
        choices = {
            "data": DATA,
            "start": STARTS,
            "trained": TRAINED,
            "pooling": POOLINGS,
            "scheme": SCHEMES,
            "labelling": LABELLINGS,
        }
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise ValueError(
                    f"{name} {getattr(self, name)!r}: choose one of {', '.join(allowed)}"
                )
        n_examples = {} if self.n_examples is None else {"n_examples": (1, 1_000_000)}
        refuse_counts(self, RANGES | n_examples)
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

    def n_trained_layers(self, n_layers: int) -> int:
        """Return how many layers of a model are trained beside the head."""
        return {"head": 0, "top": min(self.n_top_layers, n_layers), "all": n_layers}[self.trained]

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


# Chosen on the dev parts (../classroom/finetunes/choose_finetunes.py): with fewer trained layers,
# higher rates and more epochs work better. Eight layers are ahead of four on every task, but take
# twice the time and memory of a server that thirty learners share; so they are the default only
# where four find few answers.
RATES: dict[Trained, float] = {"head": 2e-2, "top": 5e-4, "all": 2e-4}
EIGHT: dict[str, float] = {"n_top_layers": 8, "peak_learning_rate": 3e-4}
EPOCHS: dict[Trained, int] = {"head": 10, "top": 5, "all": 4}
RANDOM_RATE, RANDOM_EPOCHS = 2e-4, 6


def default_settings(
    model: str, data: Data, trained: Trained = "top", start: Start = "pretrained", **others
) -> FineTuneSettings:
    """Return good settings for the data and trained layers, except for `others`."""
    is_random, is_long = start == "random", data == "passages"
    suited = {
        "n_epochs": RANDOM_EPOCHS if is_random else EPOCHS[trained],
        "peak_learning_rate": RANDOM_RATE if is_random else RATES[trained],
        "batch_size": 16,
    }
    if trained == "all":
        # All layers keep three times as many activations as four, and a batch shares the memory
        # with other runs. Passages are five times as long as sentences.
        suited["batch_size"] = 2 if is_long else 4
    elif is_long:
        suited |= {"batch_size": 8} if trained == "head" else EIGHT | {"batch_size": 4}
    return FineTuneSettings(
        model=model, data=data, trained=trained, start=start, **(suited | others)
    )
