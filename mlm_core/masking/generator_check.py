"""Check what a masking generator made: is everything allowed, is it 15 % and 80/10/10?

    special      special tokens that are chosen or changed: none
    labels       labels of chosen tokens that are not the original: none
    unchosen     tokens without a label that are changed: none
    rate         the p-value of the number of chosen tokens, if it should be 15 %
    branches     the p-value of the numbers of [MASK], random and kept, if they should be 80/10/10

A right generator has a p-value below 0.001 in one of a thousand outputs. The test of the rate is
for independent draws: a fixed count, whole words and spans vary otherwise.

Source: Devlin et al. 2019, section 3.1; the BERT manual's exercise 1 asks for such a generator.
Departs: [UNK] counts as an ordinary token, as in BERT.

Read before this: steps.py, goodness_of_fit.py.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from mlm_core.masking.goodness_of_fit import fit_of_proportions
from mlm_core.masking.rule import CorruptionRule

SPECIALS = {"[CLS]", "[SEP]", "[PAD]"}
RULE = CorruptionRule()
# What a text was, what the encoder sees, and the labels: None at a position without a loss.
Example = tuple[Sequence[str], Sequence[str], Sequence[str | None]]


def check_generator(examples: Iterable[Example]) -> dict[str, float]:
    """Return the number of faults of each kind, and two p-values.

    Raises ValueError if no ordinary token has a label.

    >>> found = check_generator([(["a", "b"], ["[MASK]", "c"], ["a", None])])
    >>> {name: round(number, 2) for name, number in found.items()}
    {'special': 0, 'labels': 0, 'unchosen': 1, 'rate': 0.17, 'branches': 0.88}
    """
    faults, branches, n = Counter(), Counter(), 0
    for texts in examples:
        for token, seen, label in zip(*texts, strict=True):
            if token in SPECIALS:
                faults["special"] += label is not None or seen != token
                continue
            n += 1
            if label is None:
                faults["unchosen"] += seen != token
                continue
            faults["labels"] += label != token
            # A random word that equals the original looks kept.
            branches["mask" if seen == "[MASK]" else "keep" if seen == token else "random"] += 1
    chosen = branches.total()
    if not chosen:
        raise ValueError("no ordinary token has a label: check texts of which some are chosen")
    expected = {"mask": RULE.mask_rate, "random": RULE.random_rate, "keep": RULE.keep_rate}
    rate = RULE.mlm_probability
    return {
        **{kind: faults[kind] for kind in ("special", "labels", "unchosen")},
        "rate": fit_of_proportions([chosen, n - chosen], [rate * n, (1 - rate) * n]).p_value,
        "branches": fit_of_proportions(
            [branches[branch] for branch in expected],
            [share * chosen for share in expected.values()],
        ).p_value,
    }
