"""A drawing that plays: what appears when, and the buttons that stop it and move it.

The film is CSS, and its drawing is whole without it: in print and as a file. Where less motion is
asked for, it begins at its end and is stepped from stop to stop. An element takes part by its
class and by a style that `Film` gives:

    lit     is faint before its moment
    later   isn't seen before its moment: a result
    in      a line that is drawn from its start; needs pathLength=1
    bar     grows at its moment, along what `--from` scales it by: "0,1" across, "1,0" upwards
    dot     a line of which a dot is seen that runs along it, from its moment until the next

A film with `values` waits where it begins. Where it stands still, the drawing reports that stop's
value, once; while it plays, it reports nothing.

pages/server/figures/drawing_script.js moves the clock that all of them have.

Read before this: svg.py.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from itertools import accumulate, zip_longest

from mlm_core.figures.svg import element, path
from mlm_core.figures.theme import ORANGE, escaped

STYLE = """
.film .player { display: flex; flex-wrap: wrap; gap: .3rem; align-items: center; }
.film .player button { font: inherit; color: inherit; background: none; cursor: pointer;
  display: inline-flex; align-items: center; justify-content: center; min-width: 44px;
  min-height: 44px; padding: 0 .6rem;
  border: 1px solid rgba(127,136,150,.6); border-radius: .5rem; }
.film .player button:hover { border-color: currentColor; }
.film .player span { display: inline-flex; gap: .4rem; align-items: center; }
.film .player input { flex: 1 1 6rem; min-width: 0; height: 44px; margin: 0 .3rem;
  accent-color: var(--st-primary-color); }
.film .player i { width: .7rem; height: .7rem; background: currentColor;
  clip-path: polygon(0 0, 100% 50%, 0 100%); }
.film .to-pause i { clip-path: path("M0 0h4v11h-4zM7 0h4v11h-4z"); }
.film :is(.to-back, .to-next) i { clip-path: polygon(0 0, 75% 50%, 75% 0, 100% 0, 100% 100%,
  75% 100%, 75% 50%, 0 100%); }
.film .to-first i { clip-path: polygon(0 0, 50% 50%, 50% 0, 100% 50%, 50% 100%, 50% 50%, 0 100%); }
.film :is(.to-back, .to-first) i { transform: scaleX(-1); }
.film.still .to-pause, .film:not(.still) .to-play { display: none; }
.film .stops { display: grid; flex: 1 1 100%; margin: 0 0 .4rem; padding: 0; list-style: none;
  font-size: .95rem; }
.film[data-chart] .player { row-gap: 0; }
.film[data-chart] .stops { margin: 0; }
.film .stops > * { grid-area: 1 / 1; opacity: 0; visibility: hidden; align-self: center; }
.film .stops > :last-child { opacity: 1; visibility: visible; }
.film .told { position: absolute; clip-path: inset(50%); }
.film .dot { opacity: 0; stroke-dasharray: .001 2; }
@media print { .film .player > :not(.stops) { display: none; } }
@media (prefers-reduced-motion: reduce) {
  .film:not(.waits) .player > :is(:has(.to-play), [data-film=speed]) { display: none; }
}
.film.waits { animation: clock var(--for) linear both; }
.film.waits .stops > * { animation: stop var(--for) var(--at); }
.film.waits .stops > :last-child { animation: hush var(--at); }
@media screen {
  .film { animation: clock var(--for) linear both; }
  .film .lit { animation: lit .5s var(--at) both; }
  .film .later { animation: later .5s var(--at) both; }
  .film .in { stroke-dasharray: 1 1; animation: in .5s var(--at) both; }
  .film .bar { transform-box: fill-box; transform-origin: left bottom;
    animation: bar .5s var(--at) both; }
  .film .dot { animation: dot var(--for) var(--at) ease-in-out; }
  .film .stops > * { animation: stop var(--for) var(--at); }
  .film .stops > :last-child { animation: hush var(--at); }
}
@keyframes clock { to { --clock: 1; } }
@keyframes lit { from { opacity: .15; } }
@keyframes later { from { opacity: 0; } }
@keyframes in { from { stroke-dashoffset: 1; } }
@keyframes bar { from { transform: scale(var(--from)); } }
@keyframes dot { from { opacity: 1; stroke-dashoffset: 0; }
  60%, to { opacity: 1; stroke-dashoffset: -.998; } }
@keyframes stop { from, to { opacity: 1; visibility: visible; } }
@keyframes hush { from, to { opacity: 0; visibility: hidden; } }
"""

STAYS = 20  # milliseconds before the next stop, where a step of the film ends


@dataclass(frozen=True, kw_only=True)
class FilmNames:
    """What the buttons and the slider are called."""

    first: str
    back: str
    play: str
    pause: str
    next: str
    moment: str
    speed: str


@dataclass(frozen=True, kw_only=True)
class Film:
    """The stops of a film: how long each lasts, and what is said there."""

    lasts: Sequence[float]  # seconds
    said: Sequence[str]
    begins: int = 0  # with this stop
    values: Sequence[str] = ()  # of the stops, where the film waits and reports

    @classmethod
    def even(cls, said: Sequence[str], step: float, most: float, begins: int = 0) -> "Film":
        """Return a film of equal stops: `step` seconds each, `most` all together at most."""
        return cls(lasts=[min(step, most / len(said))] * len(said), said=said, begins=begins)

    @cached_property
    def moments(self) -> list[float]:
        """Return the seconds at which each stop begins, and the end."""
        return [0.0, *accumulate(self.lasts)]

    def at(self, stop: int) -> str:
        """Return the style of what appears at a stop.

        >>> Film(lasts=[1.5, 2], said=["a", "b"]).at(1)
        '--at:1.50s'
        """
        return f"--at:{self.moments[stop]:.2f}s"

    def during(self, stop: int) -> str:
        """Return the style of what is there from a stop until the next."""
        return f"{self.at(stop)};--for:{self.lasts[stop]:.2f}s"

    def dot(self, stop: int, d: str) -> str:
        """Return the dot that runs along a line during a stop."""
        look = {"stroke": ORANGE, "stroke_width": 15, "stroke_linecap": "round", "opacity": 0}
        return path(d, pathLength=1, class_="dot", style=self.during(stop), **look)


def film_html(
    film: Film, names: FilmNames, drawings: Sequence[str], kind: str, **attributes: str | None
) -> str:
    """Return drawings below what plays them, in a box whose class is its `kind`.

    Below the buttons stands what is said at the present stop. `attributes` are the box's.
    """
    waits = bool(film.values)
    said = [
        element("li", escaped(words), style=film.during(stop), data_stop=value)
        for stop, (words, value) in enumerate(zip_longest(film.said, film.values))
    ]
    begins = f"{1000 * film.moments[film.begins]:.0f}" if film.begins else None
    return element(
        "div",
        player(names, element("ol", *said, class_="stops", aria_hidden="true")),
        element("div", escaped(film.said[-1]), class_="told", aria_live="polite"),
        *drawings,
        class_=f"film {kind}{' waits' * waits}",
        data_begins=None if waits else begins,
        data_stands=str(film.begins) if waits else None,
        data_stops=" ".join(f"{1000 * moment - STAYS:.0f}" for moment in film.moments[1:]),
        style=f"--for:{film.moments[-1]:.2f}s",
        **attributes,
    )


def said_in(drawing: str) -> list[str]:
    """Return what a film says at its stops, in order; nothing of a drawing that doesn't play.

    >>> said_in('<ol class="stops"><li style="--at:0s">a &lt; b</li></ol>'), said_in("<svg/>")
    (['a < b'], [])
    """
    stops = re.search(r'<ol class="stops"[^>]*>(.*?)</ol>', drawing, re.DOTALL)
    return [unescape(text) for text in re.findall(r"<li[^>]*>([^<]*)", stops[1] if stops else "")]


def frames_html(film: Film, names: FilmNames, frames: Sequence[str], kind: str, *, alt: str) -> str:
    """Return a film that shows one drawing at each stop, and no other."""
    shown = [element("div", frame, style=film.during(stop)) for stop, frame in enumerate(frames)]
    drawn = element("div", *shown, class_="stops")
    return film_html(film, names, [drawn], kind, role="group", aria_label=alt)


def player(names: FilmNames, said: str) -> str:
    """Return the buttons, the slider over all moments, the speed, and what is said."""
    icon = element("i", "")
    buttons = [
        element(
            "button",
            *(element("span", icon, escaped(words), class_=f"to-{name}") for name, words in shown),
            type="button",
            data_film=shown[0][0],
            aria_label=label,
            title=label,
        )
        for shown, label in (
            ([("first", "")], names.first),
            ([("back", "")], names.back),
            ([("play", names.play), ("pause", names.pause)], None),
            ([("next", "")], names.next),
        )
    ]
    moment = element("input", type="range", step="any", aria_label=names.moment)
    speed = element("button", "1 ×", type="button", data_film="speed", title=names.speed)
    return element("div", *buttons, moment, speed, said, class_="player")
