"""A lesson draws what its table of controls says: every part is opened, and what brings a control.

And every call in the source that draws a control was come by.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from unittest.mock import patch

import pytest
import streamlit as st

from pages.shared.course.lessons import LESSONS, Lesson
from pages.shared.course.words import Words
from pages.shared.link import inputs
from pages.shared.link.controls import OPENING, Control, controls_of, part_key
from pages.shared.server import helper_process
from pages.shared.server.helper_process import Obstacle
from pages.shared.training import finetune_own_data
from tests.caches import own_caches
from tests.widget_calls import OF_INPUTS, Place, calls_in_source, noted

NAMED = ("choice", "listed", "step")  # those whose options may bring further controls
# What they begin with is a matter of language, or a text that only the part can read.
WITHOUT_START = ("text", "text_area", "text_of_session", "drawn")
OF_STREAMLIT = ("segmented_control", "pills", "radio")  # guesses
OF_WORDS = ("label", "plain")  # where titles come from
MOST_OPTIONS = 20  # of one control that are tried
TRAINED_WITHIN = 60  # seconds
EVERY_LESSON = [pytest.param(lesson, id=lesson.slug) for lesson in LESSONS]


@dataclass
class Seen:
    """What runs of a page drew."""

    labels: dict[str, tuple[str, str, dict]] = field(default_factory=dict)
    controls: dict[str, dict] = field(default_factory=dict)
    options: dict[str, list[str]] = field(default_factory=dict)
    asked: dict[str, list] = field(default_factory=dict)  # of guesses, which are in no link

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

        def kept(label: str, options: Sequence, **more: object) -> object:
            self.asked[more.get("key")] = list(options)
            return original(label, options, **more)

        return kept

    def widget(self, kind: str, original: Callable) -> Callable:
        """Wrap a function of inputs.py, so that its control is noted."""

        def kept(label: str, *rest: object, key: str, **more: object) -> object:
            value = original(label, *rest, key=key, **more)
            words, name, values = self.labels[label]
            control = {"key": key, "words": words, "label": name, "values": values}
            if kind == "text":
                control["is_text"] = True
            if kind not in WITHOUT_START:
                control["start"] = _written(value)
            if kind in NAMED:
                control["options"] = self.titles(rest[0])
                self.options[key] = list(rest[0])[:MOST_OPTIONS]
            self.controls[key] = control
            return value

        return kept

    def of_lesson(self, slug: str) -> dict[str, dict]:
        """Return the controls of a lesson itself, without the picker of its parts."""
        return {
            key: control
            for key, control in self.controls.items()
            if key.startswith(f"{slug}_") and key != part_key(slug)
        }


def _as_listed(row: Control) -> dict:
    """Return a row of the table as it is noted when it is drawn."""
    words = row.options_words or row.words
    options = {name: f"{words}/{label}" for name, label in row.options.items()}
    control = {"key": row.key, "words": row.words, "label": row.label, "values": row.values}
    control |= {"options": options, "when": row.when, "start": row.written}
    control |= {"is_text": True} if row.is_text else {}
    return control | {"places": row.at, "elsewhere": row.elsewhere}


def _at(control: dict, place: str) -> dict:
    """Return a listed control as one place draws it."""
    drawn = control | control.get("elsewhere", {}).get(place, {})
    said = {name: value for name, value in drawn.items() if value not in ({}, None)}
    return {"when": {}} | {name: said[name] for name in said if name not in ("places", "elsewhere")}


def _written(value: object) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


@contextmanager
def recorded() -> Iterator[Seen]:
    """Give what takes in all that is drawn meanwhile."""
    seen = Seen()
    with ExitStack() as stack:
        for owner, names, wrap in (
            (Words, OF_WORDS, lambda name, draw: seen.label(draw)),
            (inputs, OF_INPUTS, seen.widget),
            (st, OF_STREAMLIT, lambda name, draw: seen.guess(draw)),
        ):
            for name in names:
                wrapped = wrap(name, getattr(owner, name))
                stack.enter_context(patch.object(owner, name, wrapped))
        yield seen


@dataclass(frozen=True)
class Lister:
    """What opens the views of one lesson and makes its list."""

    lesson: Lesson
    open_page: Callable

    def view(self, *, guessing: bool = False, **link: str) -> Seen:
        """Open a view and return what it drew; guesses are made, or left open."""
        with recorded() as seen:
            app = self.open_page(self.lesson.file, **link)
            unanswered = [
                one
                for one in (*app.get("button_group"), *app.radio)
                if one.key in seen.asked.keys() - seen.controls.keys() and not one.value
            ]
            if guessing and unanswered:
                for one in unanswered:
                    one.set_value(seen.asked[one.key][0])
                app.run()
        assert not app.exception
        return seen

    def differences(self, listed: list[dict]) -> Iterator[str]:
        """Give where the list says other than what the lesson draws.

        It opens each part, and each choice that the list says brings a control.
        """
        slug, parts = self.lesson.slug, set(self.lesson.parts)
        listed_as = {control["key"]: control for control in listed}
        shown: dict[str, set[str]] = {key: set() for key in listed_as}
        for place, chosen in self.views_of(listed):
            seen = self.view(guessing=not chosen, **{part_key(slug): place}, **chosen)
            for key, control in seen.of_lesson(slug).items():
                if not {place, OPENING} & set(listed_as.get(key, {"places": []})["places"]):
                    yield f"{place} draws {key}, which the list doesn't say"
                    continue
                said = _at(listed_as[key], place)
                if said["when"] == chosen:
                    shown[key].add(place)
                if said["when"] and not chosen:
                    yield f"{place} draws {key}, the list says only with {said['when']}"
                elif said["when"] == chosen and said != _at(control | {"when": chosen}, place):
                    yield f"{place} draws {control}, the list says {said}"
        for place, seen in self.after_training():
            for key in seen.of_lesson(slug):
                if key not in listed_as:
                    yield f"{place} draws {key} after a training, which the list doesn't say"
                shown.setdefault(key, set()).add(place)
        for key, control in listed_as.items():
            places = set(control["places"])
            if OPENING in places:
                is_shown = OPENING in shown[key] or shown[key] >= parts
                is_shown |= bool(control.get("when") and shown[key])
            else:
                is_shown = shown[key] >= places
            if not is_shown:
                yield f"the list says {control}, drawn in {shown[key]}"

    def views_of(self, listed: list[dict]) -> list[tuple[str, dict[str, str]]]:
        """Return the views that show all controls of a list: a part, and what is chosen there."""
        views = [(part, {}) for part in self.lesson.parts]
        # What the opening has under a condition is seen above any part.
        for control in sorted(listed, key=lambda control: OPENING in control["places"]):
            for place in control["places"]:
                chosen = _at(control, place)["when"]
                if place != OPENING:
                    views.append((place, chosen))
                elif not any(chosen == one for _, one in views):
                    views.append((self.lesson.parts[0], chosen))
        return [view for i, view in enumerate(views) if view not in views[:i]]

    def after_training(self) -> Iterator[tuple[str, Seen]]:
        """Give what is drawn where this visit has trained something, with the place."""
        slug = self.lesson.slug
        if slug not in TRAINED:
            return
        training = TRAINED[slug]
        with own_caches():
            with recorded() as seen:
                app = self.open_page(self.lesson.file, **training.link)
                if training.text:
                    field = app.text_area(key=finetune_own_data.text_key(slug))
                    field.set_value(training.text).run()
                app.button(key=f"{slug}_start").click().run()
                assert not app.exception and not app.error
            yield training.place, seen
            if training.asked_in:
                with recorded() as seen:
                    _ask_the_run(app, training.asked_in)
                yield training.asked_in[part_key(slug)], seen


@dataclass(frozen=True, kw_only=True)
class Training:
    """A small run for what is drawn only where the learner has one."""

    link: dict[str, str]
    place: str
    text: str = ""  # the learner's own examples
    asked_in: dict[str, str] = field(default_factory=dict)  # the view that is about the run


FOUR_CLASSES = "".join(f"{'abcd'[i % 4]}\tText number {i}.\n" for i in range(24))
TRAINED = {
    "train_an_encoder": Training(link={}, place=OPENING),
    "classification": Training(
        link={
            "classification_part": "train",
            "classification_set_data": "own_classes",
            "classification_set_trained": "head",
        },
        place="train",
        text=FOUR_CLASSES,
        asked_in={
            "classification_part": "own_sentence",
            "classification_own_run": "run-1",
        },
    ),
    "bio_tagging": Training(link={"bio_tagging_part": "train"}, place="train"),
}


def _ask_the_run(app, asked_in: dict[str, str]) -> None:
    """Wait until the run has ended, and go to the view that is about it."""
    until = time.monotonic() + TRAINED_WITHIN
    while not any("Finished" in bar.proto.text for bar in app.get("progress")):
        assert time.monotonic() < until, "the run did not end"
        time.sleep(0.2)
        app.run()
    for key, value in asked_in.items():
        app.session_state[key] = value
        app.run()
    assert not app.exception


@pytest.fixture(autouse=True)
def no_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no view start the helper process: what it computes brings no control."""
    monkeypatch.setattr(helper_process, "obstacle", lambda *modules: Obstacle("busy"))


@pytest.mark.parametrize("lesson", EVERY_LESSON)
def test_the_list_of_controls_is_what_the_lesson_draws(lesson: Lesson, open_warm_page: Callable):
    lister = Lister(lesson, open_warm_page)
    listed = [_as_listed(control) for control in controls_of(lesson.slug).values() if control.at]
    with noted() as met:
        assert not list(lister.differences(listed))
    assert not list(unmet(lesson, met)), "no view came by these"


def unmet(lesson: Lesson, met: set[Place]) -> Iterator[str]:
    """Give each place of a lesson where a control is drawn that no view came by."""
    for (file, line), called in sorted(calls_in_source().items()):
        is_here = file.startswith(f"pages/parts/{lesson.slug}/") and called.startswith(
            ("inputs.", "p.")
        )
        if is_here and (file, line) not in met:
            yield f"{file}:{line} {called}"


@pytest.mark.parametrize("lesson", EVERY_LESSON)
def test_every_listed_control_has_a_title_and_a_place_in_its_lesson(lesson: Lesson):
    for key, control in controls_of(lesson.slug).items():
        assert control.title(), key
        assert set(control.at) <= {OPENING, *lesson.parts}, key
