"""The changes to Streamlit: for the tested version only, once, and accepting what it passes."""

import importlib
import inspect
import logging
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
import streamlit as st
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.state.query_params import QueryParams
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest

from pages.shared.server import streamlit_patches
from pages.shared.server.streamlit_patches import visits, widget_metadata
from tests.browser.live import ROOT

REPLACED = [
    (AppSession, "handle_backmsg"),
    (AppSession, "_clear_queue"),
    (AppSession, "_on_scriptrunner_event"),
    (AppSession, "_create_scriptrunner"),
    (AppSession, "request_rerun"),
    (QueryParams, "populate_from_query_string"),
    (QueryParams, "_send_query_param_msg"),
    (SafeSessionState, "filtered_state"),
    (MemoryUploadedFileManager, "add_file"),
]
EACH = pytest.mark.parametrize(("owner", "name"), REPLACED, ids=lambda one: str(one)[-40:])
FOLDER = Path(streamlit_patches.__file__).parent


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
    assert "pages/shared/server/streamlit_patches" in pinned[1], "the pin's reason names the folder"


def test_every_module_of_the_folder_is_one_change_or_used_by_name():
    modules = {file.stem for file in FOLDER.glob("*.py")} - {"__init__"}
    assert modules == {*streamlit_patches.CHANGES, "visits", "widget_metadata"}
    for name in modules:
        module = importlib.import_module(f"{streamlit_patches.__name__}.{name}")
        assert "Upstream: " in module.__doc__, name
        assert re.search(r"Worth it[,:][^.]*\d", module.__doc__) or name == "visits", name


def test_private_names_of_streamlit_are_touched_when_a_change_is_made_and_not_before():
    """An import at the top of a module would bring the frame down on another version."""
    for file in FOLDER.glob("*.py"):
        top = [line for line in file.read_text(encoding="utf-8").splitlines() if line[:4] == "from"]
        assert not [line for line in top if line.startswith("from streamlit")], file.name


@EACH
def test_what_stands_for_a_method_accepts_what_streamlits_own_accepts(
    owner: type, name: str, as_upstream: None
):
    upstream = vars(owner)[name]
    streamlit_patches.install()
    ours = vars(owner)[name]
    assert ours is not upstream
    if isinstance(upstream, property):
        assert isinstance(ours, property) and ours.fset is upstream.fset is None
        return
    given = [*inspect.signature(upstream).parameters.values()]
    accepted = inspect.signature(ours, follow_wrapped=False)
    # As Streamlit calls them: all by place, and all but the object itself by name.
    accepted.bind(*given)
    has_places = any(one.kind is one.VAR_POSITIONAL for one in accepted.parameters.values())
    if not has_places:
        accepted.bind(given[0], **{one.name: one for one in given[1:]})
    required = [one for one in given if one.default is one.empty]
    accepted.bind(*required)


def test_installing_twice_changes_nothing_more(as_upstream: None):
    streamlit_patches.install()
    first = made()
    streamlit_patches.install()
    assert made() == first


def test_a_reloaded_module_builds_around_streamlits_own_method_again(as_upstream: None):
    originals = made()
    streamlit_patches.install()
    first = made()
    for name in streamlit_patches.CHANGES:
        importlib.reload(importlib.import_module(f"{streamlit_patches.__name__}.{name}"))
    streamlit_patches.install()
    for (owner, name), original, before in zip(REPLACED, originals, first, strict=True):
        now = vars(owner)[name]
        assert now is not before
        assert streamlit_patches.original(owner, name) is original
        if not isinstance(original, property):
            assert now.__wrapped__ is original, "not around the last change"
        # A run that goes on holds the method that it began with by a weak reference.
        record = vars(owner)[streamlit_patches.record_name(name)]
        assert record.before.made is before


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

    from pages.shared.server.streamlit_patches import visits

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
    source = (ROOT / "pages/shared/frame/page_frame.py").read_text(encoding="utf-8")
    assert re.search(r"^streamlit_patches\.install\(\)$", source, flags=re.MULTILINE)
    streamlit_patches.install()
    assert not open_warm_page("pages/3_masking.py").exception


def test_tracebacks_go_through_logging_where_they_are_limited():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["logger"]["enableRich"] is False
