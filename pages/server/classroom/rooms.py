"""A class in one room: what a learner's page asks of it and tells it.

A room has a code, which learners come by, and a key, which opens the desk (desk.py). Kept
are the room, random visit ids, questions, answers and times; no names, no addresses. The records
by their kinds, all JSON:

    room                     what holds for all: the key's hash, settings, the offered view,
                             and of what is shown large the kind, the key and a hash
    visits                   visit -> when it was last seen; of those who left, some make way
    questions                question -> what was asked (Question), and whose answer was the first
    states                   question -> the round, and whether it is revealed
    answers/ROUND/QUESTION   visit -> its newest answer, and the right one once its page showed it
    progress                 visit/lesson -> parts opened, exercises tried and solved
    sentences                visit/random -> what was sent in, and whether the teacher let it
                             through; each Collection has such a kind
    upvotes                  visit/key of a learner's question -> "": this visit wants it answered
    encoder_...              the class's encoder: encoder_run.py
    labelling                asked: texts and classes that learners label (room/our_labels.py)
    own                      now: the teacher's own text or question that is on (own_step.py)
    study_...                seats of a study, and who stopped (study_seats.py)

Read before this: store.py.
"""

import hashlib
import json
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

from pages.server.classroom.store import NoSuchRoomError, RoomStore

# No vowel makes a word, and none of these is taken for another or for a digit.
LETTERS, CODE_LENGTH = "BCDFGHJKMNPRSTVWXZ", 8
VISIT = re.compile(r"[0-9a-f]{32}", re.ASCII)
LIVES_SECONDS = 3 * 3600  # after the last visitor
SURE_SECONDS = 120.0  # between two looks that find a room old: a clock may have jumped ahead
HERE_SECONDS = 90.0  # since a page of a visit was last seen: phones sleep, tabs lie behind others
GONE_SECONDS = 1800.0  # since then: where no place is free, also what has answers makes way
MOST_ROOMS, MOST_VISITS, MOST_QUESTIONS, MOST_ROUNDS = 200, 300, 200, 5
MOST_LESSONS = 20  # of one visit in the map of progress
MOST_UPVOTES = 20  # of one visit
LONGEST_ANSWER, LONGEST_QUESTION = 200, 200  # characters
LONGEST_PROGRESS = 8_000  # characters of a lesson's JSON
# In a minute. No bound on the wrong codes of all visits: whoever guesses would lock out a class.
# There are 18^8 = 11 thousand million codes. Each guess needs a page or a part drawn, and each
# five a new visit, of which an address has four a second (door.py): 1,200 guesses a minute, which
# find one of ten rooms in 21 months, half of the time. Without that bound, from ever new addresses,
# a process draws 100 pages a second at most: 127 days of all that it can do.
MOST_OPENED, MOST_OPENED_EACH, MOST_ANSWERS, MOST_WRONG_EACH = 60, 5, 120, 5
MINUTE = 60.0

Kind = Literal["choice", "number", "text", "labels"]


class RoomRefusedError(ValueError):
    """What a room doesn't take; the sentence says why and what to do."""


@dataclass(frozen=True, kw_only=True)
class Collection:
    """What learners may send in for one purpose, once the teacher opens it, and its limits."""

    name: str
    fields: Mapping[str, int]  # of one contribution, each with its most characters
    most_each: int  # contributions of one visit
    most: int = 300
    has_upvotes: bool = False  # of other learners, where it was let through


SENTENCES = Collection(name="sentences", fields={"sentence": 300}, most_each=5)
ENCODER = Collection(name="encoder", fields={"sentence": 120}, most_each=5)  # what it learns from
MAP = Collection(name="map", fields={"sentence": 300, "sense": 30}, most_each=3)
LEARNER_QUESTIONS = Collection(
    name="learner_questions", fields={"question": 200}, most_each=5, most=200, has_upvotes=True
)
COLLECTIONS = (SENTENCES, ENCODER, MAP, LEARNER_QUESTIONS)
UPVOTES, STUDY, STOPPED = "upvotes", "study", "study_stopped"


@dataclass(frozen=True, kw_only=True)
class Sent:
    """One contribution that a learner sent in."""

    key: str
    said: Mapping[str, str]  # by the collection's fields
    state: Literal["waiting", "accepted", "answered"]
    at: float  # when it was sent
    judged_at: float = 0.0  # when the teacher let it through
    upvotes: frozenset[str] = frozenset()  # the visits that gave one

    @property
    def visit(self) -> str:
        """Return whose it is."""
        return self.key.partition("/")[0]


@dataclass(frozen=True, kw_only=True)
class Question:
    """What was asked, so that the desk can say it in the teacher's language."""

    id: str  # the same for all who see the same question
    kind: Kind
    lesson: str  # its words have the label
    label: str
    values: Mapping[str, str | int | float] = field(default_factory=dict)  # filled into the label
    options: Mapping[str, str] = field(default_factory=dict)  # of a choice: names and their texts
    own: Mapping[str, object] = field(default_factory=dict)  # a teacher's, as JSON: own_step.py


@dataclass(frozen=True, kw_only=True)
class State:
    """How a question stands."""

    round: int = 1  # 2 is the vote after talking
    is_revealed: bool = False  # answers of this round are in, and every learner may see the truth


@dataclass(frozen=True, kw_only=True)
class Offer:
    """The teacher's view, offered to all."""

    number: int  # counts up, so that a page can tell a new one
    link: str  # without the app's address


@dataclass(frozen=True, kw_only=True)
class RoomNow:
    """A room as a page needs it."""

    code: str
    waits: bool  # answers stay closed until the teacher reveals them
    asks_after: bool  # the concept test is asked for the second time
    takes: frozenset[str]  # names of the collections that are open
    has_taken: frozenset[str]  # and of those that ever were
    themes: Mapping[str, str]  # by the name of a collection, what the teacher asks for
    encoder_seed: int | None  # of the class's encoder; None: it isn't trained yet
    encoder_blank: str  # the teacher's sentence with a blank for the class, or ""
    encoder_choices: Mapping[str, str]  # by random names, sentences that the class votes on instead
    offer: Offer | None
    own: str  # id of the teacher's own text or question that is on, or ""
    questions_changed: str  # random, another one after each change of learners' shown questions
    states: Mapping[str, State]

    def state(self, question: str) -> State:
        """Return how a question stands, which may be new."""
        return self.states.get(question, State())

    def is_closed(self, question: Question) -> bool:
        """Return whether a learner may not see the true answer yet.

        A teacher's own question is closed until it is revealed, whether or not the others are.
        """
        return (self.waits or bool(question.own)) and not self.state(question.id).is_revealed


class Rooms:
    """All rooms of a store."""

    def __init__(
        self,
        store: RoomStore,
        *,
        now: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take a store, and two clocks in seconds: one may be set anew, the steady one not."""
        self.store, self.now, self._steady = store, now, steady
        # Rooms that looked left, by code and when they were last seen: when that was found first.
        self._found_left: dict[tuple[str, float], float] = {}

    def open(self, by: str) -> tuple[str, str]:
        """Open a room for the session `by`; return its code and the key of its desk.

        The key has 128 random bits, and only its hash is kept. Raises RoomRefusedError if too
        many rooms are open, or were opened in the last minute.
        """
        if (
            self.store.count(f"opened-by-{hash_of(by)}", MINUTE) > MOST_OPENED_EACH
            or self.store.count("opened", MINUTE) > MOST_OPENED
        ):
            raise RoomRefusedError("too many rooms were opened just now: try again in a minute")
        self.end_old_rooms(room_for_one_more=True)
        for _ in range(5):  # a code may be taken
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
            if self.store.create(code, self.now(), most=MOST_ROOMS):
                key = secrets.token_hex(16)
                self.store.put(code, "room", "key", hash_of(key), most=MOST_LESSONS)
                self.store.touch(code, self.now(), LIVES_SECONDS)
                return code, key
        raise RoomRefusedError("too many rooms are open on this server: try again later")

    def join(self, code: str, by: str, visit: str = "") -> str:
        """Enter a room from the session `by`; return the visit's random id.

        A `visit` that came before stays the same. Raises RoomRefusedError for a code that is
        none, after too many wrong codes of this session, and if the room is full.
        """
        wrong = f"wrong-by-{hash_of(by)}"
        # A right code is refused then, too: guessing on would find one.
        if self.store.count(wrong, MINUTE, 0) >= MOST_WRONG_EACH:
            raise RoomRefusedError("too many wrong codes: wait a minute, then try again")
        if self.store.get(code, "room", "key") is None:
            self.store.count(wrong, MINUTE)
            raise RoomRefusedError(
                "there is no room with this code, or it has ended: check its eight letters,"
                " or ask your teacher"
            )
        visit = visit if VISIT.fullmatch(visit) else secrets.token_hex(16)
        self.see(code, visit)
        return visit

    def see(self, code: str, visit: str) -> None:
        """Note that a visit is here. Raises NoSuchRoomError, RoomRefusedError if it is full.

        In a full room one who left makes way, with its answers and what of it waits at the desk.
        """
        now = self.now()
        if self.has_stopped(code, visit):
            return  # another tab of a learner who left a study
        record = (code, "visits", visit, f"{now:.1f}")
        if not self.store.put(*record, most=MOST_VISITS):
            gone = self._longest_gone(code)
            if gone:
                self.forget(code, gone)
            if not gone or not self.store.put(*record, most=MOST_VISITS):
                raise RoomRefusedError(f"this room is full: it takes {MOST_VISITS} learners")
        self.store.touch(code, now, LIVES_SECONDS)

    def has_stopped(self, code: str, visit: str) -> bool:
        """Return whether a visit stopped taking part in a study: nothing of it is kept then."""
        return self.store.get(code, STOPPED, visit) is not None

    def _longest_gone(self, code: str) -> str | None:
        """Return the visit that left first of those without an answer or a sentence.

        Without one of these it is the first that left, if that is GONE_SECONDS ago; or None.
        """
        visits = {name: float(seen) for name, seen in self.store.all(code, "visits").items()}
        left = {name: seen for name, seen in visits.items() if not self.is_here(seen)}
        idle = left.keys() - self._active(code) if left else set()
        idle = idle or {name for name, seen in left.items() if self._is_gone(seen)}
        return min(idle, key=left.__getitem__, default=None)

    def _active(self, code: str) -> set[str]:
        """Return the visits that have answered, or sent something."""
        kinds = [*self._answers_kinds(code), *(one.name for one in COLLECTIONS), UPVOTES]
        return {key.partition("/")[0] for kind in kinds for key in self.store.all(code, kind)}

    def _answers_kinds(self, code: str) -> list[str]:
        rounds = range(1, MOST_ROUNDS + 1)
        return [answers_kind(one, n) for one in self.store.all(code, "questions") for n in rounds]

    def forget(self, code: str, visit: str) -> None:
        """Delete a visit, and what it left but for what the teacher let through."""
        of_encoder = ("encoder_blanks", "encoder_told")  # encoder_run.py
        for kind in ("visits", STUDY, *of_encoder, *self._answers_kinds(code)):
            if self.store.get(code, kind, visit) is not None:
                self.store.drop(code, kind, visit)
        for kind in ("progress", UPVOTES):
            for key in self.store.all(code, kind):
                if key.partition("/")[0] == visit:
                    self.store.drop(code, kind, key)
        for collection in COLLECTIONS:
            for one in self.sent(code, collection, visit):
                if one.state == "waiting":
                    self.store.drop(code, collection.name, one.key)

    def _is_gone(self, seen: float) -> bool:
        return self.now() - seen > GONE_SECONDS

    def is_here(self, seen: float) -> bool:
        """Return whether a visit that was seen then is here; a clock may have been put back."""
        return abs(self.now() - seen) < HERE_SECONDS

    def look(self, code: str) -> RoomNow:
        """Return a room as it is now. Raises NoSuchRoomError."""
        room = self.store.all(code, "room")
        if "key" not in room:
            raise NoSuchRoomError(code)
        states = self.store.all(code, "states")
        return RoomNow(
            code=code,
            waits=room.get("waits") == "yes",
            asks_after=room.get("asks_after") == "yes",
            takes=frozenset(
                one.name for one in COLLECTIONS if room.get(f"takes_{one.name}") == "yes"
            ),
            has_taken=frozenset(one.name for one in COLLECTIONS if f"takes_{one.name}" in room),
            themes={one.name: room.get(f"theme_{one.name}", "") for one in COLLECTIONS},
            encoder_seed=int(room["encoder_seed"]) if room.get("encoder_seed") else None,
            encoder_blank=room.get("encoder_blank", ""),
            encoder_choices=json.loads(room.get("encoder_choices", "{}")),
            offer=Offer(**json.loads(room["offer"])) if room.get("offer") else None,
            own=room.get("own", ""),
            questions_changed=room.get("questions_changed", ""),
            states={name: State(**json.loads(text)) for name, text in states.items()},
        )

    def answer(self, code: str, visit: str, question: Question, round_: int, answer: str) -> bool:
        """Keep a visit's answer in place of its earlier one in this round.

        The first answer brings the question into the room. Returns False if it doesn't count: the
        round is over, or the teacher has acted on as many questions as a room takes. Raises
        NoSuchRoomError, and RoomRefusedError after too many answers in a minute.
        """
        self.may_send(code, visit)
        state = _read_state(self.store.get(code, "states", question.id))
        if state.round != round_ or state.is_revealed:
            return False
        text = json.dumps({"answer": answer[:LONGEST_ANSWER], "at": self.now()})
        record = (code, answers_kind(question.id, round_), visit, text)
        needs = ("questions", question.id)
        if self.store.put(*record, most=MOST_VISITS, needs=needs):
            return True
        self.bring(code, visit, question)
        return self.store.put(*record, most=MOST_VISITS, needs=needs)

    def has(self, code: str, question: str) -> bool:
        """Return whether a question is on the desk: somebody answered it."""
        return self.store.get(code, "questions", question) is not None

    def own_answer(self, code: str, visit: str, question: str, round_: int) -> str | None:
        """Return a visit's answer of a round; None if it gave none."""
        text = self.store.get(code, answers_kind(question, round_), visit)
        return None if text is None else json.loads(text)["answer"]

    def answers(self, code: str, question: str) -> dict[str, str]:
        """Return the answers of a question's first round by the visit, a random id."""
        kept = self.store.all(code, answers_kind(question, 1))
        return {visit: json.loads(text)["answer"] for visit, text in kept.items()}

    def tell_right(self, code: str, visit: str, question: str, round_: int, right: str) -> None:
        """Keep, beside a visit's answer, the right one that its page computed."""
        kind = answers_kind(question, round_)
        kept = self.store.get(code, kind, visit)
        if kept is not None:
            text = json.dumps(json.loads(kept) | {"right": right[:LONGEST_ANSWER]})
            self.store.put(code, kind, visit, text, most=MOST_VISITS)

    def tell_progress(self, code: str, visit: str, lesson: str, progress: Mapping) -> None:
        """Keep how far a visit is with a lesson, in place of what it told before."""
        text = json.dumps(progress)
        if len(text) <= LONGEST_PROGRESS and not self.has_stopped(code, visit):
            most = MOST_LESSONS * MOST_VISITS
            self.store.put(code, "progress", f"{visit}/{lesson}", text, most=most)

    def send(self, code: str, visit: str, collection: Collection, said: Mapping[str, str]) -> None:
        """Put a contribution into the teacher's queue; texts that are too long are cut.

        Raises NoSuchRoomError, and RoomRefusedError if it is empty, no more are taken, or the
        teacher takes none: once its training has begun, the encoder takes none, too.
        """
        self.may_send(code, visit)
        room = self.look(code)
        has_begun = collection.name == ENCODER.name and room.encoder_seed is not None
        if collection.name not in room.takes or has_begun:
            raise RoomRefusedError(
                "nothing was sent: your teacher takes no sentences or questions now"
            )
        kept = {name: on_one_line(said[name], most) for name, most in collection.fields.items()}
        if not all(any(map(str.isalnum, text)) for text in kept.values()):
            raise RoomRefusedError("nothing was sent: write some words first")
        text = json.dumps({"said": kept, "state": "waiting", "at": self.now()})
        record = (code, collection.name, f"{visit}/{secrets.token_hex(4)}", text)
        # By the store, and not looked up: several tabs of a visit send at the same moment.
        most, most_each = collection.most, collection.most_each
        is_in = self.store.put(*record, most=most, most_each=most_each)
        if not is_in and self._one_makes_way(code, collection, visit):
            is_in = self.store.put(*record, most=most, most_each=most_each)
        if not is_in:
            raise RoomRefusedError("no more are taken here: the earlier ones are kept")

    def _one_makes_way(self, code: str, collection: Collection, visit: str) -> bool:
        """Drop what waits longest of those who are gone, if not the visit's own are too many."""
        sent, seen = self.sent(code, collection), self.store.all(code, "visits")
        n_own = sum(one.visit == visit for one in sent)
        if len(sent) < collection.most or n_own >= collection.most_each:
            return False
        for one in sent:
            if one.state == "waiting" and self._is_gone(float(seen.get(one.visit, 0))):
                return self.store.drop(code, collection.name, one.key)
        return False

    def sent(self, code: str, collection: Collection, visit: str = "") -> list[Sent]:
        """Return what was sent in, by all or by one visit, waiting or let through.

        The oldest is first; where there are upvotes, what has most, and what is answered last.
        """
        kept, upvotes = self.store.all(code, collection.name), dict[str, set[str]]()
        for record in self.store.all(code, UPVOTES) if collection.has_upvotes else ():
            voter, _, key = record.partition("/")
            upvotes.setdefault(key, set()).add(voter)
        sent = [
            Sent(key=key, **json.loads(text), upvotes=frozenset(upvotes.get(key, ())))
            for key, text in kept.items()
            if key.startswith(visit)
        ]
        return sorted(
            sent, key=lambda one: (one.state == "answered", -len(one.upvotes), one.at, one.key)
        )

    def accepted(self, code: str, collection: Collection) -> list[Sent]:
        """Return what the teacher let through, the oldest first."""
        return [one for one in self.sent(code, collection) if one.state == "accepted"]

    def upvote(self, code: str, visit: str, key: str) -> None:
        """Keep a visit's upvote for a learner's question, or take it back if there is one.

        Raises RoomRefusedError after too many, all together or in a minute.
        """
        self.may_send(code, visit)
        record = (code, UPVOTES, f"{visit}/{key}")
        if not self.store.drop(*record):
            needs, most = (LEARNER_QUESTIONS.name, key), MOST_UPVOTES * MOST_VISITS
            is_in = self.store.put(*record, "", most=most, most_each=MOST_UPVOTES, needs=needs)
            if not is_in and self.store.get(code, *needs) is not None:  # the teacher dropped none
                raise RoomRefusedError("no more are taken here: the earlier ones are kept")
        self.note_questions(code)

    def note_questions(self, code: str) -> None:
        """Let pages know that learners' questions, or their upvotes, have changed."""
        changed = secrets.token_hex(4)
        self.store.put(code, "room", "questions_changed", changed, most=MOST_LESSONS)

    def drop(self, code: str, collection: Collection, key: str) -> None:
        """Delete a contribution with its upvotes; another tab may have done so."""
        self.store.drop(code, collection.name, key)
        for record in self.store.all(code, UPVOTES) if collection.has_upvotes else ():
            if record.partition("/")[2] == key:
                self.store.drop(code, UPVOTES, record)

    def end_old_rooms(self, *, room_for_one_more: bool = False) -> None:
        """End the rooms that nobody has visited for three hours, at two looks one after the other.

        Where one more must fit and all places are taken, one more room ends (_makes_way).
        """
        self.store.count("looks", MINUTE)  # which forgets all counts that are over
        rooms, now, steady = self.store.rooms(), self.now(), self._steady()
        self._found_left = {
            (code, seen): self._found_left.get((code, seen), steady)
            for code, seen in rooms.items()
            if self._is_gone(seen)
        }
        found = self._found_left.items()
        left = {code: seen for (code, seen), first in found if steady - first >= SURE_SECONDS}
        old = [code for code, seen in left.items() if now - seen > LIVES_SECONDS]
        if room_for_one_more and len(rooms) - len(old) >= MOST_ROOMS:
            old += self._makes_way(rooms, left)
        for code in old:
            self.store.end(code)
        self.store.wipe()

    def _makes_way(self, rooms: Mapping[str, float], left: Mapping[str, float]) -> list[str]:
        """Return the room that makes way, of these by when they were seen; none if all are in use.

        It is the one seen longest ago of those that no learner has entered; or else of those that
        surely were `left`.
        """
        by_time = sorted(rooms, key=rooms.__getitem__)
        empty = (code for code in by_time if not self.store.all(code, "visits"))
        found = next(empty, None) or min(left, key=left.__getitem__, default=None)
        return [found] if found else []

    def bring(self, code: str, visit: str, question: Question) -> None:
        """Take a question into the room, if it is new; another makes way where it is full."""
        if len(question.id) > LONGEST_QUESTION:
            raise RoomRefusedError(f"a question's id has at most {LONGEST_QUESTION} characters")
        if self.has(code, question.id):
            return
        text = json.dumps({"at": self.now(), "by": visit, **asdict(question)})
        record = (code, "questions", question.id, text)
        is_in = self.store.put(*record, most=MOST_QUESTIONS)
        for _ in range(5):  # another process may take the place
            if is_in:
                return
            self._make_way(code, visit)
            is_in = self.store.put(*record, most=MOST_QUESTIONS)

    def _make_way(self, code: str, visit: str) -> None:
        """Drop a question for one that `visit` brings.

        It is one of the visit that brought most, with the fewest answers, the oldest of these: so
        a visit that answers ever new questions loses its own. What the teacher revealed or let be
        voted on again stays.
        """
        kept = {name: json.loads(one) for name, one in self.store.all(code, "questions").items()}
        if len(kept) < MOST_QUESTIONS:
            return  # another process has made way
        for name in self.store.all(code, "states"):
            kept.pop(name, None)
        n_brought = Counter([visit, *(one["by"] for one in kept.values())])
        most = max(n_brought.values())
        n_answers = {
            name: len(self.store.all(code, answers_kind(name, 1)))
            for name, one in kept.items()
            if n_brought[one["by"]] == most
        }
        if n_answers:
            least = min(n_answers, key=lambda name: (n_answers[name], kept[name]["at"]))
            self.store.drop(code, "questions", least, with_kind=answers_kind(least, 1))

    def may_send(self, code: str, visit: str) -> None:
        """Count what a visit sends.

        Raises RoomRefusedError after too much in a minute, and where it stopped taking part.
        """
        if self.has_stopped(code, visit):
            raise RoomRefusedError("nothing was sent: you stopped taking part in this room's study")
        if self.store.count(f"sent-by-{hash_of(visit)}", MINUTE) > MOST_ANSWERS:
            raise RoomRefusedError("too many answers in one minute: wait a little")


def read_code(typed: str) -> str:
    """Return a code as it is kept, from what somebody typed; "" if it is none.

    >>> read_code(" bcdf-ghjk "), read_code("hello")
    ('BCDFGHJK', '')
    """
    letters = re.sub(r"[\s-]", "", typed[:40]).upper()
    is_code = len(letters) == CODE_LENGTH and set(letters) <= set(LETTERS)
    return letters if is_code else ""


def on_one_line(typed: str, most: int) -> str:
    """Return the beginning of what somebody typed, at most so many characters."""
    return " ".join(typed.split())[:most]


def hash_of(random: str) -> str:
    """Return what is kept of a desk's key, or of an id whose tries are counted.

    They are random, so no slow hash is needed.
    """
    return hashlib.sha256(random.encode()).hexdigest()


def answers_kind(question: str, round_: int) -> str:
    """Return the kind of the records that have a question's answers of one round."""
    return f"answers/{round_}/{question}"


def _read_state(text: str | None) -> State:
    return State() if text is None else State(**json.loads(text))
