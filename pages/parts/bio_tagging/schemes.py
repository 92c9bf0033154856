"""Mark names in a sentence; three schemes write them as tags, and one can't give them back."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.entity_spans import TagRow, entity_sentence, entity_text
from mlm_core.tagging.bio_tags import SCHEMES, Scheme, Span, decode, encode, lost_by, n_tags
from pages.parts.bio_tagging import setting as state
from pages.parts.bio_tagging.schemes_marking import ask_for_text, ask_for_type, show_buttons
from pages.parts.bio_tagging.setting import Marked
from pages.shared.course.core_messages import translated
from pages.shared.course.words import as_text
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.labelled.examples import TaggedSentence

BACK = "bio_tagging_back"
KEPT = "bio_tagging_marked_kept"  # session state: the learner's list
REFUSED = "bio_tagging_marked_kept_refused"
MOST = 200


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
    _show_back(page, marked)
    _show_kept(page, marked)
    show_source(encode, decode, lost_by, key="bio_tagging_schemes_code")


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


# Tags alone, and the spans that a scheme gives back from them.


def _show_back(page: Page, marked: Marked) -> None:
    """Read the tags of a chosen scheme, and draw the spans that come out."""
    words = page.words
    scheme: Scheme = inputs.choice(
        words.label("schemes_back"), {name: name for name in SCHEMES}, key=BACK
    )
    tags = encode(marked.spans, len(marked.words), scheme)
    back = decode(tags, scheme, "conlleval")
    values = {"scheme": scheme, "n": len(marked.spans), "m": len(back)}
    same = set(back) == set(marked.spans)
    show_drawing(
        entity_sentence(
            marked.words,
            back,
            alt=words.plain("back_alt", text=entity_text(marked.words, back), **values),
            types=marked.types,
        ),
        key="bio_tagging_back_drawing",
        table=Table({"word": marked.words, scheme: tags}),
        source=words.label("back_source", scheme=scheme),
    )
    st.markdown(words.section("schemes.back_same" if same else "schemes.back_other", **values))


# Marked sentences as files: this one, or a list of one's own that the tagger can learn from.


def _show_kept(page: Page, marked: Marked) -> None:
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
    from pages.shared.course.words import as_text

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
