"""Three measures of agreement: by hand, published examples, scikit-learn, and what must hold."""

from collections import Counter
from random import Random

import pytest
from sklearn.metrics import cohen_kappa_score

from mlm_core.evaluation.agreement import (
    agreement,
    cohen_kappa,
    division,
    fleiss_kappa,
    krippendorff_alpha,
    majority,
)

# Fleiss 1971 as in Wikipedia's "Fleiss' kappa": ten subjects, 14 raters, five classes; 0.210.
FLEISS = (
    *((0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1)),
    *((7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7)),
)
# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C: nominal, missing
# values, four observers and twelve units; 0.743.
KRIPPENDORFF = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


def drawn(rng: Random, n_texts: int, n_people: int, missing: float = 0.0) -> list[dict[str, int]]:
    return [
        {str(i): rng.randrange(3) for i in range(n_people) if rng.random() >= missing}
        for _ in range(n_texts)
    ]


def test_cohen_of_a_table_worked_by_hand():
    # Of 50, 35 alike; 25 * 30 + 25 * 20 expected of 50 * 50: (0.7 - 0.5) / (1 - 0.5).
    pairs = {("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15}
    assert cohen_kappa([*Counter(pairs).elements()]) == pytest.approx(0.4)


@pytest.mark.parametrize("seed", range(5))
def test_cohen_is_scikit_learns(seed):
    rng = Random(seed)
    both = [(rng.randrange(3), rng.choice((0, 0, 1, 2))) for _ in range(37)]
    assert cohen_kappa(both) == pytest.approx(cohen_kappa_score(*zip(*both, strict=True)))


def test_fleiss_and_krippendorff_of_published_examples():
    fleiss = fleiss_kappa([Counter(dict(enumerate(row))) for row in FLEISS])
    assert fleiss == pytest.approx(0.210, abs=5e-4)
    units = [Counter(unit) for unit in zip(*KRIPPENDORFF, strict=True)]
    for unit in units:
        del unit["."]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)


@pytest.mark.parametrize("seed", range(3))
def test_alpha_is_one_minus_the_differing_pairs_within_texts_over_those_of_all_labels(seed):
    texts = drawn(Random(seed), n_texts=11, n_people=5, missing=0.4)
    units = [list(text.values()) for text in texts if len(text) > 1]
    every = [label for unit in units for label in unit]
    within = sum(sum(a != b for a in unit for b in unit) / (len(unit) - 1) for unit in units)
    across = sum(a != b for a in every for b in every) / (len(every) - 1)
    assert krippendorff_alpha([Counter(unit) for unit in units]) == pytest.approx(
        1 - within / across
    )


def test_measures_change_neither_with_names_nor_with_the_order_of_texts_and_people():
    texts = drawn(Random(1), n_texts=23, n_people=4, missing=0.2)
    found = agreement(texts)
    other = [{f"{9 - int(who)}": "abc"[label] for who, label in text.items()} for text in texts]
    assert vars(agreement(other[::-1])) == pytest.approx(vars(found))
    assert found.n_pairs == 6 and -1 < found.alpha < 1


def test_all_agree_is_one_and_by_chance_is_about_nothing():
    same = [dict.fromkeys("abc", i % 2) for i in range(6)]
    found = agreement(same)
    assert (found.cohen, found.fleiss, found.alpha) == (1.0, 1.0, 1.0)
    # The standard error of each is below 1 / sqrt(2,000 texts * 2 * 6 pairs) = 0.007.
    chance = agreement(drawn(Random(2), n_texts=2_000, n_people=4))
    assert max(abs(chance.cohen), abs(chance.fleiss), abs(chance.alpha)) < 0.03


def test_what_is_not_defined_is_none():
    for texts in ([], [{"a": 1}], [{"a": 1, "b": 1}] * 7):
        found = agreement(texts)
        assert found.cohen is found.fleiss is found.alpha is None
    few = agreement([{"a": 1, "b": 2}, {"a": 2, "b": 2}])  # too few for a pair of people
    assert few.cohen is None and few.n_pairs == 0 and few.alpha is not None
    with pytest.raises(ValueError, match=r"\[1, 3\] labels: give texts that have equally many"):
        fleiss_kappa([Counter(a=1), Counter(a=2, b=1)])


def test_fleiss_takes_the_texts_that_bring_most_labels():
    two, three = {"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 2}
    found = agreement([two] * 3 + [three] * 2)  # six labels each
    assert (found.n_fleiss_labels, found.n_fleiss_texts, found.n_alpha_texts) == (3, 2, 5)


def test_a_text_divides_by_pairs_and_a_tie_has_no_majority():
    assert division(Counter(a=2, b=2)) == pytest.approx(4 / 6)
    assert division(Counter(a=1)) == division(Counter()) == 0
    assert majority(Counter(a=2, b=1)) == "a" and majority(Counter(a=1)) == "a"
    assert majority(Counter(a=2, b=2, c=1)) is majority(Counter()) is None
