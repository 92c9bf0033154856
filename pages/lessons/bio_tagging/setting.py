"""What several parts share: the sentence that a learner marks, a text's words, a test sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.theme import printable
from mlm_core.tagging.bio_tags import Span
from mlm_core.tagging.marked_spans import (
    add_span,
    checked_type,
    move_spans,
    spans_from_link,
    spans_to_link,
)
from pages.kit.part import Part
from pages.kit.training import finetune_runs
from pages.server.frame.page_frame import Page
from pages.server.link import inputs, link_values, locks, whole_page

if TYPE_CHECKING:
    from mlm_core.finetuning.settings import Data
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.labelled.examples import TaggedSentence

TEXT, SPANS = "bio_tagging_marked_text", "bio_tagging_marked_spans"  # also in the link
TYPE, OWN_TYPE = "bio_tagging_marked_type", "bio_tagging_marked_own_type"
# Session state only:
WORDS, UNDO = "bio_tagging_marked_words", "bio_tagging_marked_undo"
FIRST, REFUSED = "bio_tagging_marked_first", "bio_tagging_marked_refused"

NO_SPANS = "none"  # in the link: the default sentence with every span removed
LONGEST_TEXT = 60_000  # characters that the field takes
MOST_WORDS, LONGEST_WORD = 60, 60  # a link and a drawing hold no more
MOST_UNDO = 50
LONGEST_SEARCHED = LONGEST_LISTED = 40  # characters of a test sentence
# Marks that stand before or behind a word in a text, and are words of their own in the data.
OPENING = "\"'([{“‘„‚«»¿¡"
CLOSING = "\"')]}”’“‘»«,.;:!?…"
POSSESSIVES = ("'s", "’s")
USUAL_TYPES = ("PER", "ORG", "LOC", "GPE")
FOLLOW = ("pieces", "distribution", "scores", "viterbi")  # parts that show the marked sentence


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


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text, with the marks around a word as words of their own.

    Words with spaces between are split no further.

    >>> split_words("Ann's dog (Rex) barked.")
    ('Ann', "'s", 'dog', '(', 'Rex', ')', 'barked', '.')
    >>> split_words("„Rex“, rief »Ann«.")
    ('„', 'Rex', '“', ',', 'rief', '»', 'Ann', '«', '.')
    """
    found: list[str] = []
    for chunk in text.split():
        first, end, after = 0, len(chunk), []
        while end - first > 1 and chunk[first] in OPENING:
            if end - first == 2 and chunk[first:end] in POSSESSIVES:
                break
            first += 1
        while end - first > 1 and chunk[end - 1] in CLOSING:
            end -= 1
            after.append(chunk[end])
        while end - first > 2 and chunk.endswith(POSSESSIVES, first, end):
            end -= 2
            after.append(chunk[end : end + 2])
        found += [*chunk[:first], chunk[first:end], *reversed(after)]
    return tuple(found)


def data_of(page: Page) -> "tuple[Data, ...]":
    """Return whose runs the lesson offers: the stored sentences that it reads, and own ones."""
    from mlm_core.finetuning.settings import TAGGED

    return finetune_runs.read_or_own(page, TAGGED, "own_tags")


def choose_tagger(
    p: Part, key: str = "which", *, with_weights: bool = True, folded: bool = False
) -> "tuple[str, FineTuneSnapshot] | None":
    """Show the taggers; return the chosen one with its title, or say why it can't be used."""
    chosen = finetune_runs.choose(
        p.page, data_of(p.page), with_weights=with_weights, key=key, folded=folded
    )
    if chosen is None:
        return None
    if chosen[1].predictions is None or chosen[1].dataset is None:
        p.note("no_predictions", icon="hourglass")
        return None
    return chosen


def pick_test_sentence(
    p: Part, name: str, sentences: "Sequence[TaggedSentence]", wanted: Callable[[int], bool]
) -> int:
    """Show the test sentences as a list, and a button to the next one that is `wanted`."""
    key, n = p.key(name), len(sentences)

    def go_on() -> None:
        start = int(st.session_state.get(key) or 0)
        for away in range(1, n + 1):
            if wanted((start + away) % n):
                st.session_state[key] = str((start + away) % n)
                return
        st.toast(p.label("none_found"))

    with p.row():
        texts = [" ".join(sentence.words) for sentence in sentences]
        shown = [printable(text, LONGEST_LISTED) for text in texts]
        first = next((i for i in range(n) if wanted(i)), 0)
        if st.session_state.get(key) not in map(str, range(n)):
            st.session_state.pop(key, None)
        sought = "" if locks.is_fixed(key) else _search(p, key)
        found = [i for i, text in enumerate(texts) if sought in text.casefold()]
        number = p.position(name, shown, default=first, among=found)
        p.button(f"{name}_next", go_on, icon="skip_next")
    if not found:
        p.write_small(p.label("none_found"))
    return number


def _search(p: Part, key: str) -> str:
    """Show a field for a word that the listed sentences have; it is in no link."""
    sought = st.text_input(
        p.label("find_sentence"),
        key=f"{key}_find",
        max_chars=LONGEST_SEARCHED,
        icon=":material/search:",
        autocomplete="off",
        persist_state="session",
        help=p.label("find_sentence_help", n=inputs.MOST_LISTED),
        width=220,
    )
    return (sought or "")[:LONGEST_SEARCHED].strip().casefold()


def in_table(tag: str, *, is_chosen: bool = False) -> str:
    """Return a tag that a narrow table leaves on one line; a chosen one has a mark."""
    unbroken = tag.replace("-", "\N{NON-BREAKING HYPHEN}")
    return f"▶\N{NO-BREAK SPACE}{unbroken}" if is_chosen else unbroken


# The marked sentence, in the session and in the link.


def current(p: Part) -> Marked:
    """Return the sentence of this visit; at its start, what the link says or our own."""
    is_of_link = inputs.is_asked(SPANS) or locks.is_fixed(SPANS)
    usual = p.examples.plain("schemes_text")
    text = inputs.drawn_value(TEXT, usual, longest=LONGEST_TEXT) or ""
    kept = tuple(word[:LONGEST_WORD] for word in split_words(text)[:MOST_WORDS])
    marks = inputs.drawn_value(SPANS, None)
    usual_marks = p.examples.plain("schemes_spans") if " ".join(kept) == usual else NO_SPANS
    if is_of_link:  # its marks count what stands between spaces: an old text is not cut
        before = tuple(text.split())
    elif marks is None:  # the usual marks, such as those of another language's example
        before = kept
    else:
        before = st.session_state.get(WORDS, kept)
    spans, refused = _read(usual_marks if marks is None else marks, before)
    if refused:
        marks = ", ".join(refused)[:80]
        st.session_state[REFUSED] = p.plain("schemes_bad_link", n=len(refused), marks=marks)
    if is_of_link:
        spans = _cut_spans(spans, before, kept)
    elif st.session_state.get(WORDS, kept) != kept:
        spans = move_spans(spans, before, kept)
        for key in (UNDO, FIRST, REFUSED):
            st.session_state.pop(key, None)
    st.session_state[WORDS] = kept
    inputs.keep(SPANS, _written(spans), usual_marks)
    if not locks.is_fixed(TEXT):
        link_values.write(TEXT, " ".join(kept), usual)
    return Marked(words=kept, spans=spans)


def _cut_spans(
    spans: tuple[Span, ...], chunks: Sequence[str], words: Sequence[str]
) -> tuple[Span, ...]:
    """Return spans of chunks as spans of the words in them, without the marks around a name.

    >>> _cut_spans((Span(start=1, end=2, type="GPE"),), ["in", "Oslo."], ["in", "Oslo", "."])
    (Span(start=1, end=2, type='GPE'),)
    """
    if len(chunks) == len(words):
        return spans
    starts = [0]
    for chunk in chunks:
        starts.append(starts[-1] + len(split_words(chunk)))
    found = []
    for span in spans:
        first, end = starts[span.start], starts[span.end]
        if end > len(words):
            continue
        while end - first > 1 and words[end - 1] in (*CLOSING, *POSSESSIVES):
            end -= 1
        found.append(Span(start=first, end=end, type=span.type))
    return tuple(found)


def own_type(p: Part) -> str:
    """Return the type that the next span gets. Raises ValueError for a name that can't be."""
    chosen = st.session_state.get(TYPE, USUAL_TYPES[0])
    if chosen in USUAL_TYPES:
        return chosen
    return checked_type(st.session_state.get(OWN_TYPE) or p.plain("default_marked_own_type"))


def click(p: Part, value: str) -> None:
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
        mark(p, min(positions), position)
    elif first is not None:
        mark(p, first, position)
    elif any(span.start <= position < span.end for span in _spans()):
        remove(position, position)
    else:
        st.session_state[FIRST] = position


def mark(p: Part, one: int, other: int) -> None:
    """Mark the words from one to the other, or keep the reason why not."""
    _forget_click()
    try:
        new = Span(start=min(one, other), end=max(one, other) + 1, type=own_type(p))
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
    _forget_click()
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
    if st.session_state.get("bio_tagging_part") in FOLLOW:
        whole_page.want()


def _forget_click() -> None:
    """Forget the first word of a span, and why the last one was refused."""
    for key in (REFUSED, FIRST):
        st.session_state.pop(key, None)


def _spans() -> tuple[Span, ...]:
    return _read(st.session_state[SPANS] or "", st.session_state[WORDS])[0]


def _read(marks: str, words: tuple[str, ...]) -> tuple[tuple[Span, ...], tuple[str, ...]]:
    """Return the spans, and those that can't be."""
    return spans_from_link("" if marks == NO_SPANS else marks, words)


def _written(spans: tuple[Span, ...]) -> str:
    return spans_to_link(spans) or NO_SPANS
