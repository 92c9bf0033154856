"""How a word is cut: WordPiece's attempts, BPE's merges, Unigram's candidates.

Read before this: tokens.py.
"""

from collections.abc import Sequence

from mlm_core.figures.theme import (
    BLUE,
    FONT,
    GREEN,
    GREY,
    TOKEN_FONT,
    escaped,
    significant,
)
from mlm_core.number_format import formatted
from mlm_core.text.cutting import Attempt, MergeStep, Segmentation

CELL, ROW = 15, 25  # width of a letter's column, height of a row
NOTE = 170  # room for a row's words at the right
MOST_ROWS = 40  # the rest is in the table

STYLE = f"""
.cutting {{ overflow-x: auto; }}
.cutting svg {{ display: block; height: auto; }}
.cutting text {{ font-family: {TOKEN_FONT}; font-size: 14.5px; fill: currentColor; }}
.cutting text.note {{ font-family: {FONT}; font-size: 13px; }}
"""


def attempts_svg(word: str, attempts: Sequence[Attempt], *, found: str, alt: str) -> str:
    """Return WordPiece's attempts, one a row; found subwords are green.

    `found` is the text beside a subword that is in the vocabulary.
    """
    rows = []
    for attempt in attempts[:MOST_ROWS]:
        colour = GREEN if attempt.found else GREY
        rows.append(
            _piece(
                attempt.start,
                attempt.stop,
                word[attempt.start : attempt.stop],
                colour,
                is_strong=attempt.found,
            )
            + _note(len(word), f"✓ {attempt.subword} {found}" if attempt.found else "✕")
        )
    return _drawing(rows, len(word), alt)


def merges_svg(steps: Sequence[MergeStep], *, rank: str, alt: str) -> str:
    """Return BPE's steps, one row each: letters first, then the word after every merge.

    The new subword of a row is blue. `rank` is the text before the merge's number.
    """
    letters = [_bare(piece) for piece in steps[0].subwords]
    n_letters = sum(map(len, letters))
    rows = []
    for step in steps[:MOST_ROWS]:
        new = "".join(step.merged) if step.merged else None
        boxes, at = [], 0
        for piece in step.subwords:
            shown = _bare(piece)
            boxes.append(
                _piece(at, at + len(shown), shown, BLUE if piece == new else GREY, piece == new)
            )
            at += len(shown)
        note = "" if step.rank is None else f"{rank} {formatted(step.rank + 1, ',')}"
        rows.append("".join(boxes) + _note(n_letters, note))
    return _drawing(rows, n_letters, alt)


def segmentations_svg(cuts: Sequence[Segmentation], *, alt: str) -> str:
    """Return segmentations with their log-probabilities, the likeliest first, in blue."""
    n_letters = max(sum(map(len, map(_bare, cut.subwords))) for cut in cuts)
    rows = []
    for i, cut in enumerate(cuts):
        boxes, at = [], 0
        for piece in cut.subwords:
            shown = _bare(piece)
            boxes.append(_piece(at, at + len(shown), shown, BLUE if i == 0 else GREY, i == 0))
            at += len(shown)
        rows.append("".join(boxes) + _note(n_letters, significant(cut.log_prob, 4)))
    return _drawing(rows, n_letters, alt)


def _bare(piece: str) -> str:
    """Return the letters of a subword; an unknown letter is "?"."""
    return "?" if piece == "[UNK]" else piece.removesuffix("</w>")


def _piece(start: int, stop: int, letters: str, colour: str, is_strong: bool = False) -> str:
    x = start * CELL
    shown = "".join(
        f'<text x="{x + CELL * (i + 0.5):g}" y="16" text-anchor="middle">{escaped(letter)}</text>'
        for i, letter in enumerate(letters)
    )
    return (
        f'<rect x="{x + 1}" y="1" width="{CELL * (stop - start) - 2}" height="{ROW - 5}" rx="4"'
        f' fill="{colour}" fill-opacity="{0.28 if is_strong else 0.1}" stroke="{colour}"'
        f' stroke-width="{2 if is_strong else 1}"/>{shown}'
    )


def _note(n_letters: int, text: str) -> str:
    return f'<text class="note" x="{n_letters * CELL + 10}" y="16">{escaped(text)}</text>'


def _drawing(rows: Sequence[str], n_letters: int, alt: str) -> str:
    width, height = n_letters * CELL + NOTE, ROW * max(1, len(rows))
    moved = "".join(
        f'<g transform="translate(0 {ROW * i})">{row}</g>' for i, row in enumerate(rows)
    )
    return (
        f'<div class="cutting"><svg xmlns="http://www.w3.org/2000/svg" role="img" font-size="14"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width} {height}" style="width:100%;'
        f'max-width:{width}px;min-width:{min(width, 300)}px">{moved}</svg></div>'
    )
