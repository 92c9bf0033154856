"""Serve the pages of lessons from elsewhere, which have no file in pages/.

Upstream: `_navigation` (commands/navigation.py), which is called at each run with a page for each
file of pages/. Here it gets one more for each lesson from elsewhere. Links find a page by its file,
so such a page has its lesson.py as its file while it is registered. What is run is no file but a
function: a folder that is gone later can stop no other page. Installed only where the host names
such lessons, before the first visit.
"""

import importlib
from collections.abc import Callable, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import Any

import streamlit as st

from pages.server.course.lessons import BY_SLUG, FOLDERS
from pages.server.process import streamlit_patches


def add_pages(original: Callable) -> Callable:
    """Return what stands for `_navigation`."""

    @wraps(original)
    def navigation(pages: Sequence, **settings: Any) -> Any:
        more = {slug: st.Page(partial(_show, slug), title=slug, url_path=slug) for slug in FOLDERS}
        for slug, page in more.items():
            page._page = Path(BY_SLUG[slug].file)
        chosen = original([*pages, *more.values()], **settings)
        if chosen.url_path in more:
            chosen._page = partial(_show, chosen.url_path)
        return chosen

    return navigation


def _show(slug: str) -> None:
    """Do what a page's file does; what shows lessons is imported when the first one is."""
    importlib.import_module("pages.server.frame.parts").show_lesson(slug)


def install() -> None:
    """Replace `_navigation` if there are lessons from elsewhere."""
    from streamlit.commands import navigation

    if FOLDERS:
        streamlit_patches.replace(navigation, "_navigation", add_pages)
