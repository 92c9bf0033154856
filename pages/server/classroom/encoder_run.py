"""The class's encoder in its room: what it is trained on, and how far it is.

The room keeps texts and the state, never weights: the run follows from its sentences and its
seed, so any process trains the same encoder, on another processor not to the last bit. The
records, all JSON but the first:

    room            encoder_seed, encoder_blank: what the teacher started, and the class's blank;
                    encoder_choices: accepted sentences with a blank, which the class votes on
    encoder         visit/random -> a sentence, and whether it was let through: a Collection
    encoder_run     keys: the sentences that are trained on, in order; progress: for the class
    encoder_blanks  visit -> a sentence of its own with a blank
    encoder_told    visit -> how wrong its sentences still are, and the guesses at its blank

One sentence of ten is held out, which the seed draws: only there, and where a learner has it
trained without their own, is it measured how well new sentences are predicted.

Where the teacher drops a sentence after the start, the encoder is trained again without it. Two
processes may train for one teacher: the one that is further tells the room.

Read before this: rooms.py.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from random import SystemRandom

from pages.server.classroom.rooms import (
    ENCODER,
    MOST_LESSONS,
    MOST_VISITS,
    Question,
    RoomNow,
    Rooms,
    Sent,
    on_one_line,
)

LEAST_SENTENCES = 4
LONGEST_BLANK = ENCODER.fields["sentence"]
MOST_SEEDS = 10_000
MOST_CHOICES = 4  # sentences that the class votes on
MOST_RECORDS = 2

Guesses = Sequence[tuple[str, float]]  # words with their probabilities, likeliest first


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far the class's encoder is."""

    seed: int
    step: int = 0
    n_steps: int = 0
    n_sentences: int = 0
    n_words: int = 0  # different ones
    n_learned: int = 0  # that it repeats: right in the sentences that it was trained on
    curve: Sequence[tuple[int, float]] = ()  # step and loss of training, in nats
    blank: str = ""
    guesses: Guesses = ()
    n_held_out: int = 0  # sentences; what follows is of their words
    n_new: int = 0
    n_new_wrong: int = 0
    held_out: Sequence[tuple[int, float]] = ()  # step and loss, in nats
    n_baseline_wrong: int = 0  # if the most frequent word is guessed everywhere
    baseline_loss: float = 0.0  # of word counts
    message: str = ""  # why it can't be trained
    at: float = field(default=0.0, compare=False)  # when the room was told

    @property
    def is_finished(self) -> bool:
        """Return whether the encoder is trained."""
        return self.step == self.n_steps > 0

    def is_behind(self, other: "Progress") -> bool:
        """Return whether another process knows more of the run with the same seed.

        No sentence comes in after the start, so fewer of them are newer.
        """
        mine, others = ((not one.message, -one.n_sentences, one.step) for one in (self, other))
        return self.seed == other.seed and mine < others


@dataclass(frozen=True, kw_only=True)
class Told:
    """What one learner's page is told."""

    seed: int
    step: int
    sentences: Sequence[tuple[str, int, int, float]]  # text, words, wrong ones, loss in nats
    blank: str
    guesses: Guesses
    held_out: Sequence[int] = ()  # which of the sentences

    @property
    def trained(self) -> list[tuple[str, int, int, float]]:
        """Return the sentences that were trained on."""
        return [one for i, one in enumerate(self.sentences) if i not in self.held_out]


def start(rooms: Rooms, code: str) -> None:
    """Let the encoder be trained on what was let through until now, from a new seed."""
    keys = json.dumps([one.key for one in rooms.accepted(code, ENCODER)])
    rooms.store.put(code, "encoder_run", "keys", keys, most=MOST_RECORDS)
    seed = str(SystemRandom().randrange(1, MOST_SEEDS))
    rooms.store.put(code, "room", "encoder_seed", seed, most=MOST_LESSONS)


def take_back(rooms: Rooms, code: str) -> None:
    """Let the class collect sentences again; those that were sent stay."""
    rooms.store.drop(code, "room", "encoder_seed", with_kind="encoder_told")
    rooms.store.drop(code, "encoder_run", "progress")


def sentences(rooms: Rooms, code: str) -> list[Sent]:
    """Return the sentences that the encoder is trained on, in order."""
    text = rooms.store.get(code, "encoder_run", "keys")
    accepted = {one.key: one for one in rooms.accepted(code, ENCODER)}
    return [accepted[key] for key in json.loads(text or "[]") if key in accepted]


def choose_blank(rooms: Rooms, code: str, sentence: str) -> None:
    """Take the class's sentence with a blank."""
    rooms.store.put(
        code, "room", "encoder_blank", on_one_line(sentence, LONGEST_BLANK), most=MOST_LESSONS
    )


def offer_choices(rooms: Rooms, code: str) -> None:
    """Let the class vote on some accepted sentences, of different learners as far as there are."""
    from mlm_core.small_runs.class_run import with_blank

    drawn = rooms.accepted(code, ENCODER)
    SystemRandom().shuffle(drawn)
    of_each = {one.visit: one for one in drawn}
    others = [one for one in drawn if of_each[one.visit] is not one]
    chosen = [*of_each.values(), *others][:MOST_CHOICES]
    texts = {_name(one.key): one.said["sentence"] for one in chosen}
    _put_choices(
        rooms,
        code,
        {name: text if "[MASK]" in text else with_blank(text) for name, text in texts.items()},
    )


def take_choice_back(rooms: Rooms, code: str, key: str) -> None:
    """Let the class no longer vote on a contribution that the teacher dropped."""
    choices = json.loads(rooms.store.get(code, "room", "encoder_choices") or "{}")
    if choices.pop(_name(key), None) is not None:
        _put_choices(rooms, code, choices)


def _put_choices(rooms: Rooms, code: str, choices: Mapping[str, str]) -> None:
    text = json.dumps(choices)
    rooms.store.put(code, "room", "encoder_choices", text, most=MOST_LESSONS)


def _name(key: str) -> str:
    """Return a contribution's name without the visit, which only its own browser knows."""
    return key.partition("/")[2]


def blank_question(room: RoomNow) -> Question | None:
    """Return what the class votes on; None where there is nothing to choose from."""
    if room.encoder_blank or len(room.encoder_choices) < 2:
        return None
    return Question(
        id="-".join(["class_encoder_blank", *room.encoder_choices]),
        kind="choice",
        lesson="class_encoder",
        label="which_blank",
        options=room.encoder_choices,
    )


def choose_own_blank(rooms: Rooms, code: str, visit: str, sentence: str) -> bool:
    """Take one learner's sentence with a blank; return whether there was a place for it.

    Raises NoSuchRoomError, RoomRefusedError.
    """
    rooms.may_send(code, visit)
    return rooms.store.put(
        code, "encoder_blanks", visit, on_one_line(sentence, LONGEST_BLANK), most=MOST_VISITS
    )


def own_blanks(rooms: Rooms, code: str) -> dict[str, str]:
    """Return the learners' sentences with blanks, by visit."""
    return rooms.store.all(code, "encoder_blanks")


def publish(rooms: Rooms, code: str, progress: Progress, told: Mapping[str, Told]) -> None:
    """Tell the class how far its encoder is, and some learners what concerns them.

    Nothing is told if the room knows more. The class's message has some 2,000 characters, a
    learner's 1,000.
    """
    before = progress_of(rooms, code, progress.seed)
    if before is not None and progress.is_behind(before):
        return
    text = json.dumps(asdict(replace(progress, at=rooms.now())))
    rooms.store.put(code, "encoder_run", "progress", text, most=MOST_RECORDS)
    for visit, one in told.items():
        rooms.store.put(code, "encoder_told", visit, json.dumps(asdict(one)), most=MOST_VISITS)


def progress_of(rooms: Rooms, code: str, seed: int | None) -> Progress | None:
    """Return how far the run with this seed is; None before its first news."""
    text = rooms.store.get(code, "encoder_run", "progress")
    progress = Progress(**json.loads(text)) if text else None
    return progress if progress and progress.seed == seed else None


def told_to(rooms: Rooms, code: str, visit: str, seed: int | None) -> Told | None:
    """Return what a learner was told of the run with this seed; None before that."""
    text = rooms.store.get(code, "encoder_told", visit)
    told = Told(**json.loads(text)) if text else None
    return told if told and told.seed == seed else None
