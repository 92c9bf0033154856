"""A map of points that can be chosen: uses of a word, marked by colour and by shape.

The map has no axes, because its directions mean nothing; only distances do. Every point is a
button; arrow keys go from point to point. A dashed ring marks points whose nearest neighbours
differ between the map and the vector space; lines lead to those in the vector space.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.figures.theme import (
    BLUE,
    FONT,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    escaped,
)

WIDTH, HEIGHT, MARGIN = 520, 420, 26  # the drawing's units
RADIUS, HIT_RADIUS, RING_RADIUS = 6.5, 12, 11
STAR_RADIUS = 15
LONGEST_TITLE = 160  # letters

# Each shape in a box from -1 to 1; all of about the same area.
SHAPES = {
    "circle": "M-.95 0a.95 .95 0 1 0 1.9 0a.95 .95 0 1 0 -1.9 0Z",
    "triangle": "M0 -1.15L1.1 .8H-1.1Z",
    "square": "M-.85 -.85H.85V.85H-.85Z",
    "diamond": "M0 -1.2L1.05 0L0 1.2L-1.05 0Z",
    "down": "M0 1.15L1.1 -.8H-1.1Z",
    "bar": "M-.5 -1.2H.5V1.2H-.5Z",
    "cross": "M-1 -.6L-.6 -1L0 -.4L.6 -1L1 -.6L.4 0L1 .6L.6 1L0 .4L-.6 1L-1 .6L-.4 0Z",
    "plus": "M-.3 -1.1H.3V-.3H1.1V.3H.3V1.1H-.3V.3H-1.1V-.3H-.3Z",
    "star": "M0 -1L.29 -.4L.95 -.31L.47 .15L.59 .81L0 .5L-.59 .81L-.47 .15L-.95 -.31L-.29 -.4Z",
}
SENSE_MARKS = (
    (BLUE, "circle"),
    (ORANGE, "triangle"),
    (PURPLE, "square"),
    (SKY, "diamond"),
    (GREEN, "down"),
    (VERMILION, "bar"),
    (GREY, "plus"),
)

STYLE = f"""
.sense-map {{ font-family: {FONT}; }}
.sense-map > svg {{ display: block; width: 100%; max-width: 640px; height: auto;
  border: 1px solid rgba(127,136,150,.35); border-radius: 6px; }}
.sense-map .point {{ cursor: pointer; outline: none; }}
.sense-map .point path {{ stroke: var(--st-background-color, #fff); stroke-width: .15; }}
.sense-map .point:hover path, .sense-map .point:focus-visible path {{ stroke: currentColor;
  stroke-width: .35; }}
.sense-map .point:focus-visible .hit {{ stroke: currentColor; stroke-width: 2; }}
.sense-legend {{ display: flex; flex-wrap: wrap; gap: .15rem 1rem; margin: 0 0 .4rem; padding: 0;
  list-style: none; font-size: .9rem; }}
.sense-legend svg, .uses svg {{ width: 14px; height: 14px; margin-right: .35rem;
  vertical-align: -2px; overflow: visible; }}
"""


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
    title: str  # what is read out, and shown under the mouse
    lies: bool = False  # its neighbours on the map are not its neighbours in truth


@dataclass(frozen=True, kw_only=True)
class MapSign:
    """A mark that is no use of the word: the learner's star, a static vector's cross."""

    x: float
    y: float
    shape: str
    title: str  # what is read out, and shown under the mouse
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

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a place is drawn; both axes have one scale."""
        spans = (self.right - self.left, self.top - self.bottom)
        rooms = (WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN)
        scale = min(
            (room / span for room, span in zip(rooms, spans, strict=True) if span > 1e-9),
            default=1.0,
        )
        middle_x, middle_y = (self.left + self.right) / 2, (self.bottom + self.top) / 2
        return WIDTH / 2 + (x - middle_x) * scale, HEIGHT / 2 - (y - middle_y) * scale


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


def sense_map_html(
    points: Sequence[MapPoint],
    groups: Sequence[MapGroup],
    frame: Frame,
    *,
    alt: str,
    lies: str,
    chosen: int | None = None,
    neighbours: Sequence[int] = (),
    signs: Sequence[MapSign] = (),
) -> str:
    """Return the map under its legend; `lies` is the legend of the dashed ring.

    `neighbours` are the chosen point's neighbours in the vector space. A point's value is
    "number,0"; the arrow keys change the number by one.
    """
    places = [frame.place(point.x, point.y) for point in points]
    parts = []
    if chosen is not None:
        x, y = places[chosen]
        parts += [
            f'<path d="M{x:.1f} {y:.1f}L{places[i][0]:.1f} {places[i][1]:.1f}"'
            ' stroke="currentColor" stroke-width="1.2" opacity=".55"/>'
            for i in neighbours
        ]
    parts += [
        _point(i, point, groups[point.group], places[i], chosen) for i, point in enumerate(points)
    ]
    parts += [_sign(sign, frame) for sign in signs]
    return (
        f'<div class="sense-map">{_legend(points, groups, signs, lies)}'
        f'<svg xmlns="http://www.w3.org/2000/svg" role="group" aria-label="{escaped(alt)}"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(parts)}</svg></div>'
    )


def mark_svg(group: MapGroup) -> str:
    """Return a group's mark alone, for a legend or a list."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">'
        f'<path d="{SHAPES[group.shape]}" fill="{group.colour}"/></svg>'
    )


def _point(
    i: int, point: MapPoint, group: MapGroup, place: tuple[float, float], chosen: int | None
) -> str:
    is_chosen = i == chosen
    # One point is in the tab order, the others are reached from it with the arrow keys.
    tab = 0 if is_chosen or (chosen is None and i == 0) else -1
    ring = ""
    if point.lies:
        ring = (
            f'<circle r="{RING_RADIUS}" fill="none" stroke="{VERMILION}" stroke-width="1.6"'
            ' stroke-dasharray="3 3"/>'
        )
    if is_chosen:
        ring += f'<circle r="{RING_RADIUS + 3}" fill="none" stroke="currentColor"'
        ring += ' stroke-width="2.5"/>'
    title = escaped(f"{group.name}: {point.title}", LONGEST_TITLE)
    return (
        f'<g class="point" role="button" tabindex="{tab}" aria-pressed="{str(is_chosen).lower()}"'
        f' data-value="{i},0" data-row="{i}" data-column="0" aria-label="{title}"'
        f' transform="translate({place[0]:.1f} {place[1]:.1f})"><title>{title}</title>'
        f'<circle class="hit" r="{HIT_RADIUS}" fill="transparent"/>{ring}'
        f'<path d="{SHAPES[group.shape]}" fill="{group.colour}" transform="scale({RADIUS})"/></g>'
    )


def _sign(sign: MapSign, frame: Frame) -> str:
    x, y = frame.place(sign.x, sign.y)
    x, y = min(max(x, STAR_RADIUS), WIDTH - STAR_RADIUS), min(max(y, STAR_RADIUS), HEIGHT - 15)
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) scale({STAR_RADIUS})" role="img"'
        f' aria-label="{escaped(sign.title, LONGEST_TITLE)}">'
        f"<title>{escaped(sign.title, LONGEST_TITLE)}</title>"
        f'<path d="{SHAPES[sign.shape]}" fill="currentColor" stroke="#fff" stroke-width=".08"/></g>'
    )


def _legend(
    points: Sequence[MapPoint],
    groups: Sequence[MapGroup],
    signs: Sequence[MapSign],
    lies: str,
) -> str:
    counts = [sum(point.group == i for point in points) for i in range(len(groups))]
    entries = [
        f"<li>{mark_svg(group)}{escaped(group.name, 40)} ({n})</li>"
        for group, n in zip(groups, counts, strict=True)
        if n
    ]
    n_lying = sum(point.lies for point in points)
    if n_lying:
        ring = (
            '<svg viewBox="-8 -8 16 16" aria-hidden="true"><circle r="7" fill="none"'
            f' stroke="{VERMILION}" stroke-width="1.6" stroke-dasharray="3 3"/></svg>'
        )
        entries.append(f"<li>{ring}{escaped(lies)} ({n_lying})</li>")
    for shape, title in {sign.shape: sign.legend for sign in signs}.items():
        group = MapGroup(name="", colour="currentColor", shape=shape)
        entries.append(f"<li>{mark_svg(group)}{escaped(title, 60)}</li>")
    return f'<ul class="sense-legend">{"".join(entries)}</ul>'
