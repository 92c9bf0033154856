"""Writing by unmasking: what each step proposes and keeps, and what is refused."""

import math
from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import MissingHeadError
from mlm_core.prediction.fillers import ORDERS, fill_in_turn, find_blanks
from mlm_core.prediction.unmasking import KEEP_ORDERS, MOST_BLANKS, planned_masks, unmask
from mlm_core.text.tokens import TokenizedText, role_id, tokenize
from tests.prediction.small_models import small_model

BLANKS = "[MASK] cat [MASK] [MASK] the [MASK] [MASK]"


@pytest.fixture
def text(model: OwnModel) -> TokenizedText:
    return tokenize(model.tokenizer, BLANKS)


@given(st.integers(1, 40), st.data())
def test_each_step_keeps_at_least_one_and_the_largest_one_more_than_the_smallest(n_blanks, data):
    n_steps = data.draw(st.integers(1, n_blanks))
    left = planned_masks(n_blanks, n_steps)
    kept = [before - after for before, after in pairwise((n_blanks, *left))]
    assert len(left) == n_steps and left[-1] == 0
    assert min(kept) >= 1 and max(kept) - min(kept) <= 1


@pytest.mark.parametrize("order", ORDERS)
def test_with_a_step_for_each_blank_at_temperature_0_it_is_fill_in_turn(model, text, order):
    expected = [
        (step.position, step.chosen.id, step.chosen.probability)
        for step in fill_in_turn(model, text, order)
    ]
    kept = [
        (one.position, one.id, one.probability)
        for step in unmask(model, text, 5, order, Random(1))
        for one in step.proposals
        if one.is_kept
    ]
    assert kept == expected and len(kept) == 5


@pytest.mark.parametrize("temperature", [0.0, 1.5])
@pytest.mark.parametrize("order", KEEP_ORDERS)
def test_masks_fall_as_planned_and_what_is_kept_stays(model, text, order, temperature):
    steps = list(unmask(model, text, 3, order, Random(1), temperature=temperature))
    assert tuple(step.masks_left for step in steps) == planned_masks(5, 3) == (3, 1, 0)
    before = text
    for step in steps:
        written = {one.position: one.id for one in step.proposals if one.is_kept}
        assert [one.position for one in step.proposals] == list(
            find_blanks(before, model.tokenizer)
        )
        assert len(find_blanks(step.after, model.tokenizer)) == step.masks_left
        assert step.after.ids == [written.get(i, id_) for i, id_ in enumerate(before.ids)]
        before = step.after


def test_the_most_certain_are_kept_and_from_left_to_right_the_first(model, text):
    certain = next(unmask(model, text, 2, "most_certain_first", Random(1))).proposals
    kept = [one.probability for one in certain if one.is_kept]
    open_ones = [one.probability for one in certain if not one.is_kept]
    assert len(kept) == 3 and min(kept) >= max(open_ones)
    first = next(unmask(model, text, 2, "left_to_right", Random(1))).proposals
    assert [one.is_kept for one in first] == [True, True, True, False, False]


@pytest.mark.parametrize("order", KEEP_ORDERS)
def test_a_seed_gives_the_same_text_and_another_one_another(model, text, order):
    def written(seed: int) -> tuple[int, ...]:
        *_, last = unmask(model, text, 5, order, Random(seed), temperature=1.0)
        return tuple(last.after.ids)

    assert written(1) == written(1)
    assert len({written(seed) for seed in range(5)}) > 1


def test_words_are_drawn_in_proportion_to_their_probability_at_the_temperature(model):
    text, n = tokenize(model.tokenizer, "the [MASK] sat"), 400
    rng = Random(3)
    drawn = Counter(
        next(unmask(model, text, 1, "random", rng, temperature=2.0)).proposals[0].id
        for _ in range(n)
    )
    logits = model.vocabulary_logits(text)[2].clone()
    logits[role_id(model.tokenizer, "[MASK]")] = -math.inf
    for id_, p in enumerate((logits / 2.0).softmax(dim=-1).tolist()):
        # Five standard deviations of a count, and one draw for the rarest.
        assert abs(drawn[id_] - n * p) <= 5 * math.sqrt(n * p * (1 - p)) + 1


def test_a_temperature_near_0_writes_as_0_does(model, text):
    texts = [
        [*unmask(model, text, 2, "left_to_right", Random(1), temperature=t)][-1].after.ids
        for t in (0.0, 1e-300)
    ]
    assert texts[0] == texts[1]


def test_a_mask_is_never_written(text):
    model = small_model()
    mask_id = role_id(model.tokenizer, "[MASK]")
    model.bert.masked_language_head.bias[mask_id] = 100.0
    assert (model.vocabulary_logits(text).argmax(dim=-1) == mask_id).all()
    for temperature in (0.0, 1.0):
        steps = list(unmask(model, text, 1, "random", Random(1), temperature=temperature))
        assert mask_id not in steps[-1].after.ids


def test_a_text_without_blanks_needs_no_step(model):
    assert list(unmask(model, tokenize(model.tokenizer, "the cat"), 1, "random", Random(1))) == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (dict(n_steps=0), "0 steps for 5 blanks: choose 1 to 5"),
        (dict(n_steps=6), "6 steps for 5 blanks: choose 1 to 5"),
        (dict(order="backwards"), "choose one of most_certain_first"),
        (dict(temperature=-0.5), "temperature -0.5: choose 0 or more"),
        (dict(temperature=math.nan), "choose 0 or more"),
        (dict(temperature=math.inf), "choose 0 or more"),
    ],
)
def test_what_cannot_be_written_is_refused(model, text, unchecked_shapes, given, message):
    settings = dict(n_steps=2, order="random", rng=Random(1)) | given
    with pytest.raises(ValueError, match=message):
        next(unmask(model, text, **settings))


def test_too_many_blanks_are_refused(model):
    text = tokenize(model.tokenizer, "[MASK] " * 40, max_tokens=model.max_tokens)
    with pytest.raises(ValueError, match=f"at most {MOST_BLANKS}"):
        next(unmask(model, text, 1, "random", Random(1)))


def test_a_model_without_a_head_writes_nothing(text):
    headless = small_model()
    headless.has_language_head = False
    with pytest.raises(MissingHeadError):
        next(unmask(headless, text, 1, "random", Random(1)))
