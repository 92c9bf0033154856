"""Mark names in a sentence; three schemes write them as tags, and one can't give them back."""

import streamlit as st

from mlm_core.figures.tagging.entity_spans import TagRow, entity_sentence, entity_text
from mlm_core.tagging.bio_tags import SCHEMES, Span, decode, encode, lost_by, n_tags
from pages.parts.bio_tagging import schemes_state as state
from pages.parts.bio_tagging.schemes_back import show_back
from pages.parts.bio_tagging.schemes_kept import show_kept
from pages.parts.bio_tagging.schemes_marking import ask_for_text, ask_for_type, show_buttons
from pages.parts.bio_tagging.schemes_state import Marked
from pages.shared.frame import Page
from pages.shared.messages import translated
from pages.shared.parts import part
from pages.shared.show import show_drawing
from pages.shared.source import show_source
from pages.shared.table import Table
from pages.shared.words import as_text


@part
def show(page: Page) -> None:
    """Show the sentence over its tags, let the learner mark it, and read the tags back."""
    words = page.words
    marked = ask_for_text(page)
    if not marked.words:
        st.info(words.section("schemes.no_text"), icon=":material/edit:")
        return
    ask_for_type(page)
    _draw(page, marked)
    _say(page)
    st.markdown(words.section("schemes.lost" if _lost(marked) else "schemes.nothing_lost"))
    for loss in _lost(marked):
        struck = " ".join(f"~~{_named(marked, span)}~~" for span in loss.spans)
        st.markdown(f"- {struck} → {_named(marked, loss.read_as)}")
    st.markdown(_counts(page, marked))
    show_buttons(page, marked)
    show_back(page, marked)
    show_kept(page, marked)
    show_source(encode, decode, lost_by, key="bio_tagging_schemes_code")
    if st.session_state.pop(state.CHANGED, False) and _is_used_below():
        st.rerun()  # the whole page: the part below shows this sentence too


def _draw(page: Page, marked: Marked) -> None:
    words = page.words
    tags = {scheme: encode(marked.spans, len(marked.words), scheme) for scheme in SCHEMES}
    fused = {i for loss in _lost(marked) for i in range(loss.read_as.start, loss.read_as.end)}
    rows = [
        TagRow(name=name, tags=tags[name], lost=fused if name == "IO" else ()) for name in SCHEMES
    ]
    first = st.session_state.get(state.FIRST)
    show_drawing(
        entity_sentence(
            marked.words,
            marked.spans,
            alt=words.plain(
                "schemes_alt", text=entity_text(marked.words, marked.spans), n=len(fused)
            ),
            rows=rows,
            types=marked.types,
            clickable=True,
            selected=() if first is None else (first,),
        ),
        key="bio_tagging_schemes",
        table=Table({"word": marked.words, **tags}),
        source=words.label("schemes_source", n=len(marked.spans)),
        on_click=lambda value: state.click(page, value),
    )


def _say(page: Page) -> None:
    """Say what a click does next, or why the last one did nothing."""
    words, first = page.words, st.session_state.get(state.FIRST)
    if state.REFUSED in st.session_state:
        st.warning(as_text(translated(st.session_state[state.REFUSED])), icon=":material/block:")
    if first is None:
        st.caption(words.section("schemes.click_first"))
    else:
        st.caption(words.section("schemes.click_last", word=st.session_state[state.WORDS][first]))


def _counts(page: Page, marked: Marked) -> str:
    n = len(marked.types)
    counts = {scheme.lower(): n_tags(n, scheme) for scheme in SCHEMES}
    types = ", ".join(marked.types) if marked.types else page.words.plain("schemes_no_types")
    return page.words.section("schemes.counts", n=n, types=types, **counts)


def _lost(marked: Marked):
    return lost_by(marked.spans, len(marked.words), "IO")


def _named(marked: Marked, span: Span) -> str:
    return as_text(f"{span.type} {' '.join(marked.words[span.start : span.end])}")


def _is_used_below() -> bool:
    return st.session_state.get("bio_tagging_part") == "pieces"
