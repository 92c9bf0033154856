"""The class's encoder once it is trained: in one's model list, as a zip, and without one's own.

The room keeps no weights. Where this process hasn't trained the encoder, it does so when it is
asked for one; equal sentences and an equal seed give the same.

Read before this: class_training.py.
"""

import hashlib
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.caches import cache_training, own_models
from pages.shared.classroom.encoder_run import Guesses, Progress, Told
from pages.shared.classroom.store import NoSuchRoomError, StoreGoneError
from pages.shared.course.core_messages import translated
from pages.shared.course.words import Words, as_text
from pages.shared.room import class_training, membership
from pages.shared.room.class_training import N_OWN_GUESSES, Training
from pages.shared.room.server_rooms import server_rooms
from pages.shared.server.zip_button import zip_button
from pages.shared.trainer.jobs import NoRoomError

if TYPE_CHECKING:
    from mlm_core.small_runs.class_run import ClassSnapshot

COPY, WITHOUT = "room_encoder_copy", "room_encoder_without"  # session state: runs of this visit
REFUSED = "room_encoder_refused"  # session state: why one couldn't start


def show_copy(words: Words, progress: Progress) -> None:
    """Offer the encoder for the lessons, and then as a zip."""
    snapshot = _trained(words, "use", COPY, progress.seed, icon="download_done")
    if snapshot is None:
        return
    name = own_models.PREFIX + hashlib.sha256(repr(snapshot.settings).encode()).hexdigest()[:10]
    if own_models.get(name) is None:
        own_models.keep(cache_training.class_model(snapshot), name)
        st.rerun()  # the list of models stands outside
    st.success(words.section("used"), icon=":material/check:")
    blank, about = progress.blank, _about(words, snapshot)
    zip_button(
        words.label("save"),
        lambda: _pack(snapshot, blank, about),
        file_name="our-encoder.zip",
        key="room_encoder_zip",
    )


def show_without(words: Words, told: Told) -> Guesses | None:
    """Offer the same training without one's own sentences; return its guesses at one's blank."""
    from mlm_core.small_runs.class_run import guesses_at_blanks

    mine = membership.current()
    snapshot = _trained(words, "without", WITHOUT, told.seed, icon="person_remove")
    if snapshot is None or mine is None:
        return None
    results = [snapshot.results[i] for i in snapshot.settings.left_out]
    before = [one[1:] for one in told.sentences]
    n_words = max(1, sum(one.n_words for one in results))
    st.markdown(
        words.section(
            "without_result",
            n=n_words,
            wrong=sum(wrong for _, wrong, _ in before),
            wrong_without=sum(one.n_wrong for one in results),
            loss=sum(n * loss for n, _, loss in before) / n_words,
            loss_without=sum(one.n_words * one.loss for one in results) / n_words,
        )
    )
    model = cache_training.class_model(snapshot)
    (found,) = guesses_at_blanks(model, [told.blank], N_OWN_GUESSES)
    return [(one.token or "", one.probability) for one in found]


def _trained(
    words: Words, label: str, kept: str, seed: int, *, icon: str
) -> "ClassSnapshot | None":
    """Offer to train; return the newest snapshot of a run that has ended."""
    if (refused := st.session_state.pop(REFUSED + kept, None)) is not None:
        st.warning(as_text(translated(refused)), icon=":material/block:")
    training: Training | None = st.session_state.get(kept)
    if training is None or training.seed != seed:
        st.button(
            words.label(label),
            on_click=_start,
            args=(kept, seed),
            icon=f":material/{icon}:",
            key=f"{kept}_start",
        )
        return None
    try:
        view = class_training.look(training)
    except NoRoomError as error:
        st.session_state.pop(kept)
        st.warning(as_text(translated(str(error))), icon=":material/block:")
        return None
    if view.status == "failed":
        st.warning(as_text(translated(view.message)), icon=":material/report:")
        return None
    if view.snapshot is None or not view.snapshot.is_finished:
        step = view.snapshot.step if view.snapshot is not None else 0
        of = words.plain("of", n=step, of=training.settings.n_steps)
        st.caption(f"{words.label(f'{label}_trains')} {words.label('step')} {of}")
        return None
    return view.snapshot


def _start(kept: str, seed: int) -> None:
    mine = membership.current()
    if mine is None:
        return
    try:
        with server_rooms() as rooms:
            without = mine.visit if kept == WITHOUT else ""
            st.session_state[kept] = class_training.start(rooms, mine.code, seed, without=without)
    except (NoRoomError, ValueError) as error:
        st.session_state[REFUSED + kept] = str(error)
    except (NoSuchRoomError, StoreGoneError):
        pass  # the banner says so


def _about(words: Words, snapshot: "ClassSnapshot") -> str:
    from mlm_core.finetuning.take_home import pins

    test = snapshot.tests[-1]
    return words.section(
        "readme",
        n=len(snapshot.settings.sentences),
        n_steps=snapshot.settings.n_steps,
        seed=snapshot.settings.seed,
        loss=test.loss,
        pins="{{pins}}",
    ).replace(as_text("{{pins}}"), pins())


def _pack(snapshot: "ClassSnapshot", blank: str, about: str) -> bytes:
    from mlm_core.finetuning.take_home import pack_encoder
    from mlm_core.small_runs.class_run import with_blank
    from mlm_core.small_runs.snapshot import blank_guesses

    model = cache_training.class_model(snapshot)
    try:
        shown = blank_guesses(model, blank, "mlm", class_training.N_GUESSES)
    except ValueError:  # the class's sentence has no blank
        own = with_blank(snapshot.settings.sentences[0])
        shown = blank_guesses(model, own, "mlm", class_training.N_GUESSES)
    return pack_encoder(model, shown, "mlm", about)
