"""Make a link: take a view, say of each control whether it is free, locked or hidden."""

from dataclasses import replace

import streamlit as st

from mlm_core.number_format import formatted
from pages.beside.teaching import plan_state
from pages.beside.teaching.address import ask_address
from pages.beside.teaching.lesson_plan import MOST_STEPS, Step
from pages.beside.teaching.link_controls import ask_states
from pages.beside.teaching.link_seed import ask_seed
from pages.beside.teaching.places import parameters_of, part_title, title_of
from pages.beside.teaching.view import LONGEST_LINK, UnreadableLinkError, View, read_link
from pages.server.caches import own_models
from pages.server.course.language import READS, examples_in, languages
from pages.server.course.lessons import BY_SLUG, LESSONS
from pages.server.course.words import read_words
from pages.server.frame import reading
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part
from pages.server.link import inputs
from pages.server.link.controls import MODEL, OPENING, part_key

FROM = ("lists", "link")
PASTED = "teaching_pasted"
MOST_TYPED = 50_000  # characters; of what is too long for a link the length is told
LONG_LINK = 2_000  # characters; some mail and chat programs cut what is longer
AS_IT_STARTS = ""  # no model or language in the link


@part
def show(page: Page) -> None:
    """Let the teacher take a view, fix what they like, and copy the link."""
    words = page.words
    st.markdown(words.section("link.lead"))
    names = {name: words.label(f"from_{name}") for name in FROM}
    how = inputs.choice(words.label("from"), names, key="teaching_from")
    try:
        view = _from_lists(page) if how == "lists" else read_link(_ask_link(page))
    except UnreadableLinkError as error:
        is_empty = error.reason == "no_link"
        say = st.info if is_empty else st.warning
        say(words.section(f"link.{error.reason}", **error.values), icon=":material/link_off:")
        return
    st.subheader(title_of(view), anchor=False)
    source = view.link()
    view = _ask_model_and_language(page, ask_seed(page, view))
    st.markdown(f"#### {words.label('controls')}")
    _show(page, ask_states(page, view, source=source))


def _from_lists(page: Page) -> View:
    words = page.words
    titles = {lesson.slug: read_words(lesson.slug).label("title") for lesson in LESSONS}
    left, right = st.columns(2)
    with left:
        slug = inputs.listed(words.label("lesson"), titles, key="teaching_lesson")
    with right:
        parts = {name: part_title(slug, name) for name in (OPENING, *BY_SLUG[slug].parts)}
        name = inputs.listed(words.label("lesson_part"), parts, key="teaching_lesson_part")
    chosen = {} if name == OPENING else {part_key(slug): (name,)}
    return View(lesson=BY_SLUG[slug], parameters=chosen)


def _ask_link(page: Page) -> str:
    typed = st.text_input(
        page.words.label("pasted"),
        key=PASTED,
        max_chars=MOST_TYPED,
        persist_state="session",
        placeholder=page.words.plain("pasted_placeholder"),
        autocomplete="off",
    )
    return typed or ""


def _ask_model_and_language(page: Page, view: View) -> View:
    words = page.words
    left, right = st.columns(2)
    given = view.parameters.get(MODEL, (AS_IT_STARTS,))[-1]
    names = [AS_IT_STARTS, *dict.fromkeys([*own_models.choices(), *filter(None, [given])])]
    shown = [name for name in names if not name.startswith(own_models.PREFIX)]
    with left:
        model = st.selectbox(
            read_words("frame").label("model"),
            shown,
            index=shown.index(given) if given in shown else 0,
            format_func=lambda name: name or words.plain("as_each_has"),
            key=f"teaching_model_{given}",
        )
    with right:
        spoken = {each: read_words("frame", each).label("language") for each in languages()}
        language = st.segmented_control(
            read_words("frame").label("language_picker"),
            [AS_IT_STARTS, *spoken],
            default=view.language,
            format_func=lambda name: spoken.get(name) or words.plain("as_each_has"),
            required=True,
            key=f"teaching_language_{view.language}",
            wrap=True,
        )
    parameters = {key: values for key, values in view.parameters.items() if key != MODEL}
    if model:
        parameters[MODEL] = (model,)
    slug = view.lesson.slug
    # A pasted link with a text, but without what is read, is older than the choice.
    is_older = language == view.language and reading.speaks_of_text(slug, parameters)
    if language in examples_in(slug) and not is_older:
        parameters.setdefault(READS, (language,))
    return replace(view, parameters=parameters, language=language or AS_IT_STARTS)


def _show(page: Page, view: View) -> None:
    """Show the finished link to copy, the way to try it, and to keep it in the plan."""
    words = page.words
    st.markdown(f"#### {words.label('finished')}")
    link = ask_address(page) + view.link()
    st.code(link, language=None, wrap_lines=True)
    if len(link) > LONGEST_LINK:
        values = {"n": formatted(len(link), ","), "most": formatted(LONGEST_LINK, ",")}
        st.warning(words.section("link.too_long", **values), icon=":material/content_cut:")
    elif len(link) > LONG_LINK:
        st.caption(words.section("link.long", n=formatted(len(link), ",")))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            view.lesson.file,
            label=words.label("try"),
            icon=":material/open_in_new:",
            query_params=parameters_of(view),
        )
        st.button(
            words.label("to_plan"),
            on_click=_to_plan,
            args=(page, view.link()),
            disabled=len(plan_state.current(page).steps) >= MOST_STEPS,
            icon=":material/playlist_add:",
            key="teaching_to_plan",
        )


def _to_plan(page: Page, link: str) -> None:
    plan_state.change(page, lambda plan: plan.with_step(Step(link=link)))
    n_steps = len(plan_state.current(page).steps)
    st.toast(page.words.section("plan.added", n=n_steps), icon=":material/playlist_add:")
