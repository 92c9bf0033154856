"""Does the order of two texts matter, and does the model use the first one at all?

    as written     [CLS] A [SEP] B [SEP]      segments 0 ... 0 1 ... 1
    swapped        [CLS] B [SEP] A [SEP]

Contradiction is symmetric: if A contradicts B, then B contradicts A. Entailment is not. So a good
model keeps the class "contradiction" when the texts are swapped, and not always the others.

Source: SLP3 section 11.4.2 (pairs).

Read before this: ../finetuning/fine_tuned.py, bag_of_words.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlm_core.finetuning.fine_tuned import FineTuned
from mlm_core.finetuning.scores import predicted_class
from mlm_core.labelled.examples import LabelledText


@dataclass(frozen=True, kw_only=True)
class Kept:
    """How many of the pairs predicted as a class keep it when swapped."""

    name: str
    n_predicted: int
    n_kept: int


def swapped_classes(model: FineTuned, examples: Sequence[LabelledText]) -> Iterator[str]:
    """Yield the likeliest class of each pair with its texts swapped."""
    for example in examples:
        if example.pair is None:
            raise ValueError("an example without a second text: give pairs")
        yield predicted_class(
            model.class_log_probabilities(example.pair, example.text), model.classes
        )


def kept_by_class(predicted: Sequence[str], swapped: Sequence[str]) -> tuple[Kept, ...]:
    """Return for each predicted class how often it stays when the texts are swapped.

    >>> kept_by_class(["a", "a", "b"], ["a", "b", "b"])[0]
    Kept(name='a', n_predicted=2, n_kept=1)
    """
    pairs = list(zip(predicted, swapped, strict=True))
    return tuple(
        Kept(
            name=name,
            n_predicted=sum(before == name for before, _ in pairs),
            n_kept=sum(before == name == after for before, after in pairs),
        )
        for name in sorted(set(predicted))
    )
