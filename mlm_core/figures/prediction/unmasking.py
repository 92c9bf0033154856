"""Writing by unmasking as a film: a row for each step, and in it what became of each blank.

A blank is shown with the token that the step proposes and its probability: in blue if the token is
kept, in a dashed box if the position stays [MASK]. The words of the last row are buttons.

Read before this: ../film.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mlm_core.figures.film import Film, FilmNames, film_html
from mlm_core.figures.svg import element
from mlm_core.figures.theme import BLUE, GREEN, GREY, ORANGE, TOKEN_FONT, escaped, weight_label

State = Literal["given", "mask", "open", "kept", "written"]

MOST_LETTERS = 14  # of a token; the rest is in its title
STEP, FILM = 1.1, 12.0  # seconds that a step lasts, and all together at most

STYLE = f"""
.unmasking {{ container-type: inline-size; }}
.unmasking ul {{ display: grid; gap: .3rem; margin: 0 0 .5rem; padding: 0; list-style: none;
  grid-template-columns: repeat(auto-fill, minmax(4.7rem, 1fr)); }}
.unmasking .step {{ display: grid; grid-template-columns: 1.8rem 1fr; align-items: start; }}
.unmasking .step > b {{ padding-top: .3rem; font-weight: 600; font-size: .875rem; }}
.unmasking .cell {{ box-sizing: border-box; width: 100%; min-height: 2.25rem; padding: .1rem .2rem;
  display: flex; flex-direction: column; justify-content: center; align-items: center;
  border: 1.5px solid rgba(127,136,150,.35); border-radius: .4rem; color: inherit;
  background: none; font: .85rem/1.25 {TOKEN_FONT}; overflow-wrap: anywhere; }}
.unmasking .given {{ border-color: transparent; }}
.unmasking .cell:is(.mask, .open) {{ border-color: {ORANGE}; }}
.unmasking .mask {{ background: color-mix(in srgb, {ORANGE} 30%, transparent); }}
.unmasking .open {{ border-style: dashed; font-style: italic; }}
.unmasking .kept {{ border: 2px solid {BLUE};
  background: color-mix(in srgb, {BLUE} calc(45% * var(--p)), transparent); }}
.unmasking small {{ font-size: .75rem; font-style: normal; }}
.unmasking button.cell {{ cursor: pointer; }}
.unmasking button.cell:hover {{ border-color: {GREEN}; }}
.unmasking .text {{ margin: 0 0 .4rem; border-left: 3px solid {GREY}; padding-left: .6rem; }}
@container (max-width: 560px) {{
  .unmasking ul {{ margin-bottom: .9rem; }}
  .unmasking .player {{ position: sticky; top: 6.8rem; z-index: 1; padding: .3rem 0;
    background: var(--st-background-color); }}
}}
"""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A token of a row."""

    text: str
    state: State
    probability: float | None = None  # of a token that was proposed in this step
    value: str | None = None  # what a click on it reports


@dataclass(frozen=True, kw_only=True)
class UnmaskRow:
    """The text after a step, from its first blank to its last one."""

    name: str
    cells: Sequence[Cell]
    said: str


def unmasking_html(
    rows: Sequence[UnmaskRow],
    given: str,
    names: FilmNames,
    *,
    press: str,
    alt: str,
    begins: int = 0,
) -> str:
    """Return the film below the text that is `given` before the first blank.

    It begins with the row numbered `begins`. `press` says what a click on a word does.
    """
    film = Film.even([row.said for row in rows], STEP, FILM, begins)
    before = element("p", escaped(given), class_="text") if given else ""
    drawn = [_row(row, film.at(i), press) for i, row in enumerate(rows)]
    drawing = element("div", before, *drawn, role="group", aria_label=alt)
    return film_html(film, names, [drawing], "unmasking")


def _row(row: UnmaskRow, style: str, press: str) -> str:
    cells = [element("li", _cell(cell, press)) for cell in row.cells]
    name = element("b", escaped(row.name))
    return element("div", name, element("ul", *cells), class_="step lit", style=style)


def _cell(cell: Cell, press: str) -> str:
    inside = [escaped(cell.text, MOST_LETTERS)]
    if cell.probability is not None:
        inside.append(element("small", escaped(weight_label(cell.probability))))
    look = {
        "class_": f"cell {cell.state}",
        "style": f"--p:{cell.probability or 0:.2f}" if cell.state == "kept" else None,
        "title": cell.text if len(cell.text) > MOST_LETTERS else None,
    }
    if cell.value is None:
        return element("span", *inside, **look)
    look |= {"title": press, "data_value": cell.value}
    return element("button", *inside, type="button", **look)
