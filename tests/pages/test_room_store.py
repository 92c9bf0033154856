"""Rooms: the same tests on a SQLite file, on SQLite in memory, and on a real redis-server."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from pages.server.classroom import desk as desk_module
from pages.server.classroom import encoder_run
from pages.server.classroom import rooms as rooms_module
from pages.server.classroom import store as store_module
from pages.server.classroom.desk import LONGEST_THEME, Desk, Pick, open_desk
from pages.server.classroom.encoder_run import Progress
from pages.server.classroom.redis_store import RedisStore
from pages.server.classroom.rooms import (
    ENCODER,
    GONE_SECONDS,
    HERE_SECONDS,
    LEARNER_QUESTIONS,
    LETTERS,
    LIVES_SECONDS,
    LONGEST_ANSWER,
    MOST_ANSWERS,
    MOST_OPENED,
    MOST_OPENED_EACH,
    MOST_UPVOTES,
    MOST_WRONG_EACH,
    SENTENCES,
    UPVOTES,
    Collection,
    Question,
    RoomRefusedError,
    Rooms,
    read_code,
)
from pages.server.classroom.store import (
    NoSuchRoomError,
    RoomStore,
    SqliteStore,
    StoreGoneError,
)
from pages.server.room import server_rooms
from tests.browser.live import ROOT
from tests.hostile import TEXTS
from tests.waiting import PATIENCE, Clock, CountingLock, in_threads, wait_until

CHOICE = Question(
    id="isotropy_half_guess",
    kind="choice",
    lesson="isotropy",
    label="half_guess",
    options={"10": "ten", "100": "a hundred"},
)


@pytest.fixture(params=["file", "memory", "redis"])
def reopen(request, tmp_path: Path) -> Iterator[Callable[[], RoomStore]]:
    """Give what opens the same store, as another process would."""
    opened: list[RoomStore] = []

    def open_() -> RoomStore:
        if request.param == "memory" and opened:
            pytest.skip("memory is of one process")
        if request.param == "redis":
            store = RedisStore(request.getfixturevalue("redis_url"))
            if not opened:
                store._redis.flushdb()
        else:
            store = SqliteStore(":memory:" if request.param == "memory" else str(tmp_path / "r.db"))
        opened.append(store)
        return store

    yield open_
    for store in opened:
        store.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rooms(reopen: Callable[[], RoomStore], clock: Clock) -> Rooms:
    return Rooms(reopen(), now=clock)


def a_room(rooms: Rooms, *takes: Collection) -> tuple[str, Desk]:
    code, key = rooms.open("teacher")
    desk = open_desk(rooms, code, key)
    for collection in takes:
        desk.take(collection, True)
    return code, desk


# The room, its code and its key.


def test_a_code_has_eight_letters_and_the_key_128_bits_of_which_only_a_hash_is_kept(rooms: Rooms):
    code, key = rooms.open("teacher")
    assert len(code) == 8 and set(code) <= set(LETTERS)
    assert len(key) == 32 and int(key, 16).bit_length() <= 128
    kept = rooms.store.all(code, "room")
    assert key not in json.dumps(kept) and kept["key"] == rooms_module.hash_of(key)


def test_the_key_opens_the_desk_again_and_no_other_text_does(rooms: Rooms):
    code, key = rooms.open("teacher")
    assert open_desk(rooms, code, key).code == code
    for wrong in ("", key[:-1], key.upper() + "0", rooms_module.hash_of(key)):
        with pytest.raises(NoSuchRoomError):
            open_desk(rooms, code, wrong)
    with pytest.raises(NoSuchRoomError):
        open_desk(rooms, "BBBBBB" if code != "BBBBBB" else "CCCCCC", key)


def test_codes_are_read_as_people_type_them():
    assert read_code(" bcdf ghjk\n") == read_code("BCDF-GHJK") == "BCDFGHJK"
    for none in ("", "BCDFG", "BCDFGHJ", "BCDFG1", "ABCDEF", "ＢＣＤＦＧＨ", "<b>BCD"):
        assert read_code(none) == ""


def test_no_letter_is_taken_for_another_or_makes_a_word():
    assert not set(LETTERS) & set("AEIOUYLQ0123456789")


def test_one_visit_opens_few_rooms_a_minute_and_the_server_not_many(rooms: Rooms):
    for _ in range(MOST_OPENED_EACH):
        rooms.open("teacher")
    with pytest.raises(RoomRefusedError, match="try again in a minute"):
        rooms.open("teacher")
    with pytest.raises(RoomRefusedError, match="try again in a minute"):
        for k in range(MOST_OPENED):
            rooms.open(f"visit {k}")


def test_empty_rooms_make_way_for_a_new_one_and_those_with_learners_stay(
    reopen: Callable[[], RoomStore], clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    steady = Clock()
    rooms = Rooms(reopen(), now=clock, steady=steady)
    monkeypatch.setattr(rooms_module, "MOST_ROOMS", 3)
    first, _ = rooms.open("a")
    rooms.join(first, "learner")
    clock.now += 10
    rooms.open("b")
    clock.now += 10
    third, _ = rooms.open("c")
    fourth, _ = rooms.open("d")
    assert set(rooms.store.rooms()) == {first, third, fourth}
    rooms.join(third, "learner")
    rooms.join(fourth, "learner")
    with pytest.raises(RoomRefusedError, match="try again later"):
        rooms.open("e")
    clock.now += 1
    rooms.join(first, "learner")
    clock.now += GONE_SECONDS - 1
    rooms.join(fourth, "another")
    clock.now += 2
    with pytest.raises(RoomRefusedError, match="try again later"):
        rooms.open("e")  # the clock may have jumped ahead
    steady.now += rooms_module.SURE_SECONDS
    fifth, _ = rooms.open("e")
    assert set(rooms.store.rooms()) == {first, fourth, fifth}, "all have left the third"
    rooms.join(fifth, "learner")
    sixth, _ = rooms.open("f")
    assert set(rooms.store.rooms()) == {fourth, fifth, sixth}, "nobody was in the first for long"


# Learners.


def test_a_visit_gets_a_random_id_and_keeps_it_when_it_comes_again(rooms: Rooms):
    code, desk = a_room(rooms)
    first, second = rooms.join(code, "a"), rooms.join(code, "b")
    assert first != second and len(first) == 32
    assert rooms.join(code, "a", first) == first
    assert rooms.join(code, "a", "../../x") not in (first, second, "../../x")
    assert desk.n_here() == 3


def test_who_was_not_seen_for_a_while_is_not_here(rooms: Rooms, clock: Clock):
    code, desk = a_room(rooms)
    one, _ = rooms.join(code, "a"), rooms.join(code, "b")
    clock.now += HERE_SECONDS
    rooms.see(code, one)
    assert desk.n_here() == 1


def test_guessing_codes_ends_after_a_few_for_one_visit_even_with_the_right_one(rooms: Rooms):
    code, _ = a_room(rooms)
    wrong = "BCDFGHJK" if code != "BCDFGHJK" else "BCDFGHJJ"
    for _ in range(MOST_WRONG_EACH):
        with pytest.raises(RoomRefusedError, match="no room with this code"):
            rooms.join(wrong, "guesser")
    with pytest.raises(RoomRefusedError, match="wait a minute"):
        rooms.join(code, "guesser")
    rooms.join(code, "learner")


def test_wrong_codes_of_other_visits_keep_no_learner_out_however_many_they_are(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
):
    code, _ = a_room(rooms)
    count = rooms.store.count
    monkeypatch.setattr(rooms.store, "count", lambda name, s, n=1: count(name, s, n * 100_000))
    for k in range(3):
        with pytest.raises(RoomRefusedError, match="no room with this code"):
            rooms.join("BBBBBBBB", f"guesser {k}")
    rooms.join(code, "learner")


def test_in_a_full_room_who_left_without_an_answer_makes_way(
    rooms: Rooms, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rooms_module, "MOST_VISITS", 4)
    code, desk = a_room(rooms, SENTENCES)
    answered, wrote, left, here = (rooms.join(code, name) for name in "abcd")
    rooms.answer(code, answered, CHOICE, 1, "10")
    rooms.send(code, wrote, SENTENCES, {"sentence": "A sentence."})
    encoder_run.choose_own_blank(rooms, code, answered, "My [MASK].")
    for visit in (answered, left):
        rooms.tell_progress(code, visit, "isotropy", {"opened": ["layers"]})
    with pytest.raises(RoomRefusedError, match="this room is full: it takes 4"):
        rooms.join(code, "e")
    assert rooms.join(code, "a", answered) == answered
    clock.now += 1
    for visit in (wrote, left, here):
        rooms.see(code, visit)
    clock.now += HERE_SECONDS + 1
    rooms.see(code, here)
    late = rooms.join(code, "e")
    assert set(rooms.store.all(code, "visits")) == {answered, wrote, here, late}
    with pytest.raises(RoomRefusedError, match="full"):
        rooms.join(code, "f")
    assert desk.tallies(CHOICE)[0].n == 1 and left not in rooms.store.all(code, "visits")
    assert set(rooms.store.all(code, "progress")) == {f"{answered}/isotropy"}
    clock.now += GONE_SECONDS
    for visit in (here, late):
        rooms.see(code, visit)
    last = rooms.join(code, "g")
    assert set(rooms.store.all(code, "visits")) == {wrote, here, late, last}
    assert not rooms.answers(code, CHOICE.id) and not rooms.store.all(code, "progress")
    assert not encoder_run.own_blanks(rooms, code)
    assert rooms.sent(code, SENTENCES), "what others left stays"


# Answers.


def test_the_newest_answer_of_a_visit_counts(rooms: Rooms):
    code, desk = a_room(rooms)
    a, b = rooms.join(code, "a"), rooms.join(code, "b")
    for visit, answer in ((a, "10"), (b, "100"), (a, "100"), (a, "10"), (b, "100")):
        assert rooms.answer(code, visit, CHOICE, 1, answer)
    (tally,) = desk.tallies(CHOICE)
    assert tally.n == 2 and tally.counts == {"10": 1, "100": 1}


def test_what_is_no_option_is_not_counted(rooms: Rooms):
    code, desk = a_room(rooms)
    rooms.answer(code, rooms.join(code, "a"), CHOICE, 1, "<script>")
    assert desk.tallies(CHOICE)[0].n == 0


def test_a_thousand_answers_of_one_visitor_are_one_record_and_most_are_refused(rooms: Rooms):
    code, _ = a_room(rooms)
    visit, refused = rooms.join(code, "a"), 0
    for _ in range(1_000):
        try:
            rooms.answer(code, visit, CHOICE, 1, "10")
        except RoomRefusedError:
            refused += 1
    assert refused >= 1_000 - 2 * MOST_ANSWERS  # a minute may end meanwhile
    assert len(rooms.store.all(code, rooms_module.answers_kind(CHOICE.id, 1))) == 1


def test_a_question_is_on_the_desk_once_somebody_answered_it(rooms: Rooms):
    code, desk = a_room(rooms)
    visit = rooms.join(code, "a")
    assert not rooms.has(code, CHOICE.id) and desk.questions() == []
    assert rooms.answer(code, visit, CHOICE, 1, "10")
    assert rooms.has(code, CHOICE.id) and desk.questions() == [CHOICE]
    with pytest.raises(RoomRefusedError, match="at most 200 characters"):
        rooms.answer(code, visit, a_question("x" * 201), 1, "10")


def test_an_answer_of_another_round_or_after_the_reveal_does_not_count(rooms: Rooms):
    code, desk = a_room(rooms)
    visit = rooms.join(code, "a")
    assert not rooms.answer(code, visit, CHOICE, 2, "10")
    assert rooms.answer(code, visit, CHOICE, 1, "10")
    desk.reveal(CHOICE.id)
    assert not rooms.answer(code, visit, CHOICE, 1, "100")
    assert desk.tallies(CHOICE)[0].counts == {"10": 1, "100": 0}


def a_question(name: str) -> Question:
    return Question(id=name, kind="text", lesson="isotropy", label="x")


@pytest.fixture
def seven_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms_module, "MOST_QUESTIONS", 7)


@pytest.mark.usefixtures("seven_questions")
def test_who_answers_ever_new_questions_makes_way_alone_and_a_first_guess_of_others_counts(
    rooms: Rooms, clock: Clock
):
    code, desk = a_room(rooms)
    first, flood, other = (rooms.join(code, name) for name in "abc")
    pairs = [a_question(f"pair {k}") for k in range(20)]
    assert rooms.answer(code, first, CHOICE, 1, "10")
    for pair in pairs:
        clock.now += 1
        assert rooms.answer(code, flood, pair, 1, "x")
    clock.now += 1
    assert rooms.answer(code, other, a_question("of the class"), 1, "x")
    of_class = [a_question("of the class"), CHOICE]
    assert desk.questions() == [of_class[0], *reversed(pairs[-5:]), of_class[1]]
    assert [desk.tallies(one)[0].n for one in of_class] == [1, 1]
    for pair in pairs:  # what made way has left no answers
        kept = rooms.store.all(code, rooms_module.answers_kind(pair.id, 1))
        assert len(kept) == rooms.has(code, pair.id)


@pytest.mark.usefixtures("seven_questions")
def test_what_many_answered_or_the_teacher_acted_on_does_not_make_way(rooms: Rooms):
    code, desk = a_room(rooms)
    early, other = rooms.join(code, "a"), rooms.join(code, "b")
    for name in ("many", "revealed", "again", *"1234"):
        assert rooms.answer(code, early, a_question(name), 1, "x")
    assert rooms.answer(code, other, a_question("many"), 1, "x")
    desk.reveal("revealed")
    desk.vote_again("again")
    for name in "56789":
        assert rooms.answer(code, other, a_question(name), 1, "x")
    kept = {one.id for one in desk.questions()}
    assert len(kept) == 7 and {"many", "revealed", "again", "9"} <= kept
    for one in kept:
        desk.reveal(one)
    assert not rooms.answer(code, other, a_question("one more"), 1, "x")


def test_a_long_answer_is_cut(rooms: Rooms):
    code, desk = a_room(rooms)
    asked = Question(id="q", kind="text", lesson="isotropy", label="x")
    rooms.answer(code, rooms.join(code, "a"), asked, 1, "x" * 100_000)
    assert desk.tallies(asked)[0].counts == {"x" * LONGEST_ANSWER: 1}


def test_words_are_counted_without_case_and_numbers_sorted(rooms: Rooms):
    code, desk = a_room(rooms)
    word = Question(id="w", kind="text", lesson="isotropy", label="x")
    number = Question(id="n", kind="number", lesson="isotropy", label="x")
    visits = [rooms.join(code, name) for name in "abcd"]
    words = ("Went", " went ", "ran", "WENT")
    for visit, text, value in zip(visits, words, "4 2 nan x".split(), strict=True):
        rooms.answer(code, visit, word, 1, text)
        rooms.answer(code, visit, number, 1, value)
    assert desk.tallies(word)[0].counts == {"went": 3, "ran": 1}
    assert desk.tallies(number)[0].numbers == (2.0, 4.0)


@pytest.mark.parametrize(
    ("kind", "answers", "rights", "told", "n_right"),
    [
        ("choice", ("10", "100", "10"), ("100", "100", "100"), "100", 1),
        ("choice", ("10", "10", "100"), ("10", "10", "100"), "", 3),  # other settings
        ("number", ("4.04", "3", "9"), ("4", "4", "4"), "4", 1),
        ("number", ("4.04", "3", "9"), ("4", "4", "9"), "", 2),
        ("text", ("ran", "Went", "x"), ("went", "Went", "went"), "went", 1),
    ],
)
def test_an_answer_is_judged_by_its_own_page_and_the_truth_stays_for_a_second_vote(
    rooms: Rooms, kind, answers, rights, told, n_right
):
    code, desk = a_room(rooms)
    question = replace(CHOICE, kind=kind)
    visits = [rooms.join(code, name) for name in "abc"]
    for visit, answer, right in zip(visits, answers, rights, strict=True):
        rooms.answer(code, visit, question, 1, answer)
        rooms.tell_right(code, visit, question.id, 1, right)
    desk.vote_again(question.id)
    rooms.tell_right(code, visits[2], question.id, 2, "no answer of this round")
    first, second = desk.tallies(question)
    assert (first.right, first.n_right, second.n) == (told, n_right, 0)
    assert second.right == first.right


def test_a_right_word_that_few_gave_is_counted_with_the_frequent_ones(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(desk_module, "MOST_WORDS", 1)
    code, desk = a_room(rooms)
    word = replace(CHOICE, kind="text")
    visits = [rooms.join(code, name) for name in "abc"]
    for round_ in (1, 2):
        for visit, answer in zip(visits, ("ran", "ran", "went"), strict=True):
            rooms.answer(code, visit, word, round_, answer)
            rooms.tell_right(code, visit, word.id, round_, "went")
        desk.vote_again(word.id)
    both = {"ran": 2, "went": 1}
    assert [tally.counts for tally in desk.tallies(word)] == [both, both, {}]


# The desk.


def test_answers_stay_closed_until_revealed_where_the_teacher_wants_it(rooms: Rooms):
    code, desk = a_room(rooms)
    assert not rooms.look(code).is_closed(CHOICE)
    assert rooms.look(code).is_closed(replace(CHOICE, own={"kind": "choice"}))
    desk.keep_answers(True)
    assert rooms.look(code).is_closed(CHOICE)
    desk.reveal(CHOICE.id)
    assert not rooms.look(code).is_closed(CHOICE)
    assert rooms.look(code).is_closed(replace(CHOICE, id="another"))


def test_a_second_vote_keeps_the_first(rooms: Rooms):
    code, desk = a_room(rooms)
    a, b = rooms.join(code, "a"), rooms.join(code, "b")
    rooms.answer(code, a, CHOICE, 1, "10")
    rooms.answer(code, b, CHOICE, 1, "100")
    desk.vote_again(CHOICE.id)
    assert not rooms.answer(code, a, CHOICE, 1, "100")  # from a page that is late
    rooms.answer(code, a, CHOICE, 2, "100")
    first, second = desk.tallies(CHOICE)
    assert first.counts == {"10": 1, "100": 1} and second.counts == {"10": 0, "100": 1}


def test_the_newest_question_is_the_first_on_the_desk(rooms: Rooms, clock: Clock):
    code, desk = a_room(rooms)
    visit = rooms.join(code, "a")
    later = Question(id="z", kind="text", lesson="masking", label="x", values={"n": 3})
    for question in (CHOICE, later, CHOICE):
        assert rooms.answer(code, visit, question, 1, "10")
        clock.now += 1
    assert desk.questions() == [later, CHOICE]


def test_a_view_is_offered_with_a_number_that_counts_up(rooms: Rooms):
    code, desk = a_room(rooms)
    assert rooms.look(code).offer is None
    desk.offer("masking?masking_part=why")
    desk.offer("isotropy")
    assert (rooms.look(code).offer.number, rooms.look(code).offer.link) == (2, "isotropy")
    with pytest.raises(ValueError, match="at most 8000 characters"):
        desk.offer("x" * 9_000)


def test_progress_is_counted_in_learners_by_lesson(rooms: Rooms):
    code, desk = a_room(rooms)
    a, b = rooms.join(code, "a"), rooms.join(code, "b")
    tried = {"opened": ["why"], "exercises": {"one": ["stuck", "5"], "two": ["solved", "7"]}}
    rooms.tell_progress(code, a, "masking", {"opened": ["why"], "exercises": {}})
    rooms.tell_progress(code, a, "masking", tried)
    rooms.tell_progress(code, b, "masking", {"opened": [], "exercises": {"one": ["tried", "5"]}})
    rooms.tell_progress(code, b, "isotropy", {"opened": ["x" * 9_000]})  # too long to be ours
    assert desk.progress().keys() == {"masking"}
    masking = desk.progress()["masking"]
    assert masking.opened == {"why": 1} and masking.solved == {"two": 1}
    assert masking.stuck == {"one": 1} and masking.wrong["one"] == (("5", 2),)


def test_no_sentence_is_shown_before_the_teacher_let_it_through(rooms: Rooms, clock: Clock):
    code, desk = a_room(rooms, SENTENCES)
    visit = rooms.join(code, "a")
    for k in range(SENTENCES.most_each):
        clock.now += 1
        rooms.send(code, visit, SENTENCES, {"sentence": f"Sentence {k}."})
    with pytest.raises(RoomRefusedError, match="no more are taken"):
        rooms.send(code, visit, SENTENCES, {"sentence": "One more."})
    assert rooms.accepted(code, SENTENCES) == []
    queue = desk.sent(SENTENCES)
    assert [one.said["sentence"] for one in queue] == [
        f"Sentence {k}." for k in range(SENTENCES.most_each)
    ]
    desk.judge(SENTENCES, [queue[2].key], "accepted")
    desk.judge(SENTENCES, [queue[0].key], "accepted")
    desk.judge(SENTENCES, [queue[1].key], "dropped")
    desk.judge(SENTENCES, ["no such key"], "accepted")
    shown = [one.said["sentence"] for one in rooms.accepted(code, SENTENCES)]
    assert shown == ["Sentence 0.", "Sentence 2."]
    assert "Sentence 1." not in json.dumps(rooms.store.all(code, "sentences"))
    rooms.send(code, visit, SENTENCES, {"sentence": "In the place of the dropped one."})
    desk.judge(
        SENTENCES, [queue[1].key], "dropped"
    )  # again, from another tab: it gives no second place
    with pytest.raises(RoomRefusedError, match="no more are taken"):
        rooms.send(code, visit, SENTENCES, {"sentence": "One more."})


def test_a_visit_upvotes_a_question_once_and_what_is_answered_is_last(rooms: Rooms, clock: Clock):
    code, desk = a_room(rooms, LEARNER_QUESTIONS)
    visits = [rooms.join(code, name) for name in "abc"]
    for visit in visits:
        clock.now += 1
        rooms.send(code, visit, LEARNER_QUESTIONS, {"question": f"Why? {visit}"})

    def shown() -> list[tuple[str, int]]:
        return [(one.visit, len(one.upvotes)) for one in rooms.sent(code, LEARNER_QUESTIONS)]

    first, second, third = (one.key for one in desk.sent(LEARNER_QUESTIONS))
    desk.judge(LEARNER_QUESTIONS, [first, second, third], "accepted")
    a, b, c = visits
    for visit, key in ((a, third), (b, third), (a, second), (c, first), (c, first)):
        before = rooms.look(code).questions_changed
        rooms.upvote(code, visit, key)
        assert rooms.look(code).questions_changed != before
    assert shown() == [(c, 2), (b, 1), (a, 0)], "a second press takes an upvote back"
    desk.judge(LEARNER_QUESTIONS, [third], "answered")
    assert shown() == [(b, 1), (a, 0), (c, 2)]
    desk.judge(LEARNER_QUESTIONS, [third], "accepted")
    desk.judge(LEARNER_QUESTIONS, [second], "dropped")
    assert shown() == [(c, 2), (a, 0)] and len(rooms.store.all(code, UPVOTES)) == 2
    rooms.upvote(code, a, second)  # from a page of before
    assert len(rooms.store.all(code, UPVOTES)) == 2
    as_kept = rooms.store.get(code, LEARNER_QUESTIONS.name, first)
    for number in range(MOST_UPVOTES):
        key = f"{a}/{number}"
        rooms.store.put(code, LEARNER_QUESTIONS.name, key, as_kept, most=99)
        if number < MOST_UPVOTES - 1:
            rooms.upvote(code, b, key)
        else:
            with pytest.raises(RoomRefusedError, match="no more are taken"):
                rooms.upvote(code, b, key)
    rooms.forget(code, b)
    assert {one.partition("/")[0] for one in rooms.store.all(code, UPVOTES)} == {a}


def test_what_the_teacher_picks_is_shown_in_order_until_it_changes_or_is_gone(rooms: Rooms):
    code, desk = a_room(rooms, SENTENCES, LEARNER_QUESTIONS)
    a, b, c = (rooms.join(code, name) for name in "abc")
    rooms.send(code, a, SENTENCES, {"sentence": "Shown."})
    rooms.send(code, b, LEARNER_QUESTIONS, {"question": "Why?"})
    typed = replace(CHOICE, id="typed", kind="text")
    for visit, answer in ((a, "Cat"), (b, " dog\n"), (c, "Dog")):
        rooms.answer(code, visit, typed, 1, answer)
    answers = desk.typed(typed)
    assert sorted(one.text.casefold() for one in answers) == ["cat", "dog"]
    assert answers[0].text.casefold() == "dog" and not desk.typed(CHOICE)
    picks = []
    for of in (LEARNER_QUESTIONS, SENTENCES):
        (one,) = desk.sent(of)
        picks.append(Pick(kind=of.name, key=one.key, text=next(iter(one.said.values()))))
        desk.pick(picks[-1])
        assert desk.picked() == [], "what waits is shown to nobody"
        desk.pick(None)
        desk.judge(of, [one.key], "accepted")
    for pick in (answers[0], *picks, answers[1]):
        desk.pick(pick)
    assert desk.picked() == [answers[0], *picks], "three at most, in the order of the presses"
    assert "Why?" not in rooms.store.get(code, "room", "picked")
    desk.pick(picks[0])
    desk.pick(picks[0])
    assert desk.picked() == [answers[0], picks[1], picks[0]]
    rooms.answer(code, answers[0].key, typed, 1, "something rude")
    desk.judge(LEARNER_QUESTIONS, [picks[0].key], "dropped")
    assert desk.picked() == [picks[1]]
    desk.pick(None)
    assert desk.picked() == []


def test_what_is_sent_in_is_cut_to_its_fields_and_judged_together(rooms: Rooms, clock: Clock):
    code, desk = a_room(rooms, SENTENCES)
    visit = rooms.join(code, "a")
    of_two = Collection(name="sentences", fields={"word": 5, "sentence": 9}, most_each=2, most=3)
    for empty in ("", "  ", "\u200b\u00ad", "?!"):
        with pytest.raises(RoomRefusedError, match="write some words"):
            rooms.send(code, visit, of_two, {"word": "bank", "sentence": empty})
    for _ in range(2):  # what was refused takes no place
        rooms.send(code, visit, of_two, {"word": " ba\n nk", "sentence": "x" * 10, "name": "Ada"})
    first, second = desk.sent(of_two)
    assert first.said == {"word": "ba nk", "sentence": "x" * 9} and first.visit == visit
    desk.judge(of_two, [first.key, second.key, f"{visit}/none"], "accepted")
    assert [one.key for one in rooms.accepted(code, of_two)] == [first.key, second.key]
    assert rooms.accepted(code, of_two)[0].judged_at == rooms.now()
    rooms.send(code, rooms.join(code, "b"), of_two, {"word": "a", "sentence": "b"})
    with pytest.raises(RoomRefusedError, match="no more are taken"):
        rooms.send(code, rooms.join(code, "c"), of_two, {"word": "a", "sentence": "b"})
    clock.now += GONE_SECONDS + 1
    late = rooms.join(code, "d")
    rooms.send(code, late, of_two, {"word": "a", "sentence": "c"})  # what waited makes way
    assert [one.visit for one in rooms.sent(code, of_two)] == [visit, visit, late]


def test_whatever_is_sent_in_is_kept_as_text_or_refused(rooms: Rooms):
    code, desk = a_room(rooms, SENTENCES)
    visit = rooms.join(code, "a")
    for name, text in TEXTS.items():
        desk.ask_for(SENTENCES, text)
        assert len(rooms.look(code).themes["sentences"]) <= LONGEST_THEME, name
        try:
            rooms.send(code, visit, SENTENCES, {"sentence": text})
        except RoomRefusedError:
            assert desk.sent(SENTENCES) == [], name
        else:
            (sent,) = desk.sent(SENTENCES)
            assert sent.said["sentence"] == " ".join(text.split())[:300], name
            desk.judge(SENTENCES, [sent.key], "dropped")


def test_a_collection_is_open_while_the_teacher_takes_contributions(rooms: Rooms):
    code, desk = a_room(rooms)
    visit = rooms.join(code, "a")

    def send_too_late() -> None:
        with pytest.raises(RoomRefusedError, match="takes no sentences"):
            rooms.send(code, visit, SENTENCES, {"sentence": "From a page of before."})

    assert desk.look().takes == frozenset() and desk.look().themes["sentences"] == ""
    send_too_late()
    desk.take(SENTENCES, True)
    desk.ask_for(SENTENCES, "  The\nsea ")
    assert desk.look().takes == {"sentences"} and desk.look().themes["sentences"] == "The sea"
    rooms.send(code, visit, SENTENCES, {"sentence": "In time."})
    desk.take(SENTENCES, False)
    assert desk.look().takes == frozenset()
    send_too_late()
    assert [one.said["sentence"] for one in desk.sent(SENTENCES)] == ["In time."]


def test_tabs_of_a_visit_that_send_at_the_same_moment_keep_what_they_are_told(
    rooms: Rooms, reopen: Callable[[], RoomStore], clock: Clock
):
    code, desk = a_room(rooms, SENTENCES)
    visit = rooms.join(code, "a")
    both, told = [rooms, Rooms(reopen(), now=clock)], []

    def send(name: str) -> None:
        try:
            both[int(name[-1]) % 2].send(code, visit, SENTENCES, {"sentence": name})
            told.append(name)
        except RoomRefusedError:
            pass

    for thread in in_threads(send, 8):
        thread.join()
    assert len(told) == SENTENCES.most_each
    assert sorted(one.said["sentence"] for one in desk.sent(SENTENCES)) == sorted(told)


def test_the_class_encoder_is_started_in_one_process_and_followed_in_another(
    rooms: Rooms, reopen: Callable[[], RoomStore], clock: Clock
):
    code, desk = a_room(rooms, ENCODER)
    other = Rooms(reopen(), now=clock)
    a, b = rooms.join(code, "a"), other.join(code, "b")
    for visit, sentence in ((a, "One."), (b, "Two."), (a, "Three."), (b, "Four.")):
        clock.now += 1
        other.send(code, visit, ENCODER, {"sentence": sentence})
    keys = [one.key for one in desk.sent(ENCODER)]
    desk.judge(ENCODER, keys[:3], "accepted")
    assert other.look(code).encoder_seed is None
    encoder_run.start(rooms, code)
    with pytest.raises(RoomRefusedError, match="takes no sentences"):
        other.send(code, a, ENCODER, {"sentence": "From a page of before."})
    encoder_run.choose_blank(rooms, code, "  The\n[MASK] " + "x" * 200)
    encoder_run.choose_own_blank(other, code, b, "My [MASK].")
    now = other.look(code)
    assert now.encoder_seed and len(now.encoder_blank) == encoder_run.LONGEST_BLANK
    assert encoder_run.own_blanks(rooms, code) == {b: "My [MASK]."}
    # What is accepted later is in the next run, what is dropped is in none.
    desk.judge(ENCODER, keys[3:], "accepted")
    desk.judge(ENCODER, keys[1:2], "dropped")
    said = [one.said["sentence"] for one in encoder_run.sentences(other, code)]
    assert said == ["One.", "Three."]
    progress = Progress(
        seed=now.encoder_seed,
        step=3,
        n_steps=3,
        n_sentences=2,
        n_words=2,
        n_learned=1,
        curve=[(3, 0.5)],
        blank="The [MASK]",
        guesses=[("sea", 0.9)],
    )
    encoder_run.publish(rooms, code, progress, {})
    read = encoder_run.progress_of(other, code, now.encoder_seed)
    assert read is not None and read.is_finished and read.n_learned == 1
    assert encoder_run.told_to(other, code, a, now.encoder_seed) is None
    encoder_run.start(other, code)  # again, from another seed: the old news are none of its own
    said = [one.said["sentence"] for one in encoder_run.sentences(rooms, code)]
    assert said == ["One.", "Three.", "Four."]
    encoder_run.take_back(rooms, code)
    assert other.look(code).encoder_seed is None and len(desk.sent(ENCODER)) == 3
    assert encoder_run.progress_of(other, code, now.encoder_seed) is None
    desk.end()
    for late in (
        lambda: encoder_run.start(other, code),
        lambda: encoder_run.choose_own_blank(other, code, a, "Late."),
        lambda: encoder_run.publish(other, code, progress, {}),
    ):
        with pytest.raises(NoSuchRoomError):
            late()


# Its end.


def everything_in(store: RoomStore) -> str:
    if isinstance(store, RedisStore):
        return str(store._redis.keys())
    return "\n".join(store._writer.open.iterdump())


def test_nothing_of_a_room_is_left_when_its_teacher_ends_it_and_nothing_can_be_added(rooms: Rooms):
    code, desk = a_room(rooms, SENTENCES)
    visit = rooms.join(code, "a")
    rooms.answer(code, visit, CHOICE, 1, "10")
    rooms.send(code, visit, SENTENCES, {"sentence": "In time."})
    desk.end()
    desk.end()
    assert code not in everything_in(rooms.store)
    for kind in ("room", "visits", "questions", rooms_module.answers_kind(CHOICE.id, 1)):
        assert rooms.store.all(code, kind) == {}
    for late in (
        lambda: rooms.look(code),
        lambda: desk.look(),
        lambda: rooms.see(code, visit),
        lambda: rooms.answer(code, visit, CHOICE, 1, "10"),
        lambda: desk.reveal(CHOICE.id),
        lambda: rooms.tell_progress(code, visit, "masking", {}),
        lambda: rooms.send(code, visit, SENTENCES, {"sentence": "Late."}),
    ):
        with pytest.raises(NoSuchRoomError):
            late()
    assert rooms.store.rooms() == {}


def test_a_room_ends_three_hours_after_the_last_visitor(reopen, clock: Clock):
    steady = Clock()
    rooms = Rooms(reopen(), now=clock, steady=steady)

    def looked_at_twice() -> set[str]:
        for _ in range(2):
            rooms.end_old_rooms()
            steady.now += rooms_module.SURE_SECONDS
        return set(rooms.store.rooms())

    left, _ = a_room(rooms)
    clock.now += 10
    visited, _ = a_room(rooms)
    visit = rooms.join(visited, "a")
    clock.now += LIVES_SECONDS - 5
    rooms.see(visited, visit)
    assert looked_at_twice() == {visited}
    clock.now += LIVES_SECONDS - 1
    assert looked_at_twice() == {visited}
    clock.now += 2
    assert looked_at_twice() == set() and left != visited


def test_a_clock_that_is_set_anew_loses_nothing(reopen, clock: Clock):
    steady = Clock()
    rooms = Rooms(reopen(), now=clock, steady=steady)
    code, desk = a_room(rooms)
    visit = rooms.join(code, "a")
    clock.now += LIVES_SECONDS + 60  # ahead, with the class at work
    rooms.end_old_rooms()
    steady.now += 20
    rooms.see(code, visit)
    for _ in range(3):
        steady.now += rooms_module.SURE_SECONDS
        rooms.end_old_rooms()
    assert set(rooms.store.rooms()) == {code}
    clock.now -= 24 * 3600
    rooms.see(code, visit)
    assert desk.n_here() == 1


def test_a_count_ends_in_its_time_also_if_the_clock_was_put_back(reopen, monkeypatch):
    now = Clock()
    monkeypatch.setattr(store_module, "time", SimpleNamespace(monotonic=time.monotonic, time=now))
    store = reopen()
    assert store.count("wrong", 60, 5) == 5
    now.now -= 24 * 3600
    assert store.count("wrong", 60) == (6 if isinstance(store, RedisStore) else 1)


def test_a_count_that_is_over_is_forgotten_though_nobody_tries_again(monkeypatch):
    store = SqliteStore()
    rooms = Rooms(store)
    with pytest.raises(RoomRefusedError):
        rooms.join("BBBBBBBB", "a")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 61)
    rooms.end_old_rooms()
    assert [name for (name,) in store._read("SELECT name FROM counts")] == ["looks"]


def test_rooms_do_not_see_each_other(rooms: Rooms):
    one, desk = a_room(rooms)
    two, other = a_room(rooms)
    rooms.answer(one, rooms.join(one, "a"), CHOICE, 1, "10")
    assert other.questions() == [] and other.n_here() == 0 and one != two
    other.end()
    assert desk.tallies(CHOICE)[0].n == 1


# Processes and crashes.


def test_processes_share_a_room(rooms: Rooms, reopen: Callable[[], RoomStore], clock: Clock):
    code, desk = a_room(rooms)
    elsewhere = Rooms(reopen(), now=clock)
    elsewhere.answer(code, elsewhere.join(code, "b"), CHOICE, 1, "100")
    assert desk.tallies(CHOICE)[0].counts == {"10": 0, "100": 1}


def test_sixty_learners_of_two_processes_at_once_lose_no_answer(
    rooms: Rooms, reopen: Callable[[], RoomStore], clock: Clock
):
    code, desk = a_room(rooms)
    both = [rooms, Rooms(reopen(), now=clock)]
    failed = []

    def learn(name: str) -> None:
        try:
            k = int(name.split()[-1])
            mine = both[k % 2]
            visit = mine.join(code, name)
            for answer in ("10", "100", "10" if k % 3 else "100"):
                assert mine.answer(code, visit, CHOICE, 1, answer)
        except BaseException as error:
            failed.append(error)

    for one in in_threads(learn, 60):
        one.join()
    assert not failed
    assert desk.tallies(CHOICE)[0].counts == {"10": 40, "100": 20}


@pytest.mark.usefixtures("seven_questions")
def test_two_processes_take_no_more_questions_than_a_room_has_places(
    rooms: Rooms, reopen: Callable[[], RoomStore], clock: Clock
):
    code, desk = a_room(rooms)
    both = [rooms, Rooms(reopen(), now=clock)]
    class_ = rooms.join(code, "class")
    assert rooms.answer(code, class_, CHOICE, 1, "10")

    def flood(name: str) -> None:
        mine = both[int(name[-1]) % 2]
        visit = mine.join(code, name)
        for k in range(15):
            mine.answer(code, visit, a_question(f"{name}, {k}"), 1, "x")

    for one in in_threads(flood, 4):
        one.join()
    assert len(desk.questions()) == 7 and desk.tallies(CHOICE)[0].n == 1
    for k in range(15):
        for name in ("visit 0", "visit 1", "visit 2", "visit 3"):
            kept = rooms.store.all(code, rooms_module.answers_kind(f"{name}, {k}", 1))
            assert not kept or rooms.has(code, f"{name}, {k}")


WRITER = """
import sys
from pages.server.classroom.store import SqliteStore
store = SqliteStore(sys.argv[1])
for k in range(10**9):
    store.put(sys.argv[2], "answers/1/q", f"visit {k}", "{}", most=10**9)
    print(k, flush=True)  # said only after it was kept
"""


def test_a_process_killed_in_the_middle_loses_no_answer(tmp_path: Path):
    file = str(tmp_path / "rooms.db")
    rooms = Rooms(SqliteStore(file))
    code, _ = rooms.open("teacher")
    asked = [sys.executable, "-c", WRITER, file, code]
    with subprocess.Popen(asked, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        said = [int(writer.stdout.readline()) for _ in range(200)]
        writer.send_signal(signal.SIGKILL)
        said += [int(line) for line in writer.stdout.read().split("\n")[:-1]]
    kept = SqliteStore(file).all(code, "answers/1/q")
    assert len(said) >= 200 and all(f"visit {k}" in kept for k in said)
    assert rooms.store.put(code, "answers/1/q", "after", "{}", most=10**9)


def test_the_rooms_of_a_file_are_their_owners_alone(tmp_path: Path):
    rooms = Rooms(SqliteStore(str(tmp_path / "rooms.db")))
    rooms.open("teacher")
    files = list(tmp_path.iterdir())
    assert len(files) == 3 and all(one.stat().st_mode & 0o077 == 0 for one in files)


def bytes_in(folder: Path) -> bytes:
    """Return what is in SQLite's files: the file, its log, the log's index, files without a name.

    Those have been removed, and SQLite reads and writes them as long as they are open.
    """
    handles = Path("/proc/self/fd")
    opened = [one for one in handles.iterdir() if one.is_file()] if handles.is_dir() else []
    nameless = [one for one in opened if one.stat().st_nlink == 0]
    return b"".join(one.read_bytes() for one in (*folder.iterdir(), *nameless))


@pytest.mark.parametrize("collection", (SENTENCES, LEARNER_QUESTIONS), ids=lambda one: one.name)
def test_a_dropped_sentence_and_an_ended_rooms_words_and_visits_are_in_no_file(
    tmp_path: Path, collection: Collection
):
    rooms = Rooms(SqliteStore(str(tmp_path / "rooms.db")))
    code, desk = a_room(rooms, collection)
    (name_of_field,) = collection.fields
    visit = rooms.join(code, "session-of-a")
    for name in ("zanzibarine", *["other"] * (collection.most_each - 1)):
        rooms.send(code, visit, collection, {name_of_field: f"The {name} saw the bank. " * 8})
    with pytest.raises(RoomRefusedError, match="no room with this code"):
        rooms.join("BBBBBBBB", "session-of-a")
    kept = bytes_in(tmp_path)
    assert b"zanzibarine" in kept and visit.encode() in kept and b"session-of-a" not in kept
    (dropped,) = (one.key for one in desk.sent(collection) if "zanz" in one.said[name_of_field])
    desk.judge(collection, [dropped], "accepted")
    if collection.has_upvotes:
        rooms.upvote(code, visit, dropped)
    desk.judge(collection, [dropped], "dropped")
    assert not rooms.store.all(code, UPVOTES)
    kept = bytes_in(tmp_path)
    assert b"zanzibarine" not in kept and b"The other saw" in kept
    desk.end()
    with pytest.raises(NoSuchRoomError):  # a page that doesn't know it yet
        rooms.answer(code, visit, CHOICE, 1, "10")
    kept = bytes_in(tmp_path)
    assert not any(one in kept for one in (b"The other saw", visit.encode(), code.encode()))


def test_what_sqlite_moved_before_it_was_dropped_is_in_no_file(tmp_path: Path):
    """It overwrites a deleted record, but not copies from when a page was full and was split.

    With this seed and SQLite 3.40, parts of seventeen of them.
    """
    store, drawn = SqliteStore(str(tmp_path / "rooms.db")), random.Random(14)
    store.create("BCDFGHJK", 1.0, most=1)
    dropped = []
    for _ in range(300):
        key, is_dropped = drawn.randbytes(16).hex(), drawn.random() < 0.5
        text = ("zanzibarine " if is_dropped else "other words ") * 30
        store.put("BCDFGHJK", "sentences", key, text[: drawn.randint(20, 300)], most=300)
        dropped += [key] * is_dropped
    drawn.shuffle(dropped)
    for key in dropped:
        store.drop("BCDFGHJK", "sentences", key)
    assert store.wipe()
    assert b"zanzibarine" not in bytes_in(tmp_path)
    assert len(store.all("BCDFGHJK", "sentences")) == 300 - len(dropped)


def test_who_reads_the_file_delays_overwriting_alone_and_the_housekeeping_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A backup reads for long. What a process deleted that was killed is overwritten, too."""
    file = str(tmp_path / "rooms.db")
    monkeypatch.setenv(server_rooms.SETTING, file)
    server_rooms.forget()
    with server_rooms.server_rooms() as rooms:
        code, desk = a_room(rooms, SENTENCES)
        visit = rooms.join(code, "a")
        for word in ("zanzibarine", "quokkaesque"):
            rooms.send(code, visit, SENTENCES, {"sentence": f"The {word} saw the bank. " * 8})
    first, second = (one.key for one in desk.sent(SENTENCES))
    reader = sqlite3.connect(file, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM records").fetchone()
    desk.judge(SENTENCES, [first], "dropped")
    assert rooms.answer(code, visit, CHOICE, 1, "10") and b"zanzibarine" in bytes_in(tmp_path)
    reader.execute("ROLLBACK")
    rooms.store.drop(code, SENTENCES.name, second)
    server_rooms.wipe()
    kept = bytes_in(tmp_path)
    assert b"zanzibarine" not in kept and b"quokkaesque" not in kept and visit.encode() in kept
    reader.execute("DELETE FROM records")  # as a process that was killed then
    server_rooms.forget()
    assert visit.encode() in bytes_in(tmp_path)
    server_rooms.end_old_rooms()
    assert visit.encode() not in bytes_in(tmp_path)
    reader.close()
    server_rooms.forget()


# Stores that are gone.


def test_a_file_that_cannot_be_opened_or_written_is_a_store_that_is_gone(tmp_path: Path):
    with pytest.raises(StoreGoneError, match="SQLite"):
        SqliteStore(str(tmp_path / "no such folder" / "rooms.db"))
    no_database = tmp_path / "other.db"
    no_database.write_text("This is no database. " * 100)
    with pytest.raises(StoreGoneError, match="SQLite"):
        SqliteStore(str(no_database))


# A file that another process has locked.


class LockedFile:
    """A file of rooms in whose middle another connection holds a write transaction."""

    def __init__(self, file: str, monkeypatch: pytest.MonkeyPatch, busy_seconds: float) -> None:
        self.locks: list[CountingLock] = []
        self.said: list[str] = []  # the statements of the store, in order
        self.before = lambda: None  # called before a transaction begins
        connect = sqlite3.connect

        def connected(*args: object, **settings: object) -> sqlite3.Connection:
            one = connect(*args, **settings)
            one.set_trace_callback(self._trace)
            return one

        def lock() -> CountingLock:
            self.locks.append(CountingLock())
            return self.locks[-1]

        monkeypatch.setattr(store_module, "BUSY_SECONDS", busy_seconds)
        monkeypatch.setattr(store_module, "threading", SimpleNamespace(Lock=lock))
        monkeypatch.setattr(store_module.sqlite3, "connect", connected)
        self.store = SqliteStore(file)
        self.store.create("BCDFGH", 1.0, most=1)
        self.other = connect(file, isolation_level=None)
        self.other.execute("BEGIN IMMEDIATE")

    def n_came(self) -> int:
        return sum(one.n_came for one in self.locks)

    def write(self, key: str) -> None:
        self.store.put("BCDFGH", "visits", key, "1.0", most=300)

    def close(self) -> None:
        if self.other.in_transaction:
            self.other.execute("ROLLBACK")
        self.other.close()
        self.store.close()

    def _trace(self, statement: str) -> None:
        self.said.append(statement)
        if statement == "BEGIN IMMEDIATE":
            self.before()


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable]:
    files: list[LockedFile] = []

    def lock(busy_seconds: float) -> LockedFile:
        files.append(LockedFile(str(tmp_path / "r.db"), monkeypatch, busy_seconds))
        return files[-1]

    yield lock
    for one in files:
        one.close()


def test_a_locked_file_delays_no_reader_and_writers_go_on_once_it_is_free(locked: Callable):
    file = locked(busy_seconds=10 * PATIENCE)
    n_before = file.n_came()
    writers = in_threads(file.write, 8)
    wait_until(lambda: file.n_came() == n_before + 8)
    read: list[object] = []
    (reader,) = in_threads(lambda _: read.append(file.store.rooms()), 1)
    reader.join(PATIENCE)
    has_read, n_waiting = list(read), sum(one.is_alive() for one in writers)
    file.other.execute("ROLLBACK")
    for one in (*writers, reader):
        one.join()
    assert has_read == [{"BCDFGH": 1.0}] and n_waiting == 8
    assert len(file.store.all("BCDFGH", "visits")) == 8


def test_eight_writers_wait_for_a_locked_file_once_and_not_one_after_another(locked: Callable):
    file = locked(busy_seconds=0.2)
    n_before, gave_up = file.n_came(), []
    file.before = lambda: wait_until(lambda: file.n_came() == n_before + 8)
    file.said.clear()

    def write(key: str) -> None:
        with pytest.raises(StoreGoneError, match="SQLite"):
            file.write(key)
        gave_up.append(key)

    for one in in_threads(write, 8):
        one.join()
    assert len(gave_up) == 8 and file.said.count("BEGIN IMMEDIATE") == 1


def test_what_a_writer_waited_for_other_threads_it_does_not_wait_for_the_file_again(
    locked: Callable, monkeypatch: pytest.MonkeyPatch, clock: Clock
):
    file = locked(busy_seconds=2 * PATIENCE)
    monkeypatch.setattr(store_module, "time", SimpleNamespace(monotonic=clock, time=time.time))
    file.other.execute("ROLLBACK")
    with file.store._writing():
        n_before = file.n_came()
        (second,) = in_threads(file.write, 1)
        wait_until(lambda: file.n_came() == n_before + 1)
        clock.now += 2 * PATIENCE - 3
        file.said.clear()
    second.join()
    assert file.said[file.said.index("COMMIT") + 1] == "PRAGMA busy_timeout = 3000"


def test_a_writer_waits_for_another_thread_no_longer_than_for_another_process(locked: Callable):
    file = locked(busy_seconds=0.05)
    file.other.execute("ROLLBACK")
    refused = []

    def write(key: str) -> None:
        with pytest.raises(StoreGoneError, match="other threads"):
            file.write(key)
        refused.append(key)

    with file.store._writing():
        (second,) = in_threads(write, 1)
        second.join(PATIENCE)
        assert refused
    second.join()


def test_a_redis_that_does_not_answer_is_gone_and_its_password_is_not_told():
    pytest.importorskip("redis")
    with pytest.raises(StoreGoneError) as caught:
        RedisStore("redis://:geheim@127.0.0.1:1/0")
    assert "geheim" not in str(caught.value)
    with pytest.raises(StoreGoneError, match="Redis"):
        RedisStore("http://nowhere")


def test_every_key_of_redis_ends_by_itself(redis_url: str):
    store = RedisStore(redis_url)
    store._redis.flushdb()
    rooms = Rooms(store)
    code, desk = a_room(rooms)
    rooms.answer(code, rooms.join(code, "a"), CHOICE, 1, "10")
    desk.keep_answers(True)
    keys = store._redis.keys(f"*{code}*")
    assert len(keys) >= 5
    assert all(0 < store._redis.ttl(key) <= LIVES_SECONDS for key in keys)
    desk.end()
    assert store._redis.keys(f"*{code}*") == []
    store.close()
