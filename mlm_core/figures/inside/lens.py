"""The logit lens as a film: a row for each layer, with its likeliest words and one word's rank.

The fill of a word's box is its probability; the followed word has a frame. At the right, the
line of its rank runs on a logarithmic scale from the size of the vocabulary to 1.

Read before this: ../film.py.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from mlm_core.figures.film import Film, FilmNames, film_html
from mlm_core.figures.svg import element, path
from mlm_core.figures.theme import BLUE, GREEN, ORANGE, TOKEN_FONT, escaped, weight_label
from mlm_core.number_format import formatted

MOST_LETTERS = 12  # of a token; the rest is in its title
STEP, FILM = 0.7, 8.0  # seconds that a layer lasts, and all together at most
# rem: a row's height, for a finger, and on a projector as far as there is room
ROW, FOR_FINGERS, HIGHEST_ROW = 1.5, 1.75, 2.1
PLACES = ("first", "second", "third")  # of a layer's words; a narrow box leaves the last ones out

STYLE = f"""
.lens {{ container-type: inline-size; }}
.lens .layers {{ display: grid; column-gap: .3rem; align-items: center;
  grid-template-columns: max-content repeat(3, minmax(0, 8.5rem)) minmax(3rem, 1fr) max-content;
  --room: var(--figure-room, {ROW}rem * (var(--rows) + 1));
  --high: clamp({ROW}rem, var(--room) / (var(--rows) + 1), {HIGHEST_ROW}rem);
  grid-auto-rows: var(--high); }}
.lens .layers > * {{ grid-row: var(--row); }}
.lens b {{ grid-column: 1; font-weight: 600; font-size: .875rem; }}
.lens button.word {{ box-sizing: border-box; width: 100%; padding: 0 .3rem;
  height: var(--high); /* a pixel above and below is clicked, not seen */
  display: flex; justify-content: space-between; align-items: center; gap: .3rem;
  border: 1px solid transparent; border-radius: .4rem; color: inherit; cursor: pointer;
  box-shadow: inset 0 0 0 1.5px rgba(127,136,150,.35);
  font: .85rem/1.2 {TOKEN_FONT}; overflow: hidden; white-space: nowrap;
  background: linear-gradient(to right, color-mix(in srgb, {BLUE} 35%, transparent)
  calc(100% * var(--p)), transparent 0) padding-box; }}
.lens .word span {{ overflow: hidden; text-overflow: ellipsis; }}
.lens button.word:hover {{ box-shadow: inset 0 0 0 1.5px {GREEN}; }}
.lens button.word.followed {{ box-shadow: inset 0 0 0 2px {ORANGE}; font-weight: 700; }}
.lens .word small {{ font-size: .75rem; }}
.lens .rank {{ grid-column: 6; text-align: right; font-size: .875rem;
  font-variant-numeric: tabular-nums; }}
.lens .place {{ grid-column: 5; position: relative; height: 100%; }}
.lens .place i {{ position: absolute; top: 50%; width: .7rem; height: .7rem; margin: -.35rem;
  border-radius: 50%; background: {ORANGE}; }}
.lens .layers > svg {{ grid-column: 5; grid-row: 2 / span var(--rows); width: 100%; height: 100%;
  overflow: visible; }}
.lens .layers > .head {{ font-size: .8rem; grid-row: 1; opacity: .85; }}
.lens .head.ends {{ grid-column: 5; display: flex; justify-content: space-between; }}
.lens .head.words {{ grid-column: 2 / span 3; }}
@media (pointer: coarse) {{ .lens .layers {{ --high: {FOR_FINGERS}rem; }} }}
.lens .player .stops {{ flex: 100 1 19rem; margin: 0; line-height: 1.25; }}
@media (pointer: fine) {{ .lens .player :is(button, input) {{ min-height: 32px; height: 32px; }} }}
@container (max-width: 560px) {{
  .lens .layers {{ grid-template-columns: max-content repeat(2, minmax(0, 1fr)) minmax(3rem, .8fr)
    max-content; }}
  .lens .layers > .third {{ display: none; }}
  .lens .head.words {{ grid-column: 2 / span 2; }}
  .lens .rank {{ grid-column: 5; }}
  .lens .place, .lens .head.ends, .lens .layers > svg {{ grid-column: 4; }}
}}
@container (max-width: 400px) {{
  .lens .layers {{ grid-template-columns: max-content minmax(0, 2fr) minmax(3rem, 1fr)
    max-content; }}
  .lens .layers > .second {{ display: none; }}
  .lens .head.words {{ grid-column: 2; }}
  .lens .rank {{ grid-column: 4; }}
  .lens .place, .lens .head.ends, .lens .layers > svg {{ grid-column: 3; }}
}}
"""


@dataclass(frozen=True, kw_only=True)
class LensWord:
    """A word of a row."""

    text: str
    probability: float  # 0 to 1
    is_followed: bool
    value: str  # what a click on it reports


@dataclass(frozen=True, kw_only=True)
class DrawnLayer:
    """A layer: its likeliest words, the followed word's rank, and what is said of it."""

    name: str
    words: Sequence[LensWord]  # at most three
    rank: int
    said: str


def lens_html(
    layers: Sequence[DrawnLayer],
    n_tokens: int,
    names: FilmNames,
    *,
    layer: str,
    words: str,
    rank: str,
    press: str,
    alt: str,
    begins: int = 0,
) -> str:
    """Return the film, which begins with the layer numbered `begins`.

    `n_tokens` is the lowest rank. `layer`, `words` and `rank` are headings, `press` says what a
    click on a word does.
    """
    film = Film.even([layer.said for layer in layers], STEP, FILM, begins)
    places = [_place(layer.rank, n_tokens) for layer in layers]
    ends = [element("span", formatted(end, ",")) for end in (n_tokens, 1)]
    drawn = [
        element("span", escaped(layer), class_="head"),
        element("span", escaped(words), class_="head words"),
        element("span", *ends, class_="head ends"),
        element("span", escaped(rank), class_="head rank"),
        _line(places, film),
    ]
    for i, (row, place) in enumerate(zip(layers, places, strict=True)):
        drawn += _row(row, place, f"--row:{i + 2};{film.at(i)}", press)
    look = {"class_": "layers fits", "style": f"--rows:{len(layers)}"}
    grid = element("div", *drawn, role="group", aria_label=alt, **look)
    return film_html(film, names, [grid], "lens")


def _place(rank: int, n_tokens: int) -> float:
    """Return where a rank is on the scale: 0 at the lowest rank, 1 at rank 1.

    >>> _place(1, 100), _place(10, 100), _place(100, 100)
    (1.0, 0.5, 0.0)
    """
    return 1 - math.log(rank) / math.log(n_tokens)


def _row(layer: DrawnLayer, place: float, style: str, press: str) -> list[str]:
    """Return the cells of one layer, which light together."""
    look = {"style": style}
    cells = [element("b", escaped(layer.name), class_="lit", **look)]
    for i, word in enumerate(layer.words):
        button = element(
            "button",
            element("span", escaped(word.text, MOST_LETTERS)),
            element("small", escaped(weight_label(word.probability))),
            type="button",
            class_="word followed" if word.is_followed else "word",
            style=f"--p:{word.probability:.2f}",
            title=f"{word.text}: {press}",
            data_value=word.value,
        )
        cells.append(element("span", button, class_=f"lit {PLACES[i]}", **look))
    dot = element("i", "", style=f"left:{100 * place:.1f}%")
    cells.append(element("span", dot, class_="place lit", **look))
    cells.append(element("span", formatted(layer.rank, ","), class_="rank lit", **look))
    return cells


def _line(places: Sequence[float], film: Film) -> str:
    """Return the line from rank to rank, piece by piece."""
    pieces = [
        path(
            f"M{100 * before:.1f} {i + 0.5}L{100 * after:.1f} {i + 1.5}",
            class_="lit",
            style=film.at(i + 1),
            stroke=ORANGE,
            stroke_width=2,
            vector_effect="non-scaling-stroke",
            fill="none",
        )
        for i, (before, after) in enumerate(pairwise(places))
    ]
    return element(
        "svg",
        *pieces,
        viewBox=f"0 0 100 {len(places)}",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
