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
from pages.server.caches.cache import HashFuncs
from pages.server.process import page_turns, process_memory, visits
from pages.server.trainer.jobs import UnknownTicketError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlm_core.encoder.language_model import OwnModel
    from mlm_core.prediction.fillers import Filler, FillStep
    from mlm_core.small_runs.class_run import ClassRunSettings, ClassSnapshot
    from mlm_core.small_runs.settings import SmallRunSettings
    from mlm_core.small_runs.snapshot import Snapshot
    from mlm_core.stored.static_masking import MaskingRun
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
