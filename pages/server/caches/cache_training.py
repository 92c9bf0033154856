"""What the lesson on training keeps for all: the one trainer, stored runs, models of a moment.

A run depends on its settings alone, so settings and step name a model wherever it was trained.
"""

import contextlib
import hashlib
import os
import sys
import threading
from collections.abc import Container, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from pages.server.caches import own_models
from pages.server.caches.cache import HashFuncs, long_work_lock
from pages.server.process import page_turns, process_memory, visits
from pages.server.trainer.jobs import UnknownTicketError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlm_core.encoder.language_model import OwnModel
    from mlm_core.prediction.fillers import Filler, FillStep
    from mlm_core.probing.neighbours import StateBank
    from mlm_core.small_runs.class_run import ClassRunSettings, ClassSnapshot
    from mlm_core.small_runs.first_steps import Followed, FollowedRow
    from mlm_core.small_runs.settings import SmallRunSettings
    from mlm_core.small_runs.snapshot import Snapshot
    from mlm_core.small_runs.text import PreparedText
    from mlm_core.stored.mask_rates import MaskRateRun
    from mlm_core.stored.nsp_effect import PairScores
    from mlm_core.stored.static_masking import MaskingRun
    from mlm_core.text.mini_world.floor import BestFigures
    from pages.server.trainer.jobs import View
    from pages.server.trainer.service import TrainingService

LOWEST_PRIORITY = 19
# Streamlit would take settings to pieces at every look: 2 ms, once a second for each learner.
BY_HASH: HashFuncs = {
    "mlm_core.small_runs.settings.SmallRunSettings": hash,
    "mlm_core.small_runs.class_run.ClassRunSettings": hash,
}


_service: "TrainingService | None" = None
_service_lock = threading.Lock()


def training_service() -> "TrainingService":
    """Return the one trainer of this server.

    No cache of Streamlit's holds it: those can be cleared by a message from any browser.
    """
    global _service
    with _service_lock:
        if _service is None:
            # What the first run will need is imported here, so that settle() takes it in.
            from mlm_core.small_runs import run  # noqa: F401
            from pages.server.trainer.jobs import limits_of_host
            from pages.server.trainer.service import TrainingService

            process_memory.settle()
            _service = TrainingService(
                limits_of_host(), must_wait=page_turns.goes_on, prepare_thread=limit_processors
            )
        return _service


def close_training_service() -> None:
    """End the trainer with all its runs; the next call makes a new one. For tests."""
    global _service
    with _service_lock:
        if _service is not None:
            _service.close()
        _service = None


def limit_processors() -> None:
    """Leave the processors to those who read pages; each trainer's thread begins with it."""
    import torch

    # Linux gives each thread a priority of its own. With one below the pages' a class of thirty
    # waited 450 ms (p95) where it had waited 700.
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST_PRIORITY)

    # A narrow encoder has no work for more than two.
    torch.set_num_threads(max(1, min(2, (os.cpu_count() or 2) // 2)))


def start_run(settings: "SmallRunSettings") -> str:
    """Start a run, or join the one with equal settings; return a ticket. Raises NoRoomError."""

    def work() -> "Iterator[Snapshot]":
        from mlm_core.small_runs.run import SmallRun

        # The mini world is the same for all; a text of one's own is prepared in small pieces.
        text = prepared_text(settings) if settings.own_text is None else None
        return SmallRun(settings, text=text).go_on()

    return training_service().start(
        settings,
        work,
        settings.held_bytes,
        settings.kept_bytes,
        extra=settings.extra_bytes,
        owner=visits.session_id(),
    )


def start_class_run(settings: "ClassRunSettings", owner: Hashable = None) -> str:
    """Start a class's encoder, or join the run with equal settings; return a ticket.

    It is this visit's, or of another `owner`. Raises NoRoomError.
    """

    def work() -> "Iterator[ClassSnapshot]":
        from mlm_core.small_runs.class_run import class_run

        return class_run(settings)

    small = settings.small
    return training_service().start(
        settings,
        work,
        small.held_bytes,
        settings.kept_bytes,
        extra=small.extra_bytes,
        owner=owner or visits.session_id(),
    )


# 700 kB at most: the learners of a room share one.
@st.cache_resource(max_entries=6, show_spinner=False, hash_funcs=BY_HASH)
def _class_model(settings: "ClassRunSettings", step: int, _snapshot: "ClassSnapshot") -> "OwnModel":
    from mlm_core.small_runs.class_run import class_model

    return class_model(_snapshot)


def class_model(snapshot: "ClassSnapshot") -> "OwnModel":
    """Return a class's encoder after its newest test. Raises ValueError before the first."""
    return _class_model(
        snapshot.settings, snapshot.tests[-1].step if snapshot.tests else 0, snapshot
    )


# Words at a learner's own blank: sixty phones look every few seconds.
@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=BY_HASH)
def _class_guesses(
    settings: "ClassRunSettings", blank: str, n: int, _snapshot: "ClassSnapshot"
) -> "tuple[Filler, ...]":
    from mlm_core.small_runs.class_run import guesses_at_blanks

    (found,) = guesses_at_blanks(class_model(_snapshot), [blank], n)
    return found


def class_guesses(snapshot: "ClassSnapshot", blank: str, n: int) -> "tuple[Filler, ...]":
    """Return the likeliest words at a blank, by a class's encoder that is trained."""
    return _class_guesses(snapshot.settings, blank, n, snapshot)


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassEncoder:
    """The finished encoder of one room: one for all of its visits."""

    run: "View[ClassSnapshot]"  # at its end
    model: "OwnModel"

    @property
    def snapshot(self) -> "ClassSnapshot":
        """Return the run's snapshot."""
        assert self.run.snapshot is not None
        return self.run.snapshot


MOST_CLASSES = 40  # rooms whose encoder a process keeps; at most 700 kB each
_class_encoders: dict[str, ClassEncoder] = {}  # by the room's code, the newest last
# By the room's code, what is trained now and its one ticket: sixty phones are one run in the line.
_class_runs: "dict[str, tuple[ClassRunSettings, str]]" = {}
_class_lock = threading.RLock()


def look_at_class_run(room: str, settings: "ClassRunSettings") -> "View[ClassSnapshot]":
    """Return how far a room's encoder is, which this process trains once for all of its visits.

    Each look keeps the run going, and the first one starts it, in place of a run of this room with
    other settings. A finished run is kept. A failed one stays until try_class_run_again(). Raises
    NoRoomError.
    """
    with _class_lock:
        held = _class_encoders.get(room)
        if held is not None and held.snapshot.settings == settings:
            return held.run
        view, (known, ticket) = None, _class_runs.get(room, (None, ""))
        if known == settings:
            with contextlib.suppress(UnknownTicketError):  # nobody looked for minutes
                view = training_service().look(ticket)
        if view is None:
            give_up_class_run(room)
            ticket = start_class_run(settings, owner=("class", room))
            _class_runs[room] = settings, ticket
            view = training_service().look(ticket)
        if view.snapshot is not None and view.snapshot.is_finished:
            keep_class_encoder(room, view)
            give_up_class_run(room)
        return view


def give_up_class_run(room: str) -> None:
    """Forget a room's run, so that the next look starts another."""
    with _class_lock:
        run = _class_runs.pop(room, None)
        if run is not None:
            with contextlib.suppress(UnknownTicketError):
                training_service().leave(run[1])


def try_class_run_again(room: str) -> None:
    """Forget a room's run if it failed; one that another visit has begun since goes on."""
    with _class_lock:
        _, ticket = _class_runs.get(room, (None, ""))
        with contextlib.suppress(UnknownTicketError):
            if training_service().look(ticket).status == "failed":
                give_up_class_run(room)


def keep_class_encoder(room: str, run: "View[ClassSnapshot]") -> None:
    """Keep the finished encoder of a room, in place of an earlier one."""
    assert run.snapshot is not None
    model = class_model(run.snapshot)
    model.name = (
        own_models.PREFIX + hashlib.sha256(repr(run.snapshot.settings).encode()).hexdigest()[:10]
    )
    with _class_lock:
        _class_encoders.pop(room, None)
        _class_encoders[room] = ClassEncoder(run=run, model=model)
        for oldest in list(_class_encoders)[:-MOST_CLASSES]:
            _class_encoders.pop(oldest, None)


def class_encoder(room: str) -> ClassEncoder | None:
    """Return the encoder of a room, if this process trained it."""
    return _class_encoders.get(room)


def forget_class_encoders(*, but: Container[str] = ()) -> None:
    """Forget the encoders and the runs of all rooms but some, as those that have ended."""
    with _class_lock:
        for room in [one for one in (*_class_encoders, *_class_runs) if one not in but]:
            _class_encoders.pop(room, None)
            give_up_class_run(room)


@st.cache_resource(max_entries=8, show_spinner=False)
def stored_run(name: str) -> "Snapshot":
    """Return a run that was trained before and is stored with this app."""
    from mlm_core.stored.runs import read_stored

    return read_stored(name)


@st.cache_resource(max_entries=1, show_spinner=False)
def masking_runs() -> "tuple[MaskingRun, ...]":
    """Return the stored runs with static and with dynamic masking."""
    from mlm_core.stored.static_masking import read_runs

    return read_runs()


@st.cache_resource(max_entries=1, show_spinner=False)
def mask_rate_runs() -> "tuple[MaskRateRun, ...]":
    """Return the stored runs with 15 % hidden and with any share."""
    from mlm_core.stored.mask_rates import read_runs

    return read_runs()


@st.cache_resource(max_entries=1, show_spinner=False)
def pair_scores() -> "tuple[PairScores, ...]":
    """Return what stored encoders with and without NSP reach on other tasks with pairs."""
    from mlm_core.stored.nsp_effect import read_scores

    return read_scores()


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=BY_HASH)
def best_possible(settings: "SmallRunSettings") -> "BestFigures | None":
    """Return the best that anyone could do on a run's test, where that is known; it is stored."""
    from mlm_core.stored.runs import read_best

    return read_best(settings)


def prepared_text(settings: "SmallRunSettings") -> "PreparedText":
    """Return a run's text, cut and split. Raises ValueError if it is too small."""
    # The text depends on these alone; whoever differs in the rest shares it.
    judges_pairs = settings.objective == "mlm_nsp"
    return _prepared_text(
        settings.own_text, settings.vocabulary_size, judges_pairs and settings.own_text is not None
    )


# The mini world takes 1 MB, the longest text of one's own less.
@st.cache_resource(max_entries=8, show_spinner=False)
def _prepared_text(
    own_text: str | None, vocabulary_size: int, judges_pairs: bool
) -> "PreparedText":
    from mlm_core.small_runs.settings import SmallRunSettings
    from mlm_core.small_runs.text import prepare_at_once

    settings = SmallRunSettings(
        own_text=own_text,
        vocabulary_size=vocabulary_size,
        objective="mlm_nsp" if judges_pairs else "mlm",
    )
    return prepare_at_once(settings)


# Five steps of one row: some kilobytes. The longest take two seconds.
@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=BY_HASH)
def first_steps(settings: "SmallRunSettings", followed: "Followed", row: int) -> "FollowedRow":
    """Return what a run's first steps do to one row of weights; they are trained here, anew.

    Raises NonFiniteLossError if the training diverges at once.
    """
    from mlm_core.small_runs.first_steps import follow_row

    text = prepared_text(settings)
    with long_work_lock():
        return follow_row(text, settings, followed, row)


def model_at(snapshot: "Snapshot", checkpoint: int = -1) -> "OwnModel":
    """Return the model of a run as it was at one of its checkpoints; -1 is the newest."""
    step = snapshot.checkpoints[checkpoint].step
    return _model_at(snapshot.settings, step, snapshot, checkpoint)


# The largest has 1.5 million parameters: 6 MB; the default takes 1.
@st.cache_resource(max_entries=6, show_spinner=False, hash_funcs=BY_HASH)
def _model_at(
    settings: "SmallRunSettings", step: int, _snapshot: "Snapshot", _checkpoint: int
) -> "OwnModel":
    from mlm_core.small_runs.snapshot import model_at

    return model_at(_snapshot, _checkpoint)


def blank_guesses(snapshot: "Snapshot", sentence: str, n: int, checkpoint: int = -1) -> "FillStep":
    """Return the likeliest words for the first blank. Raises ValueError if there is none."""
    step = snapshot.checkpoints[checkpoint].step
    return _blank_guesses(snapshot.settings, step, sentence, n, snapshot, checkpoint)


@st.cache_resource(max_entries=512, show_spinner=False, hash_funcs=BY_HASH)
def _blank_guesses(
    settings: "SmallRunSettings",
    step: int,
    sentence: str,
    n: int,
    _snapshot: "Snapshot",
    _checkpoint: int,
) -> "FillStep":
    from mlm_core.small_runs.snapshot import blank_guesses

    return blank_guesses(model_at(_snapshot, _checkpoint), sentence, settings.objective, n)


@st.cache_data(max_entries=24, show_spinner=False)
def own_text_parts(text: str, next_sentence: bool) -> tuple[int, int, int]:
    """Return a learner's text in numbers: documents and sentences to learn from, held out ones.

    Raises ValueError if there is too little of it.
    """
    from mlm_core.small_runs.own_text import split_train_test

    parts = split_train_test(text, next_sentence=next_sentence)
    learnt, held_out = (
        sum(len(document) for document in part) for part in (parts.train, parts.held_out)
    )
    return len(parts.train), learnt, held_out


def state_bank(snapshot: "Snapshot", checkpoint: int = -1) -> "StateBank":
    """Return the words of the run's held-out sentences with their vectors, to compare with."""
    step = snapshot.checkpoints[checkpoint].step
    return _state_bank(snapshot.settings, step, snapshot, checkpoint)


# Some 5,000 words of 64 numbers: 1.3 MB.
@st.cache_resource(max_entries=12, show_spinner=False, hash_funcs=BY_HASH)
def _state_bank(
    settings: "SmallRunSettings", step: int, _snapshot: "Snapshot", _checkpoint: int
) -> "StateBank":
    from mlm_core.probing.neighbours import make_bank

    sentences = prepared_text(settings).held_out_sentences
    model = model_at(_snapshot, _checkpoint)
    # Made piece by piece; the last piece is the whole.
    *_, bank = make_bank(model, sentences, causal=settings.objective == "next_word")
    assert bank is not None
    return bank
