"""First texts of other pairs, and the second one alone."""

import pytest

from mlm_core.classification.bag_of_words import fit_bag_of_words, heaviest_words, second_only
from mlm_core.classification.exchanged_pairs import exchange_first_texts
from mlm_core.labelled.examples import LabelledText
from mlm_core.labelled.tables import stored_classes

PAIRS = [
    LabelledText(text="one day", pair="some rain", label="yes"),
    LabelledText(text="one day", pair="all dry", label="no"),
    LabelledText(text="two days", pair="some snow", label="yes"),
    LabelledText(text="two days", pair="all quiet", label="no"),
]


def test_the_second_text_alone_keeps_the_class():
    assert [(e.text, e.pair, e.label) for e in second_only(PAIRS)][:2] == [
        ("some rain", None, "yes"),
        ("all dry", None, "no"),
    ]


def test_words_that_betray_the_class_weigh_most():
    bag = fit_bag_of_words(second_only(PAIRS))
    assert heaviest_words(bag, 1) == {"no": ["all"], "yes": ["some"]}
    assert len(heaviest_words(bag, 99)["no"]) == len(bag.words)


def test_an_example_without_a_second_text_is_refused():
    with pytest.raises(ValueError, match="give pairs"):
        second_only([LabelledText(text="alone", label="yes")])


def test_exchanged_first_texts_are_others_of_the_same_part_and_all_stay():
    pairs = stored_classes("entailment")
    exchanged = exchange_first_texts(pairs, 0)
    for part in ("train", "dev", "test"):
        before, after = getattr(pairs, part), getattr(exchanged, part)
        assert [(e.pair, e.label) for e in before] == [(e.pair, e.label) for e in after]
        assert not any(one.text == other.text for one, other in zip(before, after, strict=True))
        assert sorted(one.text for one in before) == sorted(one.text for one in after)
    assert exchange_first_texts(pairs, 0) == exchanged != exchange_first_texts(pairs, 1)
