"""Test scores of each way to fine-tune, with three seeds, and of baselines, these also on dev.

Of sentiment also from few training examples, which the seed draws: both starts and a bag of words.

`make stored STORED=figures` makes the table, `STORED=few_labels` the comparison of three ways to
learn from few labels.

Read before this: finetunes.py, ../finetuning/scores.py, ../classification/few_labels.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.classification.bag_of_words import majority_class
from mlm_core.classification.few_labels import FewScore
from mlm_core.evaluation.seeds import Variant
from mlm_core.finetuning.scores import Scores, score_examples
from mlm_core.finetuning.settings import SENTIMENT, Data
from mlm_core.labelled.examples import Dataset, ScoredPart
from mlm_core.stored.finetunes import FOLDER
from mlm_core.stored.runs import from_marks
from mlm_core.text.corpora import read_rows

FIGURES_FILE = "figures.json"
FEW_FILES = {name: f"few_labels_{language}.json" for language, name in SENTIMENT.items()}


@dataclass(frozen=True, kw_only=True)
class Figure:
    """The scores of a baseline, or of one fine-tuning."""

    task: Data
    variant: str  # "majority", "bag_of_words", "by_rule", "exchanged", or a name of variants()
    seed: int | None  # None for a baseline on all examples
    n_examples: int | None = None  # for training; None: all
    part: ScoredPart = "test"
    proportion_right: float  # as in ../../finetuning/scores.py, 0 to 1
    f1: float
    # Without a seed or with the first one: a 1 for each test example that is right; none of tags.
    right: str = ""


def read_figures() -> tuple[Figure, ...]:
    """Return the stored table."""
    return read_rows(FOLDER / FIGURES_FILE, Figure)


def read_few_labels(task: Data) -> tuple[FewScore, ...]:
    """Return the stored comparison on sentiment, of one language."""
    return read_rows(FOLDER / FEW_FILES[task], FewScore)


def variant_of(name: str, figures: Sequence[Figure], measure: str = "proportion_right") -> Variant:
    """Return the figures of one way to fine-tune, a seed each, to be compared with another."""
    return Variant(
        name=name,
        proportions=tuple(getattr(one, measure) for one in figures),
        right=from_marks(figures[0].right),
    )


def majority_scores(dataset: Dataset, part: ScoredPart) -> Scores:
    """Return the scores on a part of always the most frequent class, or of the tag O."""
    scored = getattr(dataset, part)
    if dataset.kind == "tags":
        predicted = [("O",) * len(sentence.words) for sentence in scored]
    else:
        predicted = [majority_class(dataset.train)] * len(scored)
    return score_examples(scored, predicted, "BIO")
