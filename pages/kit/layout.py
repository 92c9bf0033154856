"""Rows, columns, boxes, numbers and links on the page: one of the classes of `Part`."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from pages.kit.words import PartWords, Width
from pages.server.course.lessons import BY_SLUG, PAGES
from pages.server.course.words import read_words
from pages.server.figures.show import show_metrics
from pages.server.frame import presenting
from pages.server.frame.overview import numbered_title
from pages.server.frame.parts import part as guarded
from pages.server.frame.parts import scroll_if_looked_up, scroll_into_view
from pages.server.link.controls import MODEL, OPENING, part_key
from pages.server.room import banner

OPENS = "opens"  # state: the lesson that a callback asked for
OF_SETTINGS = ("tune", "edit", "edit_note", "casino", "keyboard")  # icons of boxes of controls
Gap = Literal["xsmall", "small", "medium", "large"]
Align = Literal["top", "center", "bottom"]


class PartLayout(PartWords):
    """What holds other things, what is drawn again, and ways to other pages."""

    def row(
        self, align: Align = "bottom", gap: Gap = "small", *, css: str | None = None
    ) -> DeltaGenerator:
        """Return a row for controls and buttons, which wraps where there is no room.

        Style sheets know it by `css`, as st-key-<css>.
        """
        return st.container(horizontal=True, vertical_alignment=align, gap=gap, key=css)

    def place(
        self,
        *,
        width: Width = "stretch",
        border: bool = False,
        gap: Gap = "small",
        css: str | None = None,
    ) -> DeltaGenerator:
        """Return a place on the page that may be filled later; `css` is as in `row`."""
        return st.container(width=width, border=border, gap=gap, key=css)

    def scroll_to(self, css: str, *, focuses: bool = False) -> None:
        """Scroll as little as it takes to see a place or row, which has just appeared.

        The focus goes there, if it `focuses`: where what was pressed is gone.
        """
        scroll_into_view(css, focuses=focuses)

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
        self, name: str, icon: str = "", *, is_open: bool = False, **values: object
    ) -> DeltaGenerator:
        """Return a box that a press opens."""
        place = self._place_of_settings(name) if icon in OF_SETTINGS else nullcontext()
        label, icon = self.label(name, **values), icon and f":material/{icon}:"
        with place:
            return st.expander(label, icon=icon or None, expanded=is_open)

    def box(
        self, name: str, icon: str, label: str = "", /, *, in_link: bool = False, **values: object
    ) -> ExpanderContainer:
        """Return a box whose content is computed once it is open: `if box.open: with box: ...`.

        If it is `in_link`, a link has the name of the box, opens it and leads to it.
        """
        key = self.key(name if in_link else f"{name}_box")
        box = st.expander(
            self.label(label or name, **values),
            icon=f":material/{icon}:",
            key=key,
            on_change="rerun",
            bind="query-params" if in_link else None,
        )
        if in_link and box.open:
            scroll_if_looked_up(key)
        return box

    def popover(
        self,
        name: str,
        icon: str = "",
        *,
        width: Width = "content",
        type: Literal["secondary", "tertiary"] = "secondary",
        key: str = "",
        **values: object,
    ) -> Any:
        """Return a button that opens a small window with more controls.

        With a key its content is computed once it is open: `if window.open: with window: ...`.
        """
        label, icon = self.label(name, **values), icon and f":material/{icon}:"
        asks: dict[str, Any] = {"key": self.key(key), "on_change": "rerun"} if key else {}
        with self._place_of_settings(name):
            return st.popover(label, icon=icon or None, width=width, type=type, **asks)

    def _place_of_settings(self, name: str) -> AbstractContextManager:
        """Return where a box of controls goes, which is not seen where words are shown alone."""
        if self._has_controls:
            return nullcontext()
        return st.container(key=self.key(f"{self.name}_{name}_unseen"))  # page.css

    def polled(self, show: Callable[..., None], *values: object, seconds: float | None) -> None:
        """Call `show(p, *values)` now, and call it again every `seconds`, without the rest.

        With None it is drawn again only when a control in it changes. Call this in a part that
        `redraws_page`: one that is drawn alone would start one more timer each time. The lesson's
        evidence card has the figures of the last call.
        """

        def alone() -> None:
            self._begin_card()
            self._figure = None
            show(self, *values)

        guarded(alone, every=seconds)()

    def line(self) -> None:
        """Draw a line between two subjects."""
        self._figure = None
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

    @property
    def app_address(self) -> str:
        """Return the app's address as the browser has it, with "/" at its end; "" if unknown."""
        url = (st.context.url or "").rstrip("/")
        return url.removesuffix(f"/{self.slug}") + "/" if url else ""

    def number_of(self, slug: str) -> int | None:
        """Return the number of a lesson in the order of the course; None if it has none."""
        return BY_SLUG[slug].number

    def title_of(self, slug: str, part: str = "") -> str:
        """Return a part's title, of another lesson after that one's; or that one's alone."""
        title = read_words(slug).plain(f"part_{part}") if part else ""
        own = "" if slug == self.slug else numbered_title(BY_SLUG[slug])
        return ": ".join(filter(None, (own, title)))

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
        self,
        slug: str,
        part: str,
        label: str,
        *,
        icon: str | None = None,
        keeps_model: bool = False,
        view: Mapping[str, Sequence[str]] | None = None,
        **place: str,
    ) -> None:
        """Show a link to a part of another page, or to its top, with further parameters of it.

        The icon is that of the page unless another is named, or "" for none. Where the link
        `keeps_model`, a chosen model is that of the other lesson, too. `view` has parameters of
        any names, as they were read from a link.
        """
        page = PAGES[slug]
        asked: dict[str, Any] = {**place, **(view or {})}
        if part not in ("", OPENING):
            asked = {part_key(slug): part} | asked
        if keeps_model and MODEL in st.query_params:
            asked[MODEL] = st.query_params[MODEL]
        named = f":material/{icon}:" if icon else None
        icon = page.icon if icon is None else named
        st.page_link(page.file, label=label, icon=icon, query_params=asked)
