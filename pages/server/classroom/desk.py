"""The teacher's desk of a room: what came in, and what the room does next.

open_desk() gives one to those who have the room's key. Read before this: rooms.py.
"""

import json
import math
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median_low
from typing import Literal

from mlm_core.exercises.own.own_question import read_question
from pages.server.classroom import encoder_run, own_step
from pages.server.classroom.rooms import (
    ENCODER,
    LEARNER_QUESTIONS,
    LIVES_SECONDS,
    MOST_LESSONS,
    MOST_QUESTIONS,
    MOST_ROUNDS,
    SENTENCES,
    Collection,
    Question,
    RoomNow,
    Rooms,
    Sent,
    State,
    answers_kind,
    hash_of,
    on_one_line,
)
from pages.server.classroom.store import NoSuchRoomError

TOUCH_SECONDS = 30.0  # between two notes that the desk is open
MOST_WORDS = 12  # of a text's answers that are counted apart
NEAR = 0.05  # the step of the slider that takes a number
LONGEST_OFFER, LONGEST_THEME = 8_000, 180  # characters of a link and of a theme
MOST_PICKED = 3
PICKED_FROM = (SENTENCES, LEARNER_QUESTIONS)  # and from typed answers
Verdict = Literal["accepted", "answered", "dropped"]


@dataclass(frozen=True, kw_only=True)
class Tally:
    """The answers of one question in one round."""

    round: int
    n: int  # learners who answered
    counts: Mapping[str, int]  # by option, or the most frequent words and the right one
    numbers: tuple[float, ...] = ()  # of a question for a number, in order
    rights: tuple[str, ...] = ()  # what learners' pages computed, most often first
    n_right: int = 0  # of the n; a number is right within NEAR

    @property
    def right(self) -> str:
        """The right answer; "" if no page has computed it, or it depends on their settings."""
        return self.rights[0] if len(self.rights) == 1 else ""


@dataclass(frozen=True, kw_only=True)
class Pick:
    """A sentence, a question or a typed answer of a learner, to be shown large."""

    kind: str  # of the record that has it
    key: str
    text: str


@dataclass(frozen=True, kw_only=True)
class LessonProgress:
    """How far the class is with one lesson, in learners."""

    opened: Mapping[str, int]  # by part
    solved: Mapping[str, int]  # by exercise
    stuck: Mapping[str, int]  # by exercise: a hint or the answer was shown, and it isn't solved
    wrong: Mapping[str, tuple[tuple[str, int], ...]]  # by exercise: the most frequent, with counts


class Desk:
    """One room, for its teacher. Every method raises NoSuchRoomError once the room has ended."""

    def __init__(self, rooms: Rooms, code: str) -> None:
        self.code = code
        self._rooms, self._store = rooms, rooms.store
        self._touched = -TOUCH_SECONDS

    def look(self) -> RoomNow:
        """Return the room as it is now; an open desk keeps it from ending."""
        now = self._rooms.now()
        if now - self._touched >= TOUCH_SECONDS:
            self._store.touch(self.code, now, LIVES_SECONDS)
            self._touched = now
        return self._rooms.look(self.code)

    def n_here(self) -> int:
        """Return how many learners' pages were seen a moment ago."""
        visits = self._store.all(self.code, "visits").values()
        return sum(self._rooms.is_here(float(seen)) for seen in visits)

    def n_came(self) -> int:
        """Return how many learners have entered the room so far."""
        return len(self._store.all(self.code, "visits"))

    def questions(self) -> list[Question]:
        """Return what learners answered so far, the newest question first; no labels of texts."""
        kept = [json.loads(text) for text in self._store.all(self.code, "questions").values()]
        kept = [one for one in kept if one["kind"] != "labels"]
        kept.sort(key=lambda one: -one["at"])
        return [Question(**{name: one[name] for name in one.keys() - {"at", "by"}}) for one in kept]

    def tallies(self, question: Question) -> list[Tally]:
        """Return the answers of each round so far."""
        state = self._rooms.look(self.code).state(question.id)
        kept = [
            [json.loads(text) for text in self._store.all(self.code, kind).values()]
            for kind in (answers_kind(question.id, n) for n in range(1, state.round + 1))
        ]
        told = [one["right"] for of_round in kept for one in of_round if "right" in one]
        if question.kind == "text":
            told = map(_as_one, told)
        rights = tuple(right for right, _ in Counter(told).most_common())
        return [
            _tally(question, number, of_round, rights)
            for number, of_round in enumerate(kept, start=1)
        ]

    def answers(self, question: Question) -> dict[str, str]:
        """Return the answers of a question's first round by the visit, a random id."""
        return self._rooms.answers(self.code, question.id)

    def usual_answer(self, question: Question) -> str | None:
        """Return what was answered most often once the question is revealed, else None.

        Of numbers it is the median. A round without answers leaves it to the one before.
        """
        state = self._rooms.look(self.code).state(question.id)
        for number in range(state.round, 0, -1) if state.is_revealed else ():
            kept = self._store.all(self.code, answers_kind(question.id, number)).values()
            given = [json.loads(text)["answer"] for text in kept]
            if question.kind == "number":
                given = [f"{median_low(found):g}"] if (found := [*_numbers(given)]) else []
            elif question.kind == "choice":
                given = [answer for answer in given if answer in question.options]
            if given:
                one = _as_one if question.kind == "text" else str  # as the desk counts them
                most = Counter(map(one, given)).most_common(1)[0][0]
                return next(answer for answer in given if one(answer) == most)
        return None

    def ask(self, question: str) -> None:
        """Let all pages know of a question, which then makes way for no other one."""
        self._put_state(question, State())

    def reveal(self, question: str) -> None:
        """End the round, and let every learner see the true answer."""
        state = self._rooms.look(self.code).state(question)
        self._put_state(question, State(round=state.round, is_revealed=True))

    def vote_again(self, question: str) -> None:
        """Begin another round of the same question; the answers of the one before stay."""
        state = self._rooms.look(self.code).state(question)
        self._put_state(question, State(round=min(state.round + 1, MOST_ROUNDS)))

    def keep_answers(self, is_on: bool) -> None:
        """Keep answers closed until they are revealed, or don't."""
        self._put("room", "waits", "yes" if is_on else "no", MOST_LESSONS)

    def ask_after(self, is_on: bool) -> None:
        """Ask the concept test for the second time, or don't."""
        self._put("room", "asks_after", "yes" if is_on else "no", MOST_LESSONS)

    def take(self, collection: Collection, is_on: bool) -> None:
        """Let learners send in contributions to a collection, or take no more."""
        self._put("room", f"takes_{collection.name}", "yes" if is_on else "no", MOST_LESSONS)

    def ask_for(self, collection: Collection, theme: str) -> None:
        """Say what learners are to send in."""
        theme = on_one_line(theme, LONGEST_THEME)
        self._put("room", f"theme_{collection.name}", theme, MOST_LESSONS)

    def offer(self, link: str) -> None:
        """Offer a view to all, in place of the one before; an empty link takes it back."""
        if len(link) > LONGEST_OFFER:
            raise ValueError(f"a link has at most {LONGEST_OFFER} characters: shorten its texts")
        before = self._rooms.look(self.code).offer
        number = before.number + 1 if before else 1
        self._put("room", "offer", json.dumps({"number": number, "link": link}), MOST_LESSONS)

    def show_own(self, own: own_step.Own) -> None:
        """Give all pages the teacher's own text or question; "" takes the one before back."""
        own_step.put(self._rooms, self.code, own)

    def sent(self, collection: Collection) -> list[Sent]:
        """Return what was sent in and not dropped, the oldest first."""
        return self._rooms.sent(self.code, collection)

    def judge(self, collection: Collection, keys: Iterable[str], verdict: Verdict) -> None:
        """Let contributions through, or drop them, which gives their places back.

        "answered" is for learners' questions: "accepted" opens such a one again.
        """
        for key in keys:
            if verdict == "dropped":
                self._rooms.drop(self.code, collection, key)
                if collection == ENCODER:
                    encoder_run.take_choice_back(self._rooms, self.code, key)
                continue
            text = self._store.get(self.code, collection.name, key)
            if text is not None:
                kept = json.loads(text) | {"state": verdict, "judged_at": self._rooms.now()}
                # Another tab of the desk may drop it meanwhile.
                record = (self.code, collection.name, key)
                self._store.put(*record, json.dumps(kept), most=collection.most, needs=record[1:])
        if collection.has_upvotes:
            self._rooms.note_questions(self.code)
        self._store.wipe()

    def typed(self, question: Question) -> list[Pick]:
        """Return what was typed in a question's newest round, each once, the most frequent first.

        A question for anything else, and a teacher's own, has none.
        """
        if question.kind != "text" or question.own:
            return []
        kind = answers_kind(question.id, self._rooms.look(self.code).state(question.id).round)
        kept = self._store.all(self.code, kind).items()
        by_time = sorted(kept, key=lambda one: json.loads(one[1])["at"])
        picks = [Pick(kind=kind, key=key, text=_said(text)) for key, text in by_time]
        first = {_as_one(one.text): one for one in reversed(picks)}
        return [first[one] for one, _ in Counter(_as_one(one.text) for one in picks).most_common()]

    def picked(self) -> list[Pick]:
        """Return what is shown large, in the teacher's order; what has changed or is gone isn't."""
        kept = json.loads(self._store.get(self.code, "room", "picked") or "[]")
        found = []
        for kind, key, hashed in kept:
            text = _said(self._store.get(self.code, kind, key))
            if text and hash_of(text) == hashed:
                found.append(Pick(kind=kind, key=key, text=text))
        return found

    def pick(self, one: Pick | None) -> None:
        """Show one more large, or no longer if it is; None ends it for all.

        The room keeps a hash: what is dropped is nowhere, and no learner changes what is shown.
        """
        picked = self.picked() if one else []
        if one in picked:
            picked.remove(one)
        elif one:
            picked.append(one)
        kept = [(it.kind, it.key, hash_of(it.text)) for it in picked[:MOST_PICKED]]
        self._put("room", "picked", json.dumps(kept), MOST_LESSONS)

    def progress(self) -> dict[str, LessonProgress]:
        """Return how far the class is, by lesson."""
        by_lesson: dict[str, list[dict]] = {}
        for key, text in self._store.all(self.code, "progress").items():
            by_lesson.setdefault(key.partition("/")[2], []).append(json.loads(text))
        return {lesson: _progress(told) for lesson, told in by_lesson.items()}

    def end(self) -> None:
        """End the room now, and delete all that it has."""
        self._store.end(self.code)
        self._store.wipe()

    def _put_state(self, question: str, state: State) -> None:
        text = json.dumps({"round": state.round, "is_revealed": state.is_revealed})
        self._put("states", question, text, MOST_QUESTIONS)

    def _put(self, kind: str, key: str, value: str, most: int) -> None:
        self._store.put(self.code, kind, key, value, most=most)


def _said(record: str | None) -> str:
    """Return what a learner wrote, on one line; "" where it is gone or not let through."""
    kept = json.loads(record or "{}")
    if kept.get("state") == "waiting":
        return ""
    said = kept.get("answer") or next(iter(kept.get("said", {}).values()), "")
    return " ".join(said.split())


def open_desk(rooms: Rooms, code: str, key: str) -> Desk:
    """Return the desk of a room. Raises NoSuchRoomError for a wrong key, or no such room."""
    kept = rooms.store.get(code, "room", "key")
    if kept is None or not secrets.compare_digest(kept, hash_of(key)):
        raise NoSuchRoomError(code)
    return Desk(rooms, code)


def _tally(question: Question, round_: int, kept: list[dict], rights: tuple[str, ...]) -> Tally:
    """Count the answers of one round.

    Each is judged by what its own page computed; where that is missing, by the first of `rights`.
    A teacher's own question judges itself.
    """
    usual = rights[0] if rights else ""
    answers, as_one = [one["answer"] for one in kept], _as_one
    if question.own:
        own, as_one = read_question(question.own), str
        rights = (own_step.right_of(own),)
        n_right = sum(own_step.is_right(own, one) for one in answers)
    else:
        n_right = sum(_is_right(question, one["answer"], one.get("right", usual)) for one in kept)
    counts, numbers, n = {}, (), len(kept)
    if question.kind == "choice":
        given = Counter(answers)
        counts = {name: given[name] for name in question.options}
        n = sum(counts.values())
    elif question.kind == "number":
        numbers = tuple(sorted(_numbers(answers)))
        n = len(numbers)
    else:
        words = Counter(map(as_one, answers))
        counts = dict(words.most_common(MOST_WORDS))
        counts |= {right: words[right] for right in rights[:1] if words[right]}
    return Tally(round=round_, n=n, counts=counts, numbers=numbers, rights=rights, n_right=n_right)


def _is_right(question: Question, answer: str, right: str) -> bool:
    if question.kind == "number":
        number, true = (next(_numbers([text]), math.nan) for text in (answer, right))
        return abs(number - true) <= NEAR
    if question.kind == "text":
        return _as_one(answer) == _as_one(right)
    return answer == right and answer in question.options


def _as_one(word: str) -> str:
    """Return a typed word as it is counted with others, by capitals and blanks."""
    return " ".join(word.split()).casefold()


def _numbers(answers: list[str]) -> Iterator[float]:
    for answer in answers:
        try:
            number = float(answer)
        except ValueError:
            continue
        if abs(number) < 1e12:  # which NaN isn't, either
            yield number


def _progress(told: list[dict]) -> LessonProgress:
    opened: Counter[str] = Counter()
    by_state: dict[str, Counter[str]] = {"solved": Counter(), "stuck": Counter()}
    wrong: dict[str, Counter[str]] = {}
    for one in told:
        opened.update(one.get("opened", ()))
        for exercise, (state, answer) in one.get("exercises", {}).items():
            if state in by_state:
                by_state[state][exercise] += 1
            if answer:
                wrong.setdefault(exercise, Counter())[answer] += 1
    return LessonProgress(
        opened=opened,
        **by_state,
        wrong={exercise: tuple(counts.most_common(3)) for exercise, counts in wrong.items()},
    )
