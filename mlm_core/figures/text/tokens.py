"""Drawings of tokens: cuts over characters, words over their subwords.

Read before this: ../chips.py.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mlm_core.figures.chips import chip_row
from mlm_core.figures.svg import element, path, rect, svg, title
from mlm_core.figures.svg import text as written
from mlm_core.figures.theme import BLUE, FONT, GREY, TOKEN_FONT, VERMILION, escaped
from mlm_core.text.cutting import UNKNOWN_TOKENS
from mlm_core.text.tokens import TokenizedText

CELL, ROW = 12, 27  # width of a character's column and height of a tokenizer's row
WIDE, NARROW = 66, 20  # columns in a line, on a screen and on a phone
LABEL_WIDE, LABEL_NARROW = 142, 92
LETTER = 9.0  # advance of the token font at 15 px

STYLE = f"""
.wordmap {{ display: flex; flex-wrap: wrap; gap: .9rem .55rem; align-items: flex-end; }}
.wordmap .word {{ display: flex; flex-direction: column; align-items: stretch; max-width: 100%; }}
.wordmap .above {{ font-family: {FONT}; text-align: center; white-space: pre; overflow: hidden;
  text-overflow: ellipsis; border-bottom: 2px solid {GREY}; margin-bottom: .3rem; }}
.wordmap .above.none {{ border-bottom-style: dotted; opacity: .75; }}
.wordmap .ids {{ font-family: {TOKEN_FONT}; font-size: .75rem; text-align: center; opacity: .75;
  margin-top: .15rem; }}
.wordmap .chips {{ justify-content: center; }}
"""


@dataclass(frozen=True)
class _Cell:
    """One visible character: a letter with its accents, an emoji with its parts."""

    text: str
    start: int
    stop: int
    n_columns: int  # 2 for a wide one, such as a Chinese character


def cuts_html(text: str, rows: Sequence[tuple[str, TokenizedText]], *, alt: str) -> str:
    """Return one row of boxes for each tokenizer, all over the same columns of characters.

    Drawn twice, for wide and for narrow boxes; the style shows the one that fits. Tokens of
    length 0, such as [CLS], are left out.
    """
    cells = _cells(text)
    wide = _cuts_svg(cells, rows, WIDE, LABEL_WIDE, "wide", alt)
    narrow = _cuts_svg(cells, rows, NARROW, LABEL_NARROW, "narrow", alt)
    return f'<div class="two-widths">{wide}{narrow}</div>'


def _cuts_svg(
    cells: list[_Cell],
    rows: Sequence[tuple[str, TokenizedText]],
    n_columns: int,
    left: int,
    name: str,
    alt: str,
) -> str:
    lines = _lines(cells, n_columns)
    used = max((sum(cell.n_columns for cell in line) for line in lines), default=1)
    width, block = left + CELL * max(used, 12) + 4, ROW * len(rows) + 16
    parts = []
    for i, line in enumerate(lines):
        x_of, x = {}, left
        for cell in line:
            x_of[cell.start] = x
            x += CELL * cell.n_columns
        top = i * block
        parts.extend(_agreed_cuts(line, rows, x_of, top))
        for j, (label, tokenized) in enumerate(rows):
            y = top + j * ROW
            longest, size = (22, 14) if name == "wide" else (15, 11.5)
            parts.append(written(0, y + 17, label, longest, class_="plain", font_size=size))
            parts.extend(_boxes(line, tokenized, x_of, y))
    return svg(name, parts, width, max(1, len(lines)) * block, alt=alt, size=15)


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
    for (begin, end), positions in drawn.items():
        covered = line[begin:end]
        token = tokenized.tokens[positions[0]]
        x, n = x_of[covered[0].start], sum(cell.n_columns for cell in covered)
        names = ", ".join(
            f"{tokenized.tokens[i].text} (id {tokenized.tokens[i].id})" for i in positions
        )
        is_unknown = token.text in UNKNOWN_TOKENS
        look = {"fill": "none", "stroke": VERMILION, "stroke_dasharray": "4 3"}
        if not is_unknown:
            look = {"fill": GREY, "fill_opacity": 0.16, "stroke": GREY, "stroke_opacity": 0.8}
        box = rect(x + 1, y + 1, CELL * n - 2, ROW - 6, rx=4, stroke_width=1.4, **look)
        letters = _letters(covered, x_of, y + 16, faint=is_unknown)
        parts.append(element("g", title(names), box, *letters))
        n_shown = sum(tokenized.tokens[i].text != "▁" for i in positions)
        if n_shown > 1:  # byte-level BPE: several tokens for one character
            count = {"text_anchor": "end", "font_size": 9}
            parts.append(written(x + CELL * n - 3, y + 9, f"×{n_shown}", **count))
    return parts


def _letters(cells: list[_Cell], x_of: Mapping[int, float], y: float, *, faint: bool) -> list[str]:
    opacity = 0.75 if faint else None
    word = "".join(cell.text for cell in cells)
    if word.isascii() and word.isprintable() and " " not in word:
        x = x_of[cells[0].start] + (CELL - LETTER) / 2
        return [written(x, y, word, letter_spacing=CELL - LETTER, opacity=opacity)]
    shown = []
    for cell in cells:
        # A space inside a piece is the one that Unigram writes as ▁.
        letter, faded = ("▁", 0.75) if cell.text == " " else (cell.text, opacity)
        x = x_of[cell.start] + CELL * cell.n_columns / 2
        shown.append(written(x, y, letter, text_anchor="middle", opacity=faded))
    return shown


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
    return [
        path(f"M{x_of[start]} {top - 3}V{top + ROW * len(rows) - 1}", stroke=BLUE, stroke_width=2.5)
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


def _lines(cells: list[_Cell], n_columns: int) -> list[list[_Cell]]:
    """Return the cells in lines of at most `n_columns`, broken before spaces.

    Before a space, since Unigram's subwords begin with theirs and should stay whole.
    """
    lines: list[list[_Cell]] = []
    line: list[_Cell] = []
    for cell in cells:
        if line and sum(c.n_columns for c in line) + cell.n_columns > n_columns:
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
