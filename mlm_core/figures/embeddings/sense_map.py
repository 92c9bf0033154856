"""A map of points that can be chosen: uses of a word, marked by colour and by shape.

The map has no axes, because its directions mean nothing; only distances do. A dashed ring marks
points whose nearest neighbours differ between the map and the vector space; lines lead from the
chosen point to those in the vector space. A point reports its number as `customdata`.

Read before this: ../charts.py. Read next: sense_map_uses.py
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log10
from textwrap import wrap
from typing import TYPE_CHECKING

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.figures.charts import chart
from mlm_core.figures.theme import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, SKY, VERMILION, escaped

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MARGIN = 0.06  # of the larger side of the frame, around the points
# Pixels: the width of a frame on a laptop, the legend and margins above and below it, the chart's
# smallest and largest height. A chart as high as its frame asks for leaves no empty sides.
FRAME_WIDTH, AROUND, LOWEST, HIGHEST = 470, 80, 220, 420
LINE = 44  # letters of a line under the mouse: what a phone has room for
MOST_LETTERS, LEAST = 1_800, 20  # of all sentences of a map, which go with it; of one
FINEST = 500  # coordinates are told apart by this part of the frame: a pixel

# Each shape as plotly names it, and for lists in a box from -1 to 1; all of about the same area.
SHAPES = {
    "circle": ("circle", "M-.95 0a.95 .95 0 1 0 1.9 0a.95 .95 0 1 0 -1.9 0Z"),
    "triangle": ("triangle-up", "M0 -1.15L1.1 .8H-1.1Z"),
    "square": ("square", "M-.85 -.85H.85V.85H-.85Z"),
    "diamond": ("diamond", "M0 -1.2L1.05 0L0 1.2L-1.05 0Z"),
    "down": ("triangle-down", "M0 1.15L1.1 -.8H-1.1Z"),
    "hourglass": ("hourglass", "M-.9 -1H.9L-.9 1H.9Z"),
    "cross": ("x", "M-1 -.6L-.6 -1L0 -.4L.6 -1L1 -.6L.4 0L1 .6L.6 1L0 .4L-.6 1L-1 .6L-.4 0Z"),
    "plus": ("cross", "M-.3 -1.1H.3V-.3H1.1V.3H.3V1.1H-.3V.3H-1.1V-.3H-.3Z"),
    "star": ("star", "M0 -1L.29 -.4L.95 -.31L.47 .15L.59 .81L0 .5L-.59 .81L-.47 .15L-.95 -.31Z"),
}
SENSE_MARKS = (
    (BLUE, "circle"),
    (ORANGE, "triangle"),
    (PURPLE, "square"),
    (SKY, "diamond"),
    (GREEN, "down"),
    (VERMILION, "hourglass"),
    (GREY, "plus"),
)


@dataclass(frozen=True, kw_only=True)
class MapGroup:
    """A group of points with one colour and shape."""

    name: str
    colour: str
    shape: str


@dataclass(frozen=True, kw_only=True)
class MapPoint:
    """One use of the word."""

    x: float
    y: float
    group: int
    sentence: MarkedSentence  # what is shown under the mouse
    lies: bool = False  # its neighbours on the map are not its neighbours in truth
    is_own: bool = False  # of the learner who looks


@dataclass(frozen=True, kw_only=True)
class MapSign:
    """A mark that is no use of the word: the learner's star, a static vector's cross."""

    x: float
    y: float
    shape: str
    title: str  # what is shown under the mouse
    legend: str  # signs of one shape share it


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The part of the plane that is drawn; compared maps share one."""

    left: float
    right: float
    bottom: float
    top: float

    @classmethod
    def around(cls, places: Sequence[tuple[float, float]]) -> "Frame":
        """Return the smallest frame that holds all places."""
        xs, ys = [x for x, _ in places], [y for _, y in places]
        return cls(left=min(xs), right=max(xs), bottom=min(ys), top=max(ys))

    @property
    def size(self) -> float:
        """Return the larger side; 1 if all points lie on one spot."""
        return max(self.right - self.left, self.top - self.bottom) or 1.0

    @property
    def digits(self) -> int:
        """Return how many decimals of a coordinate can be seen."""
        return max(0, ceil(log10(FINEST / self.size)))

    @property
    def chart_height(self) -> int:
        """Return the pixels of a chart that this frame fills, within limits."""
        pad = 2 * MARGIN * self.size
        aspect = (self.top - self.bottom + pad) / (self.right - self.left + pad)
        return round(min(max(AROUND + FRAME_WIDTH * aspect, LOWEST), HIGHEST))


def sense_groups(names: Sequence[str]) -> tuple[MapGroup, ...]:
    """Return a mark for each sense; all from the seventh on share the last."""
    marks = [SENSE_MARKS[min(i, len(SENSE_MARKS) - 1)] for i in range(len(names))]
    return tuple(
        MapGroup(name=name, colour=colour, shape=shape)
        for name, (colour, shape) in zip(names, marks, strict=True)
    )


def verdict_groups(right: str, wrong: str) -> tuple[MapGroup, MapGroup]:
    """Return the marks of right and of wrong predictions."""
    return (
        MapGroup(name=right, colour=GREEN, shape="circle"),
        MapGroup(name=wrong, colour=VERMILION, shape="cross"),
    )


def sense_map_chart(
    points: Sequence[MapPoint],
    groups: Sequence[MapGroup],
    frame: Frame,
    *,
    lies: str,
    own: str = "",
    chosen: int | None = None,
    neighbours: Sequence[int] = (),
    signs: Sequence[MapSign] = (),
) -> "Figure":
    """Return the map; `lies` is the legend of the dashed ring, `own` of that around own points.

    `neighbours` are the chosen point's neighbours in the vector space.
    """
    digits, data = frame.digits, []
    if chosen is not None:
        data.append(_lines(points[chosen], [points[i] for i in neighbours], digits))
        ring = _rings([points[chosen]], digits, colour=INK, size=26, width=2.5)
        data.append(ring | {"meta": chosen})  # so that a page can leave its trail (chart_motion.js)
    lying = [point for point in points if point.lies]
    if lying:
        rings = _rings(lying, digits, colour=VERMILION, size=20, width=1.8)
        # As wide at each layer, or the legend takes another row and the map jumps.
        blank = "\u2007" * (len(str(len(points))) - len(str(len(lying))))
        named = {"name": f"{escaped(lies)} ({len(lying)}){blank}", "showlegend": True}
        data.append(rings | named | {"meta": "rings"})  # for the film (drawing_script.js)
    if mine := [point for point in points if point.is_own]:
        rings = _rings(mine, digits, colour=INK, size=20, width=2.5)
        data.append(rings | {"name": f"{escaped(own)} ({len(mine)})", "showlegend": True})
    room = max(LEAST, MOST_LETTERS // max(1, len(points)))
    for number, group in enumerate(groups):
        members = [(i, point) for i, point in enumerate(points) if point.group == number]
        if members:
            data.append(_group(group, members, digits, room))
    for shape in dict.fromkeys(sign.shape for sign in signs):
        data.append(_signs([sign for sign in signs if sign.shape == shape], digits))
    pad = MARGIN * frame.size
    border = {
        "showticklabels": False,
        "ticks": "",
        "showgrid": False,
        "zeroline": False,
        "showline": True,
        "linecolor": GREY,
        "mirror": True,
        "constrain": "domain",  # equal scales narrow the frame, not add empty sides to it
    }
    return chart(
        data,
        # What a learner hid by the legend stays hidden after a click, while the frame is the same.
        uirevision=" ".join(str(round(FINEST * x)) for x in (frame.left, frame.bottom, frame.size)),
        xaxis=border
        | {
            "range": [round(frame.left - pad, digits), round(frame.right + pad, digits)],
            "constraintoward": "left",
        },
        yaxis=border
        | {
            "range": [round(frame.bottom - pad, digits), round(frame.top + pad, digits)],
            "scaleanchor": "x",
            "constraintoward": "top",
        },
        height=frame.chart_height,
    )


def film_frame(
    places: Sequence[tuple[float, float]], rings: Sequence[int], frame: Frame
) -> dict[str, list]:
    """Return a map as a film takes a chart's points through it (drawing_script.js of the pages).

    `places` are those of the points in the order in which they are drawn, then of the star;
    `rings` are the numbers of the points with a dashed ring in that order.
    """
    at = [round(coordinate, frame.digits) for place in places for coordinate in place]
    return {"at": at, "rings": list(rings)}


def mark_svg(group: MapGroup) -> str:
    """Return a group's mark alone, for a list."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">'
        f'<path d="{SHAPES[group.shape][1]}" fill="{group.colour}"/></svg>'
    )


def _group(
    group: MapGroup, members: Sequence[tuple[int, MapPoint]], digits: int, room: int
) -> dict:
    title = f"<b>{escaped(group.name, 40)}</b><br>%{{text}}<extra></extra>"
    return _at([point for _, point in members], digits) | {
        "name": f"{escaped(group.name, 40)} ({len(members)})",
        "customdata": [i for i, _ in members],
        "text": [_around_word(point.sentence, room) for _, point in members],
        "marker": {
            "symbol": SHAPES[group.shape][0],
            "color": group.colour,
            "size": 12,
            "line": {"color": "rgba(255,255,255,.7)", "width": 1},
        },
        "unselected": {"marker": {"opacity": 0.35}},
        "hovertemplate": title,
    }


def _signs(signs: Sequence[MapSign], digits: int) -> dict:
    return _at(signs, digits) | {
        "name": escaped(signs[0].legend, 60),
        # The star leaves a trail from layer to layer, as the chosen point does.
        "meta": signs[0].shape if signs[0].shape == "star" else None,
        "text": [escaped(sign.title, LINE) for sign in signs],
        "marker": {"symbol": SHAPES[signs[0].shape][0], "color": INK, "size": 20},
        "unselected": {"marker": {"opacity": 1}},
        "hovertemplate": "%{text}<extra></extra>",
        "cliponaxis": False,
    }


def _rings(
    points: Sequence[MapPoint], digits: int, *, colour: str, size: int, width: float
) -> dict:
    line = {"color": colour, "width": width}
    return _at(points, digits) | {
        "marker": {"symbol": "circle-open", "color": colour, "size": size, "line": line},
        "unselected": {"marker": {"opacity": 1}},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _lines(start: MapPoint, ends: Sequence[MapPoint], digits: int) -> dict:
    """Return a line from a point to each of the others, and back."""
    return _at([point for end in ends for point in (start, end)], digits) | {
        "mode": "lines",
        "line": {"color": INK, "width": 1.2},
        "opacity": 0.55,
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _at(points: Sequence[MapPoint | MapSign], digits: int) -> dict:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [round(point.x, digits) for point in points],
        "y": [round(point.y, digits) for point in points],
    }


def _around_word(sentence: MarkedSentence, room: int) -> str:
    """Return the word with as many whole words of its sentence as there is room for, in lines."""
    text, word = sentence.text, sentence.end - sentence.start
    first = max(0, min(sentence.start - (room - word) // 2, len(text) - room))
    last = first + room
    if first:
        first = text.find(" ", first - 1, sentence.start) + 1 or first
    if last < len(text):
        last = max(text.rfind(" ", sentence.end, last + 1), sentence.end)
    shown = f"{'…' * (first > 0)}{text[first:last].strip()}{'…' * (last < len(text))}"
    lines = wrap(shown, LINE, break_on_hyphens=False) if room > LINE else [shown]
    return "<br>".join(map(escaped, lines))
