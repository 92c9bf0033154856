"""A figure in the page, always with its twin: the numbers as a table, and both as files."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from pages.server import session
from pages.server.course.words import as_text, read_words
from pages.server.figures.clickable import drawing
from pages.server.figures.table import Table
from pages.server.process.model_choice import OWN_PREFIX

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

# plotly's names of what is measured in pixels.
SIZES = {"font": ("size",), "marker": ("size",), "line": ("width",), "margin": ("l", "r", "t", "b")}
OWN_ENCODER = re.compile(f"(?:{OWN_PREFIX}|{re.escape(as_text(OWN_PREFIX))})[0-9a-f]{{10}}")


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
    table: Table | Callable[[], Table],
    source: str,
    on_click: Callable[[int], object] | None = None,
) -> None:
    """Show a plotly chart; its tool bar saves the picture.

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
    st.plotly_chart(chart, key=key, alt=alt, theme=None, config=_config(key), **listens)
    keep(key, table=table, source=source)


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
    """Return what the chart's tool bar offers, in the reader's language."""
    titles = {"Download plot": read_words("frame").plain("chart_save")}  # plotly's name of it
    return {
        "displaylogo": False,
        "displayModeBar": True,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": key},
        "doubleClick": False,
        "showTips": False,
        "locale": "own",
        "locales": {"own": {"dictionary": titles}},
    }


def show_drawing(
    html: str,
    *,
    key: str,
    table: Table | Callable[[], Table],
    source: str,
    on_click: Callable[[str], object] | None = None,
) -> None:
    """Show one of our own drawings; an SVG can be saved as a file."""
    drawing(html, key=key, on_click=on_click)
    keep(key, table=table, source=source, svg=_svg_of(html))


def with_readable_names(source: str) -> str:
    r"""Return a caption that calls a learner's own encoder so, not by its name in the caches.

    >>> with_readable_names(r"my\-encoder\-c9112cce70, layer 2")
    'your encoder, layer 2'
    """
    return OWN_ENCODER.sub(read_words("frame").plain("own_encoder"), source)


def keep(
    name: str, *, table: Table | Callable[[], Table], source: str, svg: str | None = None
) -> None:
    """Show where the numbers come from, with the table and the files to keep.

    `source` names the model, layer and setting that the numbers came from. A large `table` is
    given as a function, which runs when it is asked for.
    """
    words = read_words("frame")
    with st.container(horizontal=True, vertical_alignment="center", key=f"{name}_keep"):
        st.caption(with_readable_names(source), width="content")
        # A large table is built and sent only to those who open it.
        opened = st.popover(
            words.label("numbers"),
            icon=":material/table_rows:",
            type="tertiary",
            key=f"{name}_numbers",
            on_change="rerun",
        )
        if not opened.open:
            return
        with opened:
            made = table if isinstance(table, Table) else table()
            made.show()
            st.download_button(
                words.label("save_csv"),
                made.csv,
                file_name=f"{name}.csv",
                mime="text/csv",
                key=f"{name}_csv",
                on_click="ignore",
                icon=":material/download:",
            )
            if svg is not None:
                st.download_button(
                    words.label("save_svg"),
                    svg.encode(),
                    file_name=f"{name}.svg",
                    mime="image/svg+xml",
                    key=f"{name}_svg",
                    on_click="ignore",
                    icon=":material/image:",
                )


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
