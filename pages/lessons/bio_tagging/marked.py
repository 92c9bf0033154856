"""The sentence that a learner marks: its words and spans, in the session and in the link."""

from dataclasses import dataclass

from mlm_core.tagging.bio_tags import Span
from mlm_core.tagging.marked_spans import (
    add_span,
    checked_type,
    move_spans,
    spans_from_link,
    spans_to_link,
)
from pages.kit.part import Part
from pages.lessons.bio_tagging.splitting import cut_spans, split_words

TEXT, SPANS, TYPE, OWN_TYPE = "marked_text", "marked_spans", "marked_type", "marked_own_type"
# Session state only: the words of the text, earlier spans, a clicked first word, a refusal.
WORDS, FIRST, REFUSED = "marked_words", "marked_first", "marked_refused"
CHANGES = f"{SPANS}_changes"  # as `p.change` keeps them

NO_SPANS = "none"  # in the link: the default sentence with every span removed
LONGEST_TEXT = 60_000  # characters that the field takes
MOST_WORDS, LONGEST_WORD = 60, 60  # a link and a drawing hold no more
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


def current(p: Part) -> Marked:
    """Return the sentence of this visit; at its start, that of the link or the usual one."""
    is_of_link = p.is_asked(SPANS) or p.is_fixed(SPANS)
    usual = p.examples.plain("schemes_text")
    text = p.drawn_value(TEXT, usual, longest=LONGEST_TEXT) or ""
    kept = tuple(word[:LONGEST_WORD] for word in split_words(text)[:MOST_WORDS])
    marks = p.drawn_value(SPANS, None)
    usual_marks = p.examples.plain("schemes_spans") if " ".join(kept) == usual else NO_SPANS
    if is_of_link:  # its marks count words between spaces: the text of an old link is not cut
        before = tuple(text.split())
    elif marks is None:  # the usual marks, such as those of another language's example
        before = kept
    else:
        before = p.state.get(WORDS, kept)
    spans, refused = _read(usual_marks if marks is None else marks, before)
    if refused:
        marks = ", ".join(refused)[:80]
        p.state[REFUSED] = p.plain("schemes_bad_link", n=len(refused), marks=marks)
    if is_of_link:
        spans = cut_spans(spans, before, kept)
    elif p.state.get(WORDS, kept) != kept:
        spans = move_spans(spans, before, kept)
        for name in (CHANGES, FIRST, REFUSED):
            p.state.pop(name, None)
    p.state[WORDS] = kept
    p.write_to_link(SPANS, _written(spans), usual_marks)
    p.write_to_link(TEXT, " ".join(kept), usual, in_link_only=True)
    return Marked(words=kept, spans=spans)


def own_type(p: Part) -> str:
    """Return the type that the next span gets. Raises ValueError for an impossible name."""
    chosen = p.state.get(TYPE, USUAL_TYPES[0])
    if chosen in USUAL_TYPES:
        return chosen
    return checked_type(p.state.get(OWN_TYPE) or p.plain("default_marked_own_type"))


# What changes the spans: clicks on the drawing, and buttons.


def click(p: Part, value: str) -> None:
    """Take a clicked word: the first of a span, its last, or one whose span is removed.

    Words that the pointer was drawn over, with spaces between, are a span at once.
    """
    words, positions = p.state[WORDS], [int(one) for one in value.split(" ")]
    position = max(positions)
    if position >= len(words):  # the drawing of a sentence that has changed meanwhile
        return
    p.state.pop(REFUSED, None)
    first = p.state.pop(FIRST, None)
    if len(positions) > 1:
        mark(p, min(positions), position)
    elif first is not None:
        mark(p, first, position)
    elif any(span.start <= position < span.end for span in _spans(p)):
        remove(p, position, position)
    else:
        p.state[FIRST] = position


def mark(p: Part, one: int, other: int) -> None:
    """Mark the words from one to the other, or keep the reason why not."""
    _forget_click(p)
    try:
        new = Span(start=min(one, other), end=max(one, other) + 1, type=own_type(p))
        put(p, add_span(_spans(p), new, p.state[WORDS]))
    except ValueError as error:
        p.state[REFUSED] = str(error)


def remove(p: Part, one: int, other: int) -> None:
    """Remove each span that has a word from one to the other."""
    low, high = min(one, other), max(one, other)
    p.state.pop(REFUSED, None)
    put(p, tuple(s for s in _spans(p) if s.end <= low or high < s.start))


def undo(p: Part) -> None:
    """Take the last change of the spans back."""
    _forget_click(p)
    if p.undo(SPANS):
        note_change(p)


def put(p: Part, spans: tuple[Span, ...]) -> None:
    """Set the spans, and remember the earlier ones."""
    if p.change(SPANS, _written(spans)):
        note_change(p)


def note_change(p: Part) -> None:
    """Let a part below that also shows this sentence be drawn again."""
    if p.state.get("part") in FOLLOW:
        p.draw_whole_page()


def _forget_click(p: Part) -> None:
    """Forget the first word of a span, and why the last one was refused."""
    for name in (REFUSED, FIRST):
        p.state.pop(name, None)


def _spans(p: Part) -> tuple[Span, ...]:
    return _read(p.state[SPANS] or "", p.state[WORDS])[0]


def _read(marks: str, words: tuple[str, ...]) -> tuple[tuple[Span, ...], tuple[str, ...]]:
    """Return the spans, and the marks that are impossible."""
    return spans_from_link("" if marks == NO_SPANS else marks, words)


def _written(spans: tuple[Span, ...]) -> str:
    return spans_to_link(spans) or NO_SPANS
