"""A figure in the page; the menu in its corner has its source, its numbers and both as files."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from mlm_core.figures.film import said_in
from mlm_core.figures.svg import element
from mlm_core.figures.theme import escaped
from pages.server import session
from pages.server.course.words import as_text, read_words
from pages.server.figures.clickable import drawing
from pages.server.figures.in_words import in_words
from pages.server.figures.table import Table
from pages.server.process.model_choice import OWN_PREFIX

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

# plotly's names of what is measured in pixels.
SIZES = {"font": ("size",), "marker": ("size",), "line": ("width",), "margin": ("l", "r", "t", "b")}
MOST_SAID = 24  # rows of a table that stands in place of its figure
NARROW, WIDEST = 560, re.compile(r"max-width:(\d+)px")  # pixels of a drawing
OWN_ENCODER = re.compile(f"(?:{OWN_PREFIX}|{re.escape(as_text(OWN_PREFIX))})[0-9a-f]{{10}}")


@dataclass(frozen=True)
class Framed:
    """A figure that was shown: its box and its menu."""

    box: DeltaGenerator
    menu: PopoverContainer
    is_narrow: bool = False  # so that a text has room next to it on a wide screen


@dataclass
class Presented:
    """Whether a visit presents (frame/presenting.py), and how its charts are drawn then."""

    is_on: bool = False
    zoom: float | None = None  # how many times as large the charts' text and marks are


def show_chart(
    chart: "Figure",
    *,
    key: str,
    alt: str,
    on_click: Callable[[int], object] | None = None,
    **menu: Any,
) -> "Framed":
    """Show a plotly chart with its menu.

    A point with `customdata` can be chosen: `on_click` gets it before the rerun. A point that the
    chart doesn't have is ignored: a browser can send anything.
    """
    has = {
        (curve, point): value
        for curve, trace in enumerate(chart.data)
        for point, value in enumerate(trace.customdata or ())
    }
    chart.update_traces(customdata=None)  # which stays here
    if (by := session.of(Presented).zoom) is not None:
        chart = enlarged(chart, by)

    def report() -> None:
        points = st.session_state[key]["selection"].get("points", ())
        places = [(point.get("curve_number"), point.get("point_index")) for point in points]
        found = [value for place in places if (value := has.get(place)) is not None]
        if on_click is not None and len(found) == 1:
            on_click(found[0])

    listens: dict[str, Any] = {}
    if on_click is not None:
        listens = {"on_select": report, "selection_mode": ("points",)}
    with (box := frame(key)):
        st.plotly_chart(chart, key=key, alt=alt, theme=None, config=_config(key), **listens)
        return Framed(box, show_menu(key, saves_chart=True, **menu), is_narrow=True)


def enlarged(chart: "Figure", by: float) -> "Figure":
    """Return a chart with larger text, marks, lines and margins in the same place."""
    spec = chart.to_dict()
    _enlarge(spec, by)
    return type(chart)(spec)


def _enlarge(spec: dict, by: float) -> None:
    for name, value in spec.items():
        if isinstance(value, dict):
            for size in SIZES.get(name, ()):
                if size in value:
                    value[size] = (by * np.asarray(value[size])).tolist()
            _enlarge(value, by)
        elif isinstance(value, list | tuple):
            for one in value:
                if isinstance(one, dict):
                    _enlarge(one, by)


def _config(key: str) -> dict[str, object]:
    """Return how the chart's tool bar saves the picture, which the menu lets it do."""
    return {
        "displaylogo": False,
        "displayModeBar": True,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": key},
        "doubleClick": False,
        "showTips": False,
    }


def show_drawing(
    html: str,
    *,
    key: str,
    on_click: Callable[[str], object] | None = None,
    **menu: Any,
) -> "Framed":
    """Show one of our own drawings with its menu; an SVG can be saved as a file."""
    widest = WIDEST.search(html)
    with (box := frame(key)):
        drawing(html, key=key, on_click=on_click)
        opened = show_menu(key, svg=_svg_of(html), film=said_in(html), **menu)
        return Framed(box, opened, is_narrow=bool(widest) and int(widest[1]) <= NARROW)


def with_readable_names(source: str) -> str:
    r"""Return a caption that calls a learner's own encoder so, not by its name in the caches.

    >>> with_readable_names(r"my\-encoder\-c9112cce70, layer 2")
    'your encoder, layer 2'
    """
    return OWN_ENCODER.sub(read_words("frame").plain("own_encoder"), source)


def frame(key: str) -> DeltaGenerator:
    """Return the box of a figure, in whose corner its menu is."""
    return st.container(key=f"{key}_keep")


def show_menu(
    name: str,
    *,
    table: Table | Callable[[], Table],
    source: str,
    legend: str = "",
    svg: str | None = None,
    saves_chart: bool = False,
    film: Sequence[str] = (),
) -> PopoverContainer:
    """Show the menu of a figure: where its numbers come from, the table and the files to keep.

    `source` names the model, layer and setting that the numbers came from; on paper it is below
    the figure, as the `legend` always is. What the numbers show is said in words, too, and what a
    `film` says at its stops. A large `table` is given as a function, which runs when
    it is asked for.
    """
    words, source = read_words("frame"), with_readable_names(source)
    if legend:
        st.caption(legend)
    # A large table is built and sent only to those who open it.
    opened = st.popover(
        words.label("numbers"),
        icon=":material/more_horiz:",
        type="tertiary",
        key=f"{name}_numbers",
        on_change="rerun",
    )
    st.caption(source)
    if opened.open:
        with opened:
            st.caption(source)
            made = table if isinstance(table, Table) else table()
            made.show()
            _say("film_said", [f"1. {as_text(one)}" for one in film])
            _say("words_of_numbers", [f"- {one}" for one in in_words(made)])
            _save(name, "csv", made.csv, "text/csv", "download")
            if svg is not None:
                _save(name, "svg", svg.encode(), "image/svg+xml", "image")
            if saves_chart:
                drawing(_saves(name, words.plain("save_svg")), key=f"{name}_svg")
    return opened


def say_figure(alt: str, table: Table | Callable[[], Table], film: Sequence[str]) -> None:
    """Say what a figure shows, in place of it: its text, then what its film or its numbers say.

    Few rows are a table.
    """
    made = table if isinstance(table, Table) else table()
    lines = [f"1. {as_text(one)}" for one in film]
    if not lines and len(made.rows) > MOST_SAID:
        lines = [f"- {one}" for one in in_words(made)]
    st.markdown("\n".join([as_text(alt), "", *lines]))
    if len(made.rows) <= MOST_SAID:
        made.show()


def _say(heading: str, lines: Sequence[str]) -> None:
    if lines:
        st.markdown(f"**{read_words('frame').label(heading)}**\n\n" + "\n".join(lines))


def _save(name: str, kind: str, data: Any, mime: str, icon: str) -> None:
    st.download_button(
        read_words("frame").label(f"save_{kind}"),
        data,
        file_name=f"{name}.{kind}",
        mime=mime,
        key=f"{name}_{kind}",
        on_click="ignore",
        icon=f":material/{icon}:",
    )


def _saves(chart: str, words: str) -> str:
    """Return the button that lets a chart's tool bar save it (drawing_script.js)."""
    return element("button", escaped(words), type="button", class_="saves", data_saves=chart)


def show_metrics(values: Mapping[str, str]) -> None:
    """Show a few numbers under their labels, side by side where there is room."""
    with st.container(horizontal=True, gap="medium"):
        for label, value in values.items():
            st.metric(label, value, width="content")


def _svg_of(html: str) -> str | None:
    """Return the drawing's SVG as a picture of its own: dark lines on white."""
    # The first: a drawing that has one for wide and one for narrow screens begins with the wide.
    start, end = html.find("<svg"), html.find("</svg>")
    if start < 0:
        return None
    picture = html[start : end + len("</svg>")]
    style = (
        '<rect width="100%" height="100%" fill="#fff"/><style>text { font-family: monospace;'
        " fill: #1c2430; }</style>"
    )
    opening = picture.index(">") + 1
    return picture[:opening] + style + picture[opening:]
