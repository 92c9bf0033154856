"""Our encoder, on a learner's page: send sentences, and see what the encoder learns of them.

Read before this: class_training.py, encoder_use.py.
"""

from dataclasses import dataclass

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.server import session
from pages.server.classroom import encoder_run
from pages.server.classroom.encoder_run import LONGEST_BLANK, Progress, Told
from pages.server.classroom.rooms import ENCODER, RoomNow, Sent, on_one_line
from pages.server.course.core_messages import translated
from pages.server.course.words import Words, as_text, read_words
from pages.server.figures.clickable import drawing
from pages.server.figures.show import show_metrics
from pages.server.figures.table import Table
from pages.server.room import asks, encoder_use, membership, telling
from pages.server.room.server_rooms import asked

BOX, FIELD, BLANK = "room_encoder", "room_encoder_sentence", "room_encoder_blank"
# Not the banner's three: of two timers that ask at the same moment the door answers one.
LOOK_SECONDS = 4.0
REST_SECONDS = 15.0  # without a message, which come every five while the encoder is trained


@dataclass
class Watched:
    """What a learner's page knows of the class's encoder."""

    is_sent: bool = False  # the last sentence, which is said once
    at_rest: int | None = None  # the seed of a run without further news


def open_if_asked() -> None:
    """Open the box where the teacher asks for sentences or a vote, or trains the encoder."""
    room = membership.look()
    if room is None:
        return
    seed, question = room.encoder_seed, encoder_run.blank_question(room)
    asked = ""
    if seed is not None:
        asked = "" if session.of(Watched).at_rest == seed else f"train {seed}"
    elif question is not None:
        asked = question.id
    elif ENCODER.name in room.takes:
        asked = f"write {room.themes[ENCODER.name]}"
    asks.ask(BOX, asked)


def seconds_between_looks() -> float | None:
    """Return how often the page looks at the class's encoder.

    None where nothing changes: none is trained, its box is closed, or all is finished.
    """
    if not st.session_state.get(BOX):
        return None
    room = membership.look()
    is_at_rest = room is None or session.of(Watched).at_rest == room.encoder_seed
    return None if room is None or room.encoder_seed is None or is_at_rest else LOOK_SECONDS


def show() -> None:
    """Show the class's encoder where sentences are taken, or some of one's own are kept."""
    room = membership.look()
    if room is None or not _has_something(room):
        return
    words = read_words("class_encoder")
    box = asks.open_box(words, "title", key=BOX, icon=":material/model_training:")
    if box is None:
        return
    with box:
        _vote(words, room)
        if room.encoder_seed is None:
            _collect(words, room)
        else:
            _watch(words, room.encoder_seed)
            _ask_blank(words)


def _has_something(room: RoomNow) -> bool:
    """Return whether there is anything to show; where nothing ever was, nothing is looked up."""
    if room.encoder_seed is not None or ENCODER.name in room.takes:
        return True
    return ENCODER.name in room.has_taken and bool(_own(room))


def _own(room: RoomNow) -> list[Sent] | None:
    """Return what this visit sent and the room still has; None if the room can't be read."""
    mine = membership.current()
    return None if mine is None else asked(lambda rooms: rooms.sent(room.code, ENCODER, mine.visit))


def _collect(words: Words, room: RoomNow) -> None:
    """Show the theme, the field, and what became of one's own sentences."""
    theme, own = room.themes[ENCODER.name], _own(room)
    st.markdown(words.section("lead", n=ENCODER.most_each))
    if theme:
        st.markdown(words.section("theme", theme=theme))
    if own is None:
        return  # the banner says so
    mine = membership.current()
    rows = [
        {"sentence": one.said["sentence"], "state": words.plain(f"state_{one.state}")}
        for one in own
    ]
    if len(rows) >= ENCODER.most_each:
        st.caption(words.section("all_sent", n=len(rows), of=ENCODER.most_each))
    elif ENCODER.name in room.takes:
        with st.form("room_encoder_form", border=False):
            st.text_input(
                words.label("sentence"),
                key=FIELD,
                max_chars=ENCODER.fields["sentence"],
                autocomplete="off",
            )
            st.form_submit_button(words.label("send"), on_click=_send, key="room_encoder_send")
    watched = session.of(Watched)
    if watched.is_sent:
        st.success(words.section("sent"), icon=":material/check:")
        watched.is_sent = False
    if rows:
        Table(rows).show()
    if mine is not None and len(rows) < mine.n_for_encoder:
        st.caption(words.section("not_taken"))


def _vote(words: Words, room: RoomNow) -> None:
    """Let the learner choose the sentence whose blank the whole class watches."""
    question = encoder_run.blank_question(room)
    if question is None:
        return
    key = f"room_encoder_{question.id}"
    if key not in st.session_state:
        st.session_state[key] = telling.told_choice(question)
    chosen = st.radio(
        words.label("which_blank"),
        list(question.options),
        index=None,
        format_func=lambda name: as_text(question.options[name]),
        key=key,
    )
    if chosen is not None:
        telling.tell_choice(question, chosen)
        asks.is_done(BOX)
        st.caption(words.section("voted"))


def _watch(words: Words, seed: int) -> None:
    """Show how far the encoder is, with one's own blank and sentences."""
    mine = membership.current()
    if mine is None:
        return
    known = asked(
        lambda rooms: (
            encoder_run.progress_of(rooms, mine.code, seed),
            encoder_run.told_to(rooms, mine.code, mine.visit, seed),
            rooms.now(),
        )
    )
    if known is None:
        return
    progress, told, now = known
    if progress is None:
        st.info(words.section("waits"), icon=":material/hourglass_top:")
        return
    show_progress(words, progress)
    if not progress.is_finished and not progress.message and now - progress.at > REST_SECONDS:
        st.info(words.section("rests"), icon=":material/hourglass_top:")
    blank = _show_own_blank(words, mine, seed, told)
    if told is not None:
        _show_own(words, told)
    if not progress.is_finished:
        return
    n_trained = progress.n_sentences - progress.n_held_out
    if told is not None and 0 < len(told.trained) < n_trained:
        without = encoder_use.show_without(words, told, blank)
        if without is not None:
            st.markdown(words.section("without_guesses"))
            show_guesses(words, blank, without, key="room_encoder_without_guesses")
    is_here = encoder_use.show_copy(words, progress)
    is_at_rest = is_here and mine.blank in ("", blank) and encoder_use.is_at_rest(seed)
    session.of(Watched).at_rest = seed if is_at_rest else None


def _show_own_blank(words: Words, mine: membership.Membership, seed: int, told: Told | None) -> str:
    """Show the guesses at one's own blank, and return it: "" if there is none.

    A finished encoder of this process answers at once, another one when it is tested next.
    """
    blank, guesses = (told.blank, told.guesses) if told is not None else ("", None)
    if mine.blank not in ("", blank):
        found = encoder_use.guesses_now(seed, mine.blank)
        if found is not None:
            blank, guesses = mine.blank, found
        else:
            st.info(words.section("asked", sentence=mine.blank), icon=":material/hourglass_top:")
    if guesses is not None:
        show_guesses(words, blank, guesses, key="room_encoder_own")
    return blank


def show_progress(words: Words, progress: Progress) -> None:
    """Show the numbers of the newest test, or why there is none."""
    if progress.message:
        st.warning(as_text(translated(progress.message)), icon=":material/report:")
        return
    show_metrics(
        {
            words.label("step"): words.plain("of", n=progress.step, of=progress.n_steps),
            words.label("loss"): formatted(progress.curve[-1][1], ".2f") if progress.curve else "",
            words.label("repeated"): words.plain("of", n=progress.n_learned, of=progress.n_words),
            words.label("new"): words.plain("of", n=progress.n_new_wrong, of=progress.n_new),
        }
    )
    about = {"n": progress.n_held_out, "of": progress.n_sentences}
    about |= {"counts": progress.n_baseline_wrong, "words": progress.n_new}
    st.caption(words.section("held_out" if progress.n_new else "not_held_out", **about))


def show_guesses(words: Words, blank: str, guesses: encoder_run.Guesses, *, key: str) -> None:
    """Show a sentence with a blank and the likeliest words for it."""
    st.markdown(words.section("blank", sentence=blank))
    if not guesses:
        st.caption(words.section("no_blank"))
        return
    names, values = [word for word, _ in guesses], [share for _, share in guesses]
    alt = words.plain("guesses_alt", word=names[0], sentence=blank)
    drawing(bars_svg(names, values, longest=1.0, alt=alt), key=key)


def _show_own(words: Words, told: Told) -> None:
    if not told.sentences:
        return
    n_words = sum(n for _, n, _, _ in told.trained)
    n_wrong = sum(wrong for _, _, wrong, _ in told.trained)
    st.markdown(words.section("own", wrong=n_wrong, n=n_words))
    rows = []
    for i, (text, n, wrong, loss) in enumerate(told.sentences):
        state = words.plain("state_held_out" if i in told.held_out else "state_trained")
        rows.append({"sentence": text, "state": state, "words": n, "wrong": wrong, "loss": loss})
    Table(rows).show()


def _ask_blank(words: Words) -> None:
    with st.form("room_encoder_blank_form", border=False):
        st.text_input(
            words.label("own_blank"), key=BLANK, max_chars=LONGEST_BLANK, autocomplete="off"
        )
        st.form_submit_button(words.label("ask"), on_click=_choose_blank, key="room_encoder_ask")


def _send() -> None:
    sentence, mine = (st.session_state.get(FIELD) or "").strip(), membership.current()
    if sentence and mine is not None and telling.send(ENCODER, {"sentence": sentence}):
        session.of(Watched).is_sent, st.session_state[FIELD] = True, ""
        asks.is_done(BOX)
        mine.n_for_encoder += 1


def _choose_blank() -> None:
    sentence = on_one_line(st.session_state.get(BLANK) or "", LONGEST_BLANK)
    mine = membership.current()
    if sentence and mine is not None and telling.choose_blank(sentence):
        mine.blank, st.session_state[BLANK] = sentence, ""
