"""The controls of a view, each with its value and what the link does with it."""

from collections import Counter
from dataclasses import replace

import regex
import streamlit as st

from pages.beside.teaching.places import part_title
from pages.beside.teaching.view import View
from pages.server.course.language import FIRST, READS, examples_in, read_on
from pages.server.course.words import read_words
from pages.server.frame.page_frame import Page
from pages.server.link.controls import (
    OPENING,
    Control,
    controls_of,
    option_of,
    part_key,
    title_of,
)
from pages.server.link.inputs import LONGEST_TEXT
from pages.server.link.seeds import OWN_IN_LINK

STATES = ("free", "lock", "hide")
SOURCE = "teaching_source"  # session state: the link that the states were read from
LONGEST_VALUE = 80  # characters of a value that are shown
_WORD = regex.compile(r"[^\s\p{P}\p{S}]+")  # as BERT splits: every mark is a word by itself


def ask_states(page: Page, view: View, *, source: str) -> View:
    """Show a line for each control; return the view with what was locked and hidden."""
    words, controls = page.words, view.controls()
    if st.session_state.get(SOURCE) != source:
        st.session_state[SOURCE] = source
        for control in controls:
            st.session_state[_key(control)] = _state_in(view, control)
            if _is_set_here(control):
                st.session_state[_text_key(control)] = view.value(control) or ""
    st.markdown(words.section("link.controls"))
    with st.container(horizontal=True):
        for state in STATES[:2]:
            st.button(
                words.label(f"all_{state}"),
                on_click=_set_all,
                args=(controls, state),
                type="tertiary",
                icon=":material/lock:" if state == "lock" else ":material/lock_open:",
                key=f"teaching_all_{state}",
            )
    titles = _titles(view, controls)
    chosen = {control.key: _line(page, view, control, titles[control.key]) for control in controls}
    typed = {
        control.key: st.session_state.get(_text_key(control)) or ""
        for control in controls
        if _is_set_here(control)
    }
    kept = {key: values for key, values in view.parameters.items() if key not in typed}
    return replace(
        view,
        parameters=kept | {key: (text,) for key, text in typed.items() if text.strip()},
        locked=frozenset(key for key, state in chosen.items() if state == "lock"),
        hidden=frozenset(key for key, state in chosen.items() if state == "hide"),
    )


def _titles(view: View, controls: list[Control]) -> dict[str, str]:
    """Return what each control is called, with its place where another has the same name."""
    titles = {control.key: title_of(control) for control in controls}
    n_called = Counter(titles.values())
    for control in controls:
        if n_called[title_of(control)] > 1:
            place = OPENING if OPENING in control.at else view.part
            titles[control.key] += f" ({part_title(view.lesson.slug, place)})"
    return titles


def _line(page: Page, view: View, control: Control, title: str) -> str:
    """Show one control's title, value and three states; return the chosen one."""
    words = page.words
    with st.container(key=f"teaching_row_{control.key}"):
        left, right = st.columns([3, 2], vertical_alignment="center", gap="small")
    with left:
        if control.is_text:
            _ask_text(page, control, title)
        elif control.shared_by:
            _ask_word(page, view, control, title)
        else:
            st.markdown(f"**{title}**  \n:small[{_value(page, view, control)}]")
    with right:
        state = st.segmented_control(
            title,
            STATES,
            format_func=lambda name: words.label(f"state_{name}"),
            key=_key(control),
            required=True,
            persist_state="session",
            label_visibility="collapsed",
        )
    return state or STATES[0]


def _ask_text(page: Page, control: Control, title: str) -> None:
    """Show the field of a sentence; an empty one leaves the lesson's own."""
    st.text_input(
        title,
        key=_text_key(control),
        max_chars=LONGEST_TEXT,
        placeholder=page.words.plain("value_start"),
        persist_state="session",
        autocomplete="off",
    )


def _ask_word(page: Page, view: View, control: Control, title: str) -> None:
    """Show the words that the texts of the link share; none leaves the choice to the lesson."""
    slug, key = view.lesson.slug, _text_key(control)
    asked = view.parameters.get(READS, (view.language or read_on(slug),))[-1]
    examples = read_words(slug, asked if asked in examples_in(slug) else FIRST)
    rows = [controls_of(slug)[name] for name in control.shared_by]
    texts = (
        st.session_state.get(_text_key(row)) or examples.plain(row.label_of_example) for row in rows
    )
    first, *others = (_WORD.findall(text) for text in texts)
    words = [word for word in dict.fromkeys(first) if all(word in other for other in others)]
    if st.session_state.get(key) not in words:
        st.session_state[key] = ""
    st.selectbox(
        title,
        ["", *words],
        format_func=lambda word: word or page.words.plain("value_start"),
        key=key,
        persist_state="session",
    )


def _is_set_here(control: Control) -> bool:
    return control.is_text or bool(control.shared_by)


def _value(page: Page, view: View, control: Control) -> str:
    """Return a control's value in words: as the link says it, or as the lesson starts."""
    words, value = page.words, view.value(control)
    if control.key == part_key(view.lesson.slug):
        return words.label("value", value=part_title(view.lesson.slug, view.part))
    if control.is_seed and view.seed == OWN_IN_LINK:
        return words.label("value", value=words.plain("seed_own"))
    if value is None:
        return words.label("value_start")
    value = option_of(control, value)
    shown = value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…"
    name = "value" if control.key in view.parameters else "value_of_start"
    return words.label(name, value=shown)


def _state_in(view: View, control: Control) -> str:
    if control.key in view.hidden:
        return "hide"
    return "lock" if control.key in view.locked else "free"


def _set_all(controls: list[Control], state: str) -> None:
    for control in controls:
        st.session_state[_key(control)] = state


def _key(control: Control) -> str:
    return f"teaching_state_{control.key}"


def _text_key(control: Control) -> str:
    return f"teaching_text_{control.key}"
