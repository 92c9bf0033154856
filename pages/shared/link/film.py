"""A film: the values of one widget after another, until the last or until it is paused."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pages.shared.course.words import Words
from pages.shared.link import inputs

EARLY = 0.8  # of a value's time: a browser's timer may come a little before it


@dataclass(frozen=True)
class Film:
    """What is played: a lesson's widget, and how long each of its values is shown."""

    slug: str
    key: str  # of the widget
    seconds: float

    @property
    def begun(self) -> str:
        """Return the key of the session's state that says when the value before was shown."""
        return f"{self.slug}_playing"

    def run_every(self) -> float | None:
        """Return the seconds of a browser's timer; None while nothing plays."""
        return self.seconds if self.begun in st.session_state else None

    def stop(self) -> None:
        """Stay at the value that is shown."""
        st.session_state.pop(self.begun, None)

    def go_on(self, values: Sequence[str]) -> bool:
        """Show the next value if it is time; return whether that was the last."""
        begun = st.session_state.get(self.begun)
        if begun is None or time.monotonic() - begun < EARLY * self.seconds:
            return False
        shown = st.session_state.get(self.key)
        following = values[values.index(shown) + 1 :] if shown in values else ()
        if following:
            inputs.choose(self.key, following[0])
            st.session_state[self.begun] = time.monotonic()
        if len(following) > 1:
            return False
        self.stop()
        return True

    def button(self, words: Words, values: Sequence[str]) -> bool:
        """Show play or pause; return whether it was pressed."""
        name, icon = ("play", "play_arrow") if self.run_every() is None else ("pause", "pause")
        return inputs.button(
            words.label(name),
            changes=self.key,
            on_click=self._press,
            args=(values,),
            icon=f":material/{icon}:",
            key=f"{self.slug}_play",
        )

    def _press(self, values: Sequence[str]) -> None:
        """Pause, or play on; from the first value if the last is shown."""
        if st.session_state.pop(self.begun, None) is not None:
            return
        st.session_state[self.begun] = time.monotonic()
        if st.session_state.get(self.key) in (None, values[-1]):
            inputs.choose(self.key, values[0])
