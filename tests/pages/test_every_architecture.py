"""Lessons 11 and 12 with a small model of each architecture: all of it works, or says why not."""

import pytest

from mlm_core.encoder.pretrained import ModelUnavailableError, load
from mlm_core.inside import known_by_layer
from pages.lessons.encoders_today import computed
from pages.server.course.lessons import BY_SLUG
from pages.server.process.model_choice import MODEL_LIST_VARIABLE
from tests.reference.small_checkpoints import HEAD_PROJECTIONS, save_kind
from tests.seen import all_words_of, html_of

# They predict something else from vectors, or nothing, so their words can't be attributed.
OF_TOKENS_ALONE = ("esm", "esmc", "neomme")
PROBED = ("longformer", "mobilebert", "xlm")  # padded, read text by text, of no list of layers
N_SENTENCES, N_EXAMPLES = 24, 120  # of the corpus; of the probes


@pytest.mark.parametrize("kind", HEAD_PROJECTIONS)
def test_every_part_of_both_lessons_works_or_says_why_not(
    kind, tmp_path, open_warm_page, monkeypatch
):
    name = f"small {kind}"  # what is computed is kept by that name
    save_kind(kind, tmp_path / name)
    monkeypatch.setenv(MODEL_LIST_VARIABLE, str(tmp_path / name))
    few = computed.corpus("en")[:N_SENTENCES]
    monkeypatch.setattr(computed, "corpus", lambda language: few)
    monkeypatch.setitem(known_by_layer.N_EXAMPLES, "en", N_EXAMPLES)
    for slug in ("inside_a_prediction", "encoders_today"):
        shown = {"inside_a_prediction_off": "1-0", "encoders_today_ways": "closer"}
        app = open_warm_page(BY_SLUG[slug].file, model=name, **shown)
        assert slug != "inside_a_prediction" or 'class="film lens' in html_of(app)
        for part in BY_SLUG[slug].parts:
            app.session_state[f"{slug}_part"] = part
            app.run()
            said = all_words_of(app)
            assert not app.exception and "unexpected error" not in said, (part, said)
            refused = [
                one for one in (*app.error, *app.warning) if "in place of tokens" in one.value
            ]
            assert bool(refused) == (part == "which_words" and kind in OF_TOKENS_ALONE), part
            assert len(app.error) + len(app.warning) == len(refused), (part, said)
            if part == "knows" and kind in PROBED:
                app.button(key="inside_a_prediction_knows_measure").click().run()
                assert not app.exception and not app.error
            # XLM has no list of layers, NeoMME gives each another input, FNet has no heads.
            is_refused = "in an unknown place" in said
            assert is_refused == (part == "break_it" and kind in ("neomme", "xlm")), part
            assert ("no attention heads, so" in said) == (part == "break_it" and kind == "fnet")
            if part == "expects":
                assert "Each answer must be one token" not in said


@pytest.mark.parametrize("kind", ["bart", "funnel", "perceiver"])
def test_what_has_no_state_for_each_layer_and_token_is_refused_at_load(kind, tmp_path):
    save_kind(kind, tmp_path / kind)
    with pytest.raises(ModelUnavailableError, match=f"'{kind}' doesn't give one state for each l"):
        load(kind, tmp_path / kind)
