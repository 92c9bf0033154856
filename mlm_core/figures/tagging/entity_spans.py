"""A sentence with its entities as framed, labelled spans, and rows of tags below.

A span's frame is closed at its first and its last word and open where the line breaks inside
it; its type stands under its first word. Each type has a line of its own (solid, dashed, dotted,
double) beside its colour, so the drawing reads without colour. It wraps where the page is narrow.

Read before this: ../chips.py.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from mlm_core.figures.svg import element
from mlm_core.figures.theme import (
    BLUE,
    FONT,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    TOKEN_FONT,
    VERMILION,
    escaped,
)
from mlm_core.tagging.bio_tags import OUTSIDE, Span

KNOWN_TYPES = ("PER", "ORG", "LOC", "GPE")
COLOURS = (BLUE, ORANGE, PURPLE, SKY)  # green and vermilion are kept for right and wrong
LINES = ("solid", "dashed", "dotted", "double")
HIDDEN_TYPE = "?"  # a span whose type is asked for looks like none of them
LONGEST_WORD, LONGEST_TYPE = 28, 14  # characters; the whole is in the title

STYLE = f"""
.entities {{ position: relative; display: flex; flex-wrap: wrap; row-gap: .6rem;
  align-items: stretch; font-family: {TOKEN_FONT}; font-size: .95rem; line-height: 1.45; }}
.entities.with-rows {{ padding-left: 4.2rem; }}
.entities .word {{ display: block; box-sizing: border-box; padding: 0; margin: 0 .25rem 0 0;
  border: 0; background: none; color: inherit; font: inherit; text-align: center;
  max-width: 100%; }}
.entities .word.goes-on {{ margin-right: 0; }}
.entities .box {{ display: block; box-sizing: border-box; padding: .1rem .35rem 0;
  border: 0 solid transparent; border-width: 3px 0; margin: 0 3px; height: 3.2rem;
  white-space: pre; overflow: hidden; text-overflow: ellipsis; }}
.entities .inside .box {{ margin: 0; background: color-mix(in srgb, var(--type) 20%, transparent);
  border-top: 3px var(--line) var(--type); border-bottom: 3px var(--line) var(--type); }}
.entities .first .box {{ border-left: 3px var(--line) var(--type);
  border-radius: .5rem 0 0 .5rem; }}
.entities .last .box {{ border-right: 3px var(--line) var(--type);
  border-radius: 0 .5rem .5rem 0; }}
.entities .first.last .box {{ border-radius: .5rem; }}
.entities .type {{ display: block; min-height: 1.2em; font-family: {FONT}; font-size: .74rem;
  font-weight: 700; letter-spacing: .02em; text-align: left; }}
.entities .tag {{ display: block; padding: 0 .25rem; margin-top: .2rem; font-size: .82rem;
  border: 2px solid transparent; white-space: pre; }}
.entities .tag.outside {{ opacity: .75; }}
.entities .tag.lost {{ text-decoration: line-through; text-decoration-color: {VERMILION};
  text-decoration-thickness: 2px; }}
.entities .tag.lit {{ border: 2px dashed {VERMILION}; border-radius: .4rem; font-weight: 700;
  opacity: 1; }}
.entities:not(:has(.inside)) .type {{ display: none; }}
.entities:not(:has(.inside)) .box {{ height: auto; }}
.entities .tag.chosen {{ background: rgba(127,136,150,.16); }}
.entities .row-name {{ position: absolute; left: 0; width: 3.9rem; margin-top: calc(.2rem + 2px);
  text-align: left; font-family: {FONT}; font-size: .82rem; font-weight: 600;
  background: var(--st-background-color, Canvas); }}
.entities .selected .box {{ outline: 3px solid {GREEN}; outline-offset: -1px;
  border-radius: .5rem; }}
.entities:not(.with-rows) span.word:not(.inside) .box {{ margin: 0; padding: .1rem .12rem 0; }}
.entities button.word {{ cursor: pointer; }}
.entities button.word:not(.inside) .box {{ background: rgba(127,136,150,.12);
  background-clip: padding-box; border-radius: .6rem; }}
.entities button.word.word:hover .box {{
  background: color-mix(in srgb, {GREEN} 18%, transparent); }}
.entities button.word:focus-visible {{ outline: 3px solid {GREEN}; outline-offset: 1px; }}
"""


@dataclass(frozen=True, kw_only=True)
class TagRow:
    """A row of tags under the words."""

    name: str  # stands at the left of every line
    tags: Sequence[str]  # one a word; "" draws none
    lost: Collection[int] = ()  # words whose tag is struck through
    lit: Mapping[int, str] = field(default_factory=dict)  # words whose tag is marked, and why
    is_chosen: bool = False


def entity_sentence(
    words: Sequence[str],
    spans: Sequence[Span],
    *,
    alt: str,
    marks: Mapping[Span, str] | None = None,
    rows: Sequence[TagRow] = (),
    types: Sequence[str] = (),
    clickable: bool = False,
    selected: Collection[int] = (),
) -> str:
    """Return the sentence as HTML; `clickable` makes each word a button with its position.

    Words that the pointer is drawn over are reported together. `alt` describes the drawing;
    `entity_text` gives such a text. `marks` are short texts behind a span's type, such as "✓".
    `rows` are below the words. Own types get their looks by their index in `types`, or in
    alphabetical order: give the same `types` to drawings on one page.
    `selected` words are ringed. Raises ValueError unless each row has a tag for each word.
    """
    for row in rows:
        if len(row.tags) != len(words):
            raise ValueError(
                f"{len(row.tags)} tags in row {row.name!r} for {len(words)} words: give one tag a"
                " word"
            )
    looks = type_looks([*types, *sorted({span.type for span in spans})])
    span_of = {i: span for span in spans for i in range(span.start, span.end)}
    parts = []
    for i, word in enumerate(words):
        span = span_of.get(i)
        label = "" if span is None or i != span.start else _label(span, marks or {})
        title = escaped(word if span is None else f"{word}: {span.type}")
        inside = (
            f'<span class="box">{escaped(word, LONGEST_WORD)}'
            f'<span class="type">{label}</span></span>{"".join(_tag(row, i) for row in rows)}'
        )
        names = ["word", *_places(i, span), *(["selected"] if i in selected else [])]
        look = "" if span is None else f' style="{looks[span.type]}"'
        attributes = f'class="{" ".join(names)}" title="{title}"{look}'
        parts.append(
            f'<button type="button" {attributes} data-value="{i}"'
            f' aria-pressed="{str(span is not None or i in selected).lower()}">{inside}</button>'
            if clickable
            else f"<span {attributes}>{inside}</span>"
        )
    outer = "entities with-rows" if rows else "entities"
    drag = ' data-drag=""' if clickable else ""
    label = escaped(alt)
    return f'<div class="{outer}"{drag} role="group" aria-label="{label}">{"".join(parts)}</div>'


def entity_text(words: Sequence[str], spans: Sequence[Span]) -> str:
    """Return the sentence with its entities in brackets: the drawing as text.

    >>> entity_text(["Jane", "Villanueva", "spoke"], [Span(start=0, end=2, type="PER")])
    '[PER Jane Villanueva] spoke'
    """
    starts = {span.start: f"[{span.type} " for span in spans}
    ends = {span.end - 1 for span in spans}
    return " ".join(
        f"{starts.get(i, '')}{word}{']' if i in ends else ''}" for i, word in enumerate(words)
    )


def type_looks(types: Sequence[str]) -> dict[str, str]:
    """Return each type's colour and line as CSS variables: --type and --line.

    The four usual types always look the same; others take the remaining twelve pairs in turn.
    """
    pairs = {type_: (k, k) for k, type_ in enumerate(KNOWN_TYPES)}
    others = [t for t in dict.fromkeys(types) if t not in pairs and t != HIDDEN_TYPE]
    for k, type_ in enumerate(others):
        pairs[type_] = (k % 4, (k + 1 + k // 4) % 4)
    looks = {type_: (COLOURS[colour], LINES[line]) for type_, (colour, line) in pairs.items()}
    looks[HIDDEN_TYPE] = (GREY, "solid")
    return {type_: f"--type:{colour};--line:{line}" for type_, (colour, line) in looks.items()}


def _places(i: int, span: Span | None) -> list[str]:
    """Return the CSS classes of a word's position in its span."""
    if span is None:
        return []
    is_last = i == span.end - 1
    return [
        "inside",
        *(["first"] if i == span.start else []),
        "last" if is_last else "goes-on",
    ]


def _label(span: Span, marks: Mapping[Span, str]) -> str:
    mark = f" {escaped(marks[span])}" if span in marks else ""
    return escaped(span.type, LONGEST_TYPE) + mark


def _tag(row: TagRow, i: int) -> str:
    tag, reason = row.tags[i], row.lit.get(i)
    names = ["tag"]
    names += ["outside"] * (tag == OUTSIDE)
    names += ["lost"] * (i in row.lost)
    names += ["lit"] * (reason is not None)
    names += ["chosen"] * row.is_chosen
    shown = (escaped(tag, LONGEST_TYPE + 2) or "&nbsp;") + " !" * (reason is not None)
    said = None if reason is None else f"{row.name}: {reason}"
    # Every word carries the row's name, laid over each other at the left end of its line, so
    # that each line has it wherever the browser breaks the sentence.
    return element("span", escaped(row.name), class_="row-name", aria_hidden="true") + element(
        "span", shown, class_=" ".join(names), title=said
    )
