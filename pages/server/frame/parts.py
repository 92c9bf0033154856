"""The parts of a lesson: shown one at a time, each of which reruns by itself.

    show_lesson("masking")     # the opening, one of the parts, and the way to the next

Read before this: ../course/lessons.py, page_frame.py.
"""

import functools
import importlib
from collections.abc import Callable, Mapping

import streamlit as st

from pages.server import session
from pages.server.course.lessons import BY_SLUG, FAULTS, HOME, PAGES, Lesson, package_of, shown
from pages.server.course.words import read_words
from pages.server.frame import presenting, reading
from pages.server.frame.landing import Arrived, land_on, scroll_to
from pages.server.frame.overview import show_goals, show_next_lesson
from pages.server.frame.page_frame import Page, lesson_page, page_beside, safely
from pages.server.frame.page_style import put_style
from pages.server.link import inputs, locks, whole_page
from pages.server.link.controls import part_key
from pages.server.process.browser_code import code_of
from pages.server.record import tab_memory
from pages.server.record.session_record import note_opened, opened_parts
from pages.server.room.telling import tell_progress

_fold = st.components.v2.component(
    "mlm_fold_opening",
    html='<button type="button"></button>',
    css=code_of(__file__, "fold_opening.css"),
    js=code_of(__file__, "fold_opening.js"),
)
# Parts that every lesson ends with, written once.
OF_EVERY_LESSON = {
    "in_short": "pages.kit.exercises.in_short",
    "exercises": "pages.kit.exercises.exercises",
}


def part(
    function: Callable[..., None], *, alone: bool = True, every: float | None = None
) -> Callable[..., None]:
    """Make a function a part of a lesson: it fails alone, and is drawn again `alone`.

    With a number of seconds it is drawn again `every` so often, too.
    """

    @functools.wraps(function)
    def guarded(*args: object, **kwargs: object) -> None:
        if alone:
            whole_page.draw_if_wanted()
        with safely():
            function(*args, **kwargs)

    return st.fragment(guarded, run_every=every) if alone else guarded


def show_lesson(slug: str) -> None:
    """Show a lesson as its row says: everything in its opening, and one of its parts.

    One from elsewhere that could not be loaded says what is wrong, and what to do.
    """
    if fault := FAULTS.get(slug):
        with page_beside(BY_SLUG[slug]) as page:
            about = {"file": shown(fault.file), "line": fault.line, "what": fault.what}
            st.error(page.words.section(fault.kind, **about), icon=":material/report:")
            st.markdown(page.words.section("what_to_do"))
        return
    with lesson_page(slug) as page:
        _show_opening(page)
        show_parts(page)


def _show_opening(page: Page) -> None:
    """Show the lesson's opening figure, and the button that folds it."""
    words, slug, arrived = read_words("frame"), page.lesson.slug, session.of(Arrived)
    with st.container(key="opening_figure"):
        for name in page.lesson.opening:
            show_part(page, name)
    if not presenting.is_on():
        show_goals(page.lesson)
    _fold(
        key="fold_opening",
        data={
            "arrival": arrived.n_arrivals,
            "folded": arrived.looked_up == part_key(slug),
            "show": words.plain("opening_show"),
            "hide": words.plain("opening_hide"),
        },
    )


def show_home() -> None:
    """Show the home page."""
    with page_beside(PAGES[HOME]) as page:
        for number, name in enumerate(page.lesson.parts):
            show_part(page, name)
            if number == 0:
                reading.show_line(HOME, page.model_name)


def show_beside(lesson: Lesson) -> None:
    """Show a page beside the lessons: what all parts share, and the chosen one of them."""
    with page_beside(lesson) as page:
        key, titles = part_key(lesson.slug), titles_of_parts(page)
        with st.container(key=f"{lesson.slug}_opening"):
            for name in lesson.opening:
                show_part(page, name)
        show_part(page, inputs.choice(page.words.label("parts"), titles, key=key))
        scroll_if_looked_up(key, to=f"{lesson.slug}_opening" if lesson.opening else key)


def titles_of_parts(page: Page) -> dict[str, str]:
    """Return the names of the parts that the host offers in their order, with their titles."""
    offered = page.lesson.offered
    names = [name for name in page.lesson.parts if name not in offered or offered[name]()]
    return {name: page.words.label(f"part_{name}") for name in names}


def show_part(page: Page, name: str) -> None:
    """Show one part of the lesson: the function `show` of pages/lessons/<lesson>/<name>.py.

    A part is imported when it is first shown, so that the page paints before torch is there.
    """
    module = OF_EVERY_LESSON.get(name, f"{package_of(page.lesson.slug)}.{name}")
    importlib.import_module(module).show(page)


@part
def show_parts(page: Page) -> None:
    """Let the learner choose one part of the lesson and show it, with the way to the next.

    Parts are shown one at a time, so that none costs anything while another is read, and the
    lesson's opening is not drawn anew for another part. Their names go into the link.
    """
    key, frame_words = part_key(page.lesson.slug), read_words("frame")
    names, titles = page.lesson.parts, titles_of_parts(page)
    fixed = (locks.value_of(key) or names[:1])[-1] if locks.is_fixed(key) else None
    shown = {fixed: titles[fixed]} if fixed in titles else titles
    with st.container(key="steps"):
        chosen = inputs.choice(frame_words.label("parts"), shown, key=key)
        opened = opened_parts(page.lesson.slug)
        put_style(_marks_of_steps(page, list(shown), [*opened, chosen]))
    with st.container(key="part_top"):
        st.subheader(titles[chosen], anchor=False)
    _land(page.lesson.slug, chosen)
    show_part(page, chosen)
    note_opened(page.lesson.slug, chosen)
    tell_progress(page.lesson.slug)
    tab_memory.keep_of_part("part")
    if not locks.is_fixed(key):
        show_way_on(page.lesson, chosen, titles)


def _go_to(key: str, name: str) -> None:
    if inputs.choose(key, name):
        session.of(Arrived).by_button = True


def _marks_of_steps(page: Page, shown: list[str], opened: list[str]) -> str:
    """Return the style that puts a tick behind the steps that were opened."""
    steps = f'.st-key-{part_key(page.lesson.slug)} [role="radiogroup"] button'
    those = ",".join(f":nth-child({n})" for n, name in enumerate(shown, 1) if name in opened)
    tick = f'"✓" / "{read_words("frame").plain("step_opened")}"'
    return f"{steps}:is({those})::after {{content:{tick}}}"


def _land(slug: str, chosen: str) -> None:
    """Lead to the part's heading, unless the lesson begins, or the same part is drawn again."""
    arrived = session.of(Arrived)
    before, now = arrived.part, (arrived.n_arrivals, slug, chosen)
    focuses, arrived.part, arrived.by_button = arrived.by_button, now, False
    if arrived.looked_up == part_key(slug):
        arrived.looked_up = None
        arrived.n_landings += 1
    elif before is not None and before[:2] == now[:2] and before != now:
        arrived.n_landings += 1
    if arrived.n_landings:
        scroll_to(
            key=f"{slug}_land",
            data={
                "of_class": "st-key-part_top",
                "landing": arrived.n_landings,
                "folds": True,
                "focuses": focuses,
            },
        )


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
                on_click=_go_to,
                args=(key, name),
                icon=":material/arrow_forward:",
                type="primary" if is_core else "secondary",
                key=f"{key}_{way}",
            )


def go_to_opening() -> None:
    """Lead to the lesson's opening figure when the page is drawn next; unfold it."""
    session.of(Arrived).to_opening = True


def scroll_to_opening_if_asked(slug: str) -> None:
    """Scroll to the opening and unfold it, once for each time that a button asked for it."""
    arrived = session.of(Arrived)
    if arrived.to_opening:
        arrived.to_opening = False
        land_on("opening_figure", f"{slug}_to_opening", folds=False)


def scroll_if_looked_up(key: str, to: str = "") -> None:
    """Scroll to the element of that key, or to another, if another page has led to the key."""
    arrived = session.of(Arrived)
    if arrived.looked_up == key:
        arrived.looked_up = None
        scroll_to(key=f"{key}_scroll", data={"of_class": f"st-key-{to or key}", "landing": key})


def scroll_into_view(key: str, *, focuses: bool = False) -> None:
    """Scroll as little as it takes to see the element of that key, which has just appeared.

    The focus goes there, if it `focuses`: where what was pressed is gone.
    """
    land_on(key, f"{key}_scroll", block="nearest", focuses=focuses)
