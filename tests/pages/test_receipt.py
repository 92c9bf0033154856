"""Receipts: what this host signed is told from all else, and holds only what was answered here."""

import csv
import io
import textwrap
from dataclasses import replace

import pytest
import streamlit as st

from mlm_core.exercises.exercise import Verdict
from pages.server import session
from pages.server.course.lessons import TEACHING
from pages.server.course.words import read_words
from pages.server.record.exercise_progress import (
    About,
    Progress,
    progress_in,
    progress_of,
    start_over,
    take,
)
from pages.server.record.learners_record import LearnersRecord, LessonDone
from pages.server.record.receipt import (
    LONGEST_NAME,
    SETTING,
    SHORTEST_SECRET,
    Receipt,
    as_name,
    host_mark,
    read_lines,
    secret_of_host,
    signed,
)
from pages.server.record.session_record import Done, of_session, solved, take_up
from tests.hostile import FORMULAS, TEXTS
from tests.pages.test_learners_record import go_home, load, saved, with_one_solved

__all__ = ["saved"]  # a fixture
SECRET, OTHER = b"a" * 40, b"b" * 40
WORDS, TEACHERS = read_words("receipt"), read_words("teaching")


def receipt(name: str = "Ada", visit: str = "v1", n: int = 2) -> Receipt:
    tries = {"count_chosen": 1, "which_branch": 4, "none_chosen": 2}
    date = "2026-11-26 14:02 UTC"
    return Receipt(
        name=name, date=date, visit=visit, solved={"masking": dict([*tries.items()][:n])}
    )


def line(name: str = "Ada", visit: str = "v1", n: int = 2, secret: bytes = SECRET) -> str:
    return signed(receipt(name, visit, n), secret)


def states(text: str) -> list[str]:
    return [one.state for one in read_lines(text, SECRET)]


def test_any_name_is_one_line_of_text_and_is_read_again():
    for typed in (*TEXTS.values(), *FORMULAS, "Łukasz Żółć", "山田 太郎"):
        name = as_name(typed)
        assert len(name) <= LONGEST_NAME and name.splitlines() in ([name], [])
        (one,) = read_lines(line(name), SECRET)
        assert one.receipt == receipt(name) and one.state == "valid"


# Forged, swapped, replayed.


def test_no_letter_of_a_line_can_be_changed():
    for i, letter in enumerate(whole := line()):
        if i >= len("MLM1.") and letter != ".":
            forged = whole[:i] + ("B" if letter == "A" else "A") + whole[i + 1 :]
            assert states(forged) == ["altered"]


def test_parts_of_two_lines_make_no_line():
    _, host, body, signature = line().split(".")
    *_, their_body, their_signature = line("Bob", "v2", 3).split(".")
    assert states(f"MLM1.{host}.{their_body}.{signature}") == ["altered"]
    assert states(f"MLM1.{host}.{body}.{their_signature}") == ["altered"]
    assert states(f"MLM1.{host}.{body}{their_body}.{signature}") == ["altered"]


def test_a_line_of_another_host_is_told_from_an_altered_one():
    theirs = line(secret=OTHER)
    assert states(theirs) == ["other_host"]
    assert states(theirs.replace(host_mark(OTHER), host_mark(SECRET))) == ["altered"]
    assert states(line().replace(host_mark(SECRET), host_mark(OTHER))) == ["altered"]


def test_of_one_visit_one_line_counts_the_fullest():
    again = line(n=3)
    lines = [line(), again, again, line("Bob", "v1", 1), line("Eve", "v2")]
    read = read_lines("\n".join(lines), SECRET)
    assert [one.state for one in read] == ["twice", "valid", "twice", "twice", "valid"]
    assert [one.counts and one.counts.number for one in read] == [2, None, 2, 2, None]


def test_a_short_secret_is_none():
    for given in ("", "x" * (SHORTEST_SECRET - 1), " " * 99):
        assert secret_of_host({SETTING: given}) is None
    assert secret_of_host({SETTING: "x" * SHORTEST_SECRET}) == b"x" * SHORTEST_SECRET


# As it arrives.

BROKEN = textwrap.wrap(line(), 30)


@pytest.mark.parametrize(
    "text",
    [
        f"  Ada Lovelace: {line().lower()} (mine)\n",
        "\r\n".join(f"> {piece}" for piece in BROKEN),
        "=\n".join(BROKEN),
        "\n\n".join(BROKEN),
        line().replace("A", "A\u200b \u00a0"),
        *(f"{mark}\n".join(BROKEN) for mark in ("\u200b", "\xad", "<br>", "<BR />", "&#8203;")),
        *(mark.join(BROKEN) for mark in ("<wbr>", "\u2060", "&shy;", "<br/>")),
        "\n".join(f"| {piece} |" for piece in BROKEN),
    ],
)
def test_a_line_that_a_mail_program_broke_is_valid(text: str):
    assert states(text) == ["valid"]


def test_each_other_line_has_its_row():
    cut = line("Bob", "v2")[:-9]
    text = "\n".join(["Hello,", "", *BROKEN, "Best, Ada", cut, "MLM2.AAA.BBB", "=1+1"])
    read = read_lines(f"{text} {line('Eve', 'v3')} {line('Zoe', 'v4')}", SECRET)
    expected = ["no_receipt", "valid", "no_receipt", "unreadable", "unreadable", "valid", "valid"]
    assert [one.state for one in read] == expected
    at = len(BROKEN) + 6
    assert [one.number for one in read] == [1, 3, at - 3, at - 2, at - 1, at, at]
    assert read[0].beginning == "Hello,"


# What is in it.


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict:
    """Give a visit's state in which an exercise was answered right."""
    monkeypatch.setattr(st, "session_state", {})
    answer_right(progress_of("masking", 5))
    return st.session_state


ONE = {"masking": {"count_chosen": 1}}
ABOUT = About(seed=5, model="mini-bert", text="")


def answer_right(progress: Progress) -> None:
    take("count_chosen", progress.record("count_chosen", ABOUT), "7", Verdict.right())
    progress.solve("count_chosen")


def test_wrong_answers_count_as_attempts_also_after_a_new_start_and_a_file(state: dict):
    def try_in_vain() -> None:
        record = progress_of("masking", 5).record("which_branch", ABOUT)
        take("which_branch", record, "keep", Verdict.wrong("not_keep"))

    def solved_now() -> int:
        progress = progress_of("masking", 5)
        take("which_branch", progress.record("which_branch", ABOUT), "mask", Verdict.right())
        progress.solve("which_branch")
        return solved(is_loaded=False)["masking"]["which_branch"]

    try_in_vain()
    start_over("masking")
    try_in_vain()
    record = of_session()
    assert solved_now() == 3
    state.clear()
    take_up(record)
    assert solved_now() == 3
    other = progress_of("masking", 6).record("which_branch", replace(ABOUT, seed=6))
    take("which_branch", other, "mask", Verdict.right())
    assert other.n_tries == 0, "other numbers are another question"


def test_a_receipt_of_an_older_app_is_read_without_attempts():
    older = replace(receipt(), solved={"masking": ["count_chosen"]})
    (one,) = read_lines(signed(older, SECRET), SECRET)
    assert one.state == "valid" and one.receipt.solved == {"masking": {"count_chosen": 0}}


def test_what_a_file_or_a_reload_brings_counts_once_it_is_answered_here(state: dict):
    record = of_session()
    state.clear()
    take_up(record)
    assert solved(is_loaded=True) == ONE and not solved(is_loaded=False)
    answer_right(progress_in("masking"))
    assert solved(is_loaded=False) == ONE and not solved(is_loaded=True)


def test_what_was_answered_here_counts_beside_a_file(state: dict):
    (mine,) = of_session().lessons["masking"].exercises.values()
    theirs = LessonDone(opened=("why",), seed=5, exercises={"which_branch": mine})
    record = LearnersRecord(seed=5, lessons={"masking": theirs})
    take_up(record)
    assert solved(is_loaded=False) == ONE
    assert solved(is_loaded=True) == {"masking": {"which_branch": 1}}


# On the pages.


def test_a_host_without_a_secret_checks_none_and_says_to_learners_that_it_signs_none(
    open_warm_page, monkeypatch
):
    monkeypatch.delenv(SETTING, raising=False)
    app = open_warm_page(TEACHING.file, teaching_part="receipts")
    (parts,) = [one for one in app.get("button_group") if one.key == "teaching_part"]
    assert TEACHERS.label("part_receipts") not in [one.content for one in parts.proto.options]
    assert parts.value == "link" and not app.exception
    session.of(Done, app.session_state).opened["masking"] = ["why"]
    button = go_home(app).button(key="home_receipt_none")
    assert button.disabled and button.label == WORDS.label("no_secret")


def test_from_the_learner_to_the_gradebook(open_warm_page, saved, monkeypatch):
    monkeypatch.setenv(SETTING, "c" * 40)
    app, _ = with_one_solved(open_warm_page, saved)
    file = saved["json"]
    app.text_input(key="home_receipt_name").set_value("=1+1").run()
    (shown,) = app.code
    assert saved["txt"] == shown.value + "\n"
    other = load(go_home(open_warm_page()), file)
    assert not other.code and WORDS.section("loaded", n=1) in [one.value for one in other.info]

    app = open_warm_page(TEACHING.file, teaching_part="receipts")
    text = "\n".join(["Hello", shown.value, shown.value, line()])
    app.text_area(key="teaching_receipts").set_value(text).run()
    assert not app.exception and not app.error
    rows = list(csv.DictReader(io.StringIO(saved["csv"]().decode("utf-8-sig"))))
    expected = ("no_receipt", "valid", "twice", "other_host")
    assert [row["receipt"] for row in rows] == [
        TEACHERS.plain(f"receipts_state_{one}") for one in expected
    ]
    assert [row["name"] for row in rows] == ["", "'=1+1", "'=1+1", ""]
    assert TEACHERS.section("receipts.counts", valid=1, rest=3) in [m.value for m in app.markdown]
