"""A learner's own text as the corpus of a run: typed, pasted or uploaded, with its limits."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.shared.caches import cache_training
from pages.shared.course.core_messages import translated
from pages.shared.course.words import as_text
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.small_runs.settings import SmallRunSettings

TEXT, FILE = "train_an_encoder_own_text", "train_an_encoder_own_file"
REFUSED = "train_an_encoder_file_refused"  # session state: why the last file was not taken
LARGEST_UPLOAD = 1  # MB; what one more byte would bring is refused in the browser


def show(page: Page) -> str:
    """Show the field and the upload, which fills the field; return what is in it."""
    from mlm_core.small_runs.settings import LONGEST_OWN_TEXT

    words = page.words
    st.file_uploader(
        words.label("own_file"),
        type=["txt"],
        key=FILE,
        max_upload_size=LARGEST_UPLOAD,
        on_change=inputs.fill_from_file,
        args=(FILE, TEXT, REFUSED, LONGEST_OWN_TEXT),
        help=words.label("own_file_help", longest=formatted(LONGEST_OWN_TEXT, ",")),
    )
    if REFUSED in st.session_state:
        st.error(as_text(translated(st.session_state[REFUSED])), icon=":material/error:")
    text = st.text_area(
        words.label("own_text"),
        height=160,
        max_chars=LONGEST_OWN_TEXT,
        key=TEXT,
        persist_state="session",
    )
    st.caption(words.section("own_text.help"))
    return (text or "")[:LONGEST_OWN_TEXT]


def checked(page: Page, settings: "SmallRunSettings") -> "SmallRunSettings | None":
    """Say what there is to learn from; None, and what is missing, if there is no text.

    Raises ValueError if there is too little of it.
    """
    if not settings.own_text.strip():
        st.info(page.words.section("own_text.empty"), icon=":material/edit:")
        return None
    documents, learnt, held_out = cache_training.own_text_parts(
        settings.own_text, settings.objective == "mlm_nsp"
    )
    values = {
        "documents": formatted(documents, ","),
        "learnt": formatted(learnt, ","),
        "held_out": formatted(held_out, ","),
    }
    st.caption(page.words.section("own_text.parts", **values))
    return settings
