"""How a word is cut: WordPiece's attempts, BPE's merges, Unigram's candidates.

Read before this: tokens.py.
"""

from collections.abc import Callable, Sequence

from mlm_core.figures.svg import element, rect, svg, text
from mlm_core.figures.theme import BLUE, GREEN, GREY, significant
from mlm_core.number_format import formatted
from mlm_core.text.cutting import Attempt, MergeStep, Segmentation

CELL, ROW = 15, 25  # width of a letter's column, height of a row
NOTE = 170  # room for a row's words at the right
MOST_ROWS = 40  # the rest is in the table


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
        boxes = _pieces(step.subwords, lambda piece, new=new: piece == new)
        note = "" if step.rank is None else f"{rank} {formatted(step.rank + 1, ',')}"
        rows.append(boxes + _note(n_letters, note))
    return _drawing(rows, n_letters, alt)


def segmentations_svg(cuts: Sequence[Segmentation], *, alt: str) -> str:
    """Return segmentations with their log-probabilities, the likeliest first, in blue."""
    n_letters = max(sum(map(len, map(_bare, cut.subwords))) for cut in cuts)
    rows = [
        _pieces(cut.subwords, lambda _, is_first=i == 0: is_first)
        + _note(n_letters, significant(cut.log_prob, 4))
        for i, cut in enumerate(cuts)
    ]
    return _drawing(rows, n_letters, alt)


def _pieces(subwords: Sequence[str], is_strong: Callable[[str], bool]) -> str:
    """Return a row of subwords, the strong ones in blue."""
    boxes, at = [], 0
    for piece in subwords:
        shown, strong = _bare(piece), is_strong(piece)
        colour = BLUE if strong else GREY
        boxes.append(_piece(at, at + len(shown), shown, colour, strong))
        at += len(shown)
    return "".join(boxes)


def _bare(piece: str) -> str:
    """Return the letters of a subword; an unknown letter is "?"."""
    return "?" if piece == "[UNK]" else piece.removesuffix("</w>")


def _piece(start: int, stop: int, letters: str, colour: str, is_strong: bool = False) -> str:
    x = start * CELL
    look = {"fill_opacity": 0.28 if is_strong else 0.1, "stroke_width": 2 if is_strong else 1}
    box = rect(
        x + 1, 1, CELL * (stop - start) - 2, ROW - 5, rx=4, fill=colour, stroke=colour, **look
    )
    return box + "".join(
        text(x + CELL * (i + 0.5), 16, letter, text_anchor="middle")
        for i, letter in enumerate(letters)
    )


def _note(n_letters: int, words: str) -> str:
    return text(n_letters * CELL + 10, 16, words, class_="plain", font_size=13)


def _drawing(rows: Sequence[str], n_letters: int, alt: str) -> str:
    width, height = n_letters * CELL + NOTE, ROW * max(1, len(rows))
    moved = [element("g", row, transform=f"translate(0 {ROW * i})") for i, row in enumerate(rows)]
    narrowest = min(width, 300)
    return svg("cutting", moved, width, height, alt=alt, narrowest=narrowest, size=14.5)
