"""What a part is made of: its words, its controls and its figures, each named once.

    @part(code=("encoder.cost:attention_cost",))
    def show(p: Part) -> None:
        p.say("lead")                                # the section cost.lead
        count = p.choice("count")                    # the row "count" of the lesson's controls.py
        p.figure("growth", growth_chart(sizes, lines), {"n_tokens": sizes} | lines)

A word is looked up as the part's own, `<part>_<name>` (a section as `<part>.<name>`), then as the
lesson's, `<name>`; where there is neither, the part fails. Numbers are written by the text that
shows them, `{{share:.2f}}`, in the reader's language (words.py). The code that the part is about
stands below its last figure.
"""

import importlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from pages.shared.course.language import examples_in
from pages.shared.course.words import Words, read_examples, read_words
from pages.shared.figures.show import keep, show_chart, show_drawing, with_readable_names
from pages.shared.figures.table import Table
from pages.shared.frame import presenting
from pages.shared.frame.guess import ask_for_guess, is_in_class, tell_right
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part as guarded
from pages.shared.frame.source import show_source
from pages.shared.link import inputs, locks, whole_page
from pages.shared.link.controls import OPENING, Control, controls_of
from pages.shared.link.link_values import Marks
from pages.shared.record import evidence_card

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Thing = TypeVar("Thing")
Name = TypeVar("Name", bound=str)
Options = Mapping[Name, str] | Sequence[Name]
Rows = Mapping | Sequence | Table
Numbers = Rows | Callable[[], Rows]
BEGAN = "lines_began"  # session state: by key, what a line began with
NAMED = ("choice", "listed", "step")  # how options are shown: a row's kind, a function of inputs.py


class Part:
    """A part being drawn."""

    def __init__(self, page: Page, name: str) -> None:
        """Take the lesson's page and the name of the part's file."""
        self.page, self.name, self.slug = page, name, page.lesson.slug
        self.words: Words = page.words
        self.examples: Words = read_examples(page.lesson.slug)  # sentences for the model
        self.model_name: str = page.model_name
        self._is_opening = name in page.lesson.opening
        if self._is_opening:
            evidence_card.begin(self.slug, name)

    def key(self, name: str) -> str:
        """Return the key of a widget or figure, which is its parameter in the link."""
        return f"{self.slug}_{name}"

    # Words.

    def label(self, name: str, /, **values: object) -> str:
        """Return a short text for a widget."""
        return self._own_or_lessons(self.words.label, "_", name, values)

    def plain(self, name: str, /, **values: object) -> str:
        """Return a short text where no Markdown is read."""
        return self._own_or_lessons(self.words.plain, "_", name, values)

    def section(self, name: str, /, **values: object) -> str:
        """Return a section of Markdown."""
        return self._own_or_lessons(self.words.section, ".", name, values)

    def say(self, section: str, /, **values: object) -> None:
        """Write a section."""
        st.markdown(self.section(section, **values))

    def caption(self, section: str, /, **values: object) -> None:
        """Write a section in small letters."""
        st.caption(self.section(section, **values))

    def note(self, section: str, /, icon: str = "info", **values: object) -> None:
        """Say why something isn't shown, or how it is to be read."""
        st.info(self.section(section, **values), icon=f":material/{icon}:")

    def warn(self, section: str, /, icon: str = "warning", **values: object) -> None:
        """Say what is wrong, and what to do."""
        st.warning(self.section(section, **values), icon=f":material/{icon}:")

    # Controls: each has a row in the lesson's table.

    def choice(
        self,
        name: str,
        options: Options[Name] | None = None,
        /,
        *,
        start: str | None = None,
        on_change: Callable[[], None] | None = None,
        **values: object,
    ) -> Name:
        """Show named options, as the row says: side by side, as a list or along a slider.

        Returns the chosen name.
        """
        row = self._row(name, *NAMED)
        if isinstance(options, Mapping):
            named = options
        else:
            names = row.options if options is None else options
            named = {one: row.option(one) for one in names}
        start = start or row.start
        if row.follows:
            opening = self.chosen(row.follows)
            inputs.follow(row.key, opening if opening in named else start)
            start = row.start if presenting.hides_opening() or opening not in named else opening
        elif on_change is None and self._is_followed(name):
            on_change = whole_page.want
        settings = {"key": row.key, "default": start, "on_change": on_change}
        return getattr(inputs, row.kind)(self._title(row, **values), named, **settings)

    def played(self, name: str, options: Mapping[Name, str], *, start: str) -> Name:
        """Return the option of a row at which a film stands."""
        row = self._row(name, "played")
        return inputs.played(self._title(row), options, key=row.key, default=start)

    def begin_line(self, name: str, start: str) -> None:
        """Let go of what a line began with, in another language; a learner's own text stays."""
        key, began = self.key(name), st.session_state.setdefault(BEGAN, {})
        if began.get(key, start) != start and st.session_state.get(key) == began[key]:
            inputs.reset(key)
        began[key] = start

    def chosen(self, name: str) -> str:
        """Return what a control of the opening shows, also where the opening isn't drawn."""
        row = controls_of(self.slug)[self.key(name)]
        usual = self._default(row) if row.is_text else row.written
        return st.session_state.get(row.key) or st.query_params.get(row.key) or usual or ""

    def position(
        self,
        name: str,
        tokens: Sequence[str],
        *,
        default: int,
        among: Collection[int] | None = None,
    ) -> int:
        """Show the tokens as a list to choose from; return the position of the chosen one."""
        row = self._row(name, "position")
        return inputs.position(self._title(row), tokens, key=row.key, default=default, among=among)

    def several(
        self, name: str, options: Mapping[str, str], *, start: Sequence[str], most: int
    ) -> list[str]:
        """Show named options of which some may be chosen; return these."""
        row = self._row(name, "several")
        return inputs.several(self._title(row), options, key=row.key, start=start, most=most)

    def slider(
        self,
        name: str,
        lowest: float | None = None,
        highest: float | None = None,
        start: Marks | None = None,
        **more: Any,
    ) -> Marks:
        """Show numbers along a line; those given here depend on what is computed.

        What it returns is of the kind of the start, given here or in the row.
        """
        row = self._row(name, "slider")
        lowest, highest, start = self._numbers(row, lowest, highest, start)
        title = self._title(row, highest=highest)
        return inputs.slider(title, lowest, highest, start, row.step, key=row.key, **more)

    def number(
        self,
        name: str,
        lowest: int | None = None,
        highest: int | None = None,
        start: int | None = None,
        *,
        help: str | None = None,
    ) -> int:
        """Show a field for a whole number."""
        row = self._row(name, "number")
        numbers = self._numbers(row, lowest, highest, start)
        return inputs.number(self._title(row), *numbers, key=row.key, help=help)

    def toggle(self, name: str, *, help: str | None = None) -> bool:
        """Show a switch."""
        row = self._row(name, "toggle")
        return inputs.toggle(self._title(row), row.start, key=row.key, help=help)

    def text(self, name: str, start: str | None = None, **more: Any) -> str:
        """Show a line to type in; `start` is not one of the words, but what is computed."""
        row = self._row(name, "text")
        if start is None:
            start = self._default(row)
        if not row.follows:
            if self._is_followed(name):
                more["on_change"] = whole_page.want
            return inputs.text(self._title(row), start, key=row.key, **more)
        assert not more, "a line that follows the opening's takes no settings of its own"
        lessons, usual = controls_of(self.slug)[self.key(row.follows)], start
        start = self._own_text(lessons) or start
        # An opening that isn't drawn leaves the link: then the part's text stands in it.
        usual = usual if presenting.hides_opening() else start
        text = inputs.following_text(self._title(row), start, usual, key=row.key)
        if text != start and text.strip() and not locks.is_fixed(row.key):
            self._offer_for_the_lesson(row, lessons, text)
        return text

    def area(self, name: str, start: str, *, longest: int, height: int) -> str:
        """Show a field of several lines."""
        row = self._row(name, "area")
        return inputs.text_area(
            self._title(row), start, key=row.key, longest=longest, height=height
        )

    def pasted(
        self,
        name: str,
        label: str = "",
        /,
        *,
        longest: int,
        height: int,
        sample: str = "",
        about: Mapping[str, object] | None = None,
        **more: Any,
    ) -> str:
        """Show a field for a text that no link has; it stays for the visit.

        It begins with the section `sample` of the examples. `about` is filled into its label.
        """
        if sample:
            self._begin_field(name, sample)
        text = st.text_area(
            self.label(label or name, **about or {}),
            height=height,
            max_chars=longest,
            key=self.key(name),
            persist_state="session",
            **more,
        )
        return (text or "")[:longest]

    def drawn(self, name: str, start: str | None, *, longest: int | None = None) -> str | None:
        """Return a text that clicks and buttons change."""
        row = self._row(name, "drawn")
        return inputs.drawn(self._title(row), start, key=row.key, longest=longest)

    def guess(self, name: str, options: Options[str], **about: Any) -> str | None:
        """Ask for a guess; return it once it is made."""
        return ask_for_guess(self.page, name, options, key=self.key(f"{name}_guess"), **about)

    def tell_right(self, name: str, right: str) -> None:
        """Let a room know what is right, after a guess by this name whose answer is shown."""
        tell_right(self.page, f"{name}_guess", right)

    def vote(self, name: str, options: Options[str], **about: Any) -> bool:
        """Ask a class for a guess; return whether what follows may be shown. Alone it may."""
        return not is_in_class() or self.guess(name, options, **about) is not None

    def button(
        self,
        name: str,
        press: Callable[..., object],
        *args: object,
        icon: str,
        changes: Sequence[str] = (),
        **more: Any,
    ) -> bool:
        """Show a button that calls `press`; locked with the controls that it `changes`."""
        settings: dict[str, Any] = {
            "on_click": press,
            "args": args,
            "icon": f":material/{icon}:",
        } | more
        if changes:
            keys = [self.key(one) for one in changes]
            return inputs.button(self.label(name), changes=keys, key=self.key(name), **settings)
        return st.button(self.label(name), key=self.key(name), **settings)

    # Figures.

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
        can_zoom: bool = False,
        **values: object,
    ) -> list[int]:
        """Show a chart, or a drawing given as a function of its alt text, with its numbers.

        Returned are the points in a lasso, which a chart has that `can_zoom`. `values` are filled
        into its alt text, the label `<name>_alt`, and into the line that says where the numbers
        come from, the label `<name>_source`. `alt` and `source` name others.
        """
        values = {"model": self.model_name} | values
        settings = self._kept(name, table, source, values)
        settings |= {"key": self.key(name), "on_click": on_click}
        text = self.plain(alt or f"{name}_alt", **values)
        if self._is_opening:
            comes_from = self.plain(source or f"{name}_source", **values)
            evidence_card.note_figure(self.slug, self.name, text, with_readable_names(comes_from))
        if callable(figure):
            drawing = figure(alt=text)
            assert isinstance(drawing, str)
            show_drawing(drawing, **settings)
            return []
        return show_chart(figure, alt=text, can_zoom=can_zoom, **settings)

    def numbers(self, name: str, table: Numbers, /, *, source: str = "", **values: object) -> None:
        """Offer the numbers of what is no figure, such as a text, with the line of a figure."""
        values = {"model": self.model_name} | values
        keep(self.key(name), **self._kept(name, table, source, values))

    def code(self, name: str, *functions: Callable) -> None:
        """Show code where it isn't the last of a part, or may not be seen before a guess."""
        show_source(*functions, key=self.key(f"{name}_code"))

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
            told = {"thing": thing, "n": i + 1, "of": len(things), "left": left} | values
            if bar is None and spent >= patience:
                bar = st.empty()
            if bar is not None:
                bar.progress(i / len(things), self.label(name, **told))
            yield thing
        if bar is not None:
            bar.empty()

    @contextmanager
    def reported(self, name: str) -> Iterator[Callable[[int, int], None]]:
        """Give what work calls after each step, told(n, of): a bar with the seconds left."""
        bar, begun, first = st.empty(), time.monotonic(), None

        def told(n: int, of: int) -> None:
            nonlocal first
            if first is None:
                first = n - 1  # others may have done the steps before
            a_step = (time.monotonic() - begun) / max(1, n - first)
            left = max(1, round(a_step * (of - n)))
            bar.progress(min(1.0, n / of), self.label(name, n=n, of=of, left=left))

        try:
            yield told
        finally:
            bar.empty()

    def _kept(
        self, name: str, table: Numbers, source: str, values: Mapping[str, object]
    ) -> dict[str, Any]:
        """Return a figure's table and the line that says where it comes from."""
        given = _as_table(table) if isinstance(table, Rows) else lambda: _as_table(table())
        return {
            "table": given,
            "source": self.label(source or f"{name}_source", **values),
        }

    def _begin_field(self, name: str, sample: str) -> None:
        """Let a field that no link has begin with a sample, in the language that is read."""
        key, languages = self.key(name), examples_in(self.slug)
        samples = [read_words(self.slug, one).section(sample) for one in languages]
        if st.session_state.get(key) in (None, *samples):  # also of the language read before
            st.session_state[key] = self.examples.section(sample)

    def _own_or_lessons(
        self, read: Callable[..., str], dot: str, name: str, values: Mapping[str, object]
    ) -> str:
        own = f"{self.name}{dot}{name}"
        return read(own if self.words.has(own) else name, **values)

    def _row(self, name: str, *kinds: str) -> Control:
        """Return a control's row. Raises LookupError if this part has none of these kinds."""
        row = controls_of(self.slug).get(self.key(name))
        if row is None or row.kind not in kinds or not {self.name, OPENING} & set(row.at):
            table = f"pages/parts/{self.slug}/controls.py"
            raise LookupError(f"{table} declares no {kinds[0]} {name!r} in {self.name}")
        return row.of(self.name)

    def _is_followed(self, name: str) -> bool:
        """Return whether parts below, which a part's own run leaves, begin with what it shows."""
        return any(other.follows == name for other in controls_of(self.slug).values())

    def _default(self, row: Control) -> str:
        return self.examples.label(row.label_of_example)

    def _own_text(self, row: Control) -> str | None:
        """Return the text of a line if it isn't the lesson's own example."""
        text = st.session_state.get(row.key) or st.query_params.get(row.key)
        return text if text and text != self._default(row) else None

    def _offer_for_the_lesson(self, row: Control, lessons: Control, text: str) -> None:
        """Say that a part has a text of its own, with the ways to have one in all parts."""
        frame = read_words("frame")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(frame.section("own_text"), width="content")
            inputs.button(
                frame.label("own_text_for_lesson"),
                changes=lessons.key,
                on_click=whole_page.choose,
                args=(lessons.key, text),
                type="tertiary",
                icon=":material/move_up:",
                key=f"{row.key}_for_lesson",
            )
            inputs.button(
                frame.label("own_text_as_lesson"),
                changes=row.key,
                on_click=inputs.reset,
                args=(row.key,),
                type="tertiary",
                icon=":material/undo:",
                key=f"{row.key}_as_lesson",
            )

    def _title(self, row: Control, **values: object) -> str:
        return read_words(row.words).label(row.label, **{**row.values, **values})

    def _numbers(self, row: Control, *given: object) -> list[Any]:
        rows = (row.lowest, row.highest, row.start)
        return [own if own is not None else said for own, said in zip(given, rows, strict=True)]


def part(*, code: Sequence[str] = ()) -> Callable[[Callable[[Part], None]], Callable[[Page], None]]:
    """Make a function a part; `code` names what it shows of mlm_core, as "folder.file:name"."""

    def make(function: Callable[[Part], None]) -> Callable[[Page], None]:
        name = function.__module__.rpartition(".")[2]

        @guarded
        @wraps(function)
        def show(page: Page) -> None:
            p = Part(page, name)
            function(p)
            if code:
                p.code(name, *map(_named, code))

        return show

    return make


def _as_table(table: Rows) -> Table:
    return table if isinstance(table, Table) else Table(table)


def _named(name: str) -> Callable:
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(f"mlm_core.{module}"), function)
