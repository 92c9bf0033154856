"""Your course record: what was done in this visit, saved to a file and loaded again."""

from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from pages.beside.home import receipt
from pages.beside.home.record_text import as_list, as_markdown
from pages.server.course.words import Words, read_words
from pages.server.frame.page_frame import safely
from pages.server.frame.parts import scroll_if_looked_up
from pages.server.record import session_record, tab_memory
from pages.server.record.learners_record import LearnersRecord, as_json
from pages.server.record.learners_record_file import LeftOut, NotARecordError, read_record

FILE = "home_record_file"
# Session state: what the file in the uploader holds, why it is refused, whether it was just loaded.
FOUND, REFUSED, LOADED = "home_record_found", "home_record_refused", "home_record_loaded"
LARGEST_UPLOAD = 1  # MB; what one more byte would bring is refused in the browser
NAME = "course-record"


def show() -> None:
    """Show the record behind its title, which a link can open."""
    words = read_words("record")
    box = st.expander(
        words.label("title"),
        icon=":material/bookmark:",
        key=session_record.HOME_RECORD,
        on_change="rerun",
        bind="query-params",
    )
    if not box.open:
        return
    with box, safely():
        st.markdown(words.section("lead"))
        record = session_record.of_session()
        if st.session_state.pop(LOADED, False):
            st.success(words.section("loaded"), icon=":material/check_circle:")
        _save(record, words)
        if record.lessons:
            receipt.show()
        _load(record, words)
        st.button(
            words.label("forget"),
            on_click=tab_memory.forget,
            icon=":material/delete:",
            type="tertiary",
            key="home_record_forget",
        )
    scroll_if_looked_up(session_record.HOME_RECORD)


def _save(record: LearnersRecord, words: Words) -> None:
    if record.is_empty:
        st.info(words.section("nothing_yet"), icon=":material/explore:")
        return
    st.markdown(as_list(record, words))
    now = datetime.now(UTC)
    record = replace(record, saved=now.strftime("%Y-%m-%d %H:%M UTC"))
    name = f"{NAME}-{now:%Y-%m-%d}"
    with st.container(horizontal=True):
        for kind, data, mime in (
            ("json", as_json(record), "application/json"),
            ("md", as_markdown(record, words), "text/markdown"),
        ):
            st.download_button(
                words.label(f"save_{kind}"),
                data,
                file_name=f"{name}.{kind}",
                mime=mime,
                on_click="ignore",
                icon=":material/download:",
                key=f"home_record_save_{kind}",
            )
    st.caption(words.section("saved_where"))


def _load(here: LearnersRecord, words: Words) -> None:
    st.subheader(words.label("load_title"), anchor=False)
    file = st.file_uploader(
        words.label("file"),
        key=FILE,
        max_upload_size=LARGEST_UPLOAD,
        on_change=_take_file,
        help=words.label("file_help"),
    )
    if file is None:  # taken away, or the page was left
        _forget_file()
    if REFUSED in st.session_state:
        section, values = st.session_state[REFUSED]
        st.error(words.section(section, **values), icon=":material/error:")
    if FOUND not in st.session_state:
        return
    record, left_out = st.session_state[FOUND]
    _say_what_is_in_it(record, left_out, words)
    if record.is_empty:
        return
    if not here.is_empty:
        st.caption(words.section("together"))
    st.button(
        words.label("load"),
        on_click=_load_found,
        type="primary",
        icon=":material/upload:",
        key="home_record_load",
    )


def _say_what_is_in_it(record: LearnersRecord, left_out: LeftOut, words: Words) -> None:
    if not record.is_empty:
        said = words.section(
            "found",
            saved=record.saved or words.plain("no_date"),
            lessons=len(record.lessons),
            solved=record.count("solved"),
            shown=record.count("shown"),
            tried=record.count("tried"),
        )
        st.info(said, icon=":material/description:")
    else:
        st.warning(words.section("found_nothing"), icon=":material/description:")
    if left_out.any:
        said = words.section(
            "left_out",
            lessons=left_out.lessons,
            parts=left_out.parts,
            exercises=left_out.exercises,
            texts=left_out.texts,
        )
        st.warning(said, icon=":material/content_cut:")


def _take_file() -> None:
    """Read the file that was uploaded; nothing is changed before the learner says so."""
    _forget_file()
    file = st.session_state.get(FILE)
    if file is None:
        return
    try:
        st.session_state[FOUND] = read_record(file.getvalue(), session_record.course())
    except NotARecordError as error:
        st.session_state[REFUSED] = error.section, error.values


def _forget_file() -> None:
    for key in (FOUND, REFUSED):
        st.session_state.pop(key, None)


def _load_found() -> None:
    record, _ = st.session_state.pop(FOUND)
    session_record.take_up(record)
    st.session_state[LOADED] = True
