"""German: each number as German writes it, and no English words of our own.

What pages send is looked through in test_every_view.py, with what is defined here.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser

import pytest
from google.protobuf.message import Message

from mlm_core.exercises.by_lesson import exercises_of
from mlm_core.exercises.exercise import Exercise, check_answer
from mlm_core.number_format import NumberMarks, formatted, read_number, written_with
from mlm_core.text import corpora
from pages.kit.exercises.feedback import section
from pages.server.course.language import FIRST
from pages.server.course.lessons import LESSONS
from pages.server.course.words import names_of, number_marks, read_words, sections_of
from tests.exercises.learners import learner
from tests.markup import NO_TEXT, PLAIN_FIELDS, strings_in

STRANGE = NumberMarks(decimal="٫", thousands="٬")
EXERCISES = [
    pytest.param(lesson.slug, exercise, id=f"{lesson.slug}-{exercise.id}")
    for lesson in LESSONS
    for exercise in exercises_of(lesson.slug)
]
# Fields that show what the model reads, or what no reader sees.
OTHERS = {"code": {"code_text"}, "plotly_chart": {"config"}, "markdown": set()}
# What has a dot and is no number: references, versions, and addresses.
NAMES = re.compile(
    r"(?:Abb|Gl|Gleichungen|Abschnitte?n?|Kapitel|Tabelle|SLP3|Fig|Eq|CC BY(?:-SA)?|Version|SQuAD"
    r"|Llama|§)\.?\s?"
    r"\d+(?:\.\d+)*(?:(?:, | und | bis |–)\d+\.\d+)*"
    r"|(?:\(|\\tag\{)11\.\d+[)}]|https?://\S+|[\w-]+\.(?:csv|md|json)|`[^`]*`|rgba?\([^)]*\)|12,345\.67|\d+d0\.\d+|127\.0\.0\.1"
)
ENGLISH_NUMBER = re.compile(r"(?<![\w.,])\d+\.\d+(?![\d.]*\w)|(?<![\w.,])[1-9]\d{0,2}(?:,\d{3})+\b")
# German text itself may say so; nothing that is filled in has these marks.
GERMAN_NUMBERS = {"1,000", "1,386"}
CODE = re.compile(r"```.*?```", re.DOTALL)
PYTHONS = re.compile(r"\b(True|False|None)\b")
LONG_ENOUGH = 15  # characters between two values, with a space among them


class _Shown(HTMLParser):
    """Collects what a reader meets of a drawing: text, tooltips and what is read aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if name in ("title", "aria-label") and value]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def texts_of(app) -> Iterator[str]:
    """Yield every text that a page sent for readers, as they read it."""
    for node in app._tree:
        proto, kind = getattr(node, "proto", None), node.type
        if kind == "html":
            continue  # styles
        if kind == "bidi_component":
            for text in strings_in(json.loads(proto.json or "null")):
                shown = _Shown()
                shown.feed(text)
                yield from shown.texts
        elif kind == "plotly_chart":
            yield from strings_in(json.loads(proto.spec or "null"))
        elif isinstance(proto, Message):
            skipped = NO_TEXT | PLAIN_FIELDS.get(kind, set()) | OTHERS.get(kind, set())
            yield from fields_of(proto, skipped)


def fields_of(message: Message, skipped: set[str]) -> Iterator[str]:
    for field, value in message.ListFields():
        if field.name in skipped or field.name in ("style", "key"):
            continue
        for one in value if field.is_repeated else [value]:
            if isinstance(one, Message):
                yield from fields_of(one, skipped)
            elif isinstance(one, str):
                yield re.sub(r"\\([^\w\s])", r"\1", CODE.sub("", one))


def english_numbers(text: str) -> set[str]:
    """Return the numbers that a text writes as English does.

    >>> sorted(english_numbers("0.25 von 16,000, siehe Abb. 11.3 und `0.5`; 0,15"))
    ['0.25', '16,000']
    """
    return set(ENGLISH_NUMBER.findall(NAMES.sub(" ", text))) - GERMAN_NUMBERS


@cache
def english_pieces() -> tuple[str, ...]:
    """Return what English words of ours say between their values, where German says other.

    What an English sentence of the corpus says too is left out: exercises draw such sentences.
    """
    found, corpus = set(), "\n".join(corpora.sentences())
    for name in names_of():
        german = "\n".join(sections_of(name, "de").values())
        for text in sections_of(name, FIRST).values():
            for line in text.splitlines():
                line = line.partition(": ")[2] or line
                for piece in re.split(r"\{\{[^{}]+\}\}|[*_`$]", line):
                    if len(piece) >= LONG_ENOUGH and " " in piece.strip() and piece not in german:
                        found.add(piece.strip())
    return tuple(piece for piece in found if piece not in corpus)


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_no_exercise_in_german_has_an_english_number(lesson: str, exercise: Exercise):
    words = read_words(f"exercises/{lesson}", "de")
    with written_with(STRANGE):
        task = exercise.draw(learner(3))
        for name in ("question", "hint_1", "hint_2"):
            text = section(words, exercise, task, name)
            assert not english_numbers(text), name
        verdict = check_answer(task, task.answer) if task.answer else None
        if verdict is not None and verdict.outcome == "right":
            told = section(words, exercise, task, "explanation", verdict.values)
            assert not english_numbers(told)


def test_german_texts_have_no_english_number():
    found = {}
    for name in names_of("de"):
        if name in ("messages", "look_it_up"):  # the first has English lines, too
            continue
        for part, text in sections_of(name, "de").items():
            for line in text.splitlines() if part != "textbook" else ():
                if numbers := english_numbers(line):
                    found[f"{name}: {line[:60]}"] = numbers
    assert not found


def test_a_language_says_how_it_writes_a_number():
    assert read_words("frame", "de").label("a_number") == "1\u202f234,5"
    assert number_marks() == NumberMarks(decimal=".", thousands=",")


def test_a_number_is_read_as_it_is_written():
    for marks in (NumberMarks(decimal=",", thousands="\u202f"), number_marks()):
        with written_with(marks):
            for number in (0.25, 1.386, -1234.5, 1_000_000.0):
                assert read_number(formatted(number, ",.3f")) == number
