"""What anyone gets without an encoder: by hand, at its edges, and what is refused."""

import pytest
import torch

from mlm_core.classification.bag_of_words import (
    fit_bag_of_words,
    fit_shared_words,
    heaviest_words,
    majority_class,
    pair_baselines,
    second_only,
    shared_words,
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


def test_words_are_shared_in_a_script_without_blanks_too():
    pair = LabelledText(text="我在银行工作", pair="我在银行睡觉", label="x")
    assert shared_words(pair) == 0.5


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


def pair(shared, label):
    """Return a pair of ten words each that shares so many of them."""
    first = [f"w{i}" for i in range(10)]
    second = first[:shared] + [f"v{i}" for i in range(10 - shared)]
    return LabelledText(text=" ".join(first), pair=" ".join(second), label=label)


def test_shared_words_are_cut_where_most_pairs_get_the_class_of_their_band():
    assert shared_words(pair(5, "x")) == 5 / 15
    train = [pair(n, label) for n, label in zip((0, 1, 3, 4, 4, 4, 5, 8), "bbaaabab", strict=True)]
    model = fit_shared_words(train)
    # 3 of 17 words and 8 of 12 begin the second and the third band.
    assert model.classes == ("b", "a", "b") and model.cuts == (3 / 17, 8 / 12)
    assert model.says([pair(n, "?") for n in (2, 3, 7, 8, 10)]) == ["b", "a", "a", "b", "b"]


def test_no_other_two_cuts_get_more_training_pairs_right():
    train = [
        pair(shared, label) for shared, label in zip((0, 2, 2, 5, 6, 9, 9), "abccaba", strict=True)
    ]
    shares = sorted({shared_words(one) for one in train})

    def n_right(low, high):
        bands = [[], [], []]
        for one in train:
            bands[(shared_words(one) >= low) + (shared_words(one) >= high)].append(one.label)
        return sum(max(map(band.count, band), default=0) for band in bands)

    best = max(n_right(low, high) for low in shares for high in shares if low <= high)
    says = fit_shared_words(train).says(train)
    assert sum(said == one.label for said, one in zip(says, train, strict=True)) == best


def test_texts_without_words_share_none():
    assert shared_words(LabelledText(text="…", pair="…", label="x")) == 0
    alike = [pair(3, "a"), pair(3, "b"), pair(3, "b")]
    assert fit_shared_words(alike).says([pair(9, "?")]) == ["b"]


def test_baselines_of_pairs_are_those_of_their_parts():
    data = stored_classes("entailment")
    found = pair_baselines(data.train, data.test, 3)
    assert found.right.keys() == {"both", "second", "shared", "majority"}
    alone = fit_bag_of_words(second_only(data.train))
    right = [
        said == one.label
        for said, one in zip(alone.says(second_only(data.test)), data.test, strict=True)
    ]
    assert found.right["second"] == right
    assert found.heaviest == heaviest_words(alone, 3)


def test_words_alone_do_not_tell_the_grade_of_a_paraphrase():
    data = stored_classes("paraphrase")
    right = pair_baselines(data.train, data.test, 1).right
    found = {name: sum(of) / len(of) for name, of in right.items()}
    assert found["majority"] == pytest.approx(1 / 3)
    assert max(found[name] for name in ("shared", "second", "both")) < 0.45


def test_what_can_not_be_fitted_is_refused():
    with pytest.raises(ValueError, match="one class"):
        fit_bag_of_words(WEATHER[:2])
    with pytest.raises(ValueError, match="penalty is 0"):
        fit_bag_of_words(WEATHER, penalty=0.0)
    with pytest.raises(ValueError, match="no word occurs in two examples"):
        fit_bag_of_words(WEATHER[1:3])


def test_a_vowel_sign_belongs_to_its_word_and_each_ideograph_is_one():
    found = words_of(LabelledText(text="कल कला 银行 don't", label="x"))
    assert found == {"कल", "कला", "银", "行", "don"}
