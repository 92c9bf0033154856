"""What stands around every lesson: page settings, sidebar, heading, safety net.

    with lesson_page("attention_mask") as page:
        ...                      # words, widgets, one call to the core, one figure

Nothing a visitor does shows them a traceback: what the core refuses (ValueError) is shown as
its own sentence, anything else as an apology, with the traceback in the server's log.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from mlm_core.encoder.model_list import (
    BUNDLED,
    BUNDLED_FOLDERS,
    MissingHeadError,
    MissingLensError,
    MissingWeightsError,
    UnknownHeadsError,
)
from mlm_core.number_format import written_with
from pages.server import session
from pages.server.caches import cache
from pages.server.course.core_messages import translated
from pages.server.course.elsewhere import is_raised_there, raised_in, reason_of
from pages.server.course.language import IN_LINK, languages, read_on, reader
from pages.server.course.lessons import (
    BY_SLUG,
    FOLDERS,
    HOME,
    PAGES,
    Lesson,
    changed_since,
    moved_to,
    shown,
)
from pages.server.course.words import (
    OF_ELSEWHERE,
    Words,
    as_text,
    is_translated,
    number_marks,
    read_words,
)
from pages.server.figures.clickable import prepare_drawings
from pages.server.frame import carried, page_style, presenting, reading
from pages.server.frame.landing import Arrived
from pages.server.frame.overview import show_opening_lines
from pages.server.frame.sidebar import draw_foot, draw_sidebar
from pages.server.frame.term_notes import prepare_term_notes
from pages.server.link import inputs, locks, seeds, whole_page
from pages.server.link.controls import (
    FIGURES,
    MADE_WITH,
    MODEL,
    NO,
    controls_of,
    drawn_at,
    part_key,
)
from pages.server.process import page_turns, streamlit_patches, visits
from pages.server.process.streamlit_patches import (
    browser_history,
    more_pages,
    part_requests,
    widget_metadata,
)
from pages.server.record import tab_memory
from pages.server.record.session_record import HOME_RECORD
from pages.server.room import (
    banner,
    by_teacher,
    class_encoder,
    desk,
    encoder_use,
    membership,
    sentences,
    study,
    teacher_bar,
)
from pages.server.trainer.jobs import NO_DISK, is_of_disk, trace_of
from pages.server.upkeep import housekeeping, readiness

logger = logging.getLogger("mlm_app")

streamlit_patches.install()
more_pages.install()
if not visits.has_door():
    logger.warning("nothing bounds what browsers ask: start the app by `streamlit run app.py`")

ICON = Path(__file__).with_name("icon.png")
OF_A_HEAD = ("masking", "prediction_and_loss")  # lessons that show probabilities of words


@dataclass(frozen=True, kw_only=True)
class Page:
    """What a lesson's page gets from its frame."""

    lesson: Lesson
    words: Words
    model_name: str  # a model that is loaded or can be; the bundled one if the asked one can't


@contextmanager
def lesson_page(slug: str) -> Iterator[Page]:
    """Draw the frame of a lesson and give its words and the name of the chosen model."""
    with page_turns.turn(visits.tab()):
        with drawn():
            _arrive_at(slug)
            lesson, words = BY_SLUG[slug], read_words(slug)
            _settings(words.label("title"))
            _warm_up(slug)
            model = draw_sidebar(lesson)
            draw_foot()
            tab_memory.keep_of_page()
        with safely():
            _say_which_room(slug)
            show_opening_lines(lesson, words, model)
            carried.show_line(slug)
            if slug in FOLDERS and not is_translated(slug):
                st.caption(read_words(OF_ELSEWHERE).section("untranslated"))
            _say_what_the_link_does(slug)
            if (
                slug in OF_A_HEAD
                and model not in BUNDLED_FOLDERS
                and cache.head_of(model) == "untrained"
            ):
                st.warning(read_words("frame").section("untrained_head"), icon=":material/warning:")
            yield Page(lesson=lesson, words=words, model_name=model)


@contextmanager
def page_beside(page: Lesson) -> Iterator[Page]:
    """Draw the frame of home, or of another page that is no lesson; it waits for no model."""
    slug, is_home = page.slug, page.slug == HOME
    with page_turns.turn(visits.tab()):
        with drawn():
            _arrive_at(slug)
            words = read_words(slug)
            _settings(words.label("title"), is_home=is_home)
            if is_home:
                _warm_up(slug)
            draw_sidebar()
            draw_foot()
            tab_memory.keep_of_page()
        with safely():
            _say_which_room(slug)
            if is_home or not presenting.is_on():
                st.title(words.label("question"), anchor=False)
                if words.has("lead", is_section=True):
                    st.markdown(words.section("lead"))
            yield Page(lesson=page, words=words, model_name=reader(slug))


@contextmanager
def drawn() -> Iterator[None]:
    """Write the numbers of what is drawn in the visit's language."""
    with written_with(number_marks()):
        yield


@contextmanager
def safely() -> Iterator[None]:
    """Show what goes wrong inside as a sentence, never as a traceback."""
    try:
        with page_turns.turn(visits.tab()), drawn():  # a part that is drawn alone waits here
            yield
    except (
        MissingHeadError,
        MissingLensError,
        MissingWeightsError,
        UnknownHeadsError,
    ) as error:
        st.info(as_text(translated(str(error))), icon=":material/block:")
    except Exception as error:
        # An error that a lesson from elsewhere raises itself is no sentence of the core.
        if isinstance(error, ValueError) and not is_raised_there(error, FOLDERS.values()):
            logger.info("refused: %s", type(error).__name__)
            st.error(as_text(translated(str(error))), icon=":material/error:")
        else:
            logger.error("a page failed\n%s", trace_of(error))
            st.error(_apology(error), icon=":material/report:")


def _apology(error: Exception) -> str:
    """Return what a learner reads of an error that they did not cause."""
    if is_of_disk(error):
        return as_text(translated(NO_DISK))
    if place := raised_in(error, FOLDERS.values()):
        about = {"file": shown(place[0]), "line": place[1], "what": reason_of(error)}
        return read_words(OF_ELSEWHERE).section("failed", **about)
    if streamlit_patches.is_tested():
        return read_words("frame").section("unexpected")
    versions = {"installed": st.__version__, "expected": streamlit_patches.TESTED}
    return read_words("frame").section("other_streamlit", **versions)


def _say_which_room(slug: str) -> None:
    """Show the room that the visit is in, and look at it again every few seconds."""
    if banner.is_needed():
        banner.begin_page()
        st.fragment(_room, run_every=banner.seconds_between_looks())(slug)
        if not presenting.is_on():  # a projector shows it to all
            teacher_bar.show_step_words()
    if membership.current() is not None:
        st.fragment(_own)()
        st.fragment(_sentences)()
        st.fragment(_learner_questions)()
        st.fragment(_class_encoder)()


def _room(slug: str) -> None:
    with safely():
        banner.show(slug)
        teacher_bar.show(slug)


def _own() -> None:
    with safely():
        by_teacher.show()


def _sentences() -> None:
    with safely():
        sentences.show()


def _learner_questions() -> None:
    with safely():
        sentences.show_questions()


def _class_encoder() -> None:
    """Show the class's encoder, and look at it while it is trained."""
    membership.follow("boxes")
    class_encoder.open_if_asked()
    seconds, part = class_encoder.seconds_between_looks(), part_requests.current()
    if seconds is None:
        with st.container():  # as deep as the timer
            _show_class_encoder(seconds, part)
    else:
        st.fragment(_show_class_encoder, run_every=seconds)(seconds, part)


def _show_class_encoder(before: float | None, part: str | None) -> None:
    with safely():
        class_encoder.show()
    # Other looks are needed than so far: the part around it follows, with its timer.
    if class_encoder.seconds_between_looks() != before:
        part_requests.draw([part])


def _say_what_the_link_does(slug: str) -> None:
    """Say what changed since the link was made, what it fixed, and which numbers are own ones."""
    words, number, lesson = read_words("frame"), seeds.own(), BY_SLUG[slug]
    made = st.query_params.get(MADE_WITH, "")
    part = st.query_params.get(part_key(slug), lesson.parts[0])
    if changed := changed_since(lesson, part, made):
        st.caption(words.section("view_changed", made=made, changed=changed))
    if locks.has_words_alone():
        st.caption(words.section("no_figures"))
    if number is not None:
        st.caption(words.section("own_seed", seed=number))
    if locks.here().fixed:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(words.section("fixed"), width="content")
            st.button(
                words.label("open_locks"),
                on_click=locks.open_all,
                icon=":material/lock_open:",
                type="tertiary",
                key="open_locks",
            )


def _warm_up(page: str) -> None:
    """Load what a page reads with in the background."""
    cache.warm_up()
    if reader(page) != BUNDLED:
        cache.warm_up_reader(reader(page))
        readiness.begin_in(read_on(page), housekeeping.READY_AFTER_SECONDS)


def _settings(title: str, *, is_home: bool = False) -> None:
    words = read_words("frame")
    app = words.label("app")
    title = f"{app}: {words.label('app_about')}" if is_home else f"{title} · {app}"
    # A file of our own: an icon by name would be fetched from the network.
    st.set_page_config(page_title=title, page_icon=ICON, layout="wide")
    if is_home:
        page_style.put_style(page_style.HOME)
    else:
        page_style.put_style(page_style.STYLE)
    prepare_drawings()
    prepare_term_notes()


def _arrive_at(name: str) -> None:
    """Let the link decide when another page has led here, whatever was chosen here before."""
    housekeeping.note_visit()
    widget_metadata.forget()
    whole_page.is_drawn()
    before, returns = session.of(Arrived).page, browser_history.is_back_or_forward()
    path = "" if name == HOME else name
    browser_history.arrive(path, is_first=before is None)
    looks = session.of(banner.Looks)
    arrives, looks.goes = looks.goes or before != name, False
    is_led = arrives or returns
    if is_led and st.query_params.get(IN_LINK) in languages():  # before any word is read
        st.session_state[IN_LINK] = st.query_params[IN_LINK]
    if is_led:
        _follow_moved(PAGES[name])
    if arrives:
        _begin_page(name, before)
    if is_led:
        reading.follow_link(name, returns=returns)
        inputs.follow_link(_decided_by_link(name, returns))
    study.arrive()
    if FIGURES in st.query_params:
        locks.show_words_alone(st.query_params[FIGURES] == NO)
    elif locks.has_words_alone():
        st.query_params[FIGURES] = NO  # for a reload, and a link that is copied
    reading.begin(name)
    presenting.arrive()
    desk.arrive()  # first: its link names a room, too
    membership.arrive()
    encoder_use.lend()


def _begin_page(name: str, before: str | None) -> None:
    """Note that another page is shown than before, and take up what its link says."""
    arrived = session.of(Arrived)
    arrived.page = name
    arrived.n_arrivals += 1
    if part_key(name) in st.query_params:
        arrived.looked_up = part_key(name)
    elif before in BY_SLUG and HOME_RECORD in st.query_params:
        arrived.looked_up = HOME_RECORD
    if banner.AT_ONCE in st.session_state:  # another widget on each page, to be given its value
        st.session_state[banner.AT_ONCE] = st.session_state[banner.AT_ONCE]
    if name in BY_SLUG:
        seeds.arrive(name)
        locks.arrive(name)


def _follow_moved(lesson: Lesson) -> None:
    """Let an old link to a part that is gone open the part where its subject is now."""
    key = part_key(lesson.slug)
    moved = moved_to(lesson, st.query_params.get(key, ""))
    if moved is None:
        return
    now, part = moved
    if now is not lesson:
        asked = st.query_params.to_dict()
        of_lesson = (f"{lesson.slug}_", locks.LOCK, locks.HIDE)
        kept = {name: asked[name] for name in asked if not name.startswith(of_lesson)}
        browser_history.go_to(now.slug)
        st.switch_page(now.file, query_params={**kept, part_key(now.slug): part})
    st.query_params[key] = part
    known = controls_of(lesson.slug)
    for name in [*st.query_params]:
        if name.startswith(f"{lesson.slug}_") and name not in known:
            del st.query_params[name]


def _decided_by_link(name: str, returns: bool) -> set[str]:
    """Return the controls that are as the link says, whatever was chosen here before.

    Back and Forward lead to a view as it was: what it draws and the link doesn't name was as
    usual. What it doesn't draw stays as it was left.
    """
    named, known = st.query_params, controls_of(name)
    keys = known.keys() & set(named)
    if returns:
        part = named.get(part_key(name), PAGES[name].parts[0])
        drawn = drawn_at(name, part, lambda one: named.get(one.key, one.of(part).written))
        keys |= {part_key(name), MODEL, *drawn}
    if name not in BY_SLUG:  # has no picker of models
        keys.discard(MODEL)
    return {key for key in keys if not locks.is_fixed(key)}
