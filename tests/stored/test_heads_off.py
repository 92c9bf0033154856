"""The stored losses of the bundled models without some heads."""

import pytest

from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.inside.switches import heads_of, loss_on, switch_off
from mlm_core.stored.heads_off import read_losses
from mlm_core.text.tokens import tokenize
from pages.server.course.words import read_words


@pytest.mark.parametrize("language", READERS)
def test_they_are_of_the_sentences_that_the_lesson_shows(language: str):
    words = read_words("inside_a_prediction", language)
    assert read_losses(READERS[language])[0] == tuple(
        words.section("break_it.sentences").splitlines()
    )


@pytest.mark.parametrize("name", READERS.values())
def test_they_are_what_the_model_has_now_in_the_order_of_each_head_alone(name: str):
    model, (sentences, losses) = load(name), read_losses(name)
    texts = [tokenize(model.tokenizer, each) for each in sentences]
    order = sorted(heads_of(model), key=lambda head: losses[(head,)])
    for off in ((), (order[0],), tuple(sorted(order[:5]))):
        assert loss_on(switch_off(model, off), texts) == pytest.approx(losses[off], abs=1e-4)
    assert all(tuple(sorted(order[:n])) in losses for n in range(len(order) + 1))
