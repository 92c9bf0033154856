"""What a tab kept over a reload comes back, and nothing else that a browser may send."""

import pytest
import streamlit as st

from pages.server.process.streamlit_patches import part_requests
from pages.server.record import tab_memory
from pages.server.record.learners_record import LearnersRecord, LessonDone, as_json
from pages.server.record.session_record import note_opened, of_session
from tests.hostile import TEXTS


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict:
    """Give a visit's state that is empty."""
    state: dict = {}
    monkeypatch.setattr(st, "session_state", state)
    return state


def fields(state: dict) -> set[str]:
    """Return what a visit has beside its typed objects."""
    return {key for key in state if "." not in key}


def kept(*parts: str) -> str:
    return as_json(LearnersRecord(lessons={"masking": LessonDone(opened=parts)})).decode()


def test_record_and_texts_come_back_into_a_new_visit(state: dict):
    tab_memory._take_up({"record": kept("rule"), "texts": {"isotropy_own": "Two herons."}})
    assert of_session().lessons["masking"].opened == ("rule",)
    assert state["isotropy_own"] == "Two herons."


def test_what_was_opened_here_already_stays(state: dict):
    note_opened("masking", "why")
    tab_memory._take_up({"record": kept("rule"), "texts": {}})
    assert set(of_session().lessons["masking"].opened) == {"rule", "why"}


FORGED = (None, 3, "x", [], {}, {"record": 7, "texts": "x"}, {"record": "{", "texts": [1]})


def test_what_is_no_memory_of_ours_changes_nothing(state: dict):
    for found in (*FORGED, *({"record": text} for text in TEXTS.values())):
        tab_memory._take_up(found)
        assert not of_session().lessons
        assert not fields(state)


def test_texts_go_into_the_known_fields_alone_and_are_cut(state: dict):
    sent = {"isotropy_own": "a" * 29_999, "masking_text": "b", "masking_own_text": 5, "lang": "de"}
    tab_memory._take_up({"record": "", "texts": sent})
    assert fields(state) == {"isotropy_own"}
    assert len(state["isotropy_own"]) == tab_memory.PASTED["isotropy_own"]


class Run:
    """One run of the page, or of parts of it."""


def test_a_record_is_sent_in_two_runs_when_it_has_changed_and_in_no_others(state, monkeypatch):
    sent: list[str | None] = []
    for name in ("_tab", "_tab_of_part"):
        monkeypatch.setattr(tab_memory, name, lambda data, **_: sent.append(data["record"]))

    def run(*, alone: bool) -> list[str | None]:
        now = Run()  # a part in a part is of the same run
        monkeypatch.setattr(part_requests, "this_run", lambda: now)
        sent.clear()
        if not alone:
            tab_memory.keep_of_page()
        tab_memory.keep_of_part("exercises")
        tab_memory.keep_of_part("part")
        return [*sent]

    assert run(alone=False) == ["", None, None]
    note_opened("masking", "rule")
    record = tab_memory._record()
    assert [run(alone=True) for _ in range(4)] == [
        *[[record, None]] * 2,
        *[[None, None]] * 2,
    ]
    assert run(alone=False) == [None, None, None]
    note_opened("masking", "why")
    assert run(alone=False) == [tab_memory._record(), None, None]
    assert run(alone=True) == [tab_memory._record(), None]
    tab_memory.forget()
    assert run(alone=False) == ["", None, None]
