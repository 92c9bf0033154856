"""Marked sentences as files: this one, or a list of one's own that the tagger can learn from."""

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.bio_tagging.schemes_state import Marked
from pages.shared.frame import Page
from pages.shared.messages import translated

if TYPE_CHECKING:
    from mlm_core.labelled.examples import TaggedSentence

KEPT = "bio_tagging_marked_kept"  # session state: the learner's list
REFUSED = "bio_tagging_marked_kept_refused"
MOST = 200


def show_kept(page: Page, marked: Marked) -> None:
    """Show the list's size, its buttons and the two files."""
    words = page.words
    box = st.expander(
        words.label("kept"), icon=":material/list:", key="bio_tagging_kept_box", on_change="rerun"
    )
    if not box.open:
        return
    from mlm_core.labelled.conll import FEWEST, write_conll

    kept: list[TaggedSentence] = st.session_state.setdefault(KEPT, [])
    with box:
        st.markdown(words.section("schemes.kept", n=len(kept), fewest=FEWEST))
        with st.container(horizontal=True, gap="small"):
            _button(page, "add", ":material/playlist_add:", lambda: _add(page, marked))
            _button(page, "drop", ":material/playlist_remove:", kept.pop, is_off=not kept)
            _button(page, "empty", ":material/delete:", kept.clear, is_off=not kept)
        if REFUSED in st.session_state:
            st.warning(st.session_state.pop(REFUSED), icon=":material/block:")
        if kept:
            st.code(write_conll(kept), language=None, height=220)
        files = {"one": [_sentence(marked)], "all": kept}
        with st.container(horizontal=True, gap="small"):
            for name, sentences in files.items():
                st.download_button(
                    words.label(f"kept_{name}"),
                    write_conll(sentences).encode() if sentences else b"",
                    file_name=f"{words.plain(f'kept_{name}_file')}.conll",
                    mime="text/plain",
                    key=f"bio_tagging_kept_{name}",
                    on_click="ignore",
                    icon=":material/download:",
                    disabled=not sentences,
                )


def _button(page: Page, name: str, icon: str, action, *, is_off: bool = False) -> None:
    st.button(
        page.words.label(f"kept_{name}"),
        on_click=action,
        icon=icon,
        disabled=is_off,
        key=f"bio_tagging_kept_{name}_button",
    )


def _sentence(marked: Marked) -> "TaggedSentence":
    from mlm_core.labelled.examples import TaggedSentence

    return TaggedSentence(words=marked.words, spans=marked.spans)


def _add(page: Page, marked: Marked) -> None:
    from mlm_core.labelled.conll import check_it_reads_back
    from pages.shared.words import as_text

    kept, new = st.session_state[KEPT], _sentence(marked)
    if new in kept:
        st.session_state[REFUSED] = page.words.label("kept_twice")
    elif len(kept) >= MOST:
        st.session_state[REFUSED] = page.words.label("kept_full", most=MOST)
    else:
        try:
            check_it_reads_back(new)
        except ValueError as error:
            st.session_state[REFUSED] = as_text(translated(str(error)))
            return
        kept.append(new)
