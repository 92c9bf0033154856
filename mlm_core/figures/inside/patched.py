"""Activation patching: layer by token, how much of the gap a state closes, played as a film.

Below it are the likeliest words of three runs: of both sentences, and with one state exchanged.

Read before this: ../matrix.py, ../film.py, ../bars.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.film import Film, FilmNames, film_html
from mlm_core.figures.matrix import matrix_svg
from mlm_core.figures.svg import element
from mlm_core.figures.theme import escaped

STEP, FILM = 0.7, 9.0  # seconds that a layer lasts, and all together at most

STYLE = """
.three-runs { display: grid; gap: .25rem 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); }
.three-runs p { margin: 0 0 .2rem; font-size: .875rem; overflow-wrap: anywhere; }
"""


@dataclass(frozen=True, kw_only=True)
class DrawnRun:
    """The likeliest words of a run with their probabilities, and what run it is."""

    name: str
    words: Sequence[str]
    probabilities: Sequence[float]


def patched_html(
    closed: Sequence[Sequence[float]],
    layers: Sequence[str],
    tokens: Sequence[str],
    said: Sequence[str],
    names: FilmNames,
    *,
    selected: tuple[int, int],
    begins: int = 0,
    alt: str,
) -> str:
    """Return the grid of `closed[layer][token]`, whose layers light up one after the other.

    A cell is clicked and reports "layer,token". `said` is what a layer says at its stop.
    """
    film = Film.even(said, STEP, FILM, begins)
    grid = matrix_svg(
        [[round(value, 2) for value in row] for row in closed],
        layers,
        tokens,
        selected_cell=selected,
        clickable="cells",
        row_styles=[film.at(stop) for stop in range(len(layers))],
        alt=alt,
    )
    return film_html(film, names, [grid], "patched")


def three_runs_html(runs: Sequence[DrawnRun], *, alt: str) -> str:
    """Return the runs' bars next to each other, on one scale."""
    longest = max((max(run.probabilities, default=0.0) for run in runs), default=0.0) or 1.0
    letters = max((len(word) for run in runs for word in run.words), default=0)
    drawn = [
        element(
            "div",
            element("p", escaped(run.name)),
            bars_svg(run.words, run.probabilities, longest=longest, letters=letters, alt=run.name),
        )
        for run in runs
    ]
    return element("div", *drawn, "", class_="three-runs", role="group", aria_label=alt)
