"""Several fine-tuned models on the same test texts: where they part, and the text that shows it.

    text 17   true class: negative    head: neutral    last layers: negative    all: negative

The most telling text is one that the first model gets wrong and the last one right: of those the
one whose probability of the true class grew most.

Read before this: ../classification/errors.py. Read next: ../classification/head_steps.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.classification.errors import Judged
from mlm_core.labelled.examples import LabelledText


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """One test text, and what each model says of it."""

    by_model: tuple[Judged, ...]

    @property
    def index(self) -> int:
        """Return the text's place in the test part."""
        return self.by_model[0].index

    @property
    def example(self) -> LabelledText:
        """Return the text with its true class."""
        return self.by_model[0].example

    @property
    def models_differ(self) -> bool:
        """Return whether the models don't all say the same."""
        return len({one.said for one in self.by_model}) > 1

    @property
    def all_wrong(self) -> bool:
        """Return whether no model is right."""
        return not any(one.is_right for one in self.by_model)

    @property
    def gain(self) -> float:
        """Return P(true class) of the last model less that of the first, -1 to 1."""
        return self.by_model[-1].p_label - self.by_model[0].p_label


def contrast(of_models: Sequence[Sequence[Judged]]) -> tuple[Contrast, ...]:
    """Return the models' answers text by text.

    Raises ValueError if the models were not tested on the same texts.
    """
    if not of_models:
        raise ValueError("no model: give the answers of at least one")
    if any([j.example for j in one] != [j.example for j in of_models[0]] for one in of_models):
        raise ValueError("the models were tested on different texts: give runs on the same data")
    return tuple(Contrast(by_model=answers) for answers in zip(*of_models, strict=True))


def most_telling(contrasts: Sequence[Contrast]) -> Contrast:
    """Return the text that shows best what the last model can and the first can't.

    Where there is none such, the one with the largest gain. Raises ValueError for no texts.
    """
    if not contrasts:
        raise ValueError("no texts: give at least one")
    return max(
        contrasts,
        key=lambda c: (
            not c.by_model[0].is_right and c.by_model[-1].is_right,
            c.gain,
            -c.index,
        ),
    )
