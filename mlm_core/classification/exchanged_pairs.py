"""Does a model of pairs use the first text at all?

    as written     [CLS] A [SEP] B [SEP]      segments 0 ... 0 1 ... 1
    exchanged      [CLS] A' [SEP] B [SEP]     A' of another pair; the class stays

With the first text of another pair, B alone can tell the class. A model that is trained and tested
so shows how much B gives away; what a model of the true pairs is better, it has from reading A.

Source: SLP3 section 11.4.2 (pairs); Gururangan et al. 2018 (what the hypothesis alone gives away).
Departs: Gururangan et al. leave the premise out; with another premise the input keeps its length.

Read before this: ../finetuning/fine_tuned.py, bag_of_words.py.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from mlm_core.labelled.examples import Dataset, LabelledText


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
