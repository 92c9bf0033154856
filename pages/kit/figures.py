"""Figures with their numbers, code that ran, progress of long work: one of `Part`'s classes."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st
from streamlit.delta_generator_singletons import context_dg_stack
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from mlm_core.figures.film import FilmNames, said_in
from pages.kit.files import PartFiles
from pages.server.course.language import reader
from pages.server.course.words import as_text
from pages.server.figures import clickable
from pages.server.figures.show import (
    frame,
    say_figure,
    show_chart,
    show_drawing,
    show_menu,
    with_readable_names,
)
from pages.server.figures.table import Table
from pages.server.frame import helper_work
from pages.server.frame.source import show_source
from pages.server.process import helper_process
from pages.server.process.helper_process import Work
from pages.server.record import evidence_card

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Thing = TypeVar("Thing")
Rows = Mapping | Sequence | Table
Numbers = Rows | Callable[[], Rows]


class PartFigures(PartFiles):
    """Charts, drawings, tables, the code that ran, and bars of progress."""

    def figure(
        self,
        name: str,
        figure: "Figure | Callable[..., str]",
        table: Numbers,
        /,
        *,
        alt: str = "",
        source: str = "",
        on_click: Callable | None = None,
        is_on_card: bool = True,
        **values: object,
    ) -> None:
        """Show a chart, or a drawing given as a function of its alt text, with its numbers.

        `values` are filled into its alt text, the label `<name>_alt`, and into the line that says
        where the numbers come from, the label `<name>_source`, which the figure's menu has; what
        is needed to read the figure is below it: the label `<name>_legend`, if there is one. `alt`
        and `source` name others. The section that is said next has its place next to a figure of a
        part, if it is narrow and the screen wide. A figure of the opening is quoted on the lesson's
        evidence card if it `is_on_card`.
        """
        values = {"model": self.model_name} | values
        settings = self._kept(name, table, source, values)
        settings |= {"key": self.key(name), "on_click": on_click}
        text = self.plain(alt or f"{name}_alt", **values)
        if self._is_opening and is_on_card:
            comes_from = self.plain(source or f"{name}_source", **values)
            evidence_card.note_figure(self.slug, self.name, text, with_readable_names(comes_from))
        if not self._has_figures:
            film = said_in(str(figure(alt=text))) if callable(figure) else ()
            say_figure(text, settings["table"], film)
            return
        if callable(figure):
            drawing = figure(alt=text)
            assert isinstance(drawing, str)
            framed = show_drawing(drawing, **settings)
        else:
            framed = show_chart(figure, alt=text, **settings)
        self._offer_code_in(self.key(name), framed.menu)
        if framed.is_narrow and not (self._is_opening or self.is_presented):
            self._figure = (framed.box, context_dg_stack.get()[-1], f"{self.key(name)}_beside")

    def drawing(
        self, name: str, html: str, on_click: Callable[[str], object] | None = None
    ) -> None:
        """Show a drawing whose numbers are said elsewhere; a click reports its data-value."""
        if not self._has_figures:
            return
        clickable.drawing(html, key=self.key(name), on_click=on_click)

    @property
    def film_names(self) -> FilmNames:
        """Return what the buttons of a film are called."""
        return clickable.film_names()

    def numbers(
        self,
        name: str,
        table: Numbers,
        /,
        *,
        source: str = "",
        svg: str | None = None,
        **values: object,
    ) -> None:
        """Offer the numbers of what is no figure, such as a text, with the line of a figure.

        `svg` is a picture to save as well, of a drawing that `drawing` shows.
        """
        if not self._has_figures:
            return
        values = {"model": self.model_name} | values
        with frame(self.key(name)):
            opened = show_menu(self.key(name), svg=svg, **self._kept(name, table, source, values))
        self._offer_code_in(self.key(name), opened)

    def code(self, name: str, *functions: Callable) -> None:
        """Show code where it isn't the last of a part, or may not be seen before a guess.

        It is in the menus of the figures before it, or on the page where there is none.
        """
        if not self._has_figures:
            return
        if not self._menus and not self._is_opening:
            show_source(*functions, key=self.key(f"{name}_code"))
        for key, opened in self._menus.items():
            self._code[key] = functions
            self._offer_code_in(key, opened)
        self._menus.clear()

    def _offer_code_in(self, key: str, menu: PopoverContainer) -> None:
        """Show a menu's code, if it is open; `code` may only come later.

        What is drawn again without the rest of its part has had its code then.
        """
        if key not in self._code:
            self._menus[key] = menu
        elif menu.open:
            with menu:
                show_source(*self._code[key], key=f"{key}_code")

    def helped(self, make_work: Callable[[], Work], *modules: str) -> Any:
        """Return what work in the helper process gives; None if it isn't there, and say why.

        The modules are those that it needs, such as "umap" and "sklearn".
        """
        return helper_work.asked(make_work, *modules)

    def start_helper(self) -> None:
        """Start the helper process, where a learner's next steps lead to work for it."""
        helper_process.begin()

    def progress(
        self, name: str, things: Sequence[Thing], *, patience: float = 0.0, **values: object
    ) -> Iterator[Thing]:
        """Yield the things under a bar that says which one it is, and the seconds left.

        The bar shows after `patience` seconds.
        """
        bar, begun = None, time.monotonic()
        for i, thing in enumerate(things):
            spent = time.monotonic() - begun
            left = round(spent / i * (len(things) - i)) if i else None
            at = {"thing": thing, "n": i + 1, "of": len(things), "left": left} | values
            if bar is None and spent >= patience:
                bar = st.empty()
            if bar is not None:
                bar.progress(i / len(things), self.label(name, **at))
            yield thing
        if bar is not None:
            bar.empty()

    def bar(self, share: float, text: str) -> None:
        """Show how much is done, under a text that says so."""
        st.progress(share, text)

    @contextmanager
    def reported(self, name: str) -> Iterator[Callable[[int, int], None]]:
        """Give what long work calls after each step, report(n, of): a bar with the seconds left."""
        bar, begun, first = st.empty(), time.monotonic(), None

        def report(n: int, of: int) -> None:
            nonlocal first
            if first is None:
                first = n - 1  # others may have done the steps before
            a_step = (time.monotonic() - begun) / max(1, n - first)
            left = max(1, round(a_step * (of - n)))
            bar.progress(min(1.0, n / of), self.label(name, n=n, of=of, left=left))

        try:
            yield report
        finally:
            bar.empty()

    def _kept(
        self, name: str, table: Numbers, source: str, values: Mapping[str, object]
    ) -> dict[str, Any]:
        """Return a figure's table, its legend and the line that says where it comes from.

        The model that the lesson begins with is named by the sidebar alone.
        """
        given = _as_table(table) if isinstance(table, Rows) else lambda: _as_table(table())
        said = self.label(source or f"{name}_source", **values)
        named = f"{as_text(self.model_name)}, "
        is_usual = values["model"] == self.model_name == reader(self.slug)
        if is_usual and self.page.lesson.number and said.startswith(named):
            said = said[len(named) :]
            said = said[:1].upper() + said[1:]
        legend = (source or name).removesuffix("source").removesuffix("_") + "_legend"
        legend = legend.removeprefix("_")
        return {
            "table": given,
            "source": said,
            "legend": self.label(legend, **values) if self._has(legend) else "",
        }


def _as_table(table: Rows) -> Table:
    return table if isinstance(table, Table) else Table(table)
