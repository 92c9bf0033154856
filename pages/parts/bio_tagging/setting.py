"""The sentence that a learner marks, in the session and in the link; the words of a text."""

from dataclasses import dataclass

import streamlit as st

from mlm_core.classroom.marked_spans import (
    add_span,
    checked_type,
    move_spans,
    spans_from_link,
    spans_to_link,
)
from mlm_core.tagging.bio_tags import Span
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs, link_values, locks, whole_page

TEXT, SPANS = "bio_tagging_marked_text", "bio_tagging_marked_spans"  # also in the link
TYPE, OWN_TYPE = "bio_tagging_marked_type", "bio_tagging_marked_own_type"
# Session state only:
WORDS, UNDO = "bio_tagging_marked_words", "bio_tagging_marked_undo"
FIRST, REFUSED = "bio_tagging_marked_first", "bio_tagging_marked_refused"

NO_SPANS = "none"  # in the link: the default sentence with every span removed
LONGEST_TEXT = 60_000  # characters that the field takes
MOST_WORDS, LONGEST_WORD = 60, 60  # a link and a drawing hold no more
MOST_UNDO = 50
# Marks that stand before or behind a word in a text, and are words of their own in the data.
OPENING = "\"'([{“‘„«¿¡"
CLOSING = "\"')]}”’»,.;:!?…"
POSSESSIVES = ("'s", "’s")
USUAL_TYPES = ("PER", "ORG", "LOC", "GPE")


@dataclass(frozen=True, kw_only=True)
class Marked:
    """A sentence and the spans in it."""

    words: tuple[str, ...]
    spans: tuple[Span, ...]

    @property
    def types(self) -> tuple[str, ...]:
        """Return the types in use, the usual ones first."""
        found = {span.type for span in self.spans}
        return (
            *(type_ for type_ in USUAL_TYPES if type_ in found),
            *sorted(found - set(USUAL_TYPES)),
        )


def cut_words(text: str) -> tuple[str, ...]:
    """Return as many words as are kept, none of them endless."""
    return tuple(word[:LONGEST_WORD] for word in text.split()[:MOST_WORDS])


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text, with the marks around a word as words of their own.

    >>> split_words("Ann's dog (Rex) barked.")
    ('Ann', "'s", 'dog', '(', 'Rex', ')', 'barked', '.')
    """
    found: list[str] = []
    for chunk in text.split():
        before, after = [], []
        while len(chunk) > 1 and chunk[0] in OPENING:
            before.append(chunk[0])
            chunk = chunk[1:]
        while len(chunk) > 1 and chunk[-1] in CLOSING:
            after.insert(0, chunk[-1])
            chunk = chunk[:-1]
        if len(chunk) > 2 and chunk.endswith(POSSESSIVES):
            after.insert(0, chunk[-2:])
            chunk = chunk[:-2]
        found += [*before, chunk, *after]
    return tuple(found)


def current(page: Page) -> Marked:
    """Return the sentence of this visit; at its start, what the link says or our own."""
    words, is_of_link = page.words, inputs.is_asked(SPANS) or locks.is_fixed(SPANS)
    usual = words.plain("schemes_text")
    text = inputs.drawn_value(TEXT, usual, longest=LONGEST_TEXT)
    kept = cut_words(text or "")
    marks = inputs.drawn_value(SPANS, None)
    usual_marks = words.plain("schemes_spans") if " ".join(kept) == usual else NO_SPANS
    before = kept if is_of_link else st.session_state.get(WORDS, kept)
    spans, refused = _read(usual_marks if marks is None else marks, before)
    if refused:
        st.session_state[REFUSED] = words.plain(
            "schemes_bad_link", n=len(refused), marks=", ".join(refused)[:80]
        )
    if before != kept:
        spans = move_spans(spans, before, kept)
        for key in (UNDO, FIRST, REFUSED):
            st.session_state.pop(key, None)
    st.session_state[WORDS] = kept
    inputs.keep(SPANS, _written(spans), usual_marks)
    if not locks.is_fixed(TEXT):
        link_values.write(TEXT, " ".join(kept), usual)
    return Marked(words=kept, spans=spans)


def own_type(page: Page) -> str:
    """Return the type that the next span gets. Raises ValueError for a name that can't be."""
    chosen = st.session_state.get(TYPE, USUAL_TYPES[0])
    if chosen in USUAL_TYPES:
        return chosen
    return checked_type(st.session_state.get(OWN_TYPE) or page.words.plain("schemes_own_default"))


def click(page: Page, value: str) -> None:
    """Take a clicked word: the first of a span, its last, or one whose span is to go.

    Words that the pointer was drawn over, with spaces between, are a span at once.
    """
    words, positions = st.session_state[WORDS], [int(one) for one in value.split(" ")]
    position = max(positions)
    if position >= len(words):  # the drawing of a sentence that has changed meanwhile
        return
    st.session_state.pop(REFUSED, None)
    first = st.session_state.pop(FIRST, None)
    if len(positions) > 1:
        mark(page, min(positions), position)
    elif first is not None:
        mark(page, first, position)
    elif any(span.start <= position < span.end for span in _spans()):
        remove(position, position)
    else:
        st.session_state[FIRST] = position


def mark(page: Page, one: int, other: int) -> None:
    """Mark the words from one to the other, or keep the reason why not."""
    st.session_state.pop(REFUSED, None)
    st.session_state.pop(FIRST, None)
    try:
        new = Span(start=min(one, other), end=max(one, other) + 1, type=own_type(page))
        put(add_span(_spans(), new, st.session_state[WORDS]))
    except ValueError as error:
        st.session_state[REFUSED] = str(error)


def remove(one: int, other: int) -> None:
    """Remove each span that has a word from one to the other."""
    low, high = min(one, other), max(one, other)
    st.session_state.pop(REFUSED, None)
    put(tuple(s for s in _spans() if s.end <= low or high < s.start))


def undo() -> None:
    """Take the last change of the spans back."""
    st.session_state.pop(REFUSED, None)
    st.session_state.pop(FIRST, None)
    if st.session_state.get(UNDO) and inputs.choose(SPANS, st.session_state[UNDO].pop()):
        note_change()


def put(spans: tuple[Span, ...]) -> None:
    """Set the spans, and remember those of before."""
    before, after = st.session_state[SPANS], _written(spans)
    if after != before and inputs.choose(SPANS, after):
        st.session_state[UNDO] = [*st.session_state.get(UNDO, []), before][-MOST_UNDO:]
        note_change()


def note_change() -> None:
    """Let a part below that shows this sentence, too, be drawn anew."""
    if st.session_state.get("bio_tagging_part") == "pieces":
        whole_page.want()


def _spans() -> tuple[Span, ...]:
    return _read(st.session_state[SPANS] or "", st.session_state[WORDS])[0]


def _read(marks: str, words: tuple[str, ...]) -> tuple[tuple[Span, ...], tuple[str, ...]]:
    """Return the spans, and those that can't be."""
    return spans_from_link("" if marks == NO_SPANS else marks, words)


def _written(spans: tuple[Span, ...]) -> str:
    return spans_to_link(spans) or NO_SPANS
