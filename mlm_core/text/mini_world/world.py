"""A corpus made by a grammar: small enough to learn in a minute, rich enough to be worth it.

Each document tells one scene in six sentences. Verbs and pronouns agree with the protagonist,
things that were named are named again, the steps come in order, and six words ("bank", "bass",
...) have two senses, each in scenes of its own. Since the grammar is ours, the best possible
prediction is known (best.py): something no natural corpus can offer.

    train      900 documents, about 50,000 tokens
    held_out   90 documents in which no sentence stands in the training part

Source: this project's own; learning from a grammar with known probabilities goes back to
Elman 1990, "Finding Structure in Time".

Read before this: grammar.py.
"""

from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

from mlm_core.text.mini_world.grammar import KINDS, Pattern, Slot, patterns
from mlm_core.text.mini_world.scenes import SCENES

Part = Literal["train", "held_out"]

WORLD_SEED = 5  # of the documents that documents() gives
N_TRAINING_DOCUMENTS = 900
N_HELD_OUT_DOCUMENTS = 90
VOCABULARY_SIZE = 1_200  # entries of a WordPiece vocabulary that has every word whole


@dataclass(frozen=True, kw_only=True)
class Sense:
    """An ambiguous word in a sentence, and what it means there."""

    position: int  # of the word in WorldSentence.words
    word: str
    sense: str


@dataclass(frozen=True, kw_only=True)
class WorldSentence:
    """One sentence, and the ambiguous words in it."""

    words: tuple[str, ...]  # the final stop is a word of its own
    senses: tuple[Sense, ...]

    @property
    def text(self) -> str:
        """Return the sentence as it is written."""
        return " ".join(self.words[:-1]) + self.words[-1]


@dataclass(frozen=True, kw_only=True)
class WorldDocument:
    """Sentences that follow from each other."""

    scene: str
    sentences: tuple[WorldSentence, ...]


def documents(part: Part) -> tuple[tuple[str, ...], ...]:
    """Return one part of the fixed world: its documents, each as its sentences in order."""
    return tuple(
        tuple(sentence.text for sentence in document.sentences) for document in world(part)
    )


def world(part: Part) -> tuple[WorldDocument, ...]:
    """Return one part of the fixed world with scenes and senses.

    The held-out part is drawn like the training part, but a document of which some sentence
    stands in the training part is thrown away and another one drawn.
    Raises ValueError for an unknown part.
    """
    if part not in get_args(Part):
        raise ValueError(f"part {part!r}: choose one of {', '.join(get_args(Part))}")
    rng = Random(WORLD_SEED)
    training = write_documents(rng, N_TRAINING_DOCUMENTS)
    if part == "train":
        return training
    seen = {sentence.words for document in training for sentence in document.sentences}
    held_out: list[WorldDocument] = []
    found = _Grammar()
    while len(held_out) < N_HELD_OUT_DOCUMENTS:
        document = found.document(rng)
        if seen.isdisjoint(sentence.words for sentence in document.sentences):
            held_out.append(document)
    return tuple(held_out)


def write_documents(rng: Random, n: int) -> tuple[WorldDocument, ...]:
    """Return `n` documents drawn from the grammar; the same rng gives the same documents."""
    grammar = _Grammar()
    return tuple(grammar.document(rng) for _ in range(n))


class _Grammar:
    """The patterns, sorted for drawing."""

    def __init__(self) -> None:
        self.by_place: dict[tuple[str, int, str], list[Pattern]] = {}
        for pattern in patterns():
            place = (pattern.scene, pattern.step, pattern.kind)
            self.by_place.setdefault(place, []).append(pattern)

    def document(self, rng: Random) -> WorldDocument:
        """Draw a scene and a protagonist, then tell it step by step."""
        scene = rng.choice(SCENES)
        kind = rng.choice(KINDS)
        # What a sentence draws for itself alone has a name that no other sentence uses.
        values: dict[str, int] = {}
        sentences = []
        for step in range(len(scene.steps)):
            choices = self.by_place[scene.name, step, kind]
            pattern = rng.choices(choices, [choice.probability for choice in choices])[0]
            words = tuple(_word(slot, values, rng) for slot in pattern.slots)
            senses = tuple(
                Sense(position=i, word=word, sense=scene.senses[word])
                for i, word in enumerate(words)
                if word in scene.senses
            )
            sentences.append(WorldSentence(words=words, senses=senses))
        return WorldDocument(scene=scene.name, sentences=tuple(sentences))


def _word(slot: Slot, values: dict[str, int], rng: Random) -> str:
    """Return a slot's word; what is drawn for its variable is kept in `values`."""
    variable = slot.variable
    if variable is None:
        return slot.words[0]
    if variable.name not in values:
        values[variable.name] = rng.randrange(variable.n_values)
    return slot.words[values[variable.name]]
