"""The heads of a model that are switched off one after another, as a film.

Each head is crossed out at its moment, and the curve of the loss grows by a piece.

Read before this: heads_off.py, ../film.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from mlm_core.figures.curves import nice_range
from mlm_core.figures.film import Film, FilmNames, film_html
from mlm_core.figures.inside.heads_off import NAMES, BoardNames, cross
from mlm_core.figures.svg import element, path, rect, svg, text
from mlm_core.figures.theme import BLUE, GREY
from mlm_core.number_format import formatted

CELL = 22  # the drawing's units
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 460, 210, 44, 36, 12  # of the curve
STEP, FILM = 0.4, 16.0  # seconds that a head takes, and all together at most

STYLE = """
.heads-in-turn .shown { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; }
.heads-in-turn .shown > :first-child { flex: 1 1 15rem; }
.heads-in-turn .shown > :last-child { flex: 2 1 20rem; }
"""


@dataclass(frozen=True, kw_only=True)
class Gone:
    """The loss once one more head is off."""

    layer: int  # from 0
    head: int  # from 0
    loss: float
    said: str


def heads_in_turn_html(
    gone: Sequence[Gone],
    n_layers: int,
    n_heads: int,
    all_on: float,
    names: FilmNames,
    *,
    said: str,
    board: BoardNames,
    x_title: str,
    y_title: str,
    alt: str,
) -> str:
    """Return the film: the first stop has `all_on`, the loss with all heads, and says `said`."""
    film = Film.even([said, *(one.said for one in gone)], STEP, FILM)
    shown = element(
        "div",
        _crossed(gone, n_layers, n_heads, film, board),
        _curve(gone, all_on, film, x_title, y_title),
        role="group",
        aria_label=alt,
        class_="shown",
    )
    return film_html(film, names, [shown], "heads-in-turn")


def _crossed(
    gone: Sequence[Gone], n_layers: int, n_heads: int, film: Film, board: BoardNames
) -> str:
    """Return the small board, whose heads are crossed out at their moments."""
    parts = [
        rect(
            NAMES + CELL * i + 1,
            20 + CELL * j + 1,
            CELL - 2,
            CELL - 2,
            rx=2,
            fill="transparent",
            stroke=GREY,
            stroke_opacity=0.6,
        )
        for i in range(n_layers)
        for j in range(n_heads)
    ]
    parts.append(text(NAMES - 6, 14, board.layer, text_anchor="end"))
    parts += [
        text(NAMES + CELL * (i + 0.5), 14, str(i + 1), text_anchor="middle")
        for i in range(n_layers)
    ]
    parts += [
        text(NAMES - 6, 20 + CELL * (j + 0.5) + 4, f"{board.head} {j + 1}", 9, text_anchor="end")
        for j in range(n_heads)
    ]
    for stop, one in enumerate(gone, 1):
        x, y = NAMES + CELL * one.layer, 20 + CELL * one.head
        parts.append(cross(x, y, CELL, class_="in", pathLength=1, style=film.at(stop)))
    width, height = NAMES + CELL * n_layers + 2, 22 + CELL * n_heads
    return svg("plain", parts, width, height, alt=board.head, size=12, widest=1.2 * width)


def _curve(gone: Sequence[Gone], all_on: float, film: Film, x_title: str, y_title: str) -> str:
    """Return the loss by the number of heads that are off, piece by piece."""
    losses = [all_on, *(one.loss for one in gone)]
    _, high = nice_range(losses)

    def place(n_off: int, loss: float) -> tuple[float, float]:
        x = LEFT + n_off / max(1, len(gone)) * (WIDTH - LEFT - 10)
        return x, HEIGHT - BOTTOM - loss / high * (HEIGHT - BOTTOM - TOP)

    parts = []
    for mark in (0.0, high / 2, high):
        _, y = place(0, mark)
        parts += [
            path(f"M{LEFT} {y:.1f}H{WIDTH - 10}", stroke=GREY, opacity=0.25),
            text(LEFT - 6, y + 4, formatted(mark, "g"), text_anchor="end"),
        ]
    _, y = place(0, all_on)
    line = f"M{LEFT} {y:.1f}H{WIDTH - 10}"
    parts.append(path(line, stroke=GREY, stroke_width=1.5, stroke_dasharray="3 3"))
    for n_off in sorted({0, len(gone) // 2, len(gone)}):
        x, y = place(n_off, 0)
        parts.append(text(x, y + 16, str(n_off), text_anchor="middle"))
    places = [place(n_off, loss) for n_off, loss in enumerate(losses)]
    for stop, ((x, y), (to_x, to_y)) in enumerate(pairwise(places), 1):
        piece = {"stroke": BLUE, "stroke_width": 2.5, "stroke_linecap": "round", "pathLength": 1}
        d = f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"
        parts.append(path(d, class_="in", style=film.at(stop), **piece))
    turned = f"translate(11 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"
    parts += [
        text((LEFT + WIDTH - 10) / 2, HEIGHT - 4, x_title, text_anchor="middle"),
        text(None, None, y_title, text_anchor="middle", transform=turned),
    ]
    return svg("plain", parts, WIDTH, HEIGHT, alt=y_title, size=12, widest=620)
