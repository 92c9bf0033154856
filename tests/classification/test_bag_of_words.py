"""What anyone gets without an encoder: by hand, at its edges, and what is refused."""

import pytest
import torch

from mlm_core.classification.bag_of_words import (
    fit_bag_of_words,
    heaviest_words,
    majority_class,
    pair_baselines,
    second_only,
    words_of,
)
from mlm_core.labelled.examples import LabelledText
from mlm_core.labelled.tables import stored_classes

WEATHER = [
    LabelledText(text="Sun and wind", label="good"),
    LabelledText(text="The sun shone", label="good"),
    LabelledText(text="Rain and wind", label="bad"),
    LabelledText(text="More rain", label="bad"),
    LabelledText(text="Rain, rain", label="bad"),
]


def test_the_most_frequent_class_is_the_majority():
    assert majority_class(WEATHER) == "bad"
    assert majority_class(WEATHER[:4]) == "bad"  # a tie goes to the first by name


def test_a_bag_holds_each_word_once_and_a_pair_has_two():
    assert words_of(LabelledText(text="Rain, rain", label="x")) == {"rain"}
    pair = LabelledText(text="No sun", pair="Rain again", label="x")
    assert words_of(pair) == {"no", "sun", "2:rain", "2:again"}


def test_words_of_one_example_are_left_out_and_the_telling_ones_decide():
    model = fit_bag_of_words(WEATHER)
    assert sorted(model.words) == ["and", "rain", "sun", "wind"]
    told = [LabelledText(text=text, label="?") for text in ("sun", "rain")]
    assert model.says(told) == ["good", "bad"]


def fitted_columns(model, examples):
    """Return the ones and zeros of examples, by hand."""
    return torch.tensor(
        [[float(word in words_of(one)) for word in model.words] for one in examples],
        dtype=torch.float64,
    )


def test_at_the_lowest_sum_the_gradient_is_nothing():
    """Of log-losses and penalty / 2 * |W|^2, with three classes: one row for each."""
    train = [*WEATHER, *(LabelledText(text=f"Fog and {w}", label="dull") for w in ("sun", "rain"))]
    model = fit_bag_of_words(train, penalty=0.5)
    regression = model.fitted[-1]
    labels = torch.tensor([model.classes.index(example.label) for example in train])
    weights = torch.from_numpy(regression.coef_).requires_grad_()
    bias = torch.from_numpy(regression.intercept_)
    logits = fitted_columns(model, train) @ weights.T + bias
    loss = torch.nn.functional.cross_entropy(logits, labels, reduction="sum")
    (loss + 0.5 * (weights**2).sum() / 2).backward()
    assert weights.grad.abs().max() < 1e-4


def test_two_classes_have_a_row_each_that_is_the_others_opposite():
    model = fit_bag_of_words(WEATHER)
    assert model.classes == ("bad", "good") and (model.weights[0] == -model.weights[1]).all()
    assert heaviest_words(model, 1) == {"bad": ["rain"], "good": ["sun"]}


def test_baselines_of_pairs_are_those_of_their_parts():
    data = stored_classes("entailment")
    found = pair_baselines(data.train, data.test, 3)
    assert found.proportions_right.keys() == {"both", "second", "majority"}
    alone = fit_bag_of_words(second_only(data.train))
    right = [
        said == one.label
        for said, one in zip(alone.says(second_only(data.test)), data.test, strict=True)
    ]
    assert found.proportions_right["second"] == pytest.approx(sum(right) / len(right))
    assert found.heaviest == heaviest_words(alone, 3)


def test_what_can_not_be_fitted_is_refused():
    with pytest.raises(ValueError, match="one class"):
        fit_bag_of_words(WEATHER[:2])
    with pytest.raises(ValueError, match="penalty is 0"):
        fit_bag_of_words(WEATHER, penalty=0.0)
    with pytest.raises(ValueError, match="no word occurs in two examples"):
        fit_bag_of_words(WEATHER[1:3])
