"""Make pages/shared/controls.json: open every part of every lesson, and every choice in it.

    python -m tests.pages.list_controls              all lessons, some minutes
    python -m tests.pages.list_controls masking      one

Guesses are made. What was listed before and is still in the source stays, so a control that only
shows after a training, or with another model, is added to the file by hand.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from unittest.mock import patch

os.environ["HF_HUB_OFFLINE"] = "1"

import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.shared import inputs
from pages.shared.controls import LIST, OPENING
from pages.shared.lessons import BY_SLUG, LESSONS, Lesson
from pages.shared.words import Words
from tests.browser.live import ROOT
from tests.pages.bound_widgets import key_patterns

NAMED = ("choice", "listed", "step")  # those whose options may bring further controls
KINDS = (
    *NAMED,
    *("text", "text_area", "text_of_session", "slider", "toggle", "number", "position", "several"),
)
WITHOUT_START = (
    "text",
    "text_area",
    "text_of_session",
)  # what they begin with is a matter of language
OF_STREAMLIT = ("segmented_control", "pills")
OF_WORDS = ("label", "plain")  # where titles come from
MOST_OPTIONS = 20  # of one control that are tried


class Seen:
    """What a run of a page showed."""

    def __init__(self) -> None:
        self.labels: dict[str, tuple[str, str, dict]] = {}
        self.controls: dict[str, dict] = {}
        self.options: dict[str, list[str]] = {}
        self.asked: dict[str, list] = {}  # options of what is in no link, such as a guess

    def label(self, original: Callable) -> Callable:
        """Wrap Words.label, so that a title's origin is known."""

        def labelled(words: Words, key: str, /, **values: object) -> str:
            text = original(words, key, **values)
            self.labels[text] = (words._name, key, values)
            return text

        return labelled

    def titles(self, options: dict[str, str]) -> dict[str, str]:
        """Return the labels' keys of those options that are words, and not numbers or names."""
        found = {name: self.labels.get(text) for name, text in options.items()}
        return {
            name: f"{of[0]}/{of[1]}"
            for name, of in found.items()
            if of and not of[2] and len(options) <= MOST_OPTIONS
        }

    def guess(self, original: Callable) -> Callable:
        """Wrap one of Streamlit's choices, so that it can be answered."""

        def noted(label: str, options: Sequence, **more: object) -> object:
            self.asked[more["key"]] = list(options)
            return original(label, options, **more)

        return noted

    def widget(self, kind: str, original: Callable) -> Callable:
        """Wrap a function of inputs.py, so that its control is noted."""

        def noted(label: str, *rest: object, key: str, **more: object) -> object:
            value = original(label, *rest, key=key, **more)
            words, name, values = self.labels[label]
            start = None if kind in WITHOUT_START else _written(value)
            self.controls[key] = {
                "key": key,
                "words": words,
                "label": name,
                "values": values,
                "start": start,
                "options": self.titles(rest[0]) if kind in NAMED else {},
            }
            if kind in NAMED:
                self.options[key] = list(rest[0])[:MOST_OPTIONS]
            return value

        return noted


def _written(value: object) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _guess(app: AppTest, seen: Seen) -> None:
    """Answer what a part asks before it shows more; a guess is in no link."""
    for one in app.get("button_group"):
        if one.key in seen.asked and not one.value:
            one.set_value(seen.asked[one.key][0])
    app.run()


def run(lesson: Lesson, *, guessing: bool = False, **link: str) -> Seen:
    """Open a view and return what it showed."""
    seen = Seen()
    patches = [patch.object(Words, name, seen.label(getattr(Words, name))) for name in OF_WORDS]
    patches += [
        patch.object(inputs, kind, seen.widget(kind, getattr(inputs, kind))) for kind in KINDS
    ]
    patches += [
        patch.object(st, name, seen.guess(getattr(st, name))) for name in OF_STREAMLIT if guessing
    ]
    for each in patches:
        each.start()
    try:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        app.switch_page(lesson.file)
        app.query_params.update(link)
        app.run()
        if guessing:
            _guess(app, seen)
    finally:
        for each in patches:
            each.stop()
    return seen


def controls_of_part(
    lesson: Lesson, part: str, first: Seen, barren: set[str]
) -> tuple[dict[str, dict], set[str]]:
    """Return the controls of a view and of its choices, and which choices brought none.

    Those known to bring none aren't tried. What a choice brought says so in "when".
    """
    link, found, tried, fertile = {f"{lesson.slug}_part": part}, {}, set(barren), set()
    waiting = [({}, first)]
    while waiting:
        chosen, seen = waiting.pop()
        for key, control in seen.controls.items():
            if key not in found and key.startswith(f"{lesson.slug}_") and key not in link:
                found[key] = control | {"when": chosen}
                fertile |= set(chosen)
        for key, options in seen.options.items():
            if key in tried or key in link or not key.startswith(f"{lesson.slug}_"):
                continue
            tried.add(key)
            waiting += [
                ({**chosen, key: option}, run(lesson, **link, **chosen, **{key: option}))
                for option in options
                if option != seen.controls[key]["start"]
            ]
    return found, tried - fertile


def listed(lesson: Lesson, before: list[dict]) -> Iterator[dict]:
    """Give a lesson's controls with the parts that show them, the opening's first."""
    places: dict[str, list[str]] = {}
    controls: dict[str, dict] = {}
    parts = lesson.parts
    barren: set[str] = set()
    firsts = [run(lesson, guessing=True, **{f"{lesson.slug}_part": part}) for part in parts]
    of_opening = set.intersection(*(set(first.controls) for first in firsts))
    for part, first in zip(parts, firsts, strict=True):
        found, brought_none = controls_of_part(lesson, part, first, barren)
        if part == parts[0]:
            barren = brought_none & of_opening
        for key, control in found.items():
            # Without a condition in one part is without one.
            if key not in controls or not control.get("when"):
                controls[key] = control
            places.setdefault(key, []).append(part)
        print(lesson.slug, part, len(controls), flush=True)
    for old in before:
        if old["key"] not in controls and any(
            pattern.fullmatch(old["key"]) for pattern in key_patterns(lesson.slug)
        ):
            controls[old["key"]], places[old["key"]] = old, old["places"]
    everywhere = {key for key, where in places.items() if set(where) >= set(parts)}
    for key in sorted(controls, key=lambda key: key not in everywhere):
        where = [OPENING] if key in everywhere or places[key] == [OPENING] else places[key]
        said = {name: value for name, value in controls[key].items() if value not in ({}, None)}
        yield said | {"places": where}


def main(slugs: list[str]) -> None:
    """Write the list, of the named lessons or of all."""
    everything = json.loads(LIST.read_text(encoding="utf-8")) if LIST.is_file() else {}
    for lesson in [BY_SLUG[slug] for slug in slugs] or LESSONS:
        made = list(listed(lesson, everything.get(lesson.slug, [])))
        everything = json.loads(LIST.read_text(encoding="utf-8")) if LIST.is_file() else {}
        everything[lesson.slug] = made
        ordered = {each.slug: everything[each.slug] for each in LESSONS if each.slug in everything}
        text = json.dumps(ordered, indent=1, ensure_ascii=False)
        LIST.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
