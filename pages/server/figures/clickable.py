"""Our drawings in the page: SVG and HTML from mlm_core/figures, with parts that can be clicked.

An element with data-value="..." is a button: a click, Enter or Space reports its value.
Elements that also have data-row and data-column are reached with the arrow keys. In a drawing with
data-drag, a mouse that is drawn over several reports all their values, with spaces between.
"""

import importlib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import streamlit as st

from mlm_core import figures
from mlm_core.figures.film import FilmNames
from mlm_core.figures.theme import escaped
from pages.server.course.words import read_words
from pages.server.figures import sent_code
from pages.server.process.browser_code import code_of

# As short as it can be: it goes with every drawing.
_HAND_OVER = """
export default it => { const page = window.mlmDrawings ??= { waiting: [] };
page.draw ? page.draw(it) : page.waiting.push(it) }
"""


def _style() -> str:
    """Return the STYLE of every figure that has one, chips first, which others build on.

    Only those are imported: some of the others need torch or plotly, which a page may not.
    """
    folder = Path(figures.__file__).parent
    files = [f for f in folder.rglob("*.py") if "\nSTYLE = " in f.read_text(encoding="utf-8")]
    files.sort(key=lambda file: (file.stem != "chips", file))
    names = [".".join(file.relative_to(folder).with_suffix("").parts) for file in files]
    modules = [importlib.import_module(f"{figures.__name__}.{name}") for name in names]
    return "".join(module.STYLE for module in modules) + _AROUND


_AROUND = """
.drawing { color: var(--st-text-color); }
.drawing .note { position: fixed; z-index: 9; pointer-events: none; max-width: 20rem;
  padding: .15rem .5rem; font-size: .85rem; border-radius: .4rem; white-space: pre-wrap;
  background: var(--st-background-color); border: 1px solid currentColor; }
.drawing [data-drag] { user-select: none; }
.drawing .passed :is(rect, .box) { filter: brightness(.8); opacity: .75; }
.drawing .saves { font: inherit; font-size: .875rem; color: inherit; background: none;
  cursor: pointer; padding: .4rem .75rem; border: 1px solid rgba(127,136,150,.6);
  border-radius: .5rem; }
.drawing :focus-visible { outline: 3px solid var(--st-link-color); outline-offset: 1px; }
@media print {
  .drawing div { overflow: visible !important; }
  .drawing svg { min-width: 0 !important; max-width: 100%; }
}
"""
_SHARED = sent_code.style_and_module(_style(), code_of(__file__, "drawing_script.js"))

_page = st.components.v2.component("mlm_drawings", html="<span></span>", js=sent_code.RUN_SENT)
_mount = st.components.v2.component(
    "mlm_drawing", html='<div class="drawing"></div>', js=_HAND_OVER
)


def prepare_drawings() -> None:
    """Send what all drawings of a page share; page_style.py lets it take no room."""
    _page(key="drawings", data=_SHARED)


def film_names() -> FilmNames:
    """Return what the player of a film says, in the reader's language."""
    words = read_words("frame")
    return FilmNames(**{one.name: words.plain(f"film_{one.name}") for one in fields(FilmNames)})


def drawing(html: str, *, key: str, on_click: Callable[[str], object] | None = None) -> None:
    """Show a drawing; `on_click` gets the data-value of what was clicked, before the rerun.

    A value that this drawing doesn't have is ignored: a browser can send anything, and a click on
    the drawing before this one may still arrive.
    """

    def report() -> None:
        clicked = st.session_state[key].clicked
        if on_click is not None and isinstance(clicked, str) and _has(html, clicked):
            on_click(clicked)

    _mount(key=key, data=sent_code.packed(html), on_clicked_change=report)


def _has(html: str, value: str) -> bool:
    """Return whether a film reports this, a click does, or a mouse that is drawn over several."""
    values = value.split(" ") if ' data-drag=""' in html else [value]
    return f' data-stop="{escaped(value)}"' in html or all(
        f'data-value="{escaped(one)}"' in html for one in values
    )
