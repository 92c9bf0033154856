"""Everyone's sentence, and questions to the teacher: sent by learners, shown once let through.

Next to a sentence is what the model that reads the visit's language predicts at its blank. A
question has the learners' upvotes. Its box opens by a press alone: the teacher asks for nothing.
"""

from dataclasses import dataclass

import streamlit as st

from mlm_core.text.tokens import tokenize
from pages.server import session
from pages.server.caches import cache, cache_predictions
from pages.server.classroom.rooms import LEARNER_QUESTIONS, SENTENCES, Collection, Sent
from pages.server.course.language import reader
from pages.server.course.lessons import HOME
from pages.server.course.words import Words, as_text, read_words
from pages.server.figures.table import Table
from pages.server.room import asks, desk, membership, telling
from pages.server.room.server_rooms import asked

BOX, QUESTIONS_BOX = "room_sentences", "room_learner_questions"
MOST_SHOWN = 20  # the newest sentences, or the questions with most upvotes
N_GUESSES = 3
MOST_TOKENS = 64
BLANK = "[MASK]"


@dataclass
class Shown:
    """What a visit's page shows of the class's sentences."""

    n: int | None = None  # how many were let through; None where it shows none
    sent: str = ""  # what the learner has just sent, which is said once


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
    box = asks.open_box(words, "sentences", key=BOX, icon=":material/forum:")
    if box is None:
        return
    with box:
        _show_form(words, "sentence", SENTENCES)
        rows = [_row(sentence) for sentence in _draw(room.code)[-MOST_SHOWN:]]
        if rows:
            st.markdown(words.section("sentences_shown"))
            Table(rows).show()


def show_questions() -> None:
    """Show the field and the learners' questions, where the teacher takes any."""
    membership.follow("questions")
    room = membership.look()
    if room is None or LEARNER_QUESTIONS.name not in room.takes:
        return
    words = read_words("room")
    box = asks.open_box(words, "learner_questions", key=QUESTIONS_BOX, icon=":material/live_help:")
    if box is None:
        return
    with box:
        _show_form(words, "learner_question", LEARNER_QUESTIONS)
        sent = asked(lambda rooms: rooms.sent(room.code, LEARNER_QUESTIONS)) or ()
        for one in [one for one in sent if one.state != "waiting"][:MOST_SHOWN]:
            _show_question(words, one)


def _show_question(words: Words, one: Sent) -> None:
    """Show a question with its upvotes, greyed once it is answered."""
    question, mine = one.said["question"], membership.current()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if one.state == "answered":
            text = words.section("learner_question_answered", question=question)
            st.caption(text, width="stretch")
            return
        has_voted = mine is not None and mine.visit in one.upvotes
        st.markdown(as_text(question), width="stretch")
        st.button(
            words.label("upvoted" if has_voted else "upvote", n=len(one.upvotes)),
            on_click=telling.upvote,
            args=(one.key,),
            icon=":material/check:" if has_voted else ":material/thumb_up:",
            key=f"room_upvote_{one.key}",
        )


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


def _show_form(words: Words, name: str, collection: Collection) -> None:
    """Show the field of a collection, and that the teacher has what was sent just now."""
    st.markdown(words.section(f"{name}_lead"))
    (longest,) = collection.fields.values()
    with st.form(f"room_{name}_form", border=False, clear_on_submit=True):
        st.text_input(words.label(name), key=f"room_{name}", max_chars=longest, autocomplete="off")
        st.form_submit_button(
            words.label("send"),
            on_click=_send,
            args=(name, collection),
            key=f"room_{name}_send",
        )
    shown = session.of(Shown)
    if shown.sent == name:
        st.success(words.section(f"{name}_sent"), icon=":material/check:")
        shown.sent = ""


def _send(name: str, collection: Collection) -> None:
    text, (field,) = (st.session_state.get(f"room_{name}") or "").strip(), collection.fields
    if text and telling.send(collection, {field: text}):
        session.of(Shown).sent = name
        asks.is_done(f"room_{collection.name}")


def _draw(code: str) -> list[str]:
    shown = _shown(code)
    session.of(Shown).n = len(shown)
    return shown


def _shown(code: str) -> list[str]:
    accepted = asked(lambda rooms: rooms.accepted(code, SENTENCES)) or ()
    return [one.said["sentence"] for one in accepted]


def _row(sentence: str) -> dict[str, str]:
    """Return a sentence with the model's likeliest tokens for its first blank."""
    model = reader(HOME)  # on every page that of one language, as the class reads one
    tokens = tokenize(cache.model_tokenizer(model), sentence, max_tokens=MOST_TOKENS)
    guesses = ""
    if BLANK in tokens.texts:
        found = cache_predictions.fillers(model, tokens.text, tokens.texts.index(BLANK), N_GUESSES)
        guesses = ", ".join(token for token, _ in found)
    return {"sentence": sentence, "best_guess": guesses}
