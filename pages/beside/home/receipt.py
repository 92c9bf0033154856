"""A receipt for the learner's teacher: one signed line of what was solved in this visit."""

from datetime import UTC, datetime
from secrets import token_hex

import streamlit as st

from pages.server.course.words import read_words
from pages.server.record.receipt import LONGEST_NAME, Receipt, as_name, secret_of_host, signed
from pages.server.record.session_record import solved

VISIT = "receipt_visit"  # session state: a random id, the same in all receipts of a visit


def show() -> None:
    """Ask for a name, and offer the line to copy or to save."""
    words, secret = read_words("receipt"), secret_of_host()
    st.subheader(words.label("title"), anchor=False)
    if secret is None:
        st.button(
            words.label("no_secret"),
            disabled=True,
            icon=":material/block:",
            key="home_receipt_none",
        )
        return
    here = solved(is_loaded=False)
    n_loaded = sum(map(len, solved(is_loaded=True).values()))
    st.markdown(words.section("lead", n=sum(map(len, here.values()))))
    if n_loaded:
        st.info(words.section("loaded", n=n_loaded), icon=":material/replay:")
    if not here:
        return
    typed = st.text_input(
        words.label("name"),
        max_chars=LONGEST_NAME,
        key="home_receipt_name",
        persist_state="session",
        autocomplete="off",
    )
    if not (name := as_name(typed or "")):
        st.caption(words.section("no_name"))
        return
    now = datetime.now(UTC)
    visit = st.session_state.setdefault(VISIT, token_hex(8))
    date = now.strftime("%Y-%m-%d %H:%M UTC")
    line = signed(Receipt(name=name, date=date, visit=visit, solved=here), secret)
    st.code(line, language=None, wrap_lines=True)
    st.download_button(
        words.label("save"),
        line + "\n",
        file_name=f"receipt-{now:%Y-%m-%d}.txt",
        mime="text/plain",
        on_click="ignore",
        icon=":material/download:",
        key="home_receipt_save",
    )
