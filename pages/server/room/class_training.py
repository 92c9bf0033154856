"""Training the class's encoder: the teacher's page keeps it going and tells the room.

It goes on while any page of the teacher's looks at the room, the desk or the bar on a lesson.
What a killed process had done is lost, and the next page of the teacher's trains it again from
the sentences in the room. Learners' pages read what was told: some 2,000 characters for the class
and 1,000 for each.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pages.server import session
from pages.server.caches import cache_training
from pages.server.classroom import encoder_run
from pages.server.classroom.desk import Desk
from pages.server.classroom.encoder_run import Progress, Told
from pages.server.classroom.rooms import RoomNow, Rooms, Sent
from pages.server.room.server_rooms import asked
from pages.server.trainer.jobs import NoRoomError, UnknownTicketError, View

if TYPE_CHECKING:
    from mlm_core.small_runs.class_run import ClassRunSettings, ClassSnapshot

TELL_SECONDS = 2.0  # between two messages to the room
STILL_THERE_SECONDS = 5.0  # between two without news, while the training goes on
N_GUESSES, N_OWN_GUESSES = 5, 3
MOST_POINTS = 40  # of the curve in a message
NOBODYS_BLANK = "[MASK]."  # what all see until the class has chosen a sentence: no learner's own
MOST_TESTS, FEWEST_STEPS_BETWEEN = 20, 25  # of a run; all words are tested each time


@dataclass
class Training:
    """A run in this process, as one visit follows it."""

    room: str  # its code
    seed: int
    settings: "ClassRunSettings"
    sent: Sequence[Sent]
    ticket: str = ""  # of a run without one learner's sentences; the whole class has one for all
    looked_at: float = 0.0  # time.monotonic()
    told: object = field(default=None)  # of what the room was told last
    ended: "View[ClassSnapshot] | None" = None  # the last look, at its last step


@dataclass
class Trains:
    """What a visit trains."""

    of_class: Training | None = None  # at the desk
    without: Training | None = None  # a learner's, without their sentences
    guess: int | None = None  # how many of their words will be wrong then
    refused: str = ""  # why that couldn't start


def start(rooms: Rooms, code: str, seed: int, *, without: str = "") -> Training:
    """Return the run of the class's encoder in this process, which the first look starts.

    Without one visit's sentences it is started at once. Raises ValueError if there is too little
    to train on, or no place at the trainer.
    """
    from mlm_core.small_runs.class_run import ClassRunSettings, choose_held_out, steps_for

    sent = encoder_run.sentences(rooms, code)
    sentences = tuple(one.said["sentence"] for one in sent)
    held_out = choose_held_out(sentences, seed)
    own = (i for i, one in enumerate(sent) if one.visit == without)
    left_out = tuple(i for i in own if i not in held_out)
    n_steps = steps_for(len(sent))
    settings = ClassRunSettings(
        sentences=sentences,
        held_out=held_out,
        left_out=left_out,
        n_steps=n_steps,
        # Of a run without somebody's sentences only the end is shown.
        test_every=n_steps if left_out else max(FEWEST_STEPS_BETWEEN, n_steps // MOST_TESTS),
        seed=seed,
    )
    return Training(
        room=code,
        seed=seed,
        settings=settings,
        sent=sent,
        ticket=cache_training.start_class_run(settings) if left_out else "",
    )


def look(training: Training) -> "View[ClassSnapshot]":
    """Return how far a run is, and keep it going; one that was forgotten begins again.

    What has ended is kept by whoever looked, since the trainer forgets one of many. The whole
    class's is then the room's; a run without one learner's sentences is only that learner's.
    Raises NoRoomError.
    """
    if training.ended is not None:
        return training.ended
    if training.settings.left_out:
        view = _look_without(training)
    else:
        view = cache_training.look_at_class_run(training.room, training.settings)
    if view.snapshot is not None and view.snapshot.is_finished:
        training.ended = view
    return view


def _look_without(training: Training) -> "View[ClassSnapshot]":
    service = cache_training.training_service()
    try:
        view = service.look(training.ticket)
    except UnknownTicketError:
        training.ticket = cache_training.start_class_run(training.settings)
        view = service.look(training.ticket)
    if view.snapshot is not None and view.snapshot.is_finished:
        service.leave(training.ticket)
    return view


def keep_going(mine: Desk) -> None:
    """Keep the class's encoder training from any page; another part says if the room is gone."""
    asked(lambda rooms: go_on(rooms, mine, rooms.look(mine.code)))


def go_on(rooms: Rooms, mine: Desk, room: RoomNow) -> None:
    """Keep the class's encoder training, and tell the room how far it is."""
    trains = session.of(Trains)
    kept, seed, now = trains.of_class, room.encoder_seed, time.monotonic()
    if seed is None:
        trains.of_class = None
        return
    if kept and kept.seed == seed and now - kept.looked_at < TELL_SECONDS:
        return
    try:
        # A sentence that the teacher dropped meanwhile is in no run from now on.
        if kept is None or kept.seed != seed or _has_changed(rooms, mine.code, kept):
            kept = trains.of_class = start(rooms, mine.code, seed)
        kept.looked_at = now
        view = look(kept)
    except (NoRoomError, ValueError) as error:
        _tell_failure(rooms, mine.code, seed, str(error))
        return
    if view.status == "failed":
        _tell_failure(rooms, mine.code, seed, view.message)
    elif view.snapshot is not None:
        _tell(rooms, mine.code, kept, view.snapshot, blank_of_class(mine, room))


def blank_of_class(mine: Desk, room: RoomNow) -> str:
    """Return the teacher's sentence, or the one that most learners voted for; "" without one."""
    question = encoder_run.blank_question(room)
    if question is None:
        return room.encoder_blank
    counts = mine.tallies(question)[-1].counts
    first = max(counts, key=counts.__getitem__)
    return question.options[first] if counts[first] else ""


def _has_changed(rooms: Rooms, code: str, kept: Training) -> bool:
    return [one.key for one in encoder_run.sentences(rooms, code)] != [one.key for one in kept.sent]


def _tell(rooms: Rooms, code: str, kept: Training, snapshot: "ClassSnapshot", blank: str) -> None:
    """Tell the room what the newest test found, unless it was told."""
    if not snapshot.tests:
        return
    own = encoder_run.own_blanks(rooms, code)
    news = snapshot.tests[-1].step, blank, own
    known = encoder_run.progress_of(rooms, code, kept.seed)
    # Another process may have told less after that.
    is_known = (
        known is not None
        and not known.message
        and known.n_sentences <= len(kept.sent)
        and known.step >= snapshot.tests[-1].step
    )
    if news == kept.told and known is not None and is_known:
        is_old = rooms.now() - known.at > STILL_THERE_SECONDS
        if is_old and not known.is_finished:
            encoder_run.publish(rooms, code, known, {})
        return
    progress, told = messages(kept, snapshot, blank, own)
    encoder_run.publish(rooms, code, progress, told)
    kept.told = news


def messages(
    kept: Training,
    snapshot: "ClassSnapshot",
    blank: str,
    own: Mapping[str, str],
) -> tuple[Progress, dict[str, Told]]:
    """Return what the class is told, and each learner who sent a sentence or asks a blank."""
    from mlm_core.small_runs.class_run import guesses_at_blanks, with_blank

    by_visit: dict[str, list[int]] = {}
    for number, one in enumerate(kept.sent):
        by_visit.setdefault(one.visit, []).append(number)
    texts = snapshot.settings.sentences
    blank = blank or NOBODYS_BLANK
    blanks = {visit: with_blank(texts[numbers[0]]) for visit, numbers in by_visit.items()}
    blanks.update(own)
    model = cache_training.class_model(snapshot)
    found = guesses_at_blanks(model, [blank, *blanks.values()], N_GUESSES)
    guesses = [[(one.token or "", round(one.probability, 3)) for one in each] for each in found]
    stride = -(-len(snapshot.losses) // MOST_POINTS)
    held_out = snapshot.settings.held_out
    progress = Progress(
        seed=kept.seed,
        step=snapshot.tests[-1].step,
        n_steps=snapshot.settings.n_steps,
        n_sentences=len(texts),
        n_words=snapshot.n_words,
        n_learned=snapshot.tests[-1].n_learned,
        curve=[(step, round(loss, 3)) for step, loss in snapshot.losses[::-stride][::-1]],
        blank=blank,
        guesses=guesses[0],
        n_held_out=len(held_out),
        **_of_new_sentences(snapshot),
    )
    told = {
        visit: Told(
            seed=kept.seed,
            step=progress.step,
            sentences=[
                (texts[i], one.n_words, one.n_wrong, round(one.loss, 3))
                for i in by_visit.get(visit, ())
                for one in [snapshot.results[i]]
            ],
            blank=of_visit,
            guesses=each[:N_OWN_GUESSES],
            held_out=[k for k, i in enumerate(by_visit.get(visit, ())) if i in held_out],
        )
        for (visit, of_visit), each in zip(blanks.items(), guesses[1:], strict=True)
    }
    return progress, told


def _of_new_sentences(snapshot: "ClassSnapshot") -> dict[str, Any]:
    """Return what the class is told of held-out sentences; nothing where no word is held out."""
    last, baseline = snapshot.tests[-1].held_out, snapshot.baseline
    if last is None or baseline is None:
        return {}
    tests = [(one.step, one.held_out) for one in snapshot.tests]
    return {
        "n_new": last.n_words,
        "n_new_wrong": last.n_wrong,
        "held_out": [(step, round(found.loss, 3)) for step, found in tests if found],
        "n_baseline_wrong": baseline.n_wrong,
        "baseline_loss": round(baseline.loss, 3),
    }


def _tell_failure(rooms: Rooms, code: str, seed: int, message: str) -> None:
    encoder_run.publish(rooms, code, Progress(seed=seed, message=message), {})
