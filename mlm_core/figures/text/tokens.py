"""Drawings of tokens: cuts over characters, words over their subwords.

Read before this: ../chips.py.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mlm_core.figures.chips import chip_row
from mlm_core.figures.svg import element, path, rect, svg, title
from mlm_core.figures.svg import text as written
from mlm_core.figures.theme import BLUE, FONT, GREY, ORANGE, TOKEN_FONT, VERMILION, escaped
from mlm_core.text.cutting import UNKNOWN_TOKENS
from mlm_core.text.tokens import TokenizedText

LETTER, ROW = 8.4, 37  # the token font's advance at 14 px; height of a tokenizer's row
INSIDE, BETWEEN = 3, 3  # free space at both ends of a box and between two
WIDE, NARROW = 850, 252  # length of a line of text, on a screen and on a phone
LABEL_WIDE, LABEL_NARROW = (22, 14, 6.6), (13, 11.5, 5.6)  # most letters, size, a letter's width
LINE = {"stroke": BLUE, "stroke_width": 2.5}  # where all rows are split
COUNT = 44  # length of the bar of the row with most subwords
TINTS, BORDER = ((BLUE, 0.08), (ORANGE, 0.1)), 0.6  # of a subword and the next; of their borders

STYLE = f"""
.wordmap {{ display: flex; flex-wrap: wrap; gap: .9rem .55rem; align-items: flex-end; }}
.wordmap .word {{ display: flex; flex-direction: column; align-items: stretch; max-width: 100%; }}
.wordmap .above {{ font-family: {FONT}; text-align: center; white-space: pre; overflow: hidden;
  text-overflow: ellipsis; border-bottom: 2px solid {GREY}; margin-bottom: .3rem; }}
.wordmap .above.none {{ border-bottom-style: dotted; opacity: .75; }}
.wordmap .ids {{ font-family: {TOKEN_FONT}; font-size: .75rem; text-align: center; opacity: .75;
  margin-top: .15rem; }}
.wordmap .chips {{ justify-content: center; }}
.cuts-legend {{ display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; margin: .2rem 0 0; padding: 0;
  list-style: none; font-size: .875rem; }}
@container (max-width: 700px) {{
  .cuts .wide {{ display: none; }} .cuts .narrow {{ display: block; }}
}}
.cuts-legend svg {{ width: 20px; height: 16px; margin-right: .3rem; vertical-align: -3px; }}
"""


@dataclass(frozen=True)
class _Cell:
    """One visible character: a letter with its accents, an emoji with its parts."""

    text: str
    start: int
    stop: int
    n_columns: int  # 2 for a wide one, such as a Chinese character
    before: int = 0  # free space at its left, where boxes end or begin

    @property
    def width(self) -> float:
        return self.before + LETTER * self.n_columns


def cuts_html(
    text: str,
    rows: Sequence[tuple[str, TokenizedText]],
    *,
    alt: str,
    legend: Sequence[str] = (),
) -> str:
    """Return one row of boxes for each tokenizer, over the same columns, and its number of boxes.

    Drawn twice, for wide and for narrow boxes; the style shows the one that fits. Tokens of
    length 0, such as [CLS], are left out. `legend` says what the line, the dashed box and ▁ mean.
    """
    cells = _with_room(_cells(text), rows)
    wide, narrow = (_cuts_svg(cells, rows, name, alt) for name in ("wide", "narrow"))
    below = _legend(legend) if legend else ""
    return f'<div class="two-widths cuts">{wide}{narrow}{below}</div>'


def _with_room(cells: list[_Cell], rows: Sequence[tuple[str, TokenizedText]]) -> list[_Cell]:
    """Return the cells with the free space that the boxes of all rows need between them."""
    tokens = [[token for token in cut.tokens if token.start < token.stop] for _, cut in rows]
    ends = [({one.stop for one in cut}, {one.start for one in cut}) for cut in tokens]
    rooms = (0, INSIDE, 2 * INSIDE + BETWEEN)  # no box ends or begins here, one, or one after one

    def room(at: int) -> int:
        return rooms[max(((at in stops) + (at in starts) for stops, starts in ends), default=0)]

    return [replace(cell, before=room(cell.start)) for cell in cells]


def _legend(words: Sequence[str]) -> str:
    marks = (
        path("M10 1V15", **LINE),
        rect(1, 1, 18, 14, rx=4, fill="none", stroke=VERMILION, stroke_dasharray="4 3"),
        written(10, 11, "▁", text_anchor="middle", fill="currentColor"),
    )
    drawn = [element("svg", mark, viewBox="0 0 20 16", aria_hidden="true") for mark in marks]
    lines = [element("li", *line) for line in zip(drawn, map(escaped, words), strict=True)]
    return element("ul", *lines, class_="cuts-legend")


def _cuts_svg(
    cells: list[_Cell], rows: Sequence[tuple[str, TokenizedText]], name: str, alt: str
) -> str:
    is_wide = name == "wide"
    longest, size, letter = LABEL_WIDE if is_wide else LABEL_NARROW
    lines = _lines(cells, WIDE if is_wide else NARROW)
    used = max((sum(cell.width for cell in line) for line in lines), default=1)
    n_pieces = [sum(token.word is not None for token in cut.tokens) for _, cut in rows]
    most = max([1, *n_pieces])
    left = letter * min(longest, max((len(label) for label, _ in rows), default=0)) + 8
    left = left if is_wide else max(left, COUNT + 22)
    width, block = left + used + (COUNT + 36 if is_wide else 4), ROW * len(rows) + 12
    parts = []
    for i, line in enumerate(lines):
        x_of, x, top = {}, left, i * block
        for cell in line:
            x_of[cell.start] = x + cell.before
            x += cell.width
        parts.extend(_agreed_cuts(line, rows, x_of, top))
        for j, ((label, tokenized), n) in enumerate(zip(rows, n_pieces, strict=True)):
            y = top + j * ROW
            middle = y + (20 if is_wide else 14)
            parts.append(written(0, middle, label, longest, class_="plain", font_size=size))
            if i == 0:
                at = (left + used + 10, y + 10) if is_wide else (0, y + 20)
                parts.extend(_count(*at, n, most))
            parts.extend(_boxes(line, tokenized, x_of, y))
    return svg(name, parts, width, max(1, len(lines)) * block, alt=alt, size=14)


def _count(x: float, y: float, n: int, most: int) -> list[str]:
    """Return a row's number of subwords and its bar."""
    length = COUNT * n / most
    bar = rect(x, y, length, 10, rx=2, fill=BLUE)
    return [bar, written(x + length + 5, y + 9, str(n), class_="plain", font_size=12)]


def _boxes(
    line: list[_Cell], tokenized: TokenizedText, x_of: Mapping[int, float], y: float
) -> list[str]:
    first, last = line[0].start, line[-1].stop
    # By columns: the parts of one emoji are tokens of their own, but stand in one place.
    drawn: dict[tuple[int, int], list[int]] = {}
    for position, token in enumerate(tokenized.tokens):
        if token.start < token.stop and token.start < last and token.stop > first:
            here = [k for k, c in enumerate(line) if c.start < token.stop and c.stop > token.start]
            drawn.setdefault((here[0], here[-1] + 1), []).append(position)
    parts = []
    for number, ((begin, end), positions) in enumerate(drawn.items()):
        covered = line[begin:end]
        token = tokenized.tokens[positions[0]]
        x = x_of[covered[0].start] - INSIDE
        stop = x_of[covered[-1].start] + LETTER * covered[-1].n_columns + INSIDE
        names = ", ".join(
            f"{tokenized.tokens[i].text} (id {tokenized.tokens[i].id})" for i in positions
        )
        is_unknown = token.text in UNKNOWN_TOKENS
        look = {"fill": "none", "stroke": VERMILION, "stroke_dasharray": "4 3"}
        if not is_unknown:
            colour, share = TINTS[number % 2]
            look = {
                "fill": colour,
                "fill_opacity": share,
                "stroke": colour,
                "stroke_opacity": BORDER,
            }
        box = rect(x, y + 3, stop - x, ROW - 9, rx=4, stroke_width=1.2, **look)
        letters = _letters(covered, x + INSIDE, stop - INSIDE, y + 21, faint=is_unknown)
        parts.append(element("g", title(names), box, *letters))
        n_shown = sum(tokenized.tokens[i].text != "▁" for i in positions)
        if n_shown > 1:  # byte-level BPE: several tokens for one character
            count = {"text_anchor": "end", "font_size": 9}
            parts.append(written(stop - 1, y + 11, f"×{n_shown}", **count))
    return parts


def _letters(
    cells: list[_Cell], left: float, right: float, y: float, *, faint: bool
) -> Iterator[str]:
    """Yield the letters of a box, at even distances."""
    column, x = (right - left) / sum(cell.n_columns for cell in cells), left
    for cell in cells:
        # A space inside a piece is the one that Unigram writes as ▁.
        letter, faded = ("▁", True) if cell.text == " " else (cell.text, faint)
        middle = x + column * cell.n_columns / 2
        look = {"text_anchor": "middle", "opacity": 0.75 if faded else None}
        yield written(round(middle, 1), y, letter, **look)
        x += column * cell.n_columns


def _agreed_cuts(
    line: list[_Cell],
    rows: Sequence[tuple[str, TokenizedText]],
    x_of: Mapping[int, float],
    top: float,
) -> list[str]:
    """Return a line through all rows wherever all of them cut inside a word."""
    starts = [{token.start for token in tokenized.tokens} for _, tokenized in rows]
    agreed = set.intersection(*starts) if len(starts) > 1 else set()
    inside = {
        cell.start
        for before, cell in pairwise(line)
        if before.text[0].isalnum() and cell.text[0].isalnum()
    }
    middle = INSIDE + BETWEEN / 2
    return [
        path(f"M{x_of[start] - middle:.1f} {top}V{top + ROW * len(rows) - 3}", **LINE)
        for start in sorted(agreed & inside)
    ]


def _cells(text: str) -> list[_Cell]:
    """Return the text's characters, each with its combining marks."""
    cells: list[_Cell] = []
    for i, character in enumerate(text):
        is_mark = unicodedata.category(character) in ("Mn", "Me", "Mc")
        is_tone = "\U0001f3fb" <= character <= "\U0001f3ff"
        follows_joiner = bool(cells) and cells[-1].text.endswith("\u200d")
        if cells and (is_mark or is_tone or character == "\u200d" or follows_joiner):
            before = cells.pop()
            cells.append(_Cell(before.text + character, before.start, i + 1, before.n_columns))
        else:
            is_wide = unicodedata.east_asian_width(character) in ("W", "F")
            cells.append(_Cell(character, i, i + 1, 2 if is_wide else 1))
    return cells


def _lines(cells: list[_Cell], longest: float) -> list[list[_Cell]]:
    """Return the cells in lines of at most this length, broken before spaces.

    Before a space, since Unigram's subwords begin with theirs and should stay whole.
    """
    lines: list[list[_Cell]] = []
    line: list[_Cell] = []
    for cell in cells:
        if line and sum(c.width for c in line) + cell.width > longest:
            spaces = [i for i, c in enumerate(line) if c.text.isspace()]
            end = spaces[-1] if spaces and spaces[-1] > 0 and not cell.text.isspace() else len(line)
            lines.append(line[:end])
            line = line[end:]
        line.append(cell)
    return [*lines, line] if line else lines


def word_map_html(tokenized: TokenizedText, *, selected: int, no_word: str, label: str) -> str:
    """Return each word above its chips; the chips are buttons, ids are below.

    `no_word` is the text above a token without a word, such as [CLS].
    """
    word_above = {word.positions[0]: word for word in tokenized.words}
    inner = {position for word in tokenized.words for position in word.positions[1:]}
    blocks = []
    for position in range(len(tokenized.tokens)):
        if position in inner:
            continue
        word = word_above.get(position)
        positions = word.positions if word else (position,)
        name = (
            f'<div class="above">{escaped(word.text.strip(), 40) or "␣"}</div>'
            if word
            else (f'<div class="above none">{escaped(no_word)}</div>')
        )
        tokens = [tokenized.tokens[i] for i in positions]
        chips = chip_row(
            tokens,
            first=position,
            selected=(selected,),
            clickable=True,
            label=word.text if word else tokens[0].text,
        )
        ids = " ".join(str(token.id) for token in tokens)
        blocks.append(f'<div class="word">{name}{chips}<div class="ids">{ids}</div></div>')
    return (
        f'<div class="wordmap" role="group" aria-label="{escaped(label)}">{"".join(blocks)}</div>'
    )
