"""How far people who labelled the same texts agree, beyond what their class counts bring.

    agreement = (observed - expected) / (1 - expected)      1: all agree; 0: as by chance

Three measures of this form differ in what they take: Cohen's kappa two annotators, each with
proportions of their own; Fleiss' kappa texts with equally many labels, whoever gave them;
Krippendorff's alpha any texts with two labels or more. Where one class alone was used, chance
would agree everywhere, 0/0: None.

Sources: Cohen 1960; Fleiss 1971; Krippendorff 2004, chapter 11 (nominal data, missing values).

Read before this: metrics.py.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

Label = str | int
Text = Mapping[str, Label]  # by annotators, their labels of one text
FEWEST_SHARED = 5  # texts of a pair of annotators: with fewer its kappa is mostly chance
MOST_ANNOTATORS = 60  # of whom all pairs are looked at: 1,770


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """What all three measures are for some labelled texts; None where one isn't defined."""

    cohen: float | None  # the mean over pairs of annotators
    n_pairs: int
    fleiss: float | None
    n_fleiss_texts: int
    n_fleiss_labels: int  # that each of these texts has
    alpha: float | None
    n_alpha_texts: int


def agreement(texts: Sequence[Text]) -> Agreement:
    """Return all three measures of texts of which each may have labels of some annotators only.

    The mean of Cohen's kappa is over pairs that share at least FEWEST_SHARED texts, as in Light
    1971. Fleiss' kappa takes the number of labels, two or more, that brings most labels.
    """
    annotators = sorted({one for text in texts for one in text})[:MOST_ANNOTATORS]
    kappas = []
    for first, second in combinations(annotators, 2):
        both = [(text[first], text[second]) for text in texts if first in text and second in text]
        kappa = cohen_kappa(both) if len(both) >= FEWEST_SHARED else None
        if kappa is not None:
            kappas.append(kappa)
    sizes = Counter(len(text) for text in texts if len(text) > 1)
    n_labels = max(sizes, key=lambda n: (n * sizes[n], n), default=0)
    equal = [Counter(text.values()) for text in texts if n_labels == len(text)]
    return Agreement(
        cohen=sum(kappas) / len(kappas) if kappas else None,
        n_pairs=len(kappas),
        fleiss=fleiss_kappa(equal) if n_labels else None,
        n_fleiss_texts=sizes[n_labels],
        n_fleiss_labels=n_labels,
        alpha=krippendorff_alpha([Counter(text.values()) for text in texts]),
        n_alpha_texts=sizes.total(),
    )


def cohen_kappa(both: Sequence[tuple[Label, Label]]) -> float | None:
    """Return the kappa of two annotators from their labels of each text.

    >>> cohen_kappa([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")])
    0.5
    """
    n = len(both)
    first, second = (Counter(pair[i] for pair in both) for i in range(2))
    # Times n² in whole numbers, so that 1 - expected is exactly 0 where it should be.
    expected = sum(first[label] * second[label] for label in first)
    observed = n * sum(a == b for a, b in both)
    return (observed - expected) / (n * n - expected) if n * n != expected else None


def fleiss_kappa(counts: Sequence[Counter]) -> float | None:
    """Return the kappa of texts with equally many labels, from the counts of classes of each.

    Raises ValueError for texts with unequal numbers of labels, or with fewer than two.
    """
    sizes = {one.total() for one in counts}
    if len(sizes) != 1 or min(sizes) < 2:
        raise ValueError(
            f"texts with {sorted(sizes)} labels: give texts that have equally many, two or more"
        )
    proportions = [n / sum(sizes) / len(counts) for n in sum(counts, Counter()).values()]
    if len(proportions) == 1:
        return None
    expected = sum(p * p for p in proportions)
    observed = 1 - sum(map(division, counts)) / len(counts)
    return (observed - expected) / (1 - expected)


def krippendorff_alpha(counts: Sequence[Counter]) -> float | None:
    """Return alpha of texts from the counts of classes of each; one label alone counts nothing."""
    paired = [one for one in counts if one.total() > 1]
    of_class = sum(paired, Counter())
    if len(of_class) < 2:
        return None
    observed = sum(one.total() * division(one) for one in paired) / of_class.total()
    return 1 - observed / division(of_class)


def division(counts: Counter) -> float:
    """Return the proportion of pairs of labels that differ, 0 to 1; 0 with fewer than two labels.

    >>> division(Counter(a=2, b=2)), division(Counter(a=1))
    (0.6666666666666667, 0.0)
    """
    n = counts.total()
    alike = sum(one * (one - 1) for one in counts.values())
    return 1 - alike / (n * (n - 1)) if n > 1 else 0.0


def majority(counts: Counter) -> Label | None:
    """Return the label that most annotators chose; None if two are equally frequent, or none is."""
    most = counts.most_common(2)
    return None if not most or (len(most) == 2 and most[0][1] == most[1][1]) else most[0][0]
