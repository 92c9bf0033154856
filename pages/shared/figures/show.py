"""A figure in the page, always with its twin: the numbers as a table, and both as files."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import current_marks
from pages.shared.course.words import read_words
from pages.shared.figures.clickable import drawing
from pages.shared.figures.table import Table

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def show_chart(
    chart: "Figure", *, key: str, alt: str, table: Table | Callable[[], Table], source: str
) -> None:
    """Show a plotly chart; its own toolbar saves the picture."""
    config = {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "displayModeBar": True,
        "toImageButtonOptions": {"format": "svg", "filename": key},
        "scrollZoom": False,
    }
    marks = current_marks()
    chart.update_layout(separators=marks.decimal + marks.thousands)
    st.plotly_chart(chart, key=key, alt=alt, config=config)
    keep(key, table=table, source=source)


def show_drawing(
    html: str,
    *,
    key: str,
    table: Table | Callable[[], Table],
    source: str,
    on_click: Callable[[str], None] | None = None,
) -> None:
    """Show one of our own drawings; an SVG can be saved as a file."""
    drawing(html, key=key, on_click=on_click)
    keep(key, table=table, source=source, svg=_svg_of(html))


def keep(
    name: str, *, table: Table | Callable[[], Table], source: str, svg: str | None = None
) -> None:
    """Show where the numbers come from, with the table and the files to keep.

    `source` names the model, layer and setting that the numbers came from. A large `table` is
    given as a function, which runs when it is asked for.
    """
    words = read_words("frame")
    with st.container(horizontal=True, vertical_alignment="center", key=f"{name}_keep"):
        st.caption(source, width="content")
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
            if callable(table):
                table = table()
            table.show()
            st.download_button(
                words.label("save_csv"),
                table.csv,
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
