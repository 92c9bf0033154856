"""The controls of a view, each with its value and what the link does with it."""

from collections import Counter
from dataclasses import replace

import regex

from pages.beside.teaching.places import part_title
from pages.beside.teaching.view import View
from pages.kit.part import LONGEST_TEXT, Part, Text
from pages.kit.rows import OPENING
from pages.server.course.language import FIRST, READS, examples_in, read_on
from pages.server.course.rows import Control
from pages.server.course.words import read_words

STATES = ("free", "lock", "hide")
SOURCE = "source"  # state: the link that the states were read from
LONGEST_VALUE = 80  # characters of a value that are shown
_WORD = regex.compile(r"[^\s\p{P}\p{S}]+")  # as BERT splits: every mark is a word by itself


def ask_states(p: Part, view: View, *, source: str) -> View:
    """Show a line for each control; return the view with what was locked and hidden."""
    controls = view.controls()
    if p.state.get(SOURCE) != source:
        p.state[SOURCE] = source
        for control in controls:
            p.state[_state(control)] = _state_in(view, control)
            if _is_set_here(control):
                p.state[_text(control)] = view.value(control) or ""
    p.say("controls")
    with p.row("top"):
        for state, icon in (("free", "lock_open"), ("lock", "lock")):
            p.button(f"all_{state}", _set_all, p, controls, state, type="tertiary", icon=icon)
    titles = _titles(view, controls)
    chosen = {control.key: _line(p, view, control, titles[control.key]) for control in controls}
    typed = {
        control.key: p.state.get(_text(control)) or ""
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


def _titles(view: View, controls: list[Control]) -> dict[str, Text]:
    """Return what each control is called, with its place where another has the same name."""
    titles = {control.key: view.title(control) for control in controls}
    n_called = Counter(titles.values())
    for control in controls:
        if n_called[view.title(control)] > 1:
            place = OPENING if OPENING in control.at else view.part
            titles[control.key] += f" ({part_title(view.lesson.slug, place)})"
    return {key: Text(title) for key, title in titles.items()}


def _line(p: Part, view: View, control: Control, title: Text) -> str:
    """Show one control's title, value and three states; return the chosen one."""
    with p.place(css=p.key(f"row_{control.key}")):
        left, right = p.columns(3, 2, align="center", gap="small")
    with left:
        if control.is_text:
            _ask_text(p, control, title)
        elif control.shared_by:
            _ask_word(p, view, control, title)
        else:
            p.write(f"**{title}**  \n:small[{_value(p, view, control)}]")
    with right:
        states = {name: p.label(f"state_{name}") for name in STATES}
        more = {"persist_state": "session", "label_visibility": "collapsed"}
        return p.segments(_state(control), states, title, **more) or STATES[0]


def _ask_text(p: Part, control: Control, title: Text) -> None:
    """Show the field of a sentence; an empty one leaves the lesson's own."""
    p.typed(_text(control), title, longest=LONGEST_TEXT, placeholder=p.plain("value_start"))


def _ask_word(p: Part, view: View, control: Control, title: Text) -> None:
    """Show the words that the texts of the link share; none leaves the choice to the lesson."""
    slug, name = view.lesson.slug, _text(control)
    asked = view.parameters.get(READS, (view.language or read_on(slug),))[-1]
    examples = read_words(slug, asked if asked in examples_in(slug) else FIRST)
    rows = map(view.row, control.shared_by)
    texts = (p.state.get(_text(row)) or examples.plain(row.label_of_example) for row in rows)
    first, *others = (_WORD.findall(text) for text in texts)
    words = [word for word in dict.fromkeys(first) if all(word in other for other in others)]
    if p.state.get(name) not in words:
        p.state[name] = ""
    options = {"": p.plain("value_start")} | {word: word for word in words}
    p.picked(name, options, title, persist_state="session")


def _is_set_here(control: Control) -> bool:
    return control.is_text or bool(control.shared_by)


def _value(p: Part, view: View, control: Control) -> str:
    """Return a control's value in words: as the link says it, or as the lesson starts."""
    if control.name == "part":
        return p.label("value", value=part_title(view.lesson.slug, view.part))
    if control.is_seed and view.has_own_numbers:
        return p.label("value", value=p.plain("seed_own"))
    value = view.option(control)
    if value is None:
        return p.label("value_start")
    shown = value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…"
    name = "value" if control.key in view.parameters else "value_of_start"
    return p.label(name, value=shown)


def _state_in(view: View, control: Control) -> str:
    if control.key in view.hidden:
        return "hide"
    return "lock" if control.key in view.locked else "free"


def _set_all(p: Part, controls: list[Control], state: str) -> None:
    for control in controls:
        p.state[_state(control)] = state


def _state(control: Control) -> str:
    return f"state_{control.key}"


def _text(control: Control) -> str:
    return f"text_{control.key}"
