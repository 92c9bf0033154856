"""Mark spans without a mouse: first word, last word, type, and four buttons."""

from hashlib import sha256

import streamlit as st

from mlm_core.number_format import formatted
from pages.parts.bio_tagging import setting as state
from pages.parts.bio_tagging.setting import Marked
from pages.shared.course.core_messages import translated
from pages.shared.course.words import as_text
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs, locks

OWN = "own"
ENDS = ("bio_tagging_marked_from", "bio_tagging_marked_to")


def ask_for_text(page: Page) -> Marked:
    """Show the line for the sentence; return what is kept of it, and say what is not."""
    words = page.words
    state.current(page)  # puts the link's sentence into the field
    text = inputs.text_of_session(
        words.label("schemes_sentence"),
        key=state.TEXT,
        longest=state.LONGEST_TEXT,
        help=words.label("schemes_sentence_help"),
        on_change=state.note_change,
    )
    given = text.split()
    if len(given) > state.MOST_WORDS:
        st.warning(
            words.section("schemes.cut", n=formatted(len(given), ","), most=state.MOST_WORDS),
            icon=":material/content_cut:",
        )
    if any(len(word) > state.LONGEST_WORD for word in given[: state.MOST_WORDS]):
        st.warning(
            words.section("schemes.long_word", most=state.LONGEST_WORD),
            icon=":material/content_cut:",
        )
    return state.current(page)


def ask_for_type(page: Page) -> None:
    """Show the types; one of the learner's own gets a field for its name."""
    words = page.words
    names = {type_: type_ for type_ in state.USUAL_TYPES} | {OWN: words.label("schemes_own")}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = inputs.choice(words.label("schemes_type"), names, key=state.TYPE)
        if chosen == OWN:
            inputs.text(
                words.label("schemes_own_type"),
                words.plain("schemes_own_default"),
                key=state.OWN_TYPE,
                longest=30,
                live=False,
                width=200,
            )
    try:
        state.own_type(page)
    except ValueError as error:
        st.warning(as_text(translated(str(error))), icon=":material/block:")


def show_buttons(page: Page, marked: Marked) -> None:
    """Show the fields for the first and last word, and the buttons."""
    words = page.words
    inputs.drawn(words.label("schemes_spans_title"), None, key=state.SPANS)
    if locks.is_hidden(state.SPANS):
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        keys = [_ask_for_word(page, marked, end) for end in ENDS]

        def ends() -> list[int]:
            """Return the words chosen at the moment of the click, not of the last drawing."""
            chosen = [st.session_state[key] for key in keys]
            # A browser can send what is on no list; Streamlit hands it on as a text.
            return [value if isinstance(value, int) else 0 for value in chosen]

        can_undo = bool(st.session_state.get(state.UNDO))
        actions = {
            "mark": (lambda: state.mark(page, *ends()), ":material/add:", False),
            "remove": (lambda: state.remove(*ends()), ":material/remove:", not marked.spans),
            "undo": (state.undo, ":material/undo:", not can_undo),
            "clear": (lambda: state.put(()), ":material/clear_all:", not marked.spans),
        }
        for name, (action, icon, is_off) in actions.items():
            inputs.button(
                words.label(f"schemes_{name}"),
                changes=state.SPANS,
                on_click=action,
                icon=icon,
                disabled=is_off,
                key=f"bio_tagging_marked_button_{name}",
            )


def _ask_for_word(page: Page, marked: Marked, end: str) -> str:
    """Show the list of words; return the key of the widget."""
    # Another sentence has a list of its own: a browser would go on showing the old one's word.
    key = f"{end}_{sha256(' '.join(marked.words).encode(errors='replace')).hexdigest()[:8]}"
    st.selectbox(
        page.words.label(end.removeprefix("bio_tagging_")),
        range(len(marked.words)),
        format_func=lambda i: f"{i}  {marked.words[i]}",
        key=key,
        width=150,
        disabled=locks.is_fixed(state.SPANS),
    )
    return key
