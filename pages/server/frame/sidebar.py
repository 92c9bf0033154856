"""The sidebar: the way to every page, the language, the model, the link of what is shown.

Below the link is a BibTeX entry of the view, at the end the version of the app.
"""

import logging
from pathlib import Path

import streamlit as st

from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDERS, HASHES, READERS, read_sizes
from pages.server import VERSION, session
from pages.server.caches import cache, own_models
from pages.server.course.core_messages import translated
from pages.server.course.host import said_by_host
from pages.server.course.language import IN_LINK, READS, current, languages
from pages.server.course.lessons import BESIDE, HOME, LESSONS, TEACHING, Lesson
from pages.server.course.words import Words, read_words
from pages.server.figures.sent_code import packed_script
from pages.server.frame import page_style, presenting, reading
from pages.server.frame.overview import numbered_title
from pages.server.frame.reading import Begun
from pages.server.link import inputs, link_values, locks, seeds
from pages.server.link.controls import (
    FIGURES,
    MADE_WITH,
    MODEL,
    OPENING,
    PRESENTS,
    controls_of,
    part_key,
)
from pages.server.process.browser_code import code_of
from pages.server.process.model_choice import ModelChoice
from pages.server.record.session_record import done_mark

logger = logging.getLogger("mlm_app")

LOGO = Path(__file__).with_name("logo.svg")

# What only the browser can do: copy its own address, cite it, and open it anew without the lesson's
# parameters (model and language stay), which puts every widget back to its start.
_LINK_SCRIPT = packed_script(code_of(__file__, "sidebar_link.js"))
_LINK_STYLE = code_of(__file__, "sidebar_link.css")
_link_buttons = st.components.v2.component(
    "mlm_link_buttons",
    html="""<div><button type="button"></button><input readonly hidden>
    <button type="button" aria-expanded="false"></button>
    <div hidden><textarea readonly rows="9"></textarea><button type="button"></button></div>
    <button type="button"></button></div>""",
    css=_LINK_STYLE,
    js=_LINK_SCRIPT,
)
_LINK_LABELS = ("link_copy", "link_copied", "link_select", "link_restart")
_LINK_LABELS += ("cite", "cite_copy", "cite_copied")

_says_language = st.components.v2.component(
    "mlm_says_language", html="<span></span>", js=page_style.SCRIPT
)


def draw_sidebar(lesson: Lesson | None = None) -> str:
    """Draw the sidebar; return the chosen model's name, the bundled one's without a picker.

    A lesson has the picker of models.
    """
    words = read_words("frame")
    st.logo(LOGO, size="large")
    with st.sidebar:
        _language_picker(words)
        st.page_link("app.py", label=read_words(HOME).label("title"), icon=":material/home:")
        for one in LESSONS:
            title = numbered_title(one) + done_mark(one)
            st.page_link(one.file, label=title, icon=one.icon)
        for page in BESIDE:
            st.page_link(page.file, label=read_words(page.slug).label("title"), icon=page.icon)
        st.divider()
        presenting.draw_switch()
        model_name = BUNDLED if lesson is None else _of_lesson(words, lesson)
        st.caption(f"{words.label('app')} {VERSION}")
    return model_name


def _of_lesson(words: Words, lesson: Lesson) -> str:
    """Draw the picker of models and the link's buttons; return the chosen model's name."""
    model_name = _model_picker(words, reading.start_of_model(lesson.slug))
    # A list would import pandas.
    kept = ("model", IN_LINK, READS, PRESENTS, FIGURES, *_of_teacher())
    labels = {name: words.label(name) for name in _LINK_LABELS}
    _link_buttons(
        key="link_buttons",
        data=labels | {"kept": kept, "version": (MADE_WITH, VERSION)} | _cited(lesson, model_name),
    )
    return model_name


def _cited(lesson: Lesson, model_name: str) -> dict[str, object]:
    """Return what an entry of a bibliography says of each part; the browser knows which is open."""
    words, app = read_words(lesson.slug), read_words("frame")
    controls = controls_of(lesson.slug).values()
    seeds_of = [
        tuple(
            (one.key, one.written)
            for one in controls
            if one.key.endswith("_seed") and {OPENING, part} & {*one.at}
        )
        for part in lesson.parts
    ]
    is_hashed = f", SHA-256 {HASHES[model_name]}" if model_name in HASHES else ""
    return {
        "app": f"{app.plain('app')}: {app.plain('app_about')}",
        "lesson": words.plain("title"),
        # As tuples: for a dict or a list inside, Streamlit would import pandas.
        "titles": tuple((part, words.plain(f"part_{part}")) for part in lesson.parts),
        "part": (part_key(lesson.slug), lesson.parts[0], lesson.slug),
        "model": f"{model_name}{is_hashed}",
        "seeds": tuple(zip(lesson.parts, seeds_of, strict=True)),
        "seed": seeds.IN_LINK,
    }


def _of_teacher() -> list[str]:
    """Return the link's parameters that stay when a lesson is started again."""
    fixed = locks.here().fixed
    of_locks = [locks.LOCK, locks.HIDE, *sorted(fixed)] if fixed else []
    return of_locks + [seeds.IN_LINK] * (seeds.own() is not None)


def _language_picker(words: Words) -> None:
    names = {each: read_words("frame", each).label("language") for each in languages()}
    title = words.label("language_picker")
    chosen = inputs.listed(
        title,
        names,
        key=IN_LINK,
        on_change=reading.follow_words,
        help=words.plain("language_reach"),
    )
    # In a dict: with a bare text Streamlit would import pandas, which takes 80 MB.
    data = {
        "language": chosen,
        "views": tuple(_views().items()),
        "lost": (words.plain("lost_title"), words.plain("lost")),
    }
    _says_language(key="says_language", data=data)


def _views() -> dict[str, str]:
    """Return what tells one view from another, with the value that a link may leave out."""
    return {part_key(page.slug): page.parts[0] for page in (*LESSONS, *BESIDE)}


def _model_picker(words: Words, start: str) -> str:
    """Show the picker; return the chosen model's name, or that of `start` if it can't be had."""
    choices, begun = own_models.choices(), session.of(Begun)
    asked = st.query_params.get(MODEL)
    is_unknown = asked is not None and asked not in choices
    if is_unknown and not locks.is_fixed(MODEL):
        link_values.put(MODEL, ())
    name = inputs.listed(
        words.label("model"),
        {choice: choice for choice in choices},
        key=MODEL,
        default=start,
        on_change=reading.note_model,
    )
    if asked is not None and is_unknown:
        unknown = "model_gone" if asked.startswith(own_models.PREFIX) else "model_unknown"
        begun.refused = words.section(unknown, name=asked[:80])
    elif begun.refused_at != name:  # another one was chosen since, here or elsewhere
        begun.refused = ""
    begun.refused_at = name
    if name not in BUNDLED_FOLDERS and not _can_be_had(words, name):
        name = start
    if begun.refused:
        st.warning(begun.refused, icon=":material/cloud_off:")
        if st.session_state[MODEL] not in BUNDLED_FOLDERS:
            st.button(
                words.label("model_again"),
                on_click=_try_again,
                icon=":material/refresh:",
            )
    # A bundled model waits for nobody here: torch is loaded after the page is drawn.
    head = "trained" if name in BUNDLED_FOLDERS else cache.head_of(name)
    if head != "trained":
        st.info(words.section(f"model_head_{head}"), icon=":material/info:")
    if not locks.is_hidden(MODEL):
        _describe(words, choices[name])
    return name


def _describe(words: Words, choice: ModelChoice) -> None:
    """Say below the picker what a model is: its source, its sizes and its card."""
    reads = [f"_{language}" for language, reader in READERS.items() if reader == choice.name]
    st.caption(words.section(f"model_{choice.source}{''.join(reads)}"))
    sizes = _sizes_of(choice)
    if len(sizes) == 4:
        st.caption(words.section("model_sizes", **sizes))
    card = _card_of(choice)
    if card:
        with st.popover(words.label("model_card"), icon=":material/description:", type="tertiary"):
            st.markdown(card)


def _try_again() -> None:
    session.of(Begun).refused = ""


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
    if session.of(Begun).refused:
        return False
    try:
        with st.spinner(words.label("model_loading", name=name), show_time=True):
            cache.model(name)
    except ValueError as error:
        logger.warning("the bundled model takes its place: %s", error)
        session.of(Begun).refused = words.section("model_refused", reason=translated(str(error)))
        return False
    return True


def draw_foot() -> None:
    """Draw the way to what is said of data (docs/privacy.md), and what the host says of itself."""
    with st.sidebar:
        label, asked = read_words("frame").label("privacy"), {part_key(TEACHING.slug): "privacy"}
        with st.container(key="privacy_link"):  # Streamlit marks each link to the page
            st.page_link(TEACHING.file, label=label, query_params=asked)
        if said := said_by_host():
            st.caption("  \n".join(said.values()))
