"""A visit in a study: it agrees or not, gets a seat, and answers in the study's room.

    arrive()        takes a study's link up, before a room's
    agree()         enters the room and draws a seat
    decline()       the course is open, and nothing of the visit is counted

Nothing reaches the room before the learner agrees: not even that somebody came.
"""

from dataclasses import replace
from random import SystemRandom

import streamlit as st

from mlm_core.evaluation.learning_gain import SITTINGS, WHEN
from pages.server import session
from pages.server.classroom import study_seats
from pages.server.course.concept_items import HALVES, ORDERS
from pages.server.link import link_values, locks, whole_page
from pages.server.link.controls import FIGURES
from pages.server.record.learners_record import InStudy
from pages.server.record.session_record import Done, concept_answers
from pages.server.record.study_link import GROUPS, IN_LINK, Study, read_study
from pages.server.room import membership
from pages.server.room.server_rooms import asked


def arrive() -> None:
    """Take up a study's link; a seat that the visit has stays.

    It leaves the address once it is answered, so that a copied address asks nobody else.
    """
    text = st.query_params.get(IN_LINK)
    done = session.of(Done)
    if text is not None and (done.study is None or done.study.link != text):
        try:
            read_study(text)
        except ValueError:
            link_values.say_impossible(IN_LINK, text)
        else:
            kept = done.study or InStudy(link=text)
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


def is_counted() -> bool:
    """Return whether a room may have the visit's answers to the test."""
    return mine() is None or is_in()


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


def agree() -> None:
    """Take part: enter the room, and sit where chance says, or where an earlier sitting did.

    What stands in the way is said on the page, which asks again.
    """
    kept, study = mine(), link()
    if kept is None or study is None:
        return
    if not membership.is_member(study.room):
        membership.join(study.room)
    if not membership.is_member(study.room):
        return
    _answer(replace(kept, agreed=True))
    if study.sitting == SITTINGS[0] and kept.group not in study.groups:
        _draw(study)
    locks.show_words_alone(has_words_alone())


def decline() -> None:
    """Take no part: what the room has of this visit is deleted, and the visit leaves it."""
    kept, room, study = mine(), membership.current(), link()
    if kept is None:
        return
    if kept.agreed and room is not None and study and room.code == study.room:
        code, visit = room.code, room.visit
        is_deleted = asked(lambda rooms: rooms.forget(code, visit) or True)
        if not is_deleted and membership.look() is None and membership.current() is not None:
            return  # it can't be reached, as the banner says
        membership.leave()
    if has_words_alone():
        st.query_params.pop(FIGURES, None)
        locks.show_words_alone(False)
    _answer(InStudy(link=kept.link, agreed=False))


def tell_seat() -> None:
    """Let the room know the seat that came with the learner's record; once."""
    kept, room = mine(), membership.current()
    if room is None or kept is None or not is_in() or IN_LINK in room.told:
        return
    code, visit, seat = room.code, room.visit, (kept.group, kept.order)
    if asked(lambda rooms: study_seats.keep(rooms, code, visit, seat) or True):
        room.told[IN_LINK] = " ".join(seat)


def _draw(study: Study) -> None:
    room = membership.current()
    assert room is not None  # just entered
    about = (room.code, room.visit, study.groups, ORDERS, SystemRandom())
    seat = asked(lambda rooms: study_seats.draw(rooms, *about))
    kept = mine()
    if seat is None or kept is None:  # the banner says that the room is gone
        _answer(InStudy(link=kept.link if kept else study.packed()))
    else:
        _answer(replace(kept, group=seat[0], order=seat[1]))


def _answer(said: InStudy) -> None:
    session.of(Done).study = said
    whole_page.want()  # the banner of the room is outside of the test
    if said.agreed is not None:
        st.query_params.pop(IN_LINK, None)
