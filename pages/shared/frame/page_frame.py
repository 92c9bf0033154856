"""What stands around every lesson: page settings, sidebar, model picker, heading, safety net.

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

from mlm_core.classroom.jobs import trace_of
from mlm_core.classroom.model_choice import ModelChoice
from mlm_core.encoder.model_list import BUNDLED, read_sizes
from mlm_core.number_format import written_with
from pages.shared.caches import cache, own_models
from pages.shared.course.core_messages import translated
from pages.shared.course.language import IN_LINK, current, languages
from pages.shared.course.lessons import BESIDE, BY_SLUG, LESSONS, LOOK_IT_UP, Lesson
from pages.shared.course.words import Words, as_text, number_marks, read_words
from pages.shared.figures.clickable import prepare_drawings
from pages.shared.frame import page_style
from pages.shared.frame.source import offer_notebook
from pages.shared.link import inputs, locks, seeds, whole_page
from pages.shared.link.controls import MODEL, part_key
from pages.shared.record.session_record import HOME_RECORD, done_mark
from pages.shared.room import banner, desk, membership, sentences
from pages.shared.server import page_turns, streamlit_patches
from pages.shared.server.streamlit_patches import visits as streamlit_visits
from pages.shared.server.streamlit_patches import widget_metadata
from pages.shared.upkeep import housekeeping

logger = logging.getLogger("mlm_app")

streamlit_patches.install()

ICON = Path(__file__).with_name("icon.png")
REFUSED = "model_refused"  # session state: why the model that was asked for is not in use
SHOWN = "page_shown"  # session state: the page that was drawn last
LOOKED_UP = "looked_up"  # session state: the key of what another page led to
LEADS_TO_PARTS = ("home", *(page.slug for page in BESIDE))

# Two buttons that only the browser can do: copy its own address, and open it anew without the
# lesson's parameters (model and language stay), which puts every widget back to its start.
_LINK_SCRIPT = """
export default function (component) {
  const { data, parentElement } = component;
  const [copy, restart] = parentElement.querySelectorAll("button");
  const field = parentElement.querySelector("input");
  copy.textContent = data.copy;
  restart.textContent = data.restart;
  field.setAttribute("aria-label", data.copy);
  copy.onclick = async () => {
    field.value = window.location.href;
    field.hidden = false;
    field.select();
    try { await navigator.clipboard.writeText(field.value); copy.textContent = data.copied; }
    catch { copy.textContent = data.select; }
    setTimeout(() => { copy.textContent = data.copy; }, 4000);
  };
  restart.onclick = () => {
    const asked = [...new URLSearchParams(window.location.search)];
    const kept = asked.filter(([name]) => data.kept.includes(name));
    window.location.search = new URLSearchParams(kept).toString();
  };
}
"""
_LINK_STYLE = """
button { font: inherit; color: var(--st-text-color); background: transparent; width: 100%;
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius);
  padding: .4rem .75rem; cursor: pointer; min-height: 2.5rem; margin-top: .4rem; }
button:hover, button:focus-visible { border-color: var(--st-primary-color); }
input { box-sizing: border-box; width: 100%; margin-top: .4rem; font: inherit; padding: .3rem;
  color: var(--st-text-color); background: var(--st-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius); }
"""
_link_buttons = st.components.v2.component(
    "mlm_link_buttons",
    html='<div><button type="button"></button><input readonly hidden>'
    '<button type="button"></button></div>',
    css=_LINK_STYLE,
    js=_LINK_SCRIPT,
)
_LINK_LABELS = ("copy", "copied", "select", "restart")

_says_language = st.components.v2.component(
    "mlm_says_language", html="<span></span>", js=page_style.SCRIPT
)


@dataclass(frozen=True, kw_only=True)
class Page:
    """What a lesson's page gets from its frame."""

    lesson: Lesson
    words: Words
    model_name: str  # a model that is loaded or can be; the bundled one if the asked one can't


@contextmanager
def lesson_page(slug: str) -> Iterator[Page]:
    """Draw the frame of a lesson and give its words and the name of the chosen model."""
    with drawn():
        _arrive_at(slug)
        lesson, words = BY_SLUG[slug], read_words(slug)
        _settings(words.label("title"))
        cache.warm_up()
        model_name = _sidebar(with_model=True)
    with safely():
        _say_which_room(slug)
        st.title(words.label("question"), anchor=False)
        st.markdown(words.section("lead"))
        _say_what_the_link_does()
        yield Page(lesson=lesson, words=words, model_name=model_name)
        offer_notebook(lesson)


@contextmanager
def home_page() -> Iterator[Words]:
    """Draw the frame of the home page and give its words."""
    with drawn():
        _arrive_at("home")
        words = read_words("home")
        _settings(words.label("title"))
        cache.warm_up()
        _sidebar(with_model=False)
    with safely():
        _say_which_room("home")
        yield words


@contextmanager
def page_beside(lesson: Lesson) -> Iterator[Page]:
    """Draw the frame of a page beside the lessons, which waits for no model."""
    with drawn():
        _arrive_at(lesson.slug)
        words = read_words(lesson.slug)
        _settings(words.label("title"))
        _sidebar(with_model=False)
    with safely():
        _say_which_room(lesson.slug)
        st.title(words.label("question"), anchor=False)
        st.markdown(words.section("lead"))
        yield Page(lesson=lesson, words=words, model_name=BUNDLED)


@contextmanager
def drawn() -> Iterator[None]:
    """Count what is drawn as this visit's, when it is its turn, and write numbers its way."""
    with page_turns.noted(streamlit_visits.current_id()), written_with(number_marks()):
        yield


@contextmanager
def safely() -> Iterator[None]:
    """Show what goes wrong inside as a sentence, never as a traceback."""
    try:
        with drawn():
            yield
    except ValueError as error:
        logger.info("refused: %s", type(error).__name__)
        st.error(as_text(translated(str(error))), icon=":material/error:")
    except Exception as error:
        logger.error("a page failed\n%s", trace_of(error))
        st.error(read_words("frame").section("unexpected"), icon=":material/report:")


def _say_which_room(slug: str) -> None:
    """Show the room that the visit is in, and look at it again every few seconds."""
    if banner.is_needed():
        st.session_state.pop(banner.DRAWN, None)  # what follows is drawn as the room is now
        st.fragment(_room, run_every=banner.seconds_between_looks())(slug)
    if membership.current() is not None:
        st.fragment(_sentences)()


def _room(slug: str) -> None:
    with safely():
        banner.show(slug)


def _sentences() -> None:
    with safely():
        sentences.show()


def _say_what_the_link_does() -> None:
    """Tell the learner what a teacher's link fixed, and which numbers are their own."""
    words, number = read_words("frame"), seeds.own()
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


def _settings(title: str) -> None:
    app = read_words("frame").label("app")
    # A file of our own: an icon by name would be fetched from the network.
    st.set_page_config(page_title=f"{title} · {app}", page_icon=ICON, layout="wide")
    st.html(page_style.STYLE)
    prepare_drawings()


def _arrive_at(name: str) -> None:
    """Let the link decide when another page has led here, whatever was chosen here before."""
    housekeeping.note_visit()
    widget_metadata.forget()
    whole_page.is_drawn()
    before = st.session_state.get(SHOWN)
    if st.session_state.pop(banner.GOES, False) or before != name:
        st.session_state[SHOWN] = name
        if before in LEADS_TO_PARTS and part_key(name) in st.query_params:
            st.session_state[LOOKED_UP] = part_key(name)
        elif before in BY_SLUG and HOME_RECORD in st.query_params:
            st.session_state[LOOKED_UP] = HOME_RECORD
        if st.query_params.get(IN_LINK) in languages():  # before any word is read
            st.session_state[IN_LINK] = st.query_params[IN_LINK]
        if name in BY_SLUG:
            seeds.arrive(name)
            locks.arrive(name)
        inputs.follow_link()
    desk.arrive()  # first: its link names a room, too
    membership.arrive()


def _sidebar(*, with_model: bool) -> str:
    words, home = read_words("frame"), read_words("home")
    with st.sidebar:
        st.page_link("app.py", label=f"**{words.label('app')}**", icon=":material/home:")
        group_before = None
        for lesson in LESSONS:
            if lesson.group != group_before:
                st.caption(home.label(lesson.group))
                group_before = lesson.group
            title = read_words(lesson.slug).label("title") + done_mark(lesson)
            st.page_link(lesson.file, label=title, icon=lesson.icon)
        st.caption(read_words(LOOK_IT_UP.slug).label("sidebar"))
        for page in BESIDE:
            st.page_link(page.file, label=read_words(page.slug).label("title"), icon=page.icon)
        st.divider()
        _language_picker(words)
        if not with_model:
            return BUNDLED
        model_name = _model_picker(words)
        _link_buttons(
            key="link_buttons",
            data={name: words.label(f"link_{name}") for name in _LINK_LABELS}
            | {"kept": ("model", IN_LINK, *_of_teacher())},  # a list would import pandas, too
        )
    return model_name


def _of_teacher() -> list[str]:
    """Return the link's parameters that stay when a lesson is started again."""
    fixed = locks.here().fixed
    of_locks = [locks.LOCK, locks.HIDE, *sorted(fixed)] if fixed else []
    return of_locks + [seeds.IN_LINK] * (seeds.own() is not None)


def _language_picker(words: Words) -> None:
    names = {each: read_words("frame", each).label("language") for each in languages()}
    chosen = inputs.listed(words.label("language_picker"), names, key=IN_LINK)
    # In a dict: with a bare text Streamlit would import pandas, which takes 80 MB.
    _says_language(key="says_language", data={"language": chosen})


def _model_picker(words: Words) -> str:
    """Show the picker; return the chosen model's name, or the bundled one's if it can't be had."""
    choices = own_models.choices()
    asked = st.query_params.get("model")
    if asked is not None and asked not in choices:
        unknown = "model_gone" if asked.startswith(own_models.PREFIX) else "model_unknown"
        st.session_state[REFUSED] = words.section(unknown, name=asked[:80])
    name = inputs.bound_list(
        words.label("model"),
        list(choices),
        key=MODEL,
        on_change=lambda: st.session_state.pop(REFUSED, None),
    )
    if name != BUNDLED and not _can_be_had(words, name):
        name = BUNDLED
    refused = st.session_state.get(REFUSED)
    if refused:
        st.warning(refused, icon=":material/cloud_off:")
        if st.session_state["model"] != BUNDLED:
            st.button(
                words.label("model_again"),
                on_click=lambda: st.session_state.pop(REFUSED, None),
                icon=":material/refresh:",
            )
    if locks.is_hidden(MODEL):
        return name
    st.caption(words.section(f"model_{choices[name].source}"))
    sizes = _sizes_of(choices[name])
    if len(sizes) == 4:
        st.caption(words.section("model_sizes", **sizes))
    card = _card_of(choices[name])
    if card:
        with st.popover(words.label("model_card"), icon=":material/description:", type="tertiary"):
            st.markdown(card)
    return name


def _card_of(choice: ModelChoice) -> str:
    """Return what a model's folder says of it, in the visit's language if it can."""
    names = (f"README.{current()}.md", "README.md")
    files = [choice.folder / name for name in names] if choice.folder else []
    found = next((file for file in files if file.is_file()), None)
    return found.read_text(encoding="utf-8") if found else ""


def _sizes_of(choice: ModelChoice) -> dict[str, int]:
    own = own_models.get(choice.name)
    if own is not None:
        return {
            "layers": own.n_layers,
            "heads": own.n_heads,
            "width": own.hidden_size,
            "window": own.max_tokens,
        }
    return read_sizes(choice.folder) if choice.folder else {}


def _can_be_had(words: Words, name: str) -> bool:
    """Load the model; what stands in the way is kept, and not tried again unasked."""
    if REFUSED in st.session_state:
        return False
    try:
        with st.spinner(words.label("model_loading", name=name), show_time=True):
            cache.model(name)
    except ValueError as error:
        st.session_state[REFUSED] = words.section("model_refused", reason=translated(str(error)))
        return False
    return True
