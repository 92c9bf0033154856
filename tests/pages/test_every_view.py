"""Every view of every lesson, opened once: each part, and each choice that brings a control.

It is opened in German, with marks of numbers that no language has. So a number that still has the
English ones was written without the formatter, wherever it stands: in text, a table, a drawing.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

import pytest
import streamlit as st

from pages.kit.part import Numbers, Part
from pages.server.course.lessons import BESIDE, LESSONS, Lesson
from pages.server.course.words import read_words
from pages.server.link import inputs
from pages.server.link.controls import OPENING, Control, controls_of, part_key, title_of
from pages.server.process import helper_process
from pages.server.process.helper_process import Obstacle
from tests.caches import caches_that_take_more, entries, views_that_keep_more
from tests.markup import foreign_markup
from tests.pages.test_german import PYTHONS, STRANGE, english_numbers, english_pieces, texts_of

UNEXPECTED = read_words("frame", "de").section("unexpected")
OF_INPUTS = [
    name
    for name in inputs.__all__
    if inspect.isfunction(function := getattr(inputs, name))
    and {"label", "key"} <= inspect.signature(function).parameters.keys()
]
KINDS = {
    "text_area": "area",
    "text_of_session": "drawn",
}  # of rows, where inputs.py says other
BEGINS_WITH_WORDS = ("text", "area", "drawn")
OF_STREAMLIT = ("segmented_control", "pills", "radio")  # which guesses are made with
# Of a run that the visit trained: the lessons' own tests have one.
ONLY_AFTER_TRAINING = {
    *("train_an_encoder_shown", "classification_shown", "bio_tagging_shown"),
    *(f"classification_own_{name}_own_classes" for name in ("text", "pair", "second")),
    *("bio_tagging_take_home_own_tags_text", "bio_tagging_take_home_run"),
    *("bio_tagging_scores_own_run", "classification_answers_run"),
    *("classification_few_words_own", "encoders_today_curve", "encoders_today_take_home_query"),
    *(f"classification_take_home_own_classes_{name}" for name in ("text", "first", "second")),
}

# Parts that draw it with stored results alone, which the model that reads German has none of; or
# only where there are several runs to choose from, so a visit's own ones.
NOT_STORED = {
    "inside_a_prediction_sentence": {"knows"},
    "train_an_encoder_which": {"block", "optimizer", "take_home"},
    "bio_tagging_which": {"distribution", "viterbi"},
}

# The words of a lesson have rows alike; each of them costs the model's reading of all its uses.
SOME_WORDS = {"apple", "die_de"}


def is_of_another_word(row: Control) -> bool:
    return row.when.get("word_senses_word", "apple") not in SOME_WORDS


@dataclass
class Drawn:
    """What one run of a page drew."""

    controls: dict[str, tuple[str, object]] = field(default_factory=dict)  # kind and value
    asked: dict[str, list] = field(default_factory=dict)  # options of guesses, in no link

    def control(self, name: str, draw: Callable) -> Callable:
        """Wrap a function of inputs.py."""

        def drawing(label: str, *rest: object, key: str, **more: object) -> object:
            value = draw(label, *rest, key=key, **more)
            self.controls[key] = (KINDS.get(name, name), value)
            return value

        return drawing

    def guess(self, draw: Callable) -> Callable:
        """Wrap one of Streamlit's choices, so that it can be answered."""

        def drawing(label: str, options: Sequence, **more: object) -> object:
            self.asked[more.get("key")] = list(options)
            return draw(label, options, **more)

        return drawing


@contextmanager
def recorded() -> Iterator[Drawn]:
    """Give what takes in all that is drawn meanwhile."""
    drawn = Drawn()
    with ExitStack() as stack:
        for name in OF_INPUTS:
            wrapped = drawn.control(name, getattr(inputs, name))
            stack.enter_context(patch.object(inputs, name, wrapped))
        for name in OF_STREAMLIT:
            stack.enter_context(patch.object(st, name, drawn.guess(getattr(st, name))))
        yield drawn


def views_of(lesson: Lesson) -> Iterator[tuple[str, dict[str, str]]]:
    """Give the views that show all controls of a lesson: a part, and what is chosen there."""
    yield from ((part, {}) for part in lesson.parts)
    seen = []
    for row in controls_of(lesson.slug).values():
        for place in row.at:
            part = lesson.parts[0] if place == OPENING else place
            if is_of_another_word(row.of(part)):
                continue
            view = (part, dict(row.of(part).when))
            if view[1] and view not in seen:
                seen.append(view)
                yield view


def open_and_guess(
    open_page: Callable, lesson: Lesson, part: str, chosen: dict[str, str]
) -> tuple[object, Drawn]:
    """Open a view; in that of a part alone, answer what it asks first."""
    with recorded() as drawn:
        app = open_page(lesson.file, lang="de", **{part_key(lesson.slug): part}, **chosen)
        open_guesses = [
            one
            for one in (*app.get("button_group"), *app.radio)
            if one.key in drawn.asked.keys() - drawn.controls.keys() and not one.value
        ]
        if open_guesses and not chosen:
            for one in open_guesses:
                one.set_value(drawn.asked[one.key][0])
            app.run()
    return app, drawn


_looked_at: set[str] = set()  # most of what a view says, others have said


def faults(app) -> Iterator[str]:
    """Say what a page shows in German that it must not; of each text, where it comes first."""
    yield from (f"exception {one.message}" for one in app.exception)
    yield from ("the apology" for one in app.error if one.value == UNEXPECTED)
    yield from foreign_markup(app)
    texts = [t for t in dict.fromkeys(texts_of(app)) if t.strip() and t not in _looked_at]
    _looked_at.update(texts)
    for text in texts:
        yield from (f"the English number {one}" for one in english_numbers(text))
    everything = "\n".join(texts)
    without_code = re.sub(r"(`+).*?\1", "", everything, flags=re.DOTALL)
    yield from (f"Python's {one}" for one in PYTHONS.findall(without_code))
    yield from (f"in English: {one}" for one in english_pieces() if one in everything)


def faults_of_controls(
    rows: dict[str, Control], drawn: Drawn, part: str, chosen: dict[str, str]
) -> Iterator[str]:
    """Say where a view draws other controls than its lesson's table says."""
    for key, (kind, value) in drawn.controls.items():
        row = rows.get(key)
        if row is None or not {OPENING, part} & set(row.at):
            yield f"{key} is drawn, which the table doesn't say"
            continue
        row = row.of(part)
        shown = {other: chosen.get(other, rows[other].of(part).written) for other in row.when}
        if shown != row.when:
            yield f"{key} is drawn with {shown}, the table says only with {dict(row.when)}"
        if row.kind != {"counter": "drawn"}.get(kind, kind):
            yield f"{key} is a {kind}, the table says {row.kind}"
        if row.when == chosen and kind not in BEGINS_WITH_WORDS:
            said, is_so = row.written, replace(row, start=_listed(value)).written
            if said is not None and said != is_so:
                yield f"{key} begins with {is_so}, the table says {said}"


def _listed(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


@pytest.fixture(autouse=True)
def open_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each table where its figure is drawn; usually that waits for who opens it."""
    kept = Part._kept

    def made(self: Part, name: str, table: Numbers, *rest: Any) -> dict[str, Any]:
        return kept(self, name, table() if callable(table) else table, *rest)

    monkeypatch.setattr(Part, "_kept", made)


@pytest.fixture(autouse=True)
def strange_marks_and_no_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write numbers with strange marks; the helper process computes nothing that is asked here."""
    from pages.server.frame import page_frame

    monkeypatch.setattr(page_frame, "number_marks", lambda: STRANGE)
    monkeypatch.setattr(helper_process, "obstacle", lambda *modules: Obstacle("busy"))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_view_of_a_lesson_is_as_its_table_says_and_in_german(
    lesson: Lesson, open_warm_page: Callable
):
    slug, found, before = lesson.slug, [], entries()
    language = "de" if "de" in lesson.examples_in else "en"
    rows = {key: row for key, row in controls_of(slug, language).items() if row.at}
    shown: dict[str, set[str]] = {key: set() for key in rows}
    for part, chosen in views_of(lesson):
        app, drawn = open_and_guess(open_warm_page, lesson, part, chosen)
        of_lesson = {
            key: control
            for key, control in drawn.controls.items()
            if key.startswith(f"{slug}_") and key != part_key(slug)
        }
        drawn = replace(drawn, controls=of_lesson)
        of_view = [*faults(app), *faults_of_controls(rows, drawn, part, chosen)]
        found += [f"{part} {chosen}: {fault}" for fault in of_view]
        for key in of_lesson.keys() & rows.keys():
            shown[key] |= {OPENING, part}
    for key, row in rows.items():
        is_left_out = key in ONLY_AFTER_TRAINING or is_of_another_word(row)
        missing = set(row.at) - shown[key] - NOT_STORED.get(key, set())
        if missing and not is_left_out:
            found.append(f"{key} isn't drawn in {missing}")
        assert title_of(row), key
    found += [*views_that_keep_more(before), *caches_that_take_more(before)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("file", ["app.py", *(page.file for page in BESIDE)])
def test_every_other_page_is_in_german(file: str, open_warm_page: Callable):
    assert not list(faults(open_warm_page(file, lang="de")))
