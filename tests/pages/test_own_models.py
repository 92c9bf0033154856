"""An encoder that a learner trained: in their own picker, in every lesson, nobody else's."""

import pytest
import torch

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.text import corpora
from mlm_core.text.tokens import train_tokenizer
from pages.server import session
from pages.server.caches.own_models import PREFIX, OwnModels
from pages.server.course.lessons import BY_SLUG
from tests.pages.test_models import messages
from tests.small_bert import small_config

NAME = PREFIX + "0123456789"


@pytest.fixture(scope="module")
def small_model() -> OwnModel:
    """Give a random encoder of the sizes that the lesson trains, with a window of 32 tokens."""
    torch.manual_seed(3)
    tokenizer = train_tokenizer("WordPiece", list(corpora.sentences())[:200], 400)
    config = small_config(
        tokenizer, n_positions=32, hidden_size=24, n_heads=2, intermediate_size=48
    )
    return OwnModel(NAME, Bert(config).eval(), tokenizer)


# The lessons that look into an encoder of our own; the others open on a small model with as short
# a window in test_models.py.
@pytest.mark.parametrize("slug", ["attention_mask", "inside_a_prediction"])
def test_every_part_of_a_lesson_that_looks_inside_opens_on_an_encoder_of_ones_own(
    open_warm_page, small_model, slug
):
    lesson = BY_SLUG[slug]
    app = open_warm_page()
    session.of(OwnModels, app.session_state).kept = {NAME: small_model}
    app.session_state["model"] = NAME
    for name in lesson.parts:
        app.session_state[f"{lesson.slug}_part"] = name
        app.switch_page(lesson.file).run()
        assert app.selectbox(key="model").value == NAME
        assert not app.exception and not app.error, f"{name}: {messages(app)}"


def test_an_encoder_is_used_that_was_trained_after_a_link_to_one_that_is_gone(
    open_warm_page, small_model
):
    app = open_warm_page("pages/2_attention_mask.py", model=PREFIX + "gone")
    assert "trained in another visit" in messages(app)
    session.of(OwnModels, app.session_state).kept = {NAME: small_model}
    app.run().session_state["model"] = NAME  # as a part does that takes the encoder home
    app.run()
    assert "trained in another visit" not in messages(app)
    assert any("24 dimensions" in caption.value for caption in app.sidebar.caption)


def test_its_name_in_a_link_reaches_nothing_in_another_visit(open_warm_page, small_model):
    owner = open_warm_page()
    session.of(OwnModels, owner.session_state).kept = {NAME: small_model}
    stranger = open_warm_page("pages/2_attention_mask.py", model=NAME)
    assert "trained in another visit" in messages(stranger)
    assert stranger.selectbox(key="model").value == BUNDLED
    assert NAME not in stranger.selectbox(key="model").options
