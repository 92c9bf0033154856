"""Fields whose value is in no link, and forms: one of the classes of `Part`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import streamlit as st

from mlm_core.text.plain_text import composed
from pages.kit.controls import PartControls
from pages.server.course.language import examples_in
from pages.server.course.words import as_text, read_words
from pages.server.link import inputs
from pages.server.room.sentences import shown_sentences


class PartFields(PartControls):
    """Fields that are no controls of the lesson; a text in one `stays` for the visit."""

    def pasted(
        self,
        name: str,
        label: str = "",
        /,
        *,
        longest: int,
        height: int | Literal["content"],
        sample: str = "",
        stays: bool = True,
        about: Mapping[str, object] | None = None,
        reads: str = "",
        **more: Any,
    ) -> str:
        """Show a field for a text that no link has; it `stays` for the visit.

        It begins with the section `sample` of the examples. `about` is filled into its label. A
        text that is of another kind than the door `reads` is refused, and "" returned.
        """
        if sample:
            self._begin_field(name, sample)
        title = self.label(label or name, **about or {})
        text = self._typed(st.text_area, name, title, longest, stays, height=height, **more)
        return text if not reads or self._is_read(text, reads) else ""

    def typed(
        self,
        name: str,
        label: str = "",
        /,
        *,
        longest: int,
        stays: bool = True,
        about: Mapping[str, object] | None = None,
        **more: Any,
    ) -> str:
        """Show a line for a text that no link has; it `stays` for the visit, or else for the page.

        `about` is filled into its label.
        """
        title = self.label(label or name, **about or {})
        return self._typed(st.text_input, name, title, longest, stays, autocomplete="off", **more)

    def counted(
        self, name: str, lowest: int, highest: int, start: int, label: str = "", /, **more: Any
    ) -> int:
        """Show a field for a whole number that no link has."""
        settings: dict[str, Any] = {"key": self.key(name)} | more
        return st.number_input(self.label(label or name), lowest, highest, start, **settings)

    def switched(self, name: str, start: bool, label: str = "", /, **more: Any) -> bool:
        """Show a switch that no link has; it stays for the visit."""
        settings: dict[str, Any] = {"key": self.key(name), "persist_state": "session"} | more
        return st.toggle(self.label(label or name), start, **settings)

    def slid(
        self,
        name: str,
        lowest: float,
        highest: float,
        start: float | None = None,
        label: str = "",
        *,
        step: float,
        format: str | None = None,
        **more: Any,
    ) -> float:
        """Show a slider for a fraction that no link has, such as a guess.

        `format` is that for English, as "%.3f". Without a start `p.state` has the value.
        """
        return st.slider(
            self.label(label or name),
            lowest,
            highest,
            start,
            step,
            format=inputs.fraction_format(format),
            key=self.key(name),
            **more,
        )

    def picked(
        self,
        name: str,
        options: Sequence[str] | Mapping[str, str],
        label: str = "",
        /,
        *,
        changes: str = "",
        **more: Any,
    ) -> Any:
        """Show a list whose choice no link has; return the name of the chosen one, or its number.

        It is off where a link fixes the control that its choice `changes`.
        """
        has_names = isinstance(options, Mapping)
        if not self._has_controls:
            at = more.get("index") or 0
            return list(options)[at] if has_names else at
        return st.selectbox(
            self.label(label or name),
            list(options) if has_names else range(len(options)),
            # A browser can send another name.
            format_func=(lambda one: options.get(one, one)) if has_names else options.__getitem__,
            key=self.key(name),
            disabled=bool(changes) and self.is_fixed(changes),
            **more,
        )

    def segments(
        self, name: str, options: Mapping[str, str], label: str = "", /, **more: Any
    ) -> Any:
        """Show named options side by side, whose choice no link has; return the chosen name."""
        return st.segmented_control(
            self.label(label or name),
            list(options),
            format_func=lambda one: options.get(one, one),
            key=self.key(name),
            required=True,
            **more,
        )

    def one_of(
        self,
        name: str,
        options: Sequence[str] | Mapping[str, str],
        label: str = "",
        /,
        **more: Any,
    ) -> str | None:
        """Show texts of which one may be chosen, none at first; no link has the choice.

        Options have names, or are their own.
        """
        is_named = isinstance(options, Mapping)
        settings: dict[str, Any] = {"horizontal": not is_named} | more
        return st.radio(
            self.label(label or name),
            list(options),
            index=None,
            format_func=options.__getitem__ if is_named else as_text,
            key=self.key(name),
            **settings,
        )

    def once_more(self, name: str, options: Mapping[str, str], value: str) -> None:
        """Show a choice of the opening along a slider, in a part below that depends on it.

        A move sets the opening's, and draws the whole page.
        """
        here = self.key(f"{name}_here")
        st.session_state[here] = value

        def move() -> None:
            self.choose(name, st.session_state[here], on_whole_page=True)

        if not self.is_hidden(name):
            st.select_slider(
                self.label(name),
                list(options),
                format_func=options.get,
                key=here,
                on_change=move,
                disabled=self.is_fixed(name),
            )

    @contextmanager
    def form(
        self,
        name: str,
        button: str,
        press: Callable[..., None],
        *args: object,
        label: str = "",
        icon: str = "send",
        type: Literal["primary", "secondary"] = "primary",
        border: bool = True,
    ) -> Iterator[None]:
        """Give a form: what its widgets have counts once its button is pressed, as a whole."""
        with st.form(self.key(name), border=border):
            yield
            st.form_submit_button(
                self.label(label or button),
                on_click=press,
                args=args,
                icon=f":material/{icon}:" if icon else None,
                type=type,
                key=self.key(button),
            )

    def sentences_of_class(self) -> list[str] | None:
        """Return the sentences that the teacher let through in this visit's room, if it has one."""
        return shown_sentences()

    def _typed(
        self, draw: Callable, name: str, title: str, longest: int, stays: bool, **more: Any
    ) -> str:
        if not self._has_controls:
            return self.state.get(name) or more.get("value") or ""
        kept = "session" if stays else None
        text = draw(title, max_chars=longest, key=self.key(name), persist_state=kept, **more)
        return composed(text or "")[:longest]  # a browser can send more

    def _is_read(self, text: str, door: str) -> bool:
        """Return whether a text is of a kind that a door reads; say so if it isn't."""
        from mlm_core.labelled.file_kinds import refuse_other_kinds  # it loads torch

        try:
            refuse_other_kinds(text, door)
        except ValueError as error:
            self.refused(error)
            return False
        return True

    def _begin_field(self, name: str, sample: str) -> None:
        """Let a field that no link has begin with a sample, in the language that is read."""
        key, languages = self.key(name), examples_in(self.slug)
        samples = [read_words(self.slug, one).section(sample) for one in languages]
        if st.session_state.get(key) in (None, *samples):  # also of the language read before
            st.session_state[key] = self.examples.section(sample)
