"""Where things stand on the page: one of the classes of `Part`."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from pages.kit.words import PartWords, Width
from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import read_words
from pages.server.figures.show import show_metrics
from pages.server.frame import presenting
from pages.server.frame.overview import numbered_title
from pages.server.link.controls import MODEL, part_key
from pages.server.room import banner

OPENS = "opens"  # state: the lesson that a callback asked for
Gap = Literal["small", "medium", "large"]
Align = Literal["top", "center", "bottom"]


class PartLayout(PartWords):
    """Rows, columns and boxes of a part."""

    def row(self, align: Align = "bottom", gap: Gap = "small") -> DeltaGenerator:
        """Return a row for controls and buttons, which wraps where there is no room."""
        return st.container(horizontal=True, vertical_alignment=align, gap=gap)

    def place(self, *, width: Width = "stretch", border: bool = False) -> DeltaGenerator:
        """Return a place on the page that may be filled later."""
        return st.container(width=width, border=border)

    def columns(
        self, *widths: float, gap: Gap = "medium", align: Align = "top", of_run: str = ""
    ) -> list[DeltaGenerator]:
        """Return columns by their widths, two alike if none are given; on a phone a stack.

        Those `of_run` ("curve", "settings" or "examples") are a stack already where one would be
        narrower than page.css says.
        """
        with st.container(key=f"training_{of_run}") if of_run else nullcontext():
            return st.columns(widths or 2, gap=gap, vertical_alignment=align)

    def fold(
        self, name: str, icon: str, *, is_open: bool = False, **values: object
    ) -> DeltaGenerator:
        """Return a box that a press opens."""
        label = self.label(name, **values)
        return st.expander(label, icon=f":material/{icon}:", expanded=is_open)

    def box(self, name: str, icon: str, **values: object) -> ExpanderContainer:
        """Return a box whose content is computed once it is open: `if box.open: with box: ...`."""
        return st.expander(
            self.label(name, **values),
            icon=f":material/{icon}:",
            key=self.key(f"{name}_box"),
            on_change="rerun",
        )

    def popover(
        self, name: str, icon: str = "", *, width: Width = "content", **values: object
    ) -> Any:
        """Return a button that opens a small window with more controls."""
        label = self.label(name, **values)
        return st.popover(label, icon=f":material/{icon}:" if icon else None, width=width)

    def line(self) -> None:
        """Draw a line between two subjects."""
        st.divider()

    def working(
        self, name: str, *, is_timed: bool = True, **values: object
    ) -> AbstractContextManager:
        """Say, while it is open, that something is worked out, and for how long already."""
        return st.spinner(self.label(name, **values), show_time=is_timed)

    @property
    def is_presented(self) -> bool:
        """Return whether the page is shown by a projector, where it has less text."""
        return presenting.is_on()

    def metrics(self, values: Mapping[str, str]) -> None:
        """Show a few numbers under their labels, side by side."""
        show_metrics(values)

    def metric(
        self,
        name: str,
        value: str,
        *,
        change: str | None = None,
        width: Width = "stretch",
        **values: object,
    ) -> None:
        """Show one number under a label of the part, and by how much it changed."""
        # Streamlit takes only the ASCII minus for a fall.
        delta = None if change is None else change.replace("−", "-")
        st.metric(self.label(name, **values), value, delta, width=width)

    def number_of(self, slug: str) -> int | None:
        """Return the number of a lesson in the order of the course; None if it has none."""
        return BY_SLUG[slug].number

    def title_of(self, slug: str, part: str) -> str:
        """Return the title of a part; of another lesson with that lesson's title before it."""
        title = read_words(slug).plain(f"part_{part}")
        return title if slug == self.slug else f"{numbered_title(BY_SLUG[slug])}: {title}"

    def open(self, slug: str, part: str, **place: str) -> None:
        """Open a part of another lesson, in a callback, with further controls of that lesson."""
        asked = {f"{slug}_{name}": [value] for name, value in place.items()}
        parameters = {part_key(slug): [part], **asked}
        self.state[OPENS] = (slug, BY_SLUG[slug].file, parameters)

    def open_if_asked(self) -> None:
        """Open the lesson that a callback of this part named."""
        if OPENS in self.state:
            banner.lead_to(*self.state.pop(OPENS), self.slug)

    def link_to(
        self, slug: str, part: str, label: str, *, keeps_model: bool = False, **place: str
    ) -> None:
        """Show a link to a part of another lesson, with further parameters of that lesson.

        Where the link `keeps_model`, a chosen model is that of the other lesson, too.
        """
        lesson = BY_SLUG[slug]
        asked = {part_key(slug): part} | place
        if keeps_model and MODEL in st.query_params:
            asked[MODEL] = st.query_params[MODEL]
        st.page_link(lesson.file, label=label, icon=lesson.icon, query_params=asked)
