"""What the exercises of this lesson say to particular slips and tricks."""

from dataclasses import replace

import pytest

from mlm_core.exercises.exercise import NeedsModelError
from pages.server.course.words import read_words
from tests.exercises.learners import find, learner, remember_in


@pytest.mark.parametrize("n_heads", [0, 4])
def test_a_model_whose_heads_are_none_or_unknown_is_said(n_heads: int, monkeypatch):
    from mlm_core.encoder.model_list import UnknownHeadsError
    from mlm_core.inside import switches

    def refuse(model):
        raise UnknownHeadsError(model.name)

    asks = replace(learner(1), remember=remember_in({}))
    monkeypatch.setattr(asks.model(), "n_heads", n_heads)
    monkeypatch.setattr(switches, "_blocks", refuse)
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
