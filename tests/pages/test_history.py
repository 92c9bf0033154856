"""The server's half of Back and Forward: what a page makes of the link that the browser brings."""

from collections.abc import Callable
from functools import partial

import pytest
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.testing.v1 import AppTest, local_script_runner

from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import read_words
from pages.server.link.controls import part_key
from pages.server.process.streamlit_patches import browser_history

ATTENTION, MASKING = "pages/2_attention_mask.py", "pages/3_masking.py"
LESSON = {
    "masking_seed": "7",
    "masking_unit": "word",
    "masking_text": "Two herons wait here.",
    "masking_rate": "40",
    "masking_zones": ["50", "60"],
}


def shown(app: AppTest) -> dict[str, object]:
    """Return what a number, a choice, a text and marks along lines show."""
    return {
        "masking_seed": str(app.number_input(key="masking_seed").value),
        "masking_unit": app.segmented_control(key="masking_unit").value,
        "masking_text": app.text_input(key="masking_text").value,
        "masking_rate": str(app.slider(key="masking_rate").value),
        "masking_zones": [*map(str, app.slider(key="masking_zones").value)],
    }


def in_link(app: AppTest) -> dict[str, object]:
    """Return what the link says of the lesson's controls."""
    given = {key: app.query_params[key] for key in app.query_params if key.startswith("masking_")}
    return {key: one[0] if len(one) == 1 else one for key, one in given.items()}


@pytest.fixture
def go_back(monkeypatch: pytest.MonkeyPatch) -> Callable:
    """Give a function that asks for a page as the browser's Back does, with the link it had."""

    def go(app: AppTest, file: str, **link: str) -> AppTest:
        app.query_params.clear()
        app.query_params.update(link)
        app.switch_page(file)
        with monkeypatch.context() as patch:
            back = partial(RerunData, is_history_navigation=True)
            patch.setattr(local_script_runner, "RerunData", back)
            return app.run()

    return go


def test_back_brings_the_links_values_and_the_usual_ones_where_it_names_none(
    open_warm_page: Callable, go_back: Callable
):
    app = open_warm_page(MASKING)
    usual = shown(app)
    app.number_input(key="masking_seed").set_value(55)
    app.segmented_control(key="masking_unit").set_value("span")
    app.text_input(key="masking_text").set_value("Later words stand.").run()
    assert shown(go_back(app, MASKING, **LESSON)) == LESSON
    assert shown(go_back(app, MASKING)) == usual
    assert shown(go_back(app, ATTENTION, model="mini-bert").switch_page(MASKING).run()) == usual
    assert shown(go_back(app, MASKING, **LESSON)) == LESSON


def test_what_each_kind_shows_is_in_the_link_unless_it_is_usual(open_warm_page: Callable):
    app = open_warm_page(MASKING)
    usual = shown(app)
    for values in (LESSON, usual):
        app.number_input(key="masking_seed").set_value(int(values["masking_seed"]))
        app.segmented_control(key="masking_unit").set_value(values["masking_unit"])
        app.text_input(key="masking_text").set_value(values["masking_text"])
        app.slider(key="masking_rate").set_value(int(values["masking_rate"]))
        app.slider(key="masking_zones").set_value([*map(int, values["masking_zones"])]).run()
        assert shown(app) == values and in_link(app) == (LESSON if values is LESSON else {})
    assert shown(open_warm_page(MASKING, **LESSON)) == LESSON


@pytest.mark.parametrize(
    ("kind", "key", "asked", "value"),
    [
        ("slider", "sentence_pairs_alpha", "0.55", 0.55),
        ("slider", "sentence_pairs_alpha", "1", 1.0),
        ("slider", "sentence_pairs_alpha", "2", 1.0),
        ("slider", "sentence_pairs_alpha", "nan", 0.3),
        ("toggle", "train_an_encoder_tied", "false", False),
        ("toggle", "train_an_encoder_tied", "perhaps", True),
    ],
)
def test_a_fraction_and_a_switch_are_read_and_what_cannot_be_is_said(
    kind: str, key: str, asked: str, value: object, open_warm_page: Callable
):
    slug, part = key.rsplit("_", 1)[0], {"slider": "languages", "toggle": "parameters"}[kind]
    app = open_warm_page(BY_SLUG[slug].file, **{part_key(slug): part, key: asked})
    assert app.get(kind) and getattr(app, kind)(key=key).value == value
    is_usual = asked in ("nan", "perhaps")
    assert (key in app.query_params) != is_usual and len(app.toast) == is_usual


def test_a_value_that_the_browser_sends_once_more_is_not_taken_for_the_learners(
    open_warm_page: Callable,
):
    """Who types on while a run sets the line that follows sends its value of before."""
    app = open_warm_page(MASKING)
    first, line = shown(app)["masking_text"], "masking_part_text"
    for text in ("Two", "Two herons", "Two herons wait."):
        sent_late, first = first, text
        app.text_input(key="masking_text").set_value(text)
        app.text_input(key=line).set_value(sent_late).run()
    assert app.text_input(key=line).value == "Two herons wait." and line not in app.query_params
    app.text_input(key=line).set_value("Of my own.").run()
    app.text_input(key="masking_text").set_value("Two").run()
    assert app.text_input(key=line).value == "Of my own."


def test_what_was_usual_until_now_can_be_chosen_at_once(open_warm_page: Callable):
    app = open_warm_page(BY_SLUG["isotropy"].file, isotropy_part="dimensions")
    before = app.select_slider(key="isotropy_layer").value
    for sent_late, chosen in ((before, "6"), (before, "5"), ("6", "4")):
        app.select_slider(key="isotropy_layer").set_value(sent_late)
        app.select_slider(key="isotropy_opening_layer").set_value(chosen).run()
        assert app.select_slider(key="isotropy_layer").value == chosen
    app.select_slider(key="isotropy_layer").set_value("5").run()
    assert app.select_slider(key="isotropy_layer").value == "5"


def test_a_link_stays_short_enough_to_be_opened(open_warm_page: Callable):
    slug, long, short = "encoders_today", "的日是\n" * 5_000, "的日是\n" * 500
    app = open_warm_page(BY_SLUG[slug].file, **{part_key(slug): "search"})
    for text, linked in ((short, [short]), (long, None), (short, [short])):
        app.text_area(key=f"{slug}_own_texts").set_value(text).run()
        assert app.text_area(key=f"{slug}_own_texts").value == text
        assert app.query_params.get(f"{slug}_own_texts") in (linked, linked and linked[0])


def test_back_to_a_view_in_another_language_draws_all_of_it_in_that_language(
    open_warm_page: Callable, go_back: Callable
):
    app = go_back(open_warm_page(MASKING), MASKING, lang="de")
    assert app.selectbox(key="lang").label == read_words("frame", "de").label("language_picker")
    assert app.text_input(key="masking_text").label == read_words("masking", "de").label("text")
    assert {"lang", "reads"} <= {*app.query_params}


def test_back_leaves_what_another_part_was_given(open_warm_page: Callable, go_back: Callable):
    app = open_warm_page(MASKING, masking_part="denoising")
    app.text_input(key="masking_noise_text").set_value("Later words stand.").run()
    go_back(app, MASKING, masking_part="rule")
    app.segmented_control(key="masking_part").set_value("denoising").run()
    assert app.text_input(key="masking_noise_text").value == "Later words stand."


def test_back_to_a_part_that_is_gone_opens_where_its_subject_is_now(
    open_warm_page: Callable, go_back: Callable
):
    app = go_back(open_warm_page(MASKING), MASKING, masking_part="task", masking_round="2")
    assert app.segmented_control(key="masking_part").value == "exercises"
    assert not app.toast and "masking_round" not in app.query_params


def test_on_the_way_to_another_page_each_change_of_the_link_says_which_page_it_is_for(
    open_warm_page: Callable, monkeypatch: pytest.MonkeyPatch
):
    """The browser still has the address of the page before, and Back leads to that."""
    app = open_warm_page(MASKING, **LESSON)
    app.segmented_control(key="masking_unit").set_value("span").run()
    changes, enqueue = [], ScriptRunContext.enqueue

    def noted(context: ScriptRunContext, message) -> None:
        if message.WhichOneof("type") == "page_info_changed":
            changes.append(message.page_info_changed.query_string)
        enqueue(context, message)

    monkeypatch.setattr(ScriptRunContext, "enqueue", noted)
    app.query_params.clear()  # a browser takes no parameter along
    app.switch_page(ATTENTION).run()
    assert changes and all(
        change.endswith(f"{browser_history.PAGE}=attention_mask") for change in changes
    )
    assert browser_history.PAGE not in app.query_params


def test_back_to_home_brings_the_sentence_and_the_hidden_words_of_the_link(
    open_warm_page: Callable, go_back: Callable
):
    app = open_warm_page(home_text="Two herons wait.", home_hidden="0")
    usual = read_words("home").label("default_sentence")
    go_back(app, "app.py", home_hidden="3")
    assert app.text_input(key="home_text").value == usual
    assert app.session_state["home_hidden"] == app.query_params["home_hidden"][0] == "3"
