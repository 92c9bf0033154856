"""The parts of a lesson: shown one at a time, each of which reruns by itself.

    show_lesson("masking")     # the opening, one of the parts, and the way to the next

Read before this: lessons.py, page_frame.py.
"""

import functools
import importlib
from collections.abc import Callable, Mapping

import streamlit as st

from pages.shared.course.lessons import LESSONS, Lesson
from pages.shared.course.words import read_words
from pages.shared.frame.overview import show_next_lesson
from pages.shared.frame.page_frame import LOOKED_UP, Page, lesson_page, page_beside, safely
from pages.shared.link import inputs, locks, whole_page
from pages.shared.link.controls import part_key
from pages.shared.record.session_record import note_opened, opened_parts
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
        whole_page.draw_if_wanted()
        with safely():
            function(*args, **kwargs)

    return st.fragment(guarded)


def show_lesson(slug: str) -> None:
    """Show a lesson as its row says: everything in its opening, and one of its parts."""
    with lesson_page(slug) as page:
        for name in page.lesson.opening:
            show_part(page, name)
        show_parts(page)


def show_beside(lesson: Lesson) -> None:
    """Show a page beside the lessons: the chosen one of its parts."""
    with page_beside(lesson) as page:
        key, titles = part_key(lesson.slug), titles_of_parts(page)
        show_part(page, inputs.choice(page.words.label("parts"), titles, key=key))


def titles_of_parts(page: Page) -> dict[str, str]:
    """Return the names of a lesson's parts in their order, with their titles."""
    return {name: page.words.label(f"part_{name}") for name in page.lesson.parts}


def show_part(page: Page, name: str) -> None:
    """Show one part of the lesson: the function `show` of pages/parts/<lesson>/<name>.py.

    A part is imported when it is first shown, so that the page paints before torch is there.
    """
    importlib.import_module(f"pages.parts.{page.lesson.slug}.{name}").show(page)


@part
def show_parts(page: Page) -> None:
    """Let the learner choose one part of the lesson and show it, with the way to the next.

    Parts are shown one at a time, so that none costs anything while another is read, and the
    lesson's opening is not drawn anew for another part. Their names go into the link.
    """
    key, frame_words = part_key(page.lesson.slug), read_words("frame")
    names, titles = page.lesson.parts, titles_of_parts(page)
    st.divider()
    fixed = (locks.value_of(key) or names[:1])[-1] if locks.is_fixed(key) else None
    marked = marked_titles(page.lesson, titles)
    shown = {fixed: titles[fixed]} if fixed in titles else marked
    chosen = inputs.choice(frame_words.label("parts"), shown, key=key)
    if shown is marked:
        course = sum(lesson.minutes_core for lesson in LESSONS)
        core = page.lesson.minutes_core
        st.caption(frame_words.section("marks_of_parts", core=core, course=course))
    show_part(page, chosen)
    note_opened(page.lesson.slug, chosen)
    tell_progress(page.lesson.slug)
    if not locks.is_fixed(key):
        show_way_on(page.lesson, chosen, titles)
    scroll_if_looked_up(key)


def marked_titles(lesson: Lesson, titles: Mapping[str, str]) -> dict[str, str]:
    """Return the titles of parts: bold on the core way, with a check mark if opened before."""
    opened = opened_parts(lesson.slug)
    return {
        name: (":material/check: " if name in opened else "")
        + (f"**{title}**" if name in lesson.core else title)
        for name, title in titles.items()
    }


def show_way_on(lesson: Lesson, chosen: str, titles: Mapping[str, str]) -> None:
    """Offer the next part and, if that is off the core way, the next core part first.

    After the last part comes the next lesson.
    """
    words, key = read_words("frame"), part_key(lesson.slug)
    following = lesson.parts[lesson.parts.index(chosen) + 1 :]
    if not following:
        show_next_lesson(lesson)
        return
    core = next((name for name in following if name in lesson.core), following[0])
    ways = {"next": following[0]} if core == following[0] else {"core": core, "next": following[0]}
    with st.container(horizontal=True):
        for way, name in ways.items():
            is_core = name in lesson.core
            label = "next_core_part" if way == "core" else "next_part"
            st.button(
                words.label(label, title=titles[name]),
                on_click=inputs.choose,
                args=(key, name),
                icon=":material/arrow_forward:",
                type="primary" if is_core else "secondary",
                key=f"{key}_{way}",
            )


def scroll_if_looked_up(key: str) -> None:
    """Scroll to the element of that key if another page has led to it."""
    if st.session_state.get(LOOKED_UP) == key:
        del st.session_state[LOOKED_UP]
        _scroll_to(key=f"{key}_scroll", data={"of_class": f"st-key-{key}"})
