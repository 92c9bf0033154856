"""The controls of a part, as its lesson's rows declare them: one of the classes of `Part`."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn, TypeVar

import streamlit as st

from mlm_core.figures.bars import curtain_html
from pages.kit.layout import PartLayout
from pages.server import session
from pages.server.classroom.rooms import Kind
from pages.server.course.language import reader
from pages.server.course.lessons import file_of_rows
from pages.server.course.words import read_words
from pages.server.figures.clickable import drawing
from pages.server.frame import carried, reading
from pages.server.frame.guess import (
    answer_of_class,
    ask_for_guess,
    is_in_class,
    may_show_answer,
    tell_right,
)
from pages.server.frame.landing import Arrived
from pages.server.link import inputs, link_values, locks, seeds, whole_page
from pages.server.link.controls import MODEL, OPENING, Control, controls_of, option_of, part_key
from pages.server.link.link_values import Marks

Name = TypeVar("Name", bound=str)
Options = Mapping[Name, str] | Sequence[Name]
MOST_UNDO = 50  # changes of a drawn text
ROW = 45  # pixels of a grey row behind the curtain
NAMED = ("choice", "listed", "step")  # how options are shown: a row's kind, a function of inputs.py


class PartControls(PartLayout):
    """Widgets, what sets them, guesses and buttons."""

    # Each has a row in the lesson's table.

    def choice(
        self,
        name: str,
        options: Options[Name] | None = None,
        /,
        *,
        start: str | None = None,
        on_change: Callable[[], None] | None = None,
        as_list: bool = False,
        **values: object,
    ) -> Name:
        """Show named options, as the row says: side by side, as a list or along a slider.

        Returns the chosen name. `as_list` is for more options than the row counts on.
        """
        row = self._row(name, *NAMED)
        if isinstance(options, Mapping):
            named = options
        else:
            names = (*row.plain_options, *row.options) if options is None else options
            named = {one: option_of(row, one) for one in names}
        start = start or row.start
        if row.follows:
            opening = self.chosen(row.follows)
            start = opening if opening in named else start
        elif on_change is None and self._is_followed(name):
            on_change = whole_page.want
        settings = {"default": start, "follows": bool(row.follows), "on_change": on_change}
        draw = getattr(inputs, "listed" if as_list else row.kind)
        return draw(self._title(row, **values), named, key=row.key, **settings)

    def played(self, name: str, options: Mapping[Name, str], *, start: str) -> Name:
        """Return the option that a film shows now."""
        row = self._row(name, "played")
        return inputs.played(self._title(row), options, key=row.key, default=start)

    def chosen(self, name: str) -> str:
        """Return what a control of the opening shows, also where the opening isn't drawn.

        An emptied line is "", not its example.
        """
        row = controls_of(self.slug).get(self.key(name))
        if row is None:
            raise LookupError(f"{file_of_rows(self.slug)} declares no {name!r}")
        usual = self._default(row) if row.is_text else row.written
        shown = self.state.get(name, self.in_link(name))
        return (usual if shown is None else shown) or ""

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
            if row.carries:
                more["on_change"] = partial(self._note_sentence, row)
            elif self._is_followed(name):
                more["on_change"] = whole_page.want
            return inputs.text(self._title(row), start, key=row.key, **more)
        assert not more, "a line that follows the opening's takes no settings of its own"
        lessons = controls_of(self.slug)[self.key(row.follows)]
        start = self._own_text(lessons) or start
        text = inputs.text(self._title(row), start, key=row.key)
        if text != start and text.strip() and not locks.is_fixed(row.key):
            self._offer_for_the_lesson(row, lessons, text)
        return text

    def own_text(self, name: str) -> str | None:
        """Return a line of the opening as a learner wrote it; None if it is the lesson's own."""
        return self._own_text(controls_of(self.slug)[self.key(name)])

    def area(self, name: str, start: str, *, longest: int, height: int) -> str:
        """Show a field of several lines."""
        row = self._row(name, "area")
        return inputs.text_area(
            self._title(row), start, key=row.key, longest=longest, height=height
        )

    def drawn(self, name: str, start: str | None, *, longest: int | None = None) -> str | None:
        """Return a text that clicks and buttons change."""
        row = self._row(name, "drawn")
        return inputs.drawn(self._title(row), start, key=row.key, longest=longest)

    def drawn_line(self, name: str, *, longest: int, on_change: Callable[[], None]) -> str:
        """Show a line for a drawn text that is also typed, which `drawn_value` has begun."""
        row = self._row(name, "drawn")
        changed = partial(self._note_sentence, row, on_change) if row.carries else on_change
        settings: dict[str, Any] = {"longest": longest, "on_change": changed}
        return inputs.text_of_session(self._title(row), key=row.key, **settings)

    def guess(
        self, name: str, options: Options[str], /, *, key: str = "", rows: int = 0, **about: Any
    ) -> str | None:
        """Ask for a guess; return it once it is made. Its key is `<name>_guess`, or the given.

        Until then grey `rows` behind a curtain are in the place of the figure that answers it.
        """
        key = self.key(key or f"{name}_guess")
        guess = ask_for_guess(self.page, name, options, key=key, **about)
        if guess is None and rows and self._has_figures:
            drawing(curtain_html([1] * rows, height=ROW * rows), key=f"{key}_curtain")
        return guess

    def tell_right(self, name: str, right: str) -> None:
        """Let a room know what is right, after a guess by this name whose answer is shown."""
        tell_right(self.page, f"{name}_guess", right)

    def may_show(self, label: str, kind: Kind, answer: str, *, name: str, **values: object) -> bool:
        """Return whether the answer to a guess may be shown that the control `name` took.

        Outside of a room it always may. The question is the lesson's label with these values.
        """
        return may_show_answer(self.page, label, kind, answer, key=self.key(name), **values)

    def answer_of_class(self, label: str, kind: Kind, *, name: str, **values: object) -> str | None:
        """Return the class's usual answer to such a guess on the teacher's page, once revealed."""
        return answer_of_class(self.page, label, kind, key=self.key(name), **values)

    def vote(self, name: str, options: Options[str], **about: Any) -> bool:
        """Ask a class for a guess; return whether the rest may be shown, as it may alone."""
        return not is_in_class() or self.guess(name, options, **about) is not None

    def button(
        self,
        name: str,
        press: Callable[..., object] | None = None,
        *args: object,
        icon: str = "",
        changes: Sequence[str] = (),
        asks: Any = False,  # a bool
        label: Any = "",  # a text; ty takes each value of a caller's `**settings` for it
        about: Any = None,  # a mapping
        **more: Any,
    ) -> bool:
        """Show a button that calls `press`; return whether this run follows a press.

        It is locked with the controls that it `changes`. Of several buttons with one `label`, each
        has its own name; `about` is filled into the label. One that `asks` takes a guess, so it is
        there also where the words are shown alone.
        """
        if not (asks or self._has_controls):
            return False
        text = self.label(label or name, **about or {})
        settings: dict[str, Any] = {
            "on_click": press,
            "args": args,
            "icon": f":material/{icon}:" if icon else None,
        } | more
        if changes:
            keys = [self.key(one) for one in changes]
            return inputs.button(text, changes=keys, key=self.key(name), **settings)
        return st.button(text, key=self.key(name), **settings)

    # A control from a click or a callback; what a link fixes stays.

    def choose(self, name: str, value: str | int, *, on_whole_page: bool = False) -> bool:
        """Set a control; return whether it could be set.

        `on_whole_page` draws the whole page: the control, or what depends on it, is outside of
        this part.
        """
        is_set = inputs.choose(self.key(name), value)
        if is_set and on_whole_page:
            whole_page.want()
        return is_set

    def change(self, name: str, value: str) -> bool:
        """Set a drawn text, which `undo` takes back; return whether it was changed."""
        before = self.drawn_value(name)
        is_changed = value != before and self.choose(name, value)
        if is_changed:
            changes = self.state.get(f"{name}_changes", ())
            self.state[f"{name}_changes"] = [*changes, before][-MOST_UNDO:]
        return is_changed

    def undo(self, name: str) -> bool:
        """Take the last `change` of a drawn text back; return whether there was one."""
        changes = self.state.get(f"{name}_changes")
        is_undone = bool(changes) and self.choose(name, changes[-1])
        if is_undone:
            self.state[f"{name}_changes"] = changes[:-1]
        return is_undone

    def can_undo(self, name: str) -> bool:
        """Return whether a drawn text has a `change` to take back."""
        return bool(self.state.get(f"{name}_changes"))

    def go_to_part(self, name: str) -> None:
        """Choose a part of this lesson in a callback, and lead to its heading."""
        if not locks.is_fixed(part_key(self.slug)):
            whole_page.choose(part_key(self.slug), name)
        session.of(Arrived).looked_up = part_key(self.slug)

    def read_with_bundled(self) -> None:
        """Let this visit read with the bundled model of the lesson's language, in a callback."""
        whole_page.choose(MODEL, reader(self.slug))
        reading.note_model()

    def use_model(self, name: str) -> None:
        """Let this visit read with a model, in a callback; the whole page is drawn for it."""
        st.session_state[MODEL] = name
        whole_page.want()

    def draw_whole_page(self) -> None:
        """Let the run after this callback draw the whole page, not the part alone."""
        whole_page.want()

    def draw_page_now(self) -> NoReturn:
        """Draw the whole page from its top, and nothing more of this run."""
        st.rerun()

    def reset(self, name: str) -> None:
        """Let a control begin again as usual."""
        inputs.reset(self.key(name))

    def write_to_link(
        self, name: str, text: str, usual: str | None = "", *, in_link_only: bool = False
    ) -> None:
        """Store a drawn text as its part has read it, in the link unless it is the usual one.

        `in_link_only` leaves the text of a line as it is typed.
        """
        if not in_link_only:
            inputs.keep(self.key(name), text, usual)
        elif not self.is_fixed(name):
            link_values.write(self.key(name), text, usual)

    def drawn_value(
        self, name: str, usual: str | None = "", *, longest: int | None = None
    ) -> str | None:
        """Return a drawn text in a callback, or where it is drawn already."""
        return inputs.drawn_value(self.key(name), usual, longest=longest)

    def counter(self, name: str, usual: int = 0) -> int:
        """Return a whole number that buttons and clicks change, which the link carries."""
        row = self._row(name, "drawn")
        return inputs.counter(self._title(row), usual, key=row.key)

    def count_on(self, name: str, value: int, button: str, icon: str) -> None:
        """Show a button that adds one to a counter that is now `value`."""
        self.button(button, self.choose, name, value + 1, icon=icon, changes=(name,))

    def seed_start(self, usual: int, lowest: int, highest: int) -> int:
        """Return what a seed begins with: the usual number, or the learner's own from a link."""
        return seeds.start(usual, lowest, highest)

    def is_fixed(self, name: str) -> bool:
        """Return whether a link keeps the learner from changing a control."""
        return locks.is_fixed(self.key(name))

    def is_hidden(self, name: str) -> bool:
        """Return whether a link asks for a control not to be shown."""
        return locks.is_hidden(self.key(name))

    def is_asked(self, name: str) -> bool:
        """Return whether the link that led here names a control, and nothing followed it yet."""
        return inputs.is_asked(self.key(name))

    def in_link(self, name: str, *, take_out: bool = False) -> str | None:
        """Return what the page's address says of a control, which it then may say no more."""
        said = st.query_params.get(self.key(name))
        if take_out:
            st.query_params.pop(self.key(name), None)
        return said

    def _row(self, name: str, *kinds: str) -> Control:
        """Return a control's row. Raises LookupError if this part has none of these kinds."""
        row = controls_of(self.slug).get(self.key(name))
        if row is None or row.kind not in kinds or not {self.name, OPENING} & set(row.at):
            table = file_of_rows(self.slug)
            raise LookupError(f"{table} declares no {kinds[0]} {name!r} in {self.name}")
        return row.of(self.name)

    def _note_sentence(self, row: Control, then: Callable[[], None] | None = None) -> None:
        """Keep a sentence that was typed, for other lessons."""
        carried.note(self.slug, st.session_state[row.key])
        if then is not None:
            then()
        elif self._is_followed(row.name):
            whole_page.want()

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
        with self.row("center"):
            self.write_small(read_words("frame").section("own_text"), width="content")
            in_all = partial(self.choose, lessons.name, text, on_whole_page=True)
            looks = {"label": "own_text_for_lesson", "icon": "move_up", "type": "tertiary"}
            self.button(f"{row.name}_for_lesson", in_all, changes=(lessons.name,), **looks)
            looks = {"label": "own_text_as_lesson", "icon": "undo", "type": "tertiary"}
            as_lesson = partial(self.reset, row.name)
            self.button(f"{row.name}_as_lesson", as_lesson, changes=(row.name,), **looks)

    def _title(self, row: Control, **values: object) -> str:
        return read_words(row.words).label(row.label, **{**row.values, **values})

    def _numbers(self, row: Control, *given: object) -> list[Any]:
        rows = (row.lowest, row.highest, row.start)
        return [own if own is not None else said for own, said in zip(given, rows, strict=True)]
