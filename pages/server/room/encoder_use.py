"""The class's encoder once it is trained: in all model lists, as a zip, and without one's own.

The room keeps no weights, the process does, one encoder for all visits of a room and for as long
as the room is there. Where this process hasn't trained it, it does so once for all, as soon as a
page shows that it is finished; equal sentences and an equal seed give the same.

Read before this: class_training.py.
"""

from typing import TYPE_CHECKING

import streamlit as st

from pages.server import session
from pages.server.caches import cache_training, own_models
from pages.server.classroom.encoder_run import Guesses, Progress, Told
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.core_messages import translated
from pages.server.course.words import Words, as_text, read_words
from pages.server.process.zip_button import zip_button
from pages.server.room import class_training, desk, membership
from pages.server.room.class_training import N_OWN_GUESSES, NOBODYS_BLANK, Training, Trains
from pages.server.room.server_rooms import server_rooms
from pages.server.trainer.jobs import NoRoomError

if TYPE_CHECKING:
    from mlm_core.small_runs.class_run import ClassSnapshot
    from pages.server.trainer.jobs import View

GUESS = "room_encoder_guess"


def lend() -> None:
    """Let the list of models have the encoder of this visit's room, if this process has it."""
    place = membership.current() or desk.current()
    held = cache_training.class_encoder(place.code) if place is not None else None
    own_models.lend(held.model if held is not None else None)


def show_copy(words: Words, progress: Progress) -> bool:
    """Say where the encoder is in the lessons, and offer it as a zip; return whether it is there.

    Otherwise it is being trained in this process, and the page says so.
    """
    held = _held(progress.seed)
    # Without a sentence that the teacher took back it is another.
    if held is None or len(held.snapshot.settings.sentences) != progress.n_sentences:
        if not _is_trained_here(words, progress.seed):
            return False
        held = _held(progress.seed)
    if held is None:
        return False
    if own_models.get(held.model.name) is None:
        st.rerun()  # the list of models stands outside
    used = words.section("used", name=held.model.name)
    st.success(used, icon=":material/check:")
    blank, snapshot, about = progress.blank, held.snapshot, _about(words, held.snapshot)
    zip_button(
        words.label("save"),
        lambda: _pack(snapshot, blank, about),
        file_name="our-encoder.zip",
        key="room_encoder_zip",
    )
    return True


def _is_trained_here(words: Words, seed: int) -> bool:
    """Let this process train the class's encoder, and say how far it is."""
    mine = membership.current()
    if mine is None:
        return False
    try:
        with server_rooms() as rooms:
            training = class_training.start(rooms, mine.code, seed)
        view = class_training.look(training)
    except (NoSuchRoomError, StoreGoneError):
        return False  # the banner says so
    except (NoRoomError, ValueError) as error:
        _say_refusal(str(error))
        return False
    if view.status == "failed":
        _say_refusal(view.message)
        st.button(
            words.label("use_again"),
            on_click=cache_training.try_class_run_again,
            args=(mine.code,),
            icon=":material/replay:",
            key="room_encoder_use_again",
        )
    elif training.ended is None:
        _show_waiting(words, "use", view, training.settings.n_steps)
    return training.ended is not None


def show_without(words: Words, told: Told, blank: str) -> Guesses | None:
    """Offer the same training without one's own sentences; return its guesses at one's blank.

    How many of their words will be wrong is to be guessed first.
    """
    n_own = sum(n for _, n, _, _ in told.trained)
    training = _trained_without(words, told.seed, n_own)
    if training is None:
        return None
    snapshot = _snapshot(training)
    results = [snapshot.results[i] for i in snapshot.settings.left_out]
    before = [one[1:] for one in told.trained]
    n_words = max(1, sum(one.n_words for one in results))
    st.markdown(
        words.section(
            "without_result",
            n=n_words,
            guess=session.of(Trains).guess,
            wrong=sum(wrong for _, wrong, _ in before),
            wrong_without=sum(one.n_wrong for one in results),
            loss=sum(n * loss for n, _, loss in before) / n_words,
            loss_without=sum(one.n_words * one.loss for one in results) / n_words,
        )
    )
    return _guesses(snapshot, blank)


def guesses_now(seed: int, blank: str) -> Guesses | None:
    """Return what the finished encoder predicts at a blank; None if this process hasn't it."""
    held = _held(seed)
    return None if held is None else _guesses(held.snapshot, blank)


def is_at_rest(seed: int) -> bool:
    """Return whether no run without this visit's sentences is trained."""
    kept = session.of(Trains).without
    return kept is None or kept.seed != seed or kept.ended is not None


def _held(seed: int) -> cache_training.ClassEncoder | None:
    mine = membership.current()
    held = cache_training.class_encoder(mine.code) if mine is not None else None
    return held if held is not None and held.snapshot.settings.seed == seed else None


def _snapshot(training: Training) -> "ClassSnapshot":
    """Return a run as it was at its end."""
    assert training.ended is not None
    assert training.ended.snapshot is not None
    return training.ended.snapshot


def _guesses(snapshot: "ClassSnapshot", blank: str) -> Guesses:
    found = cache_training.class_guesses(snapshot, blank, N_OWN_GUESSES)
    return [(one.token or "", one.probability) for one in found]


def _trained_without(words: Words, seed: int, n_own: int) -> Training | None:
    """Offer to train without this visit's sentences; return a run that has ended.

    `n_own` is the number of their words.
    """
    trains = session.of(Trains)
    training = trains.without
    if training is not None and training.seed == seed:
        try:
            view = class_training.look(training)
        except NoRoomError as error:
            _give_up(str(error))
        else:
            if training.ended is not None:
                return training
            if view.status != "failed":
                _show_waiting(words, "without", view, training.settings.n_steps)
                return None
            _give_up(view.message)
    # Said until the next press.
    if trains.refused:
        _say_refusal(trains.refused)
    st.markdown(words.section("try_without", n=n_own))
    most, before = max(1, n_own), trains.guess
    guess = st.number_input(
        words.label("guess_without"), 0, most, before, step=1, key=GUESS, width=220
    )
    st.button(
        words.label("without"),
        on_click=_start_without,
        args=(seed,),
        disabled=guess is None,
        icon=":material/person_remove:",
        key="room_encoder_without_start",
    )
    return None


def _give_up(why: str) -> None:
    """Let a run that can't go on be started anew."""
    trains = session.of(Trains)
    trains.without, trains.refused = None, why


def _say_refusal(why: str) -> None:
    st.warning(as_text(translated(why)), icon=":material/block:")


def _show_waiting(words: Words, label: str, view: "View[ClassSnapshot]", n_steps: int) -> None:
    """Show how far a run is, or its place in the line."""
    step = view.snapshot.step if view.snapshot is not None else 0
    now = f"{words.label('step')} {words.plain('of', n=step, of=n_steps)}."
    if view.status == "queued":
        name = "status_queued" if view.place else "status_queued_own"
        now = f"{read_words('runs').label(name, place=view.place)}."
    st.caption(f"{words.label(f'{label}_trains')} {now} {words.label('keep_open')}")


def _start_without(seed: int) -> None:
    trains, mine = session.of(Trains), membership.current()
    trains.refused, trains.guess = "", st.session_state.get(GUESS)
    if mine is None:
        return
    try:
        with server_rooms() as rooms:
            trains.without = class_training.start(rooms, mine.code, seed, without=mine.visit)
    except (NoRoomError, ValueError) as error:
        trains.refused = str(error)
    except (NoSuchRoomError, StoreGoneError):
        pass  # the banner says so


def _about(words: Words, snapshot: "ClassSnapshot") -> str:
    from mlm_core.finetuning.take_home import pins

    test, held_out, baseline = snapshot.tests[-1], snapshot.tests[-1].held_out, snapshot.baseline
    of_new = words.file("readme_not_held_out")
    if held_out is not None and baseline is not None:
        of_new = words.file(
            "readme_held_out",
            n=len(snapshot.settings.held_out),
            loss=held_out.loss,
            counts=baseline.loss,
        )
    return words.file(
        "readme",
        n=len(snapshot.settings.sentences),
        of_new=of_new,
        n_steps=snapshot.settings.n_steps,
        seed=snapshot.settings.seed,
        loss=test.loss,
        pins=pins(),
    )


def _pack(snapshot: "ClassSnapshot", blank: str, about: str) -> bytes:
    from mlm_core.finetuning.take_home import pack_encoder
    from mlm_core.small_runs.snapshot import blank_guesses

    model = cache_training.class_model(snapshot)
    try:
        shown = blank_guesses(model, blank, "mlm", class_training.N_GUESSES)
    except ValueError:  # the class's sentence has no blank
        shown = blank_guesses(model, NOBODYS_BLANK, "mlm", class_training.N_GUESSES)
    return pack_encoder(model, shown, "mlm", about)
