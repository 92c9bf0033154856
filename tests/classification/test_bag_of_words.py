"""What anyone gets without an encoder: by hand, against scikit-learn, and what is refused."""

import numpy as np
import pytest
import torch

from mlm_core.classification.bag_of_words import (
    bags,
    fit_bag_of_words,
    majority_class,
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
    words = {"rain": 0, "2:rain": 1}
    pair = LabelledText(text="No sun", pair="Rain again", label="x")
    assert bags([pair], words).tolist() == [[0.0, 1.0]]


def test_words_of_one_example_are_left_out_and_the_telling_ones_decide():
    model = fit_bag_of_words(WEATHER)
    assert sorted(model.words) == ["and", "rain", "sun", "wind"]
    told = [LabelledText(text=text, label="?") for text in ("sun", "rain")]
    assert model.says(told) == ["good", "bad"]


@pytest.mark.parametrize("penalty", [0.3, 1.0, 10.0])
def test_scikit_learn_finds_the_same_weights_and_classes(penalty):
    from sklearn.linear_model import LogisticRegression

    data = stored_classes("sentiment")
    model = fit_bag_of_words(data.train, penalty=penalty)
    inputs = bags(data.train, model.words).numpy()
    theirs = LogisticRegression(C=1 / penalty, tol=1e-8, max_iter=5_000)
    theirs.fit(inputs, [example.label for example in data.train])
    assert tuple(theirs.classes_) == model.classes
    np.testing.assert_allclose(model.weights.numpy(), theirs.coef_, atol=2e-4)
    tested = bags(data.test, model.words).numpy()
    assert theirs.predict(tested).tolist() == model.says(data.test)


def test_scikit_learn_counts_the_same_words():
    from sklearn.feature_extraction.text import CountVectorizer

    data = stored_classes("sentiment")
    texts = [example.text for example in data.train]
    theirs = CountVectorizer(binary=True, min_df=2, token_pattern=r"\w\w+|n't|!|\?").fit(texts)
    model = fit_bag_of_words(data.train)
    assert sorted(theirs.vocabulary_) == sorted(model.words)


def test_at_the_lowest_sum_the_gradient_is_nothing():
    model = fit_bag_of_words(WEATHER)
    inputs = bags(WEATHER, model.words)
    labels = torch.tensor([model.classes.index(example.label) for example in WEATHER])
    weights = model.weights.clone().requires_grad_()
    logits = inputs @ weights.T + model.bias
    loss = torch.nn.functional.cross_entropy(logits, labels, reduction="sum")
    (loss + (weights**2).sum() / 2).backward()
    assert weights.grad.abs().max() < 1e-4


def test_one_class_only_and_no_penalty_are_refused():
    with pytest.raises(ValueError, match="one class"):
        fit_bag_of_words(WEATHER[:2])
    with pytest.raises(ValueError, match="penalty is 0"):
        fit_bag_of_words(WEATHER, penalty=0.0)
