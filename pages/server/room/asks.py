"""What the teacher asks a learner for: a box that opens by itself, and a chip that leads to it.

The chip is at the lower edge of the window while what is asked for is out of view and was never
in it. The browser decides so: nothing is polled for it.
"""

from dataclasses import dataclass, field
from zlib import crc32

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.server import session
from pages.server.course.words import Words, read_words
from pages.server.process.browser_code import code_of

# The place may be drawn a moment later than its chip. One chip at a time: the last one asked.
_chip = st.components.v2.component(
    "mlm_room_chip",
    html='<div role="status"><button type="button" class="mlm-room-chip" hidden></button></div>',
    isolate_styles=False,
    css=code_of(__file__, "asks.css"),
    js=code_of(__file__, "asks.js"),
)


@dataclass
class Asks:
    """What the teacher asks a learner for."""

    asked: dict[str, str] = field(default_factory=dict)  # by box, the last thing; "" for nothing
    done: set[str] = field(default_factory=set)  # boxes that were closed or answered since


def ask(box: str, asked: str) -> None:
    """Open a box for each new thing `asked`, until the learner has closed or answered it.

    "" asks for nothing, and leaves the box as it is.
    """
    asks = session.of(Asks)
    if asks.asked.get(box) != asked:
        asks.asked[box] = asked
        asks.done.discard(box)
    if is_open(box):
        st.session_state[box] = True


def is_open(box: str) -> bool:
    """Return whether a learner has still to answer what the teacher asks for in a box."""
    asks = session.of(Asks)
    return bool(asks.asked.get(box)) and box not in asks.done


def is_done(box: str) -> None:
    """Note that a box was answered."""
    session.of(Asks).done.add(box)


def open_box(key: str, words: Words, title: str, *, icon: str) -> DeltaGenerator | None:
    """Show a box, and the chip while the teacher asks for it; return it if it is open.

    `title` is the name of its label in `words`.
    """
    box = st.expander(words.label(title), icon=icon, key=key, on_change=note_closed, args=(key,))
    if not box.open:
        return None
    if is_open(key):
        show_chip(key, session.of(Asks).asked[key], words.plain(title))
    return box


def note_closed(box: str) -> None:
    """Note that a learner closed a box; the callback of its expander."""
    if not st.session_state[box]:
        is_done(box)


def show_chip(of: str, asked: str, title: str) -> None:
    """Lead to the element with the key `of` where it is out of view; `title` is what it is."""
    label = read_words("room").plain("asks", title=title)
    call = f"{crc32(asked.encode('utf-8', 'replace')):x}"
    _chip(key=f"{of}_chip", data={"of": of, "call": call, "label": label})
