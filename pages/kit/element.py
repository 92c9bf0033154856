"""An element with a script that comes with it, for what no member of `Part` shows.

    grid = element(__file__, '<div class="grid"></div>')  # number_grid.py, number_grid.js
    grid(p.key("numbers"), {"html": html}, edited=take)  # take() gets what the script reports

Make it where its module is imported, so once.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from pages.server.figures import sent_code
from pages.server.link import locks
from pages.server.process.browser_code import code_of

__all__ = ["element"]


def element(
    module: str,
    html: str = "<span></span>",
    *,
    style: str = "",
    packs: bool = False,
    of_figure: bool = False,
) -> Callable[..., None]:
    """Return what shows an element by its key; its script is in the folder of a module.

    The module is given as its `__file__`; a .css file with its name is the style if none is given.
    What the script reports by a name goes to the function of that name before the rerun, and can
    be anything. An element that `packs` is shown a text, which is sent in a sixth of its bytes.
    One `of_figure` isn't shown where a lesson has its words alone.
    """
    file = Path(module)
    if not style and file.with_suffix(".css").is_file():
        style = code_of(module, f"{file.stem}.css")
    script = code_of(module, f"{file.stem}.js")
    mount = st.components.v2.component(
        f"mlm_{file.stem}",
        html=html,
        css=style or None,
        js=sent_code.packed_script(script) if packs else script,
    )

    def show(key: str, data: Any = None, **takes: Callable[[Any], object]) -> None:
        def reports(name: str, take: Callable[[Any], object]) -> Callable[[], object]:
            return lambda: take(getattr(st.session_state[key], name))

        if of_figure and locks.has_words_alone():
            return
        reported: dict[str, Any] = {
            f"on_{name}_change": reports(name, take) for name, take in takes.items()
        }
        mount(key=key, data=sent_code.packed(data) if packs else data, **reported)

    return show
