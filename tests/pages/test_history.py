"""The server's half of Back and Forward: what a page makes of the link that the browser brings."""

from collections.abc import Callable
from functools import partial

import pytest
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.testing.v1 import AppTest, local_script_runner

from pages.server.process.streamlit_patches import browser_history

ATTENTION, MASKING = "pages/2_attention_mask.py", "pages/3_masking.py"
LESSON = {"masking_seed": "7", "masking_unit": "word", "masking_text": "Two herons wait here."}


def shown(app: AppTest) -> dict[str, object]:
    """Return what a number, a choice and a text show."""
    return {
        "masking_seed": str(app.number_input(key="masking_seed").value),
        "masking_unit": app.segmented_control(key="masking_unit").value,
        "masking_text": app.text_input(key="masking_text").value,
    }


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
    app.switch_page(ATTENTION).run()
    assert changes and all(
        change.endswith(f"{browser_history.PAGE}=attention_mask") for change in changes
    )
    assert "masking_text" not in changes[-1] and browser_history.PAGE not in app.query_params
