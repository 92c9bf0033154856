"""A record of a lesson that the learner keeps: what was asked, settings, result, what failed.

    record = LessonRecord(lesson=..., question=..., model=..., settings={...}, tables=(...), ...)
    show(record, slug="classification")

Any lesson can make one. The learner adds in their own words what failed and why. It is shown,
and saved as Markdown to read or as JSON to work with; nothing of it stays on the server. What
was opened and solved in the whole course is another thing: learners_record.py.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

import streamlit as st

from mlm_core.figures.theme import printable
from mlm_core.number_format import formatted
from pages.server.course.words import Words, read_words
from pages.server.figures.table import titled

LONGEST_NOTE = 2_000  # characters
LONGEST_CELL = 300  # characters of an entry in the Markdown; the JSON has all
DIGITS = 4
# An underscore inside a word, a colon before a space or in a time open nothing.
OPENS_MARKUP = re.compile(r"([\\`*\[\]<>|#$~&]|(?<!\w)_|_(?!\w)|:(?=[^\W\d]|\+)|(?<!\d):(?=\d))")
HEADING = re.compile(r"^(#+ )", re.MULTILINE)
OPENS_LINE = re.compile(r"^(\d+)([.)])(?=\s|$)|^([-+=])")


@dataclass(frozen=True, kw_only=True)
class RecordTable:
    """Figures under a heading."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


@dataclass(frozen=True, kw_only=True)
class LessonRecord:
    """What a learner did in a lesson, and what came of it."""

    lesson: str  # its title
    question: str  # the lesson's own
    what: str  # such as a run's name
    model: str
    settings: Mapping[str, object]
    asked: Mapping[str, str]  # the learner's own input, by name
    answer: RecordTable  # what the model said of it
    tables: Sequence[RecordTable] = ()  # figures by step, errors
    failed: str = ""  # the learner's own words
    made: str = ""  # date and time


def show(record: LessonRecord, *, slug: str) -> None:
    """Show the field for the learner's own words, the record, and two buttons that save it."""
    words = read_words("lesson_record")
    st.subheader(words.label("title"), anchor=False)
    st.markdown(words.section("lead"))
    note = st.text_area(
        words.label("failed"),
        height=110,
        max_chars=LONGEST_NOTE,
        placeholder=words.label("failed_placeholder"),
        key=f"{slug}_record_failed",
        persist_state="session",
    )
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    record = replace(record, failed=(note or "")[:LONGEST_NOTE].strip(), made=made)
    text = as_markdown(record, words)
    with st.expander(words.label("preview"), icon=":material/description:"):
        st.markdown(HEADING.sub(r"###\1", text))
    with st.container(horizontal=True):
        _save(words.label("save_markdown"), text, f"{slug}-record.md", "text/markdown")
        _save(words.label("save_json"), as_json(record), f"{slug}-record.json", "application/json")
    st.caption(words.section("kept"))


def as_markdown(record: LessonRecord, words: Words) -> str:
    """Return the record to read, one heading a part; no mark of a text in it opens markup."""
    parts = [
        f"# {plain(words.plain('heading', lesson=record.lesson))}",
        f"*{plain(record.question)}*",
        _listed({words.plain(name): getattr(record, name) for name in ("what", "model", "made")}),
        f"## {words.plain('asked')}",
        _listed(record.asked),
        _table(record.answer),
        f"## {words.plain('failed_heading')}",
        quoted(record.failed or words.plain("failed_nothing")),
    ]
    for table in record.tables:
        parts += [f"## {plain(table.name)}", _table(table)]
    parts += [
        f"## {words.plain('settings')}",
        _listed({titled(name): value for name, value in record.settings.items()}),
    ]
    return "\n\n".join(parts) + "\n"


def as_json(record: LessonRecord) -> str:
    """Return the record with all its figures to the last digit."""
    return json.dumps(asdict(record), indent=1, ensure_ascii=False) + "\n"


def plain(value: object, longest: int | None = LONGEST_CELL) -> str:
    r"""Return a value as text in which no mark can open markup; readable without a renderer.

    >>> plain("*no* | 1. yes"), plain("- a"), plain(0.123456)
    ('\\*no\\* \\| 1. yes', '\\- a', '0.1235')
    """
    text = formatted(value, f".{DIGITS}g") if isinstance(value, float) else str(value)
    marked = OPENS_MARKUP.sub(r"\\\1", printable(" ".join(text.split()), longest))
    return OPENS_LINE.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", marked)


def _listed(values: Mapping[str, object]) -> str:
    return "\n".join(f"- **{plain(name)}**: {plain(value)}" for name, value in values.items())


def quoted(text: str) -> str:
    """Return a learner's text as a quotation in which no mark opens markup."""
    return "\n".join(f"> {plain(line, None)}" for line in text.splitlines())


def _table(table: RecordTable) -> str:
    rows: list[Sequence[object]] = [table.columns, ["---"] * len(table.columns), *table.rows]
    return "\n".join(
        f"| {' | '.join('---' if entry == '---' else plain(entry) for entry in row)} |"
        for row in rows
    )


def _save(label: str, text: str, name: str, mime: str) -> None:
    st.download_button(
        label,
        text.encode("utf-8", errors="replace"),  # half a surrogate pair is no character
        file_name=name,
        mime=mime,
        on_click="ignore",
        icon=":material/download:",
        key=name.replace("-", "_").replace(".", "_"),
    )
