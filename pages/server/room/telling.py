"""What a learner's page tells the room: a guess, progress, answers to the concept test."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import streamlit as st

from pages.server import session
from pages.server.classroom import encoder_run
from pages.server.classroom.rooms import Collection, Question, RoomRefusedError, Rooms
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.concept_items import ITEMS, Item
from pages.server.course.core_messages import translated
from pages.server.course.lessons import CONCEPT_TEST
from pages.server.course.words import as_text, read_words
from pages.server.record.exercise_progress import Progress, Record, progress_in
from pages.server.record.session_record import opened_parts
from pages.server.room import desk, membership, study
from pages.server.room.server_rooms import asked, server_rooms


@dataclass
class Directors:
    """A director's own answers."""

    by_question: dict[str, tuple[int, str]] = field(default_factory=dict)  # round, answer


@dataclass(frozen=True, kw_only=True)
class Vote:
    """One question in the room that this visit is in, or directs."""

    question: Question
    round: int
    is_closed: bool
    is_revealed: bool

    def key(self, key: str) -> str:
        """Return the key of a widget for this round: a second vote begins empty."""
        return key if self.round == 1 else f"{key}_{self.round}"


def begin(question: Question) -> Vote | None:
    """Return how a question stands in this visit's room; None outside of a room.

    Also None in a study, but for the teacher's own question, whose answer a learner sends.
    """
    room = membership.look() or desk.look()
    if room is None or (not question.own and study.sends_test_alone()):
        return None
    membership.follow("votes")
    state = room.state(question.id)
    if state.round > 1 and not state.is_revealed:
        st.caption(read_words("room").section("vote_again"))
    return Vote(
        question=question,
        round=state.round,
        is_closed=room.is_closed(question),
        is_revealed=state.is_revealed,
    )


def awaits(vote: Vote | None) -> bool:
    """Return whether the class votes again, and this visit has not."""
    mine = membership.current()
    if vote is None or mine is None or vote.is_revealed:
        return False
    return vote.round > 1 and _name(vote) not in mine.sent


def is_left_over(vote: Vote | None, answer: str) -> bool:
    """Return whether an answer stands in its field since another vote; offer to send it again.

    A field that a learner types into or moves isn't emptied for a second vote, nor for another
    sentence.
    """
    mine = membership.current()
    if vote is None or vote.is_revealed:
        return False
    if mine is None:
        return _is_directors_of_before(vote, answer)
    if _name(vote) in mine.sent:
        return False
    asked, last = mine.last.get(_field(vote), (vote.question.id, ""))
    is_of_another = asked != vote.question.id and last == answer
    if not is_of_another and (
        vote.round == 1 or _own_answer(mine, vote.question, vote.round - 1) != answer
    ):
        return False
    words = read_words("room")
    st.info(words.section("left_over"), icon=":material/how_to_vote:")
    st.button(
        words.label("same_again"),
        on_click=_send,
        args=(vote, answer),
        icon=":material/check:",
        key="room_same_again",
    )
    return True


def _is_directors_of_before(vote: Vote, answer: str) -> bool:
    kept = session.of(Directors).by_question
    if kept.get(vote.question.id, (0, None))[1] != answer:
        kept[vote.question.id] = vote.round, answer
    return kept[vote.question.id][0] < vote.round


def is_open(vote: Vote | None, answer: str) -> bool:
    """Tell the room this visit's answer; return whether the learner may see the true one.

    Until then the page says what it waits for.
    """
    mine = membership.current()
    if vote is None or mine is None:
        return True
    # Only what is on the desk can be revealed, and a question may have made way for others.
    is_known = vote.is_closed and _tell(lambda rooms, mine: rooms.has(mine.code, vote.question.id))
    if vote.is_closed and not is_known:
        mine.sent.pop(_name(vote), None)
    if not vote.is_revealed and mine.sent.get(_name(vote)) != answer:
        _send(vote, answer)
    is_known = is_known or _name(vote) in mine.sent
    # Where the room has ended or can't be reached, the lesson goes on as it is alone.
    if vote.is_closed and is_known and membership.is_reached():
        st.info(read_words("room").section("closed"), icon=":material/hourglass_top:")
        return False
    mine.shown[_field(vote)] = vote.question.id, vote.round
    return True


def answered(vote: Vote) -> str | None:
    """Return what this visit answered in this round, also before its page was reloaded."""
    mine = membership.current()
    if mine is None:
        return None
    return mine.sent.get(_name(vote)) or _own_answer(mine, vote.question, vote.round)


def tell_choice(question: Question, answer: str) -> None:
    """Tell the room a vote on what has no right answer, if it is new."""
    vote = Vote(question=question, round=1, is_closed=False, is_revealed=False)
    mine = membership.current()
    if mine is not None and mine.sent.get(_name(vote)) != answer:
        _send(vote, answer)


def told_choice(question: Question) -> str | None:
    """Return what this visit voted, also before its page was reloaded; None without a vote."""
    mine = membership.current()
    return None if mine is None else _own_answer(mine, question, 1)


def tell_right(lesson: str, label: str, right: str) -> None:
    """Tell the room what is right, as this visit's page computed it for its shown answer."""
    mine = membership.current()
    vote = mine.shown.get((lesson, label)) if mine else None
    if mine is None or vote is None:
        return
    name = f"{vote[1]}/{vote[0]}"
    told = mine.sent.get(name, ""), right
    if mine.right.get(name) != told and _tell(
        lambda rooms, mine: rooms.tell_right(mine.code, mine.visit, *vote, right)
    ):
        mine.right[name] = told


def note_wrong(slug: str, exercise: str, answer: str) -> None:
    """Remember a wrong answer to an exercise, for the room to count."""
    mine = membership.current()
    if mine is not None:
        mine.wrong.setdefault(slug, {})[exercise] = answer[:100]


def tell_progress(slug: str) -> None:
    """Tell the room how far this visit is with a lesson, if anything is new."""
    mine = membership.current()
    if mine is None or study.sends_test_alone():
        return
    progress = progress_in(slug)
    wrong = mine.wrong.get(slug, {})
    states = _states(progress) if progress else {}
    told = {
        "opened": opened_parts(slug),
        "exercises": {name: (state, wrong.get(name, "")) for name, state in states.items()},
    }
    text = json.dumps(told)
    if mine.told.get(slug) != text:
        mine.told[slug] = text
        _tell(lambda rooms, mine: rooms.tell_progress(mine.code, mine.visit, slug, told))


def send(collection: Collection, said: Mapping[str, str]) -> bool:
    """Put a contribution into the teacher's queue; return whether it is there."""
    return _tell(lambda rooms, mine: rooms.send(mine.code, mine.visit, collection, said))


def upvote(key: str) -> None:
    """Give a learner's question this visit's upvote, or take it back."""
    _tell(lambda rooms, mine: rooms.upvote(mine.code, mine.visit, key))


def choose_blank(sentence: str) -> bool:
    """Take a sentence with a blank that the class's encoder fills for this visit alone."""
    return _tell(
        lambda rooms, mine: encoder_run.choose_own_blank(rooms, mine.code, mine.visit, sentence)
    )


def tell_concept_answers(kept: Mapping[str, dict[str, str]]) -> None:
    """Tell the room the answers to the concept test that were handed in, by sitting; each once."""
    mine = membership.current()
    if mine is None or not study.may_have_answers(mine.code):
        return
    for when, answers in kept.items():
        for name, answer in answers.items():
            vote = Vote(
                question=concept_question(ITEMS[name], when),
                round=1,
                is_closed=False,
                is_revealed=False,
            )
            # Who deleted their answers, or opened another tab, may have seen the right ones.
            if _name(vote) in mine.sent:
                continue
            told = _own_answer(mine, vote.question, 1)
            if told is None:
                _send(vote, answer)
            else:
                mine.sent[_name(vote)] = told
                if study.is_in():  # the files of its rooms may not contradict each other
                    answers[name] = told


def concept_question(item: Item, when: str) -> Question:
    """Return a question of the concept test as a room keeps it."""
    return Question(
        id=f"concept_test_{when}_{item.name}",
        kind="choice",
        lesson=CONCEPT_TEST.slug,
        label=item.name,
        options=dict.fromkeys(item.options(), ""),
    )


def _name(vote: Vote) -> str:
    return f"{vote.round}/{vote.question.id}"


def _field(vote: Vote) -> tuple[str, str]:
    return vote.question.lesson, vote.question.label


def _send(vote: Vote, answer: str) -> None:
    about, mine = (vote.question, vote.round, answer), membership.current()
    if mine is not None:
        mine.last[_field(vote)] = vote.question.id, answer
    is_taken = _tell(lambda rooms, mine: rooms.answer(mine.code, mine.visit, *about))
    if is_taken and mine is not None:
        mine.sent[_name(vote)] = answer


def _own_answer(mine: membership.Membership, question: Question, round_: int) -> str | None:
    """Return what this visit answered in a round, also before its page was reloaded."""
    return asked(lambda rooms: rooms.own_answer(mine.code, mine.visit, question.id, round_))


def _states(progress: Progress) -> dict[str, str]:
    states = {name: _state(one) for name, one in progress.records.items()}
    return {name: state for name, state in states.items() if state} | dict.fromkeys(
        progress.solved, "solved"
    )


def _state(record: Record) -> str:
    if record.n_hints or record.is_shown:
        return "stuck"
    return "tried" if record.is_begun else ""


def _tell(say: Callable[[Rooms, membership.Membership], object]) -> bool:
    """Tell the room something; return whether it took it, which `say` denies by False.

    What goes wrong is said on the page, and the lesson goes on.
    """
    mine = membership.current()
    if mine is None:
        return False
    try:
        with server_rooms() as rooms:
            return say(rooms, mine) is not False
    except NoSuchRoomError:
        membership.look()  # which notes that it has ended
    except StoreGoneError:
        session.of(membership.InRoom).news = membership.GONE
    except RoomRefusedError as error:
        st.toast(as_text(translated(str(error))), icon=":material/block:")
    return False
