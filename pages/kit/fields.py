"""Fields whose value no link has: pasted texts, forms, a slider by hand (part of `Part`)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st

from pages.kit.controls import PartControls
from pages.server.course.language import examples_in
from pages.server.course.words import as_text, read_words
from pages.server.link import inputs
from pages.server.room.sentences import shown_sentences


class PartFields(PartControls):
    """Fields that are no controls of the lesson; what they have stays for the visit."""

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

    def typed(
        self,
        name: str,
        label: str = "",
        /,
        *,
        longest: int,
        about: Mapping[str, object] | None = None,
        **more: Any,
    ) -> str:
        """Show a line for a text that no link has; it stays for the visit.

        `about` is filled into its label.
        """
        text = st.text_input(
            self.label(label or name, **about or {}),
            max_chars=longest,
            key=self.key(name),
            autocomplete="off",
            persist_state="session",
            **more,
        )
        return (text or "")[:longest]

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
        options: Sequence[str],
        label: str = "",
        /,
        *,
        changes: str = "",
        **more: Any,
    ) -> None:
        """Show a list whose choice no link has; `p.state[name]` is the number of the chosen one.

        It is off where a link fixes the control that its choice `changes`.
        """
        st.selectbox(
            self.label(label or name),
            range(len(options)),
            format_func=options.__getitem__,
            key=self.key(name),
            disabled=bool(changes) and self.is_fixed(changes),
            **more,
        )

    def one_of(
        self,
        name: str,
        options: Sequence[str] | Mapping[str, str],
        label: str = "",
        /,
        *,
        horizontal: bool = True,
    ) -> str | None:
        """Show texts of which one may be chosen, none at first; no link has the choice."""
        named = options if isinstance(options, Mapping) else {one: as_text(one) for one in options}
        return st.radio(
            self.label(label or name),
            list(named),
            index=None,
            format_func=lambda one: named.get(one, one),
            horizontal=horizontal,
            key=self.key(name),
            persist_state="session",
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
        border: bool = True,
    ) -> Iterator[None]:
        """Give a form: what its widgets have counts once its button is pressed, as a whole."""
        with st.form(self.key(name), border=border):
            yield
            st.form_submit_button(
                self.label(label or button),
                on_click=press,
                args=args,
                icon=f":material/{icon}:",
                type="primary",
                key=self.key(button),
            )

    def sentences_of_class(self) -> list[str] | None:
        """Return the sentences that the teacher let through in this visit's room, if it has one."""
        return shown_sentences()

    def _begin_field(self, name: str, sample: str) -> None:
        """Let a field that no link has begin with a sample, in the language that is read."""
        key, languages = self.key(name), examples_in(self.slug)
        samples = [read_words(self.slug, one).section(sample) for one in languages]
        if st.session_state.get(key) in (None, *samples):  # also of the language read before
            st.session_state[key] = self.examples.section(sample)
