"""What a tab keeps of a learner's work over a reload: the course record and pasted texts.

The browser has it in its sessionStorage, which goes with the tab, so that nobody who uses the
same computer later finds it. What a link holds (sentences, settings) needs no storage. A reloaded
page is a new visit, which takes the record up as if it were a file: with trust in nothing.
A record has up to 640 kB, so it is sent when it has changed and not with each run: in two runs,
since what one has drawn is lost if the next begins before it was sent.

Read before this: session_record.py, learners_record_file.py.
"""

import weakref
from dataclasses import dataclass, field
from secrets import token_hex

import streamlit as st

from pages.server import session
from pages.server.process.browser_code import code_of
from pages.server.process.streamlit_patches import part_requests
from pages.server.record import session_record
from pages.server.record.learners_record import LearnersRecord, as_json
from pages.server.record.learners_record_file import LARGEST, NotARecordError, read_record

# Pasted texts by the key of their field, with the most characters that are kept; a longer one is
# not. Together they fit into what a tab may send at once (.streamlit/config.toml).
PASTED = {
    "subword_tokens_own": 20_000,
    "isotropy_own": 20_000,
    "masking_own_text": 100_000,
    "sentence_pairs_own": 20_000,
    "train_an_encoder_own_text": 100_000,
    "word_senses_own_text": 100_000,
    "classification_own_text": 100_000,
    "bio_tagging_own_text": 100_000,
}

SENT_IN_RUNS = 2


@dataclass
class Tab:
    """What a visit knows of its tab's memory."""

    forgotten: LearnersRecord | None = None  # what was done when the learner said "forget"
    visit: str = field(default_factory=lambda: token_hex(8))
    is_told: bool = False  # the tab has told what it kept
    sent: int | None = None  # the hash of the last record that was sent, and in which runs it was
    sent_in: list[weakref.ref] = field(default_factory=list)


_tab = st.components.v2.component(
    "mlm_tab_memory",
    html="<span></span>",
    js=code_of(__file__, "tab_memory.js"),
)

# A part reruns without its page, and far more often: what it sends is short.
_tab_of_part = st.components.v2.component(
    "mlm_tab_memory_of_part",
    html="<span></span>",
    js=code_of(__file__, "tab_memory_of_part.js"),
)


def keep_of_page() -> None:
    """Let the tab keep what was done so far, and give back what it kept before a reload."""
    tab = session.of(Tab)
    with st.container(key="tab_memory_page"):
        _tab(
            key="tab_memory_of_page",
            data={
                "record": _news(),
                "forget": tab.forgotten is not None,
                "visit": tab.visit,
                "is_told": tab.is_told,
                "texts": tuple(PASTED.items()),  # a dict inside would import pandas
            },
            on_found_change=lambda: _take_up(st.session_state["tab_memory_of_page"].found),
        )


def keep_of_part(name: str) -> None:
    """Let the tab keep what was done so far, where a part runs without its page."""
    with st.container(key=f"tab_memory_{name}"):
        _tab_of_part(key=f"tab_memory_of_{name}", data={"record": _news()})


def _news() -> str | None:
    """Return the record if the tab may not have it yet: once a run, in two runs."""
    record, tab = _record(), session.of(Tab)
    if tab.sent != hash(record):
        tab.sent, tab.sent_in = hash(record), []
    run = part_requests.this_run()
    is_sent = len(tab.sent_in) == SENT_IN_RUNS or any(one() is run for one in tab.sent_in)
    if run is None or is_sent:
        return None
    tab.sent_in.append(weakref.ref(run))
    return record


def _record() -> str:
    """Return what the tab is to keep: nothing if there is nothing, or if it is to forget."""
    done, tab = session_record.of_session(), session.of(Tab)
    if tab.forgotten != done:
        tab.forgotten = None  # something new was done
    is_kept = not done.is_empty and tab.forgotten is None
    return as_json(done).decode() if is_kept else ""


def forget() -> None:
    """Let the tab forget; what this visit has done stays until the page is reloaded."""
    session.of(Tab).forgotten = session_record.of_session()


def _take_up(found: object) -> None:
    """Take up what a browser says that it kept: what can't be read is left out."""
    session.of(Tab).is_told = True
    if not isinstance(found, dict):
        return
    text, texts = found.get("record"), found.get("texts")
    if isinstance(text, str) and 0 < len(text) <= LARGEST:
        try:
            record, _ = read_record(text.encode(errors="replace"), session_record.course())
        except NotARecordError:
            pass
        else:
            session_record.take_up(record)
    if not isinstance(texts, dict):
        return
    for key, longest in PASTED.items():
        if isinstance(texts.get(key), str):  # a new visit has the field's sample at most
            st.session_state[key] = texts[key][:longest]
