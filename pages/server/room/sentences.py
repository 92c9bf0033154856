"""Everyone's sentence: learners send one, and see those that the teacher let through.

Beside each stands what the model that reads the visit's language predicts at its blank.
"""

from dataclasses import dataclass

import streamlit as st

from mlm_core.text.tokens import tokenize
from pages.server import session
from pages.server.caches import cache, cache_predictions
from pages.server.classroom.rooms import SENTENCES
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.language import reader
from pages.server.course.lessons import HOME
from pages.server.course.words import read_words
from pages.server.figures.table import Table
from pages.server.room import asks, desk, membership, telling
from pages.server.room.server_rooms import server_rooms

BOX, FIELD = "room_sentences", "room_sentence"
MOST_SHOWN = 20  # the newest
N_GUESSES = 3
MOST_TOKENS = 64
BLANK = "[MASK]"


@dataclass
class Shown:
    """What a visit's page shows of the class's sentences."""

    n: int | None = None  # how many were let through; None where it shows none
    is_sent: bool = False  # the learner's own, which is said once


def show() -> None:
    """Show the field and the class's sentences, where the teacher takes any."""
    membership.follow("boxes")
    room = membership.look()
    if room is None:
        return
    asked = SENTENCES.name if SENTENCES.name in room.takes else ""
    asks.ask(BOX, asked)
    if not asked:
        return
    words = read_words("room")
    box = asks.open_box(BOX, words, "sentences", icon=":material/forum:")
    if box is None:
        return
    with box:
        st.markdown(words.section("sentence_lead"))
        with st.form("room_sentence_form", border=False, clear_on_submit=True):
            st.text_input(
                words.label("sentence"),
                key=FIELD,
                max_chars=SENTENCES.fields["sentence"],
                autocomplete="off",
            )
            st.form_submit_button(words.label("send"), on_click=_send, key="room_sentence_send")
        shown = session.of(Shown)
        if shown.is_sent:
            st.success(words.section("sentence_sent"), icon=":material/check:")
            shown.is_sent = False
        rows = [_row(sentence) for sentence in _draw(room.code)[-MOST_SHOWN:]]
        if rows:
            st.markdown(words.section("sentences_shown"))
            Table(rows).show()


def shown_sentences() -> list[str] | None:
    """Return what the teacher let through in this visit's room; None outside of one."""
    membership.follow("boxes")
    mine = membership.current() or desk.current()
    return None if mine is None else _draw(mine.code)


def have_changed() -> bool:
    """Return, once, whether the page shows sentences and the teacher has let others through."""
    shown, mine = session.of(Shown), membership.current()
    if shown.n is None or mine is None or len(_shown(mine.code)) == shown.n:
        return False
    shown.n = None
    return True


def _send() -> None:
    sentence = (st.session_state.get(FIELD) or "").strip()
    if sentence and telling.send(SENTENCES, {"sentence": sentence}):
        session.of(Shown).is_sent = True
        asks.is_done(BOX)


def _draw(code: str) -> list[str]:
    shown = _shown(code)
    session.of(Shown).n = len(shown)
    return shown


def _shown(code: str) -> list[str]:
    try:
        with server_rooms() as rooms:
            return [one.said["sentence"] for one in rooms.accepted(code, SENTENCES)]
    except (NoSuchRoomError, StoreGoneError):
        return []


def _row(sentence: str) -> dict[str, str]:
    """Return a sentence with the model's likeliest tokens for its first blank."""
    model = reader(HOME)  # on every page that of one language, as the class reads one
    tokens = tokenize(cache.model_tokenizer(model), sentence, max_tokens=MOST_TOKENS)
    guesses = ""
    if BLANK in tokens.texts:
        found = cache_predictions.fillers(model, tokens.text, tokens.texts.index(BLANK), N_GUESSES)
        guesses = ", ".join(token for token, _ in found)
    return {"sentence": sentence, "best_guess": guesses}
