"""The order of two texts, and the second one alone."""

from dataclasses import dataclass

import pytest
import torch

from mlm_core.classification.bag_of_words import fit_bag_of_words, heaviest_words, second_only
from mlm_core.classification.pair_order import (
    Kept,
    exchange_first_texts,
    kept_by_class,
    swapped_classes,
)
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


def test_kept_verdicts_are_counted_by_class():
    assert kept_by_class(["a", "b", "a", "b", "b"], ["a", "a", "b", "b", "b"]) == (
        Kept(name="a", n_predicted=2, n_kept=1),
        Kept(name="b", n_predicted=3, n_kept=2),
    )


@dataclass
class FirstWordJudge:
    """A model that says yes if the first text begins with "one"."""

    classes: tuple[str, ...] = ("no", "yes")

    def class_log_probabilities(self, text, pair):
        return torch.tensor([0.4, 0.6] if text.startswith("one") else [0.6, 0.4]).log()


def test_swapped_pairs_are_read_with_the_second_text_first(unchecked_shapes):
    # All first texts become second ones, so none that begins with "one" is left in front.
    said = list(swapped_classes(FirstWordJudge(), PAIRS))
    assert said == ["no"] * 4


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
