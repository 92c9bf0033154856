"""What learners send in, for the teacher: the switch that opens it, the queue, what is accepted.

A contribution reaches others only when the teacher lets it through, one by one or all in sight.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.server import session
from pages.server.classroom.desk import MOST_PICKED, PICKED_FROM, Desk, Pick
from pages.server.classroom.rooms import LEARNER_QUESTIONS, Collection, Question, RoomNow, Sent
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.lessons import CONCEPT_TEST
from pages.server.course.words import Words, as_text
from pages.server.room import desk, membership, votes
from pages.server.room.server_rooms import asked, server_rooms

MOST_WAITING = 30  # contributions that are shown at once
# And of those that were let through: the desk is drawn each second, and 265 took 86 ms of a core.
MOST_ACCEPTED = 30
TYPED = "typed"
Shown = TypeVar("Shown")


@dataclass
class Opened:
    """Which boxes a teacher has opened."""

    # By their keys; that of the questions is open from the beginning.
    boxes: set[str] = field(default_factory=lambda: {_box_of(LEARNER_QUESTIONS.name)})


def show_switch(words: Words, mine: Desk, collection: Collection) -> None:
    """Show the switch that lets learners send contributions in."""
    room_switch(
        words,
        mine,
        f"takes_{collection.name}",
        lambda room: collection.name in room.takes,
        lambda is_on: mine.take(collection, is_on),
    )


def show_test_switch(words: Words, mine: Desk) -> None:
    """Show the switch that asks the concept test again, and sends the class there."""
    room_switch(
        words, mine, "asks_after", lambda room: room.asks_after, lambda is_on: _ask(mine, is_on)
    )


def _ask(mine: Desk, is_on: bool) -> None:
    mine.ask_after(is_on)
    if is_on:
        mine.offer(CONCEPT_TEST.slug)


def room_switch(
    words: Words,
    mine: Desk,
    name: str,
    is_on: Callable[[RoomNow], bool],
    turn: Callable[[bool], None],
) -> None:
    """Show a switch of something that holds for the whole room."""
    key = f"teaching_room_{name}"
    now = asked(lambda _: is_on(mine.look()))
    if now is None:
        now = st.session_state.get(key, False)
    if st.session_state.get(key) is not now:
        st.session_state[key] = now
    st.toggle(words.label(name), key=key, on_change=_turn, args=(key, turn))


def show_queue(
    words: Words,
    mine: Desk,
    collection: Collection,
    text_of: Callable[[Sent], str],
    *,
    accept: str = "accept",
) -> list[Sent]:
    """Show what waits, with the ways to let it through or drop it; return all that was sent in.

    `accept` is the label of the button that lets one through.
    """
    sent = mine.sent(collection)
    waiting = [one for one in sent if one.state == "waiting"]
    shown = waiting[:MOST_WAITING]
    if not waiting:
        st.info(words.section(f"no_{collection.name}"), icon=":material/inbox:")
    if len(shown) > 1:
        st.button(
            words.label(f"{accept}_all", n=len(shown)),
            on_click=votes.act,
            # Those that the teacher sees, not what came since.
            args=(mine.judge, collection, [one.key for one in shown], "accepted"),
            icon=":material/done_all:",
            key=f"teaching_room_accept_all_{collection.name}",
        )
    rows = st.container(gap=None)  # each as high as its buttons
    for one in shown:
        with rows.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(as_text(text_of(one)), width="stretch")
            for verdict, icon, label, name in (
                ("accepted", "check", accept, "accept"),
                ("dropped", "delete", "drop", "drop"),
            ):
                st.button(
                    words.label(label),
                    on_click=votes.act,
                    args=(mine.judge, collection, [one.key], verdict),
                    type="tertiary",
                    icon=f":material/{icon}:",
                    key=f"teaching_room_{name}_{one.key}",
                )
    if len(waiting) > len(shown):
        st.caption(words.label("more_wait", n=len(waiting) - len(shown)))
    show_accepted(words, mine, collection, text_of, sent)
    return sent


def show_accepted(
    words: Words,
    mine: Desk,
    collection: Collection,
    text_of: Callable[[Sent], str],
    sent: Iterable[Sent],
) -> None:
    """Show which of the contributions were let through, each with the way to take it back.

    Of learners' questions also the way to mark one as answered; of these and of sentences that to
    show one large.
    """
    accepted = [one for one in sent if one.state != "waiting"]
    title = words.label(f"accepted_{collection.name}", n=len(accepted))
    box, shown = _box(words, title, collection.name, accepted)
    picked = mine.picked() if shown and collection in PICKED_FROM else None
    for one in shown:
        with box.container(horizontal=True, vertical_alignment="center"):
            show = st.caption if one.state == "answered" else st.markdown
            show(as_text(text_of(one)), width="stretch")
            if picked is not None:
                text = next(iter(one.said.values()))
                _show_pick(words, mine, Pick(kind=collection.name, key=one.key, text=text), picked)
            if collection.has_upvotes:
                _show_answered(words, mine, collection, one)
            st.button(
                words.label("drop"),
                on_click=votes.act,
                args=(mine.judge, collection, [one.key], "dropped"),
                icon=":material/delete:",
                type="tertiary",
                key=f"teaching_room_take_back_{one.key}",
            )


def _show_answered(words: Words, mine: Desk, collection: Collection, one: Sent) -> None:
    """Show the button that marks a learner's question as answered, or opens it again."""
    verdict = "accepted" if one.state == "answered" else "answered"
    st.button(
        words.label(f"make_{verdict}"),
        on_click=votes.act,
        args=(mine.judge, collection, [one.key], verdict),
        icon=":material/undo:" if verdict == "accepted" else ":material/check:",
        type="tertiary",
        key=f"teaching_room_answered_{one.key}",
    )


def show_typed(words: Words, mine: Desk, question: Question) -> None:
    """Show what learners typed as answers to a question, each with the way to show it large."""
    if not (typed := mine.typed(question)):
        return
    box, shown = _box(words, words.label(TYPED, n=len(typed)), TYPED, typed)
    picked = mine.picked() if shown else []
    for one in shown:
        with box.container(horizontal=True, vertical_alignment="center"):
            st.markdown(as_text(one.text), width="stretch")
            _show_pick(words, mine, one, picked)


def _show_pick(words: Words, mine: Desk, one: Pick, picked: list[Pick]) -> None:
    """Show the button that shows something large, after what is, or no longer."""
    is_on = one in picked
    st.button(
        words.label("picked", n=picked.index(one) + 1) if is_on else words.label("pick"),
        on_click=votes.act,
        args=(mine.pick, one),
        disabled=not is_on and len(picked) == MOST_PICKED,
        icon=":material/check:" if is_on else ":material/co_present:",
        type="tertiary",
        key=f"teaching_room_pick_{one.key}",
    )


def _box(
    words: Words, title: str, name: str, rows: Sequence[Shown]
) -> tuple[DeltaGenerator, Sequence[Shown]]:
    """Show a box that stays as the teacher left it; return it with those rows that it shows."""
    key = _box_of(name)
    # With another number in its label it is another box to Streamlit, which begins shut.
    st.session_state[key] = key in session.of(Opened).boxes
    box = st.expander(title, key=key, on_change=_note_open, args=(key,))
    if not box.open:
        return box, ()
    first = 0
    if len(rows) > MOST_ACCEPTED:
        first = box.selectbox(
            words.label("which_accepted"),
            range(0, len(rows), MOST_ACCEPTED),
            format_func=lambda at: words.plain(
                "from_to", first=at + 1, last=min(at + MOST_ACCEPTED, len(rows))
            ),
            key=f"teaching_room_which_{name}",
        )
    return box, rows[first : first + MOST_ACCEPTED]


def _box_of(name: str) -> str:
    return f"teaching_room_let_through_{name}"


def _note_open(key: str) -> None:
    boxes = session.of(Opened).boxes
    (boxes.add if st.session_state[key] else boxes.discard)(key)


def _turn(key: str, turn: Callable[[bool], None]) -> None:
    try:
        with server_rooms():
            turn(st.session_state[key] is True)
    except NoSuchRoomError:
        desk.let_go(membership.ENDED)
    except StoreGoneError:
        st.session_state.pop(key, None)
