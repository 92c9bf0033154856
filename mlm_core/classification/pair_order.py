"""Does the order of two texts matter, and does the model use the first one at all?

    as written     [CLS] A [SEP] B [SEP]      segments 0 ... 0 1 ... 1
    swapped        [CLS] B [SEP] A [SEP]
    exchanged      [CLS] A' [SEP] B [SEP]     A' of another pair; the class stays

Contradiction is symmetric: if A contradicts B, then B contradicts A. Entailment is not. So a good
model keeps the class "contradiction" when the texts are swapped, and not always the others.

With the first text of another pair, B alone can tell the class. A model that is trained and tested
so shows how much B gives away; what a model of the true pairs is better, it has from reading A.

Source: SLP3 section 11.4.2 (pairs); Gururangan et al. 2018 (what the hypothesis alone gives away).
Departs: Gururangan et al. leave the premise out; with another premise the input keeps its length.

Read before this: ../finetuning/fine_tuned.py, bag_of_words.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from mlm_core.finetuning.fine_tuned import FineTuned
from mlm_core.finetuning.scores import predicted_class
from mlm_core.labelled.examples import Dataset, LabelledText


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


def exchange_first_texts(dataset: Dataset, seed: int) -> Dataset:
    """Return the pairs with first texts of other pairs, drawn within each part.

    What had one first text in common has another one in common now.
    """
    rng = Random(seed)
    parts = {part: _exchanged(getattr(dataset, part), rng) for part in ("train", "dev", "test")}
    return replace(dataset, **parts)


def _exchanged(pairs: Sequence[LabelledText], rng: Random) -> tuple[LabelledText, ...]:
    firsts = list(dict.fromkeys(pair.text for pair in pairs))
    rng.shuffle(firsts)
    # In a shuffled ring each one's neighbour is another one.
    another = dict(zip(firsts, [*firsts[1:], *firsts[:1]], strict=True))
    return tuple(replace(pair, text=another[pair.text]) for pair in pairs)
