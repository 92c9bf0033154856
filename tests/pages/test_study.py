"""A study by one link: consent, seats by chance, three sittings, and the words alone."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import pytest
import streamlit as st

from mlm_core.evaluation.learning_gain import RIGHT
from mlm_core.evaluation.study import read_answers
from pages.beside.concept_test.in_study import as_lines
from pages.server import session
from pages.server.classroom import study_seats
from pages.server.classroom.desk import open_desk
from pages.server.classroom.rooms import SENTENCES, RoomRefusedError, Rooms
from pages.server.classroom.store import StoreGoneError
from pages.server.course.concept_items import HALVES, ORDERS
from pages.server.course.lessons import BY_SLUG, CONCEPT_TEST, TEACHING
from pages.server.course.packed import packed
from pages.server.course.words import read_words
from pages.server.record.learners_record import InStudy, LearnersRecord, as_json, merged, of_file
from pages.server.record.learners_record_file import read_record
from pages.server.record.session_record import Done, course, of_session, take_up
from pages.server.record.study_link import (
    GROUPS,
    LARGEST,
    LONGEST,
    LONGEST_TEXTS,
    Study,
    is_learner,
    read_study,
)
from pages.server.room import membership, telling
from pages.server.room.membership import InRoom
from pages.server.room.server_rooms import server_rooms
from pages.server.room.telling import concept_question
from tests.hostile import TEXTS
from tests.pages.test_concept_test import half, hand_in, is_asked, reload, said_by, tab_keeps
from tests.pages.test_locks import WIDGETS, troubles

WORDS = read_words("concept_test")
FIRST_HALF = HALVES["first_half"]
KEPT = "concept_test_before_kept"


@pytest.fixture
def room(rooms_of_its_own: None) -> Iterator[tuple[Rooms, str, str]]:
    with server_rooms() as rooms:
        yield rooms, *rooms.open("")


def study_in(code: str, **more) -> Study:
    settings = {"half": "first_half", "groups": GROUPS, "view": "masking?masking_part=why"}
    return Study(room=code, **settings | more)


def press(app, name: str):
    app.button(key=f"concept_test_first_half_study_{name}").click().run()
    assert not troubles(app)
    return app


def seat(rooms: Rooms, code: str, group: str, order: str = "AB") -> None:
    """Let the next learner get this seat: all others are taken once more."""
    for one in GROUPS:
        for n in range(2 * (one != group)):
            study_seats.keep(rooms, code, f"{one} {n}", (one, ORDERS[n]))
    study_seats.keep(rooms, code, group, (group, order[::-1]))


def ask_again(room: tuple[Rooms, str, str]) -> None:
    rooms, code, key = room
    open_desk(rooms, code, key).ask_after(True)


# Seats and links.


def test_chance_seats_learners_evenly_and_each_keeps_the_seat(room):
    rooms, code, _ = room
    drawn = {}
    for n in range(29):
        about = (rooms, code, f"{n}", GROUPS, ORDERS)
        drawn[n] = study_seats.draw(*about, Random(n))
        assert study_seats.draw(*about, Random(n + 1)) == drawn[n]
        of_group = Counter(group for group, *_ in drawn.values())
        assert max(of_group.values()) - min(of_group[one] for one in GROUPS) <= 1
    for one in GROUPS:
        orders = Counter(order for group, order, _ in drawn.values() if group == one)
        assert abs(orders["AB"] - orders["BA"]) <= 1
    assert len({drawn[n][0] for n in range(0, 27, 3)}) > 1  # which one begins is chance
    assert len({learner for *_, learner in drawn.values() if is_learner(learner)}) == len(drawn)
    counts = study_seats.n_drawn(rooms, code)
    study_seats.stop(rooms, code, "0")
    assert study_seats.n_drawn(rooms, code) == counts and counts.total() == len(drawn)


@pytest.mark.parametrize("text", ["", "x", "é", "A" * (LONGEST + 1), *TEXTS.values()])
def test_what_is_no_parameter_of_a_study_is_refused(text: str):
    for one in (text, packed(text.encode(errors="replace")), packed(b" " * (LARGEST + 9))):
        with pytest.raises(ValueError):
            read_study(one)


GOOD = {"room": "BCDFGHJK", "half": "first_half", "sitting": "before", "groups": ["words"]}


def test_a_study_is_read_with_all_its_texts_and_from_known_fields_alone():
    study = study_in("BCDFGHJK", back="Mon\n*x*", consent="ä" * 2_000, has_delayed=True)
    assert read_study(study.packed()) == study
    assert read_study(packed(json.dumps(GOOD).encode())).groups == ("words",)
    for wrong in (
        *({"room": one} for one in ("", "bcdfghjk", "BCDF", 3)),
        *({"half": one} for one in ("gain", None)),
        *({"id": one} for one in ("<b>", "a" * 21, 3)),
        *({"groups": one} for one in ([], ["x"], "words", [{}])),
        {"sitting": "later"},
        {"consent": "a" * 2_001},
        {"view": ["masking"]},
    ):
        with pytest.raises(ValueError, match="a study's parameter"):
            read_study(packed(json.dumps(GOOD | wrong).encode()))


@pytest.mark.parametrize("text", TEXTS.values())
def test_a_teachers_own_text_has_no_markup(text: str):
    shown = as_lines(f"{text}\n\n- a\n    b")
    assert "](" not in shown.replace("\\]", "") and "<" not in shown.replace("\\<", "")
    assert not any(line.startswith(("#", "-", " ", "\t")) for line in shown.splitlines())


def test_a_seat_of_a_file_joins_the_link_that_is_open():
    a, b = (study_in(code, id="one").packed() for code in ("BCDFGHJK", "BCDFGHJM"))
    seat = {"group": "words", "order": "BA", "learner": "0123abcd"}
    old = InStudy(link=a, agreed=True, **seat, visits={"a" * 32: "BCDFGHJK"})
    new = InStudy(link=b, agreed=True, visits={"b" * 32: "BCDFGHJM"})
    given = {"before": {"kept": RIGHT}}

    def together(
        here: InStudy | None, other: InStudy | None, here_given=(), other_given=()
    ) -> InStudy | None:
        mine = LearnersRecord(study=here, concepts=dict(here_given))
        return merged(mine, LearnersRecord(study=other, concepts=dict(other_given))).study

    both = {**old.visits, **new.visits}
    assert together(new, old) == replace(old, link=b, visits=both)
    assert together(None, old) == old and together(new, None) == new
    assert together(InStudy(link=a), old) == old  # the same link once more
    declined = InStudy(link=b, agreed=False)
    assert together(declined, old) == declined
    another = InStudy(link=study_in("BCDFGHJM", id="two").packed(), agreed=True)
    assert together(another, old) == another
    drawn = replace(new, group="lesson", order="AB", learner="f" * 8)
    for here_given, other_given in (((), ()), (given, given), (given, ())):
        assert together(drawn, old, here_given, other_given) == replace(drawn, visits=both)
    assert together(drawn, old, (), given) == replace(old, link=b, visits=both)


def test_a_forged_seat_in_a_record_is_left_out():
    about = {"group": "words", "order": "BA", "learner": "0123abcd"}
    visits = {"0" * 32: "BCDFGHJK"}
    kept = InStudy(link=study_in("BCDFGHJK").packed(), agreed=True, **about, visits=visits)
    file = json.loads(as_json(LearnersRecord(study=kept)))
    assert read_record(json.dumps(file).encode(), {})[0].study == kept
    wrongs: list[dict] = [{"link": "x"}, {"group": "<b>"}, {"order": ["AB"]}, {"order": ""}]
    wrongs += [{"agreed": 1}, {"learner": "<b>"}, {"learner": [1]}, {"visits": [1]}]
    wrongs += [{"visits": {"0" * 32: "x"}}, {"visits": {"x": "BCDFGHJK"}}]
    for wrong in (3, [], *(file["study"] | one for one in wrongs)):
        record, left_out = read_record(json.dumps(file | {"study": wrong}).encode(), {})
        assert record.study is None and left_out.texts == 1, wrong


# A visit.


def test_who_has_not_agreed_reaches_no_room_and_sees_no_question(open_page, room):
    rooms, code, _ = room
    link = study_in(code, consent="*Our* text\n<b>").packed()
    app = open_page(CONCEPT_TEST.file, study=link)
    assert not app.radio and r"\*Our\* text" in said_by(app)
    press(app, "decline")
    assert WORDS.section("study_declined") in said_by(app) and is_asked(app, "before")
    assert "study" not in app.query_params  # an address that is copied asks nobody else
    hand_in(app, "before", {})
    app = reload(open_page(CONCEPT_TEST.file, study=link), tab_keeps(app))
    assert WORDS.section("study_declined") in said_by(app)
    assert not rooms.store.all(code, "visits") and not rooms.store.all(code, "questions")


def test_a_learner_answers_in_both_orders_and_the_file_says_group_order_and_sitting(
    open_page, room, offered_files
):
    rooms, code, key = room
    seat(rooms, code, "waiting", "BA")
    study = study_in(code, back="at **noon**", has_delayed=True)
    app = press(open_page(CONCEPT_TEST.file, study=study.packed()), "agree")
    led = [one.proto.json for one in app.get("bidi_component")]
    assert any("st-key-concept_test_asked" in one for one in led)  # the pressed button is gone
    asked = {one.key: one.label for one in app.radio}
    assert WORDS.label("kept_b") in asked["concept_test_kept_before"]  # form B first
    again = reload(open_page(CONCEPT_TEST.file), tab_keeps(app))
    again = press(again, "enter")  # here no cookie did; a reload draws no other seat
    assert again.radio[0].label == app.radio[0].label
    hand_in(app, "before", {"kept": "copying"})
    assert r"at \*\*noon\*\*" in said_by(app) and not app.main.get("page_link")
    ask_again(room)
    hand_in(app.run(), "after", dict(half("")))
    assert WORDS.label("thinks_copying") not in said_by(app)  # a third sitting follows
    assert WORDS.section("handed_in", n=13, of=13) in said_by(app)
    record = next(data for name, data in offered_files.items() if name.startswith("course-rec"))

    # Another day: another room, and the record's file.
    (_, later, key) = (rooms, *rooms.open(""))
    delayed = replace(study, room=later, sitting="delayed", groups=())
    app = press(open_page(CONCEPT_TEST.file, study=delayed.packed()), "agree")
    assert WORDS.section("study_needs_record") in said_by(app) and not app.radio
    with patch.object(st, "session_state", app.session_state):
        take_up(read_record(record, course())[0])
    app.run()
    asked = {one.key: one.label for one in app.radio}
    assert WORDS.label("kept_b") in asked["concept_test_kept_delayed"]
    hand_in(app, "delayed", {"kept": RIGHT})
    assert WORDS.section("study_over") in said_by(app)
    assert WORDS.label("thinks_copying") not in said_by(app)  # it was right in the end
    assert WORDS.label("score_delayed", n=13, before=0, after=13, delayed=1) in said_by(app)
    open_page(CONCEPT_TEST.file, room=later, desk=key, concept_test_part="gain")
    [(name, one)] = read_answers(offered_files["answers.csv"]()).items()
    assert name == json.loads(record)["study"]["learner"] and is_learner(name)
    assert (one.group, one.order) == ("waiting", "BA")
    assert [one.answers[when]["kept"] for when in one.answers] == ["copying", RIGHT, RIGHT]


def test_who_stops_is_deleted_from_the_room(open_page, room):
    rooms, code, _ = room
    seat(rooms, code, "words")
    app = press(open_page(CONCEPT_TEST.file, study=study_in(code).packed()), "agree")
    hand_in(app, "before", {"kept": "copying"})
    [visit] = rooms.answers(code, "concept_test_before_kept")
    assert study_seats.seats(rooms, code)[visit][0] == "words"
    assert "no" in app.query_params["figures"]
    ask_again(room)
    hand_in(app.run(), "after", {})
    assert "figures" not in app.query_params  # all is handed in
    press(app, "leave")
    assert visit not in study_seats.seats(rooms, code)
    assert not rooms.answers(code, "concept_test_before_kept")
    assert not rooms.store.all(code, "visits") and "figures" not in app.query_params
    app.run()
    assert not rooms.answers(code, "concept_test_before_kept")


def what_is_left(rooms: Rooms, code: str, visit: str) -> list[str]:
    """Return the kinds of a room that still have a visit's id, but for that it stopped."""
    named = ("visits", "study", "progress", "questions", "upvotes", "sentences")
    kinds = (*named, f"answers/1/{KEPT}")
    return [kind for kind in kinds if visit in str(rooms.store.all(code, kind))]


def in_tab(app):
    return patch.object(st, "session_state", app.session_state)


def test_who_left_the_room_can_still_stop_and_is_asked_nothing_outside(open_page, room):
    rooms, code, key = room
    app = press(open_page(CONCEPT_TEST.file, study=study_in(code).packed()), "agree")
    hand_in(app, "before", {"kept": "copying"})
    [visit] = rooms.answers(code, KEPT)
    desk = open_desk(rooms, code, key)
    desk.take(SENTENCES, True)
    rooms.send(code, visit, SENTENCES, {"sentence": "A heron."})
    desk.judge(SENTENCES, [rooms.sent(code, SENTENCES)[0].key], "accept")
    assert set(what_is_left(rooms, code, visit)) >= {"visits", "study", "questions", "sentences"}
    for name in ("enter", "leave"):
        with in_tab(app):
            membership.leave()
        app.run()
        assert WORDS.section("study_outside") in said_by(app) and not app.radio
        assert not any("open_after" in one.key for one in app.button)
        press(app, name)
        assert {*rooms.store.all(code, "visits")} == ({visit} if name == "enter" else set())
    assert not what_is_left(rooms, code, visit) and rooms.has_stopped(code, visit)
    assert WORDS.section("study_declined") in said_by(app)


def test_nobody_is_said_to_have_stopped_while_the_room_is_not_reached(open_page, room):
    rooms, code, _ = room
    app = press(open_page(CONCEPT_TEST.file, study=study_in(code).packed()), "agree")
    hand_in(app, "before", {})
    with patch.object(study_seats, "stop", side_effect=StoreGoneError("gone")):
        app.button(key="concept_test_first_half_study_leave").click().run()
    assert WORDS.section("study_declined") not in said_by(app)
    assert rooms.answers(code, KEPT) and session.of(Done, app.session_state).study.agreed


def test_who_stops_in_one_tab_has_stopped_in_the_others(open_page, room):
    rooms, code, _ = room
    link = study_in(code).packed()
    app = press(open_page(CONCEPT_TEST.file, study=link), "agree")
    [visit] = rooms.store.all(code, "visits")
    second = open_page(CONCEPT_TEST.file, study=link)
    with in_tab(second):
        membership.join(code, visit)  # as its browser's cookie does
    press(second.run(), "decline")
    assert session.of(InRoom, second.session_state).mine is None
    with pytest.raises(RoomRefusedError, match="you stopped"):
        rooms.answer(code, visit, concept_question(FIRST_HALF[0], "before"), 1, RIGHT)
    rooms.see(code, visit)
    assert not rooms.store.all(code, "visits")
    app.run()
    assert WORDS.section("study_declined") in said_by(app)
    hand_in(app, "before", {})
    assert not what_is_left(rooms, code, visit)


def test_answers_of_before_the_study_are_set_aside(open_page, room):
    rooms, code, _ = room
    seat(rooms, code, "waiting", "BA")
    app = open_page(CONCEPT_TEST.file, concept_test_part="first_half")
    hand_in(app, "before", {"kept": "copying"})
    app.query_params["study"] = study_in(code).packed()
    press(app.run(), "agree")
    assert WORDS.section("study_set_aside") in [one.value for one in app.toast]
    assert is_asked(app, "before") and not rooms.answers(code, KEPT)


def test_a_seat_is_of_one_study_and_its_answers_go_to_its_room_alone(open_page, room):
    rooms, code, _ = room
    app = press(open_page(CONCEPT_TEST.file, study=study_in(code, id="one").packed()), "agree")
    hand_in(app, "before", {})
    ask_again(room)
    hand_in(app.run(), "after", {})
    (another, _) = rooms.open("")
    with in_tab(app):
        membership.join(another)
    app.run()
    assert not rooms.store.all(another, "questions") and not study_seats.seats(rooms, another)
    app.query_params["study"] = study_in(another, id="two").packed()
    app.run()
    assert session.of(Done, app.session_state).study.group == ""
    press(app, "decline")
    with in_tab(app):
        membership.join(rooms.open("")[0])
        ordinary = membership.current().code
    app.run()
    assert rooms.answers(ordinary, KEPT)


def test_a_record_of_another_browser_is_asked_again_and_keeps_its_seat(open_page, room):
    rooms, code, _ = room
    app = press(open_page(CONCEPT_TEST.file, study=study_in(code).packed()), "agree")
    hand_in(app, "before", {})
    [visit] = rooms.answers(code, KEPT)
    with in_tab(app):
        record = of_session()
    other = open_page(CONCEPT_TEST.file)
    with in_tab(other):
        take_up(of_file(record))
    other.run()
    assert WORDS.section("study_known") in said_by(other)
    press(other, "agree")
    assert session.of(InRoom, other.session_state).mine.visit == visit
    kept = session.of(Done, other.session_state).study
    assert kept == record.study and not is_asked(other, "before")


def test_a_visit_with_a_seat_sends_the_test_alone(open_page, room):
    rooms, code, _ = room
    app = press(open_page(CONCEPT_TEST.file, study=study_in(code).packed()), "agree")
    app.switch_page(BY_SLUG["masking"].file)
    app.run()
    assert not rooms.store.all(code, "progress") and not rooms.store.all(code, "questions")
    with in_tab(app):
        assert telling.begin(concept_question(FIRST_HALF[0], "before")) is None


def test_the_file_has_a_row_for_a_seat_without_answers(open_page, room, offered_files):
    rooms, code, key = room
    study_seats.keep(rooms, code, "0" * 32, ("words", "AB", "0123abcd"))
    study_seats.keep(rooms, code, "1" * 32, ("lesson", "AB"))  # of a room of before
    open_page(CONCEPT_TEST.file, room=code, desk=key, concept_test_part="gain")
    rows = offered_files["answers.csv"]().decode("utf-8-sig").replace('"', "").split()[1:]
    assert rows == ["0123abcd,words,AB,before,,", "2,lesson,AB,before,,"]


def test_the_first_answer_counts_also_from_another_tab(open_page, room):
    rooms, code, _ = room
    app = press(open_page(CONCEPT_TEST.file, study=study_in(code).packed()), "agree")
    hand_in(app, "before", {"kept": "copying"})
    mine = session.of(InRoom, app.session_state).mine
    assert mine is not None
    mine.sent.clear()  # as in another tab, which its browser's cookie makes the same learner
    session.of(Done, app.session_state).concepts["before"]["kept"] = RIGHT
    app.run()
    assert rooms.answers(code, KEPT) == {mine.visit: "copying"}
    kept = session.of(Done, app.session_state).concepts
    assert kept["before"]["kept"] == "copying"  # as the file of a later room will say


# The teacher.


def test_a_teacher_makes_a_link_and_a_text_that_is_no_study_is_said_to_be_none(open_page, room):
    _, code, key = room
    app = open_page(TEACHING.file, room=code, desk=key, teaching_part="study")
    app.text_input(key="teaching_study_view").set_value("/isotropy?isotropy_part=senses")
    app.text_input(key="teaching_study_back").set_value("at noon")
    app.toggle(key="teaching_study_waiting").set_value(False).run()
    link = next(one.value for one in app.code if "study=" in one.value)
    found = read_study(parse_qs(urlsplit(link).query)["study"][0])
    expected = {"view": "isotropy?isotropy_part=senses", "back": "at noon", "groups": ("lesson",)}
    assert found == study_in(code, id=found.id, **expected) and found.id and not troubles(app)
    app.text_input(key="teaching_study_view").set_value("nowhere").run()
    assert not [one for one in app.code if "study=" in one.value] and not troubles(app)
    with patch.dict(LONGEST_TEXTS, view=5):  # a lesson's link that is too long isn't cut
        app.text_input(key="teaching_study_view").set_value("/isotropy").run()
        assert not [one for one in app.code if "study=" in one.value] and len(app.warning) == 1
    cut = parse_qs(urlsplit(link).query)["study"][0][:-9]
    learner = open_page(CONCEPT_TEST.file, study=cut)
    assert is_asked(learner, "before") and "study" in learner.toast[0].value


# The words alone.


@pytest.mark.parametrize(
    ("slug", "part"),
    [("subword_tokens", "pieces"), ("prediction_and_loss", "loss"), ("masking", "exercises")],
)
def test_without_figures_their_words_and_numbers_stay_and_no_control_does(
    open_warm_page: Callable, slug: str, part: str
):
    app = open_warm_page(BY_SLUG[slug].file, figures="no", **{f"{slug}_part": part, "lang": "de"})
    assert not troubles(app) and not app.get("plotly_chart")
    drawn = {one.key for kind in WIDGETS for one in app.main.get(kind)}
    asks = [f"{slug}_{name}" for name in ("exercise_which", "exercise", "surname", "word")]
    left = {one for one in drawn if not one.startswith(tuple(asks))}
    assert left == {f"{slug}_part"}
    if part == "pieces":  # in place of the drawing a table of its tokens
        assert re.search(r"\| +1 \| Der \| +1239 ", said_by(app)) and "surname" in str(drawn)


def test_a_teacher_who_looked_at_the_words_alone_keeps_the_plan(open_page):
    for figures in ("yes", "no"):
        app = open_page(TEACHING.file, teaching_part="plan", figures=figures)
        drawn = [one.proto.id for one in app.get("bidi_component")]
        assert any("plan_memory" in one for one in drawn), (figures, drawn)
