"""A visit in a study: it agrees or not, gets a seat, and answers in the study's room.

    arrive()        takes a study's link up, before a room's
    agree()         enters the room and draws a seat
    decline()       the course is open, and nothing of the visit is counted

Nothing reaches the room before the learner agrees: not even that somebody came.
"""

from dataclasses import replace
from random import SystemRandom
from secrets import token_hex

import streamlit as st

from mlm_core.evaluation.learning_gain import SITTINGS, WHEN
from pages.server import session
from pages.server.classroom import study_seats
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.concept_items import HALVES, ORDERS
from pages.server.link import link_values, locks, whole_page
from pages.server.link.controls import FIGURES
from pages.server.record.learners_record import InStudy
from pages.server.record.session_record import Done, answer_key, concept_answers
from pages.server.record.study_link import GROUPS, IN_LINK, Study, is_of_one_study, read_study
from pages.server.room import membership
from pages.server.room.server_rooms import asked, server_rooms


def arrive() -> None:
    """Take up a study's link; a seat that the visit has stays.

    It leaves the address once it is answered, so that a copied address asks nobody else.
    """
    text = st.query_params.get(IN_LINK)
    done = session.of(Done)
    if text is not None and (done.study is None or done.study.link != text):
        try:
            new = read_study(text)
        except ValueError:
            link_values.say_impossible(IN_LINK, text)
        else:
            asked_for, before = link(), done.study or InStudy(link=text)
            is_same = asked_for is None or is_of_one_study(asked_for, new)
            kept = before if is_same else InStudy(link=text)
            done.study = replace(kept, link=text, agreed=None)
    if text is not None and (done.study is None or done.study.agreed is not None):
        del st.query_params[IN_LINK]
    locks.show_words_alone(has_words_alone() or locks.has_words_alone())


def mine() -> InStudy | None:
    """Return what the visit said to a study's link; None without one."""
    return session.of(Done).study


def link() -> Study | None:
    """Return the study whose link this visit opened."""
    kept = mine()
    return None if kept is None else read_study(kept.link)


def is_in() -> bool:
    """Return whether the visit takes part and has a seat."""
    kept = mine()
    return kept is not None and kept.agreed is True and bool(kept.group)


def may_have_answers(code: str) -> bool:
    """Return whether a room may have the visit's answers to the test: while in a study, its own."""
    asked_for = link()
    return asked_for is None or is_in() == (code == asked_for.room)


def sends_test_alone() -> bool:
    """Return whether the room gets no guesses and no progress: the visit has, or had, a seat."""
    room = membership.current()
    if room is None:
        return False
    code, visit = room.code, room.visit
    return asked(lambda rooms: study_seats.had_seat(rooms, code, visit)) is True


def is_outside() -> bool:
    """Return whether the visit takes part, has not finished, and isn't in the study's room."""
    asked_for = link()
    return (
        asked_for is not None
        and is_in()
        and not is_done()
        and not membership.is_member(asked_for.room)
    )


def has_words_alone() -> bool:
    """Return whether the visit is in the group that reads without figures, until it is done."""
    kept = mine()
    return is_in() and kept is not None and kept.group == GROUPS[1] and not is_done()


def is_done() -> bool:
    """Return whether the visit has handed in all sittings of its link."""
    study = link()
    kept = concept_answers()
    return study is not None and all(HALVES[study.half][0].name in kept[one] for one in sittings())


def order() -> str:
    """Return the order of the forms of this visit."""
    kept = mine()
    return (kept.order if kept else "") or ORDERS[0]


def sittings() -> tuple[str, ...]:
    """Return when this visit is asked."""
    asked_for = link()
    return asked_for.sittings if asked_for and is_in() else WHEN


def tells_answers() -> bool:
    """Return whether the visit sees the right answers once it has handed in all."""
    asked_for = link()
    return asked_for is None or not is_in() or asked_for.tells_answers


def agree() -> bool:
    """Take part: enter the room, and sit where chance says, or where an earlier sitting did.

    Returns whether answers to the test were set aside: they were given before a seat was drawn.
    What stands in the way is said on the page, which asks again.
    """
    kept, study = mine(), link()
    if kept is None or study is None or (room := _enter(study, kept)) is None:
        return False
    visits = {**kept.visits, room.visit: room.code}
    _answer(replace(kept, agreed=True, visits=visits))
    is_new = study.sitting == SITTINGS[0] and kept.group not in study.groups
    is_set_aside = is_new and _draw(study) and forget_answers(study.half)
    locks.show_words_alone(has_words_alone())
    return is_set_aside


def decline() -> None:
    """Take no part: what the study's rooms have of the learner is deleted, and the visit leaves.

    Where a room can't be reached nothing changes, and the page says so.
    """
    kept, room, study = mine(), membership.current(), link()
    if kept is None or study is None:
        return
    visits = dict(kept.visits)
    if room is not None and room.code == study.room:
        visits[room.visit] = room.code
    if not all(_stop(code, visit) for visit, code in visits.items()):
        session.of(membership.InRoom).news = membership.GONE
        return
    membership.take_news()  # of an earlier try that reached no room
    if room is not None and room.visit in visits:
        membership.leave()
    show_figures()
    _answer(InStudy(link=kept.link, agreed=False))


def note_stopped() -> None:
    """Take no part any more where another tab of this learner stopped."""
    kept, room = mine(), membership.current()
    if kept is None or not kept.agreed or room is None:
        return
    code, visit = room.code, room.visit
    if asked(lambda rooms: rooms.has_stopped(code, visit)):
        decline()


def show_figures() -> None:
    """Show the figures again, if it was this study that left them out."""
    kept = mine()
    if kept is not None and kept.agreed and kept.group == GROUPS[1]:
        st.query_params.pop(FIGURES, None)
        locks.show_words_alone(False)


def forget_answers(half: str) -> bool:
    """Forget the answers to a half of the test, also those not handed in; return if any were."""
    found = False
    for when, given in concept_answers().items():
        for item in HALVES[half]:
            found |= given.pop(item.name, None) is not None
            st.session_state.pop(answer_key(item.name, when), None)
    return found


def tell_seat() -> None:
    """Let the study's room know the seat that came with the learner's record; once each."""
    kept, room, study = mine(), membership.current(), link()
    if room is None or kept is None or study is None or not is_in() or room.code != study.room:
        return
    code, visit, seat = room.code, room.visit, (kept.group, kept.order, kept.learner)
    if room.told.get(IN_LINK) != " ".join(seat) and asked(
        lambda rooms: study_seats.keep(rooms, code, visit, seat) or True
    ):
        room.told[IN_LINK] = " ".join(seat)


def _enter(study: Study, kept: InStudy) -> membership.Membership | None:
    """Enter the study's room as the visit that was there before; as a new one if that stopped."""
    if not membership.is_member(study.room):
        before = next((one for one, code in kept.visits.items() if code == study.room), "")
        membership.join(study.room, before)
    room = membership.current()
    if room is not None and room.code == study.room:
        code, visit = room.code, room.visit
        if asked(lambda rooms: rooms.has_stopped(code, visit)):
            membership.join(code, token_hex(16))
    return membership.current() if membership.is_member(study.room) else None


def _stop(code: str, visit: str) -> bool:
    try:
        with server_rooms() as rooms:
            study_seats.stop(rooms, code, visit)
    except NoSuchRoomError:
        pass  # it has ended, and everything in it is deleted
    except StoreGoneError:
        return False
    return True


def _draw(study: Study) -> bool:
    """Give the visit a seat; return whether the room could be asked for it."""
    room, kept = membership.current(), mine()
    assert room is not None and kept is not None  # just entered
    about = (room.code, room.visit, study.groups, ORDERS, SystemRandom())
    seat = asked(lambda rooms: study_seats.draw(rooms, *about))
    if seat is None:  # the banner says that the room is gone
        _answer(replace(kept, agreed=None))
        return False
    _answer(replace(kept, group=seat[0], order=seat[1], learner=seat[2]))
    return True


def _answer(said: InStudy) -> None:
    session.of(Done).study = said
    whole_page.want()  # the banner of the room is outside of the test
    if said.agreed is not None:
        st.query_params.pop(IN_LINK, None)
