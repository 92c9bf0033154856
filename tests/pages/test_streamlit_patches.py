"""The changes to Streamlit: for the tested version only, once, and accepting what it passes."""

import logging
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import version

import pytest
import streamlit as st
from streamlit.components.v2.bidi_component import main as component_main
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.query_params import QueryParams
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from pages.server.process import streamlit_patches, visits
from pages.server.process.streamlit_patches import widget_metadata
from tests.browser.live import ROOT

REPLACED = [
    (component_main, "make_bidi_component_presenter"),
    (AppSession, "_clear_queue"),
    (AppSession, "_on_scriptrunner_event"),
    (AppSession, "_create_scriptrunner"),
    (AppSession, "flush_browser_queue"),
    (AppSession, "request_rerun"),
    (QueryParams, "populate_from_query_string"),
    (QueryParams, "_send_query_param_msg"),
]


@pytest.fixture
def as_upstream() -> Iterator[None]:
    """Give Streamlit as it is without any change, and afterwards what was there."""
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in REPLACED:
            patch.setattr(owner, name, streamlit_patches.original(owner, name))
            record = streamlit_patches.record_name(name)
            if record in vars(owner):
                patch.delattr(owner, record)
        yield
        for owner, name in REPLACED:  # what a test has installed
            if streamlit_patches.record_name(name) in vars(owner):
                delattr(owner, streamlit_patches.record_name(name))
    streamlit_patches.install()  # for the tests after this one, as the frame did or will do


def made() -> list[object]:
    return [vars(owner)[name] for owner, name in REPLACED]


def test_the_tested_version_is_the_pinned_and_the_installed_one():
    required = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    pinned = re.search(r"((?:^#.*\n)+)^streamlit==(\S+)$", required, flags=re.MULTILINE)
    assert streamlit_patches.TESTED == pinned[2] == version("streamlit") == st.__version__
    assert "pages/server/process/streamlit_patches" in pinned[1], "the reason names the folder"


def test_installing_twice_changes_nothing_more(as_upstream: None):
    streamlit_patches.install()
    first = made()
    streamlit_patches.install()
    assert made() == first


def test_on_another_version_nothing_is_changed_and_one_warning_says_so(
    as_upstream: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    originals = made()
    monkeypatch.setattr(st, "__version__", "1.99.0")
    with caplog.at_level(logging.WARNING, logger="mlm_app"):
        streamlit_patches.install()
    assert made() == originals
    (record,) = caplog.records
    assert "1.99.0" in record.getMessage() and streamlit_patches.TESTED in record.getMessage()
    assert visits.current_id() is None


def ids_page():
    """Note how the visit is known to the trainer, and to the housekeeping."""
    import streamlit as st

    from pages.server.process import visits

    st.session_state["ids"] = visits.session_id(), visits.current_id()


def test_on_another_version_runs_have_an_owner_and_no_visit_is_watched(
    as_upstream: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(st, "__version__", "1.99.0")
    app = AppTest.from_function(ids_page).run()
    assert not app.exception
    owner, watched = app.session_state["ids"]
    assert owner and watched is None


def test_on_another_version_with_renamed_methods_pages_are_drawn(
    as_upstream: None, monkeypatch: pytest.MonkeyPatch, open_warm_page
):
    monkeypatch.setattr(st, "__version__", "1.99.0")
    monkeypatch.delattr(AppSession, "_clear_queue")
    streamlit_patches.install()
    widget_metadata.forget()
    for file in ("app.py", "pages/3_masking.py", "pages/6_train_an_encoder.py"):
        assert not open_warm_page(file).exception, file


def test_the_changes_are_made_wherever_a_page_runs(as_upstream: None, open_warm_page):
    """As the frame does when it is imported first."""
    source = (ROOT / "pages/server/frame/page_frame.py").read_text(encoding="utf-8")
    assert re.search(r"^streamlit_patches\.install\(\)$", source, flags=re.MULTILINE)
    streamlit_patches.install()
    assert not open_warm_page("pages/3_masking.py").exception


def test_tracebacks_go_through_logging_where_they_are_limited():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["logger"]["enableRich"] is False


def test_state_of_components_that_told_nothing_is_read_without_a_class_for_each(as_upstream: None):
    streamlit_patches.install()
    present = component_main.make_bidi_component_presenter("events", "drawing", {"clicked"})
    session = SessionState()
    session._new_widget_state.set_widget_metadata(
        WidgetMetadata("events", lambda value: value, lambda value: value, "json_trigger_value")
    )
    first, second = (present({"zoom": 3}, session) for _ in range(2))
    assert type(first) is type(second)
    assert (first.zoom, first.clicked) == (3, None)
    session._new_widget_state.set_from_value("events", [{"event": "clicked", "value": "cat"}])
    told = present({"zoom": 3}, session)
    assert (told.zoom, told.clicked) == (3, "cat")
