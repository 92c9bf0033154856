"""What the exercises of this lesson say to particular slips and tricks."""

from dataclasses import replace

import pytest

from mlm_core.exercises.exercise import NeedsModelError
from pages.server.course.words import read_words
from tests.exercises.learners import drawn, find, hint_on, learner, remember_in, solutions


@pytest.mark.parametrize("n_heads", [0, 4])
def test_a_model_whose_heads_are_none_or_unknown_is_said(n_heads: int, monkeypatch):
    asks = replace(learner(1), remember=remember_in({}))
    monkeypatch.setattr(asks.model(), "n_heads", n_heads)
    monkeypatch.setattr(asks.model(), "head_projection", "")
    with pytest.raises(NeedsModelError, match="needs_heads"):
        find("needed_head").draw(asks)
    assert "heads" in read_words("exercises").section("needs_heads", model="m")


def test_a_model_without_a_lens_is_said(monkeypatch):
    from mlm_core.encoder.model_list import MissingLensError
    from mlm_core.inside import lens

    def refuse(model, _):
        raise MissingLensError(model.name)

    monkeypatch.setattr(lens, "lens", refuse)
    exercise = find("settled_layer")
    with pytest.raises(NeedsModelError, match="needs_lens"):
        exercise.draw(replace(learner(1), remember=remember_in({})))
    assert "lens" in read_words("exercises").section("needs_lens", model="m")


def test_a_probe_is_compared_with_its_control_on_words_that_memory_cannot_help():
    values = drawn(find("memory_aside"), 3).values
    n, seen, unseen = (values[name] for name in ("n", "n_seen", "n_unseen"))
    right, control = values["right"], values["control"]
    of_seen = values["right_seen"] - values["control_seen"]
    wrong = {
        "all_words": (of_seen + right - control) / n,
        "seen_words": of_seen / seen,
        "no_control": right / unseen,
        "against_a_guess": right / unseen - 1 / 3,
        "of_all_words": (right - control) / n,
    }
    for name, share in wrong.items():
        assert hint_on("memory_aside", f"{100 * share:.1f}") == name


def test_two_patches_are_compared_with_both_in_parts_of_the_gap():
    values = {
        name: float(one.replace("−", "-"))
        for name, one in drawn(find("two_patches"), 3).values.items()
        if isinstance(one, str)
    }
    clean, low, word, blank, both = (
        values[name] for name in ("clean", "corrupted", "word", "blank", "both")
    )
    wrong = {
        "turned_round": 100 * (both - word - blank + low) / (clean - low),
        "without_corrupted": 100 * (word + blank - both) / (clean - low),
        "of_clean": 100 * (word + blank - both) / clean,
        "added_alone": 100 * (word + blank - 2 * low) / (clean - low),
        "in_logits": word + blank - both - low,
    }
    for name, answer in wrong.items():
        assert hint_on("two_patches", f"{answer:.2f}") == name
    assert values["of_word"] + values["of_blank"] != pytest.approx(values["of_both"], abs=2)


def test_a_head_is_compared_with_random_heads_and_counts_itself():
    all_values = {seed: drawn(find("random_heads"), seed).values for seed in range(1, 20)}
    # A place among the others at which no two of these answers are the same.
    seed = next(seed for seed, values in all_values.items() if 1 < values["reached"] < 8)
    reached, n, of = (all_values[seed][name] for name in ("reached", "n", "of"))
    assert hint_on("random_heads", f"{reached / n:.3f}", seed) == "without_itself"
    assert hint_on("random_heads", f"{(n - reached) / of:.2f}", seed) == "other_side"
    assert hint_on("random_heads", str(reached + 1), seed) == "a_count"


@pytest.mark.parametrize("name", ["memory_aside", "random_heads", "two_patches"])
def test_no_constant_is_right_for_more_than_one_learner_in_ten(name: str):
    tasks = [find(name).draw(learner(seed)) for seed in range(300)]
    answers = [next(solutions(find(name), task)).removesuffix(" %") for task in tasks]
    assert max(answers.count(one) for one in answers) <= 30
