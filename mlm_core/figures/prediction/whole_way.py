"""The whole way of one token as one picture that plays, from subwords to probabilities.

On a wide screen the way runs from left to right: the tokens, the chosen one's embedding, a column
for each layer, the logits and probabilities. On a phone it runs downwards. In each layer, lines
lead from all tokens to the chosen one, as wide and dark as its attention weights; bars show how
long the vectors are that attention and feed-forward add.

Read before this: ../film.py, ../encoder/bert.py.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mlm_core.figures.encoder.bert import reach_of, vector_bars
from mlm_core.figures.film import Film, FilmNames, film_html
from mlm_core.figures.svg import button, element, path, rect, svg, text, title
from mlm_core.figures.theme import BLUE, GREEN, GREY, ORANGE, SKY, significant, weight_label

Point = tuple[float, float]

# On a dark page thin blue lines are hard to see.
STYLE = f"""
.way {{ container-type: inline-size; }}
.way .narrow {{ display: none; }}
@container (max-width: 700px) {{
  .way .wide {{ display: none; }} .way .narrow {{ display: block; }}
  .way .narrow > svg {{ margin: 0 auto; }}
  .way .player {{ position: sticky; top: 6.8rem; z-index: 1; padding: .3rem 0;
    background: var(--st-background-color); }}
}}
.way .station text {{ font-weight: 600; }}
.way .station rect {{ fill: var(--st-background-color); }}
.way [stroke="{BLUE}"] {{ stroke: light-dark({BLUE}, {SKY}); }}
.way [fill="{BLUE}"] {{ fill: light-dark({BLUE}, {SKY}); }}
"""

# Seconds of the film: each layer takes one's, but all together no more than the last number.
SUBWORDS, EMBEDDING, ANSWER, LAYER, LAYERS = 1.4, 1.8, 1.8, 0.8, 9.6
LETTERS, MOST_LETTERS = 11, 12  # of a word and of a token; the rest is in its title
# In the drawing's units: widths of the two, a heading's height and letter, a chip's width.
WIDE, NARROW, PILL, LETTER, CHIP = 900, 350, 26, 6.9, 104
STRIP, WORD, BAND = 26, 27, 37  # heights of a strip, of a word's row and of a row of bars
SHADES = (0.85, 0.45)  # of what attention adds, and of what feed-forward adds


@dataclass(frozen=True, kw_only=True)
class WayRow:
    """A token of the text, or several for which there is no room, with their weights summed."""

    text: str
    position: int | None = None  # in the text; None for several
    can_be_followed: bool = False


@dataclass(frozen=True, kw_only=True)
class WayWord:
    """A word that the model predicts."""

    text: str
    logit: float
    probability: float
    is_true: bool = False  # it stands there in the text


@dataclass(frozen=True, kw_only=True)
class WayNames:
    """What the picture calls its parts."""

    stations: Mapping[str, str]  # headings, by station: "subwords", "embedding", "attention", ...
    opens: Mapping[str, str]  # what a heading opens, by station
    added: Mapping[str, str]  # by what adds a vector
    state: str  # of the state after the last layer
    rest: str  # of all other words
    film: FilmNames


@dataclass(frozen=True, kw_only=True)
class DrawnWay:
    """What is drawn."""

    rows: Sequence[WayRow]
    chosen: int  # the row of the token that is followed
    strips: Sequence[tuple[str, Sequence[float]]]  # of its embedding; the last is their sum
    weights: Sequence[Sequence[float]]  # [layer][row]
    added: Mapping[str, Sequence[float]]  # lengths by layer, by what adds a vector
    state: Sequence[float]  # after the last layer
    words: Sequence[WayWord]  # likeliest first
    rest: float  # probability of all others
    said: Sequence[str]  # at each stop: subwords, embedding, each layer, logits, probabilities
    names: WayNames

    @cached_property
    def film(self) -> Film:
        """Return the stops of the film."""
        n_layers = len(self.weights)
        layers = [min(LAYER, LAYERS / n_layers)] * n_layers
        return Film(lasts=[SUBWORDS, EMBEDDING, *layers, ANSWER, ANSWER], said=self.said)

    @cached_property
    def longest(self) -> float:
        """Return the greatest length that is added."""
        return max(max(lengths) for lengths in self.added.values()) or 1.0


def whole_way_html(way: DrawnWay, *, alt: str) -> str:
    """Return the picture under the buttons that play it.

    A token is a button with its position, a heading one with "to-" and its station.
    """
    return film_html(way.film, way.names.film, [_wide(way, alt), _narrow(way, alt)], "way")


def _wide(way: DrawnWay, alt: str) -> str:
    """Return the way from left to right."""
    n_rows, n_layers, n_strips = len(way.rows), len(way.weights), len(way.strips)
    pitch, top, box, left, right, answer = min(28.0, 246 / n_rows), 42.0, 116, 262.0, 640, 664
    height = max(pitch * n_rows, _height_of_answer(way))
    middle, step = top + height / 2, (right - left) / n_layers
    first, strips = middle - pitch * n_rows / 2, middle - 21 * n_strips

    def at(layer: float, row: float) -> Point:
        return left + layer * step, first + (row + 0.5) * pitch

    start, end = at(0, way.chosen), at(n_layers, way.chosen)
    state, band = middle - _height_of_answer(way) / 2, top + height + 8
    into, out_of = ((CHIP + 2.0, start[1]), (box, middle)), ((box + 112.0, middle), start)
    frame = {"rx": 8, "fill": "none", "stroke": GREY, "stroke_opacity": 0.4}
    probabilities = WIDE - _width(way, "probabilities")
    parts = [
        _station(way, "subwords", 0, 2),
        _station(way, "embedding", box, 2),
        _station(way, "attention", left, 2),
        _station(way, "logits", probabilities - _width(way, "logits") - 8, 2),
        _station(way, "probabilities", probabilities, 2),
        *(_token(way, i, at(0, i)[1] - pitch / 2 + 1.5, pitch - 3) for i in range(n_rows)),
        *_legs(way, 1, _across(*into), _across(*out_of)),
        rect(box, strips - 6, 112, 42 * n_strips + 12, **frame),
    ]
    for i in range(n_strips):
        y = strips + 42 * i
        parts += _strip(way, i, (box + 8, y + 15), 96, name_at=(box + 8, y + 11))
    parts += _river(way, at, _across)
    for i in range(0, n_layers, 1 + n_layers // 20):
        number = {"text_anchor": "middle", "font_size": 11.5}
        parts.append(text(at(i + 0.5, 0)[0], top - 3, str(i + 1), **number))
    for k, name in enumerate(way.added):
        base = band + BAND * (k + 1) - 4
        parts += _heading_of_bars(way, name, left - 12, base)
        parts.append(path(f"M{left - 6} {base}H{right}", stroke=GREY, stroke_opacity=0.5))
        for i in range(n_layers):
            parts += _upright_bar(way, k, i, at(i + 0.5, 0)[0], base, step)
    parts += [
        *_legs(way, n_layers + 2, _across(end, (answer - 4, state + 22))),
        *_answer(way, answer, state, WIDE - answer),
    ]
    return svg("wide", parts, WIDE, band + BAND * len(way.added), alt=alt, role="group", size=13)


def _narrow(way: DrawnWay, alt: str) -> str:
    """Return the way downwards, the tokens side by side."""
    n_rows, n_layers, n_strips = len(way.rows), len(way.weights), len(way.strips)
    left, pitch, step, chips, strip_left = 22.0, 262 / n_rows, min(28.0, 340 / n_layers), 36, 104
    below = chips + 14.0 + 8 * max(min(len(row.text), MOST_LETTERS) for row in way.rows)
    strips = below + 18 + PILL + 8
    river = strips + 32 * n_strips + PILL + 36
    bottom = river + step * n_layers
    answer = bottom + 50

    def at(layer: float, row: float) -> Point:
        return left + (row + 0.5) * pitch, river + layer * step

    start, end, middle = at(0, way.chosen), at(n_layers, way.chosen), strip_left + 121.0
    into = (start[0], below), (middle, strips - 2)
    out_of = (middle, strips + 32 * n_strips - 4), start
    down = "".join(f"M{at(0, i)[0]:.1f} {below}V{river}" for i in range(n_rows))
    parts = [
        path(down, stroke=GREY, stroke_opacity=0.3),
        _station(way, "subwords", 0, 2),
        *(_upright_token(way, i, at(0, i)[0], chips, below, pitch) for i in range(n_rows)),
        *_legs(way, 1, _down(*into), _down(*out_of)),
        _station(way, "embedding", 0, below + 18),
    ]
    for i in range(n_strips):
        y = strips + 32 * i
        parts += _strip(way, i, (strip_left, y), 242, name_at=(0, y + 17))
    parts.append(_station(way, "attention", 0, river - PILL - 14))
    if "feed_forward" in way.added:
        x = NARROW - _width(way, "feed_forward")
        parts.append(_station(way, "feed_forward", x, river - PILL - 14))
    parts += _river(way, at, _down)
    for i in range(n_layers):
        number = {"text_anchor": "end", "font_size": 11.5}
        parts.append(text(left - 6, at(i + 0.5, 0)[1] + 4, str(i + 1), **number))
    high = min(9.0, 0.8 * step / len(way.added))
    for k, name in enumerate(way.added):
        y = bottom + 20 + 16 * k
        parts += [
            text(NARROW - 15, y, way.names.added[name], text_anchor="end", class_="plain"),
            rect(NARROW - 10, y - 9, 10, 10, fill=BLUE, fill_opacity=SHADES[k]),
        ]
        for i in range(n_layers):
            y = at(i + 0.5, 0)[1] + (k - len(way.added) / 2) * high
            parts.append(_flat_bar(way, k, i, y, high - 1.5))
    parts += [
        *_legs(way, n_layers + 2, _down(end, (NARROW / 2, answer + 44))),
        _station(way, "logits", 0, answer),
        _station(way, "probabilities", NARROW - _width(way, "probabilities"), answer),
        *_answer(way, 0, answer + PILL + 16, NARROW),
    ]
    height, widest = answer + PILL + 16 + _height_of_answer(way), 1.25 * NARROW
    return svg("narrow", parts, NARROW, height, alt=alt, role="group", size=13, widest=widest)


def _across(start: Point, end: Point) -> str:
    """Return a curve that leaves and arrives from left to right."""
    (x, y), (to_x, to_y), middle = start, end, (start[0] + end[0]) / 2
    return f"M{x:.1f} {y:.1f}C{middle:.1f} {y:.1f} {middle:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}"


def _down(start: Point, end: Point) -> str:
    """Return a curve that leaves and arrives downwards."""
    (x, y), (to_x, to_y), middle = start, end, (start[1] + end[1]) / 2
    return f"M{x:.1f} {y:.1f}C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}"


# What both are made of.


def _width(way: DrawnWay, station: str) -> float:
    return LETTER * (len(way.names.stations[station]) + 2) + 14


def _station(way: DrawnWay, name: str, x: float, y: float) -> str:
    """Return a heading that opens the lesson about it."""
    heading, opens, width = way.names.stations[name], way.names.opens[name], _width(way, name)
    look = {"rx": PILL / 2, "stroke": GREY, "stroke_opacity": 0.8, "class_": "hit"}
    middle = {"text_anchor": "middle", "class_": "plain"}
    return element(
        "g",
        title(opens),
        rect(x + 1, y, width - 2, PILL, fill="transparent", **look),
        text(x + width / 2, y + 17.5, f"{heading} ›", **middle),
        class_="station",
        **button(f"to-{name}", aria_label=f"{heading}: {opens}"),
    )


def _look_of_chip(way: DrawnWay, i: int) -> dict[str, str | float]:
    is_chosen = i == way.chosen
    return {
        "rx": 6,
        "fill": ORANGE if is_chosen else GREY,
        "fill_opacity": 0.3 if is_chosen else 0.1,
        "stroke": ORANGE if is_chosen else GREY,
        "stroke_width": 2.5 if is_chosen else 1.2,
        "class_": "hit",
    }


def _token(way: DrawnWay, i: int, y: float, height: float) -> str:
    """Return a row's chip; that of a token that can be followed is a button."""
    row, click = way.rows[i], {}
    if row.can_be_followed:
        pressed = str(i == way.chosen).lower()
        click = button(str(row.position), aria_pressed=pressed, aria_label=row.text)
    return element(
        "g",
        rect(1, y, CHIP, height, **_look_of_chip(way, i)),
        text(1 + CHIP / 2, y + height / 2 + 4.5, row.text, MOST_LETTERS, text_anchor="middle"),
        **click,
    )


def _upright_token(way: DrawnWay, i: int, x: float, y: float, below: float, pitch: float) -> str:
    """Return a row's chip, to be read upwards; a finger would miss a button so narrow."""
    width, foot = min(pitch - 3, 22.0), (x + 4.5, below - 7)
    turned = {"transform": f"rotate(-90 {foot[0]:.1f} {foot[1]:.1f})"}
    return element(
        "g",
        rect(x - width / 2, y, width, below - y, **_look_of_chip(way, i)),
        text(*foot, way.rows[i].text, MOST_LETTERS, **turned),
    )


def _legs(way: DrawnWay, stop: int, *curves: str) -> list[str]:
    """Return parts of the way, and the dot that runs along them during a stop."""
    d = curves[0] + "".join(curve.replace("M", "L") for curve in curves[1:])
    line = {"stroke": BLUE, "stroke_width": 2.5, "stroke_opacity": 0.6, "class_": "in"}
    style = way.film.at(stop)
    seen = [path(curve, pathLength=1, style=style, **line) for curve in curves]
    return [*seen, way.film.dot(stop, d)]


def _strip(way: DrawnWay, i: int, at: Point, width: float, *, name_at: Point) -> list[str]:
    """Return one vector of the embedding; the summands share one scale."""
    name, numbers = way.strips[i]
    summands = [number for _, row in way.strips[:-1] for number in row]
    reach = reach_of(numbers if i == len(way.strips) - 1 else summands)
    return [
        text(*name_at, name, class_="plain", font_size=12),
        *_vector(numbers, at, width, reach, way.film.at(1)),
    ]


def _vector(
    numbers: Sequence[float], at: Point, width: float, reach: float, style: str
) -> list[str]:
    bars = vector_bars(numbers, *at, width, STRIP, reach)
    return [
        rect(*at, width, STRIP, rx=3, fill=GREY, fill_opacity=0.1),
        element("g", *bars, class_="later", style=style),
    ]


def _river(
    way: DrawnWay, at: Callable[[float, float], Point], curve: Callable[[Point, Point], str]
) -> list[str]:
    """Return all states as dots, and in each layer the lines from them to the chosen token."""
    layers, rows = range(len(way.weights) + 1), range(len(way.rows))
    states = "".join(
        f"M{x:.1f} {y:.1f}h0" for layer in layers for x, y in (at(layer, i) for i in rows)
    )
    grey = {"stroke": GREY, "stroke_width": 4, "stroke_linecap": "round", "stroke_opacity": 0.55}
    parts = [path(states, **grey)]
    for layer, weights in enumerate(way.weights):
        start, end = at(layer, way.chosen), at(layer + 1, way.chosen)
        style = way.film.at(layer + 2)
        drawn = {"pathLength": 1, "class_": "in", "style": style}
        through = f"M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}"
        lines = [
            path(
                curve(at(layer, i), end),
                stroke=BLUE,
                stroke_width=0.8 + 13 * weight,
                stroke_opacity=min(1.0, 0.25 + 1.2 * weight),
                **drawn,
            )
            for i, weight in enumerate(weights)
        ]
        node = {"cx": end[0], "cy": end[1], "r": 5, "fill": ORANGE, "class_": "later"}
        parts += [
            element(
                "g",
                title(way.said[layer + 2]),
                *lines,
                path(through, stroke=ORANGE, stroke_width=2.5, **drawn),
                element("circle", style=style, **node),
            ),
            way.film.dot(layer + 2, through),
        ]
    return parts


def _heading_of_bars(way: DrawnWay, name: str, right: float, base: float) -> list[str]:
    """Return what a row of bars is called; feed-forward has a lesson."""
    if name == "feed_forward":
        return [_station(way, name, right - _width(way, name), base - PILL)]
    look = {"text_anchor": "end", "class_": "plain", "font_weight": 600}
    return [text(right, base - 8, way.names.added[name], **look)]


def _flat_bar(way: DrawnWay, k: int, layer: int, y: float, height: float) -> str:
    """Return the bar of what the k-th part of a layer adds."""
    length = list(way.added.values())[k][layer]
    look = {"fill": BLUE, "fill_opacity": SHADES[k], "class_": "bar"}
    style = f"{way.film.at(layer + 2)};--from:0,1"
    return rect(294, y, 56 * length / way.longest, height, style=style, **look)


def _upright_bar(
    way: DrawnWay, k: int, layer: int, x: float, base: float, step: float
) -> list[str]:
    """Return the bar of what the k-th part of a layer adds, with its length if there is room."""
    length, style = list(way.added.values())[k][layer], way.film.at(layer + 2)
    height, width = (BAND - 19) * length / way.longest, min(22.0, 0.6 * step)
    look = {
        "fill": BLUE,
        "fill_opacity": SHADES[k],
        "class_": "bar",
        "style": f"{style};--from:1,0",
    }
    bar = rect(x - width / 2, base - height, width, height, **look)
    small = {"text_anchor": "middle", "font_size": 11, "class_": "plain later", "style": style}
    return [bar, text(x, base - height - 3, significant(length), **small)] if step >= 30 else [bar]


def _height_of_answer(way: DrawnWay) -> float:
    return 50.0 + WORD * (len(way.words) + 1)


def _answer(way: DrawnWay, x: float, y: float, width: float) -> list[str]:
    """Return the last state, and the likeliest words with their logits and probabilities."""
    last, first = len(way.weights) + 2, y + 69.0
    now, then = ({"class_": "later", "style": way.film.at(stop)} for stop in (last, last + 1))
    logit, bar, end, full = x + 0.52 * width, x + 0.57 * width, x + width, 0.26 * width
    longest = max((word.probability for word in way.words), default=0.0) or 1.0
    parts = [
        text(x, y + 9, way.names.state, class_="plain", font_size=12),
        *_vector(way.state, (x, y + 14), width, reach_of(way.state), way.film.at(last)),
    ]
    for i, word in enumerate(way.words):
        line, bold = first + WORD * i, {"font_weight": 700 if word.is_true else None}
        size, colour = full * word.probability / longest, GREEN if word.is_true else BLUE
        grows = {"class_": "bar", "style": f"{then['style']};--from:0,1"}
        parts += [
            text(x, line, f"{word.text} ✓" if word.is_true else word.text, LETTERS, **bold, **now),
            text(logit, line, significant(word.logit, 3), text_anchor="end", **now),
            rect(bar, line - 14, full, 18, rx=3, fill=GREY, fill_opacity=0.1),
            rect(bar, line - 14, size, 18, rx=3, fill=colour, **grows),
            text(end, line, weight_label(word.probability), text_anchor="end", **bold, **then),
        ]
    line, small = first + WORD * len(way.words) - 2, {"font_size": 12, "style": then["style"]}
    small["class_"] = "plain later"
    return [
        *parts,
        text(x, line, way.names.rest, **small),
        text(end, line, weight_label(way.rest), text_anchor="end", **small),
        *_legs(way, last + 1, _across((logit + 4, first - 5), (bar, first - 5))),
    ]
