"""The parts of a lesson: shown one at a time, each of which reruns by itself.

    with lesson_page("masking") as page:
        show_part(page, "play")              # the opening
        show_parts(page, ("rule", "why"))    # one of these, and the way to the next

Read before this: frame.py.
"""

import functools
import importlib
from collections.abc import Callable, Sequence

import streamlit as st

from pages.shared.course.words import read_words
from pages.shared.frame.page_frame import LOOKED_UP, Page, safely
from pages.shared.link import inputs, locks
from pages.shared.link.controls import part_key
from pages.shared.record.session_record import note_opened
from pages.shared.room.telling import tell_progress

# Who comes for one part should not have to look for it below the lesson's opening.
_scroll_to = st.components.v2.component(
    "mlm_scroll_to",
    html="<span></span>",
    js="""
export default function (component) {
  const part = document.querySelector("." + component.data.of_class);
  if (!part) return;
  part.style.scrollMarginTop = "4.5rem"; // Streamlit's own bar covers what is above
  part.scrollIntoView({ block: "start" });
}
""",
)


def part(function: Callable[..., None]) -> Callable[..., None]:
    """Make a function a part of a lesson: it reruns by itself, and fails by itself."""

    @functools.wraps(function)
    def guarded(*args: object, **kwargs: object) -> None:
        with safely():
            function(*args, **kwargs)

    return st.fragment(guarded)


def show_part(page: Page, name: str) -> None:
    """Show one part of the lesson: the function `show` of pages/parts/<lesson>/<name>.py.

    A part is imported when it is first shown, so that the page paints before torch is there.
    """
    importlib.import_module(f"pages.parts.{page.lesson.slug}.{name}").show(page)


@part
def show_parts(page: Page, names: Sequence[str]) -> None:
    """Let the learner choose one part of the lesson and show it, with the way to the next.

    Parts are shown one at a time, so that none costs anything while another is read, and the
    lesson's opening is not drawn anew for another part. Their names go into the link; their
    titles are the labels "part_<name>".
    """
    key, frame_words = part_key(page.lesson.slug), read_words("frame")
    titles = {name: page.words.label(f"part_{name}") for name in names}
    st.divider()
    fixed = (locks.value_of(key) or names[:1])[-1] if locks.is_fixed(key) else None
    shown = {fixed: titles[fixed]} if fixed in titles else titles
    chosen = inputs.choice(frame_words.label("parts"), shown, key=key)
    show_part(page, chosen)
    note_opened(page.lesson.slug, chosen)
    tell_progress(page.lesson.slug)
    following = [] if locks.is_fixed(key) else names[names.index(chosen) + 1 :]
    for name in following[:1]:
        st.button(
            frame_words.label("next_part", title=titles[name]),
            on_click=inputs.choose,
            args=(key, name),
            icon=":material/arrow_forward:",
            key=f"{key}_next",
        )
    scroll_if_looked_up(key)


def scroll_if_looked_up(key: str) -> None:
    """Scroll to the element of that key if another page has led to it."""
    if st.session_state.get(LOOKED_UP) == key:
        del st.session_state[LOOKED_UP]
        _scroll_to(key=f"{key}_scroll", data={"of_class": f"st-key-{key}"})
