"""Our encoder, on a learner's page: send sentences, and see what the encoder learns of them.

Read before this: class_training.py, encoder_use.py.
"""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.shared.classroom import encoder_run
from pages.shared.classroom.encoder_run import LONGEST_BLANK, Progress, Told
from pages.shared.classroom.rooms import ENCODER, RoomNow
from pages.shared.classroom.store import NoSuchRoomError, StoreGoneError
from pages.shared.course.core_messages import translated
from pages.shared.course.words import Words, as_text, read_words
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import show_metrics
from pages.shared.figures.table import Table
from pages.shared.room import encoder_use, membership, telling
from pages.shared.room.server_rooms import server_rooms

FIELD, BLANK, SENT = "room_encoder_sentence", "room_encoder_blank", "room_encoder_sent"
# Not the banner's three: of two timers that ask at the same moment the door answers one.
LOOK_SECONDS = 4.0


def seconds_between_looks() -> float | None:
    """Return how often the page looks at the class's encoder; None where none is trained."""
    room = membership.look()
    return None if room is None or room.encoder_seed is None else LOOK_SECONDS


def show() -> None:
    """Show what the class's encoder is about, where the teacher takes sentences or trains it."""
    room = membership.look()
    if room is None or (ENCODER.name not in room.takes and room.encoder_seed is None):
        return
    words = read_words("class_encoder")
    box = st.expander(
        words.label("title"),
        icon=":material/model_training:",
        key="room_encoder",
        on_change="rerun",
    )
    if not box.open:
        return
    with box:
        if room.encoder_seed is None:
            _collect(words, room)
        else:
            _watch(words, room.encoder_seed)
            _ask_blank(words)


def _collect(words: Words, room: RoomNow) -> None:
    """Show the theme, the field, and what became of one's own sentences."""
    theme = room.themes[ENCODER.name]
    st.markdown(words.section("lead", n=ENCODER.most_each))
    if theme:
        st.markdown(words.section("theme", theme=theme))
    with st.form("room_encoder_form", border=False, clear_on_submit=True):
        st.text_input(
            words.label("sentence"),
            key=FIELD,
            max_chars=ENCODER.fields["sentence"],
            autocomplete="off",
        )
        st.form_submit_button(words.label("send"), on_click=_send, key="room_encoder_send")
    if st.session_state.pop(SENT, False):
        st.success(words.section("sent"), icon=":material/check:")
    mine = membership.current()
    try:
        with server_rooms() as rooms:
            sent = rooms.sent(room.code, ENCODER)
    except (NoSuchRoomError, StoreGoneError):
        return  # the banner says so
    rows = [
        {"sentence": one.said["sentence"], "state": words.plain(f"state_{one.state}")}
        for one in sent
        if mine is not None and one.visit == mine.visit
    ]
    if rows:
        Table(rows).show()


def _watch(words: Words, seed: int) -> None:
    """Show how far the encoder is, with one's own blank and sentences."""
    mine = membership.current()
    if mine is None:
        return
    try:
        with server_rooms() as rooms:
            progress = encoder_run.progress_of(rooms, mine.code, seed)
            told = encoder_run.told_to(rooms, mine.code, mine.visit, seed)
    except (NoSuchRoomError, StoreGoneError):
        return
    if progress is None:
        st.info(words.section("waits"), icon=":material/hourglass_top:")
        return
    show_progress(words, progress)
    if told is not None:
        show_guesses(words, told.blank, told.guesses, key="room_encoder_own")
        _show_own(words, told)
    if not progress.is_finished:
        return
    if told is not None and 0 < len(told.sentences) < progress.n_sentences:
        without = encoder_use.show_without(words, told)
        if without is not None:
            st.markdown(words.section("without_guesses"))
            show_guesses(words, told.blank, without, key="room_encoder_without_guesses")
    encoder_use.show_copy(words, progress)


def show_progress(words: Words, progress: Progress) -> None:
    """Show the numbers of the newest test, or why there is none."""
    if progress.message:
        st.warning(as_text(translated(progress.message)), icon=":material/report:")
        return
    show_metrics(
        {
            words.label("step"): words.plain("of", n=progress.step, of=progress.n_steps),
            words.label("loss"): formatted(progress.curve[-1][1], ".2f") if progress.curve else "",
            words.label("learned"): words.plain("of", n=progress.n_learned, of=progress.n_words),
        }
    )


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
    n_words = sum(n for _, n, _, _ in told.sentences)
    n_wrong = sum(wrong for _, _, wrong, _ in told.sentences)
    st.markdown(words.section("own", wrong=n_wrong, n=n_words))
    rows = [
        {"sentence": text, "words": n, "wrong": wrong, "loss": loss}
        for text, n, wrong, loss in told.sentences
    ]
    Table(rows).show()


def _ask_blank(words: Words) -> None:
    with st.form("room_encoder_blank_form", border=False, clear_on_submit=True):
        st.text_input(
            words.label("own_blank"), key=BLANK, max_chars=LONGEST_BLANK, autocomplete="off"
        )
        st.form_submit_button(words.label("ask"), on_click=_choose_blank, key="room_encoder_ask")


def _send() -> None:
    sentence = (st.session_state.get(FIELD) or "").strip()
    if sentence:
        st.session_state[SENT] = telling.send(ENCODER, {"sentence": sentence})


def _choose_blank() -> None:
    sentence = (st.session_state.get(BLANK) or "").strip()
    if sentence:
        telling.choose_blank(sentence)
