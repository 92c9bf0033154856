"""A corpus made by a grammar, which a small encoder learns in a minute.

Each document tells one scene in six sentences. Verbs and pronouns agree with the protagonist,
names are repeated, the steps are in order, and six words ("bank", "bass", ...) have two senses,
each in other scenes. Since the grammar is known, the best possible prediction is known, too
(best.py), unlike for a natural corpus.

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
    """An ambiguous word in a sentence, and its sense there."""

    position: int  # of the word in WorldSentence.words
    word: str
    sense: str


@dataclass(frozen=True, kw_only=True)
class WorldSentence:
    """One sentence, and the ambiguous words in it."""

    words: tuple[str, ...]  # the final stop is a word
    senses: tuple[Sense, ...]

    @property
    def text(self) -> str:
        """Return the sentence as text."""
        return " ".join(self.words[:-1]) + self.words[-1]


@dataclass(frozen=True, kw_only=True)
class WorldDocument:
    """The sentences of one scene."""

    scene: str
    sentences: tuple[WorldSentence, ...]


def documents(part: Part) -> tuple[tuple[str, ...], ...]:
    """Return the documents of one part of the fixed world, each as its sentences."""
    return tuple(
        tuple(sentence.text for sentence in document.sentences) for document in world(part)
    )


def world(part: Part) -> tuple[WorldDocument, ...]:
    """Return one part of the fixed world with scenes and senses.

    The held-out part is drawn like the training part, but a document of which some sentence
    stands in the training part is discarded.
    Raises ValueError for an unknown part.
    """
    if part not in get_args(Part):
        raise ValueError(f"part {part!r}: choose one of {', '.join(get_args(Part))}")
    rng, grammar = Random(WORLD_SEED), _Grammar()
    training = tuple(grammar.document(rng) for _ in range(N_TRAINING_DOCUMENTS))
    if part == "train":
        return training
    seen = {sentence.words for document in training for sentence in document.sentences}
    held_out: list[WorldDocument] = []
    while len(held_out) < N_HELD_OUT_DOCUMENTS:
        document = grammar.document(rng)
        if seen.isdisjoint(sentence.words for sentence in document.sentences):
            held_out.append(document)
    return tuple(held_out)


def write_documents(rng: Random, n: int) -> tuple[WorldDocument, ...]:
    """Return `n` documents drawn from the grammar; equal seeds, equal documents."""
    grammar = _Grammar()
    return tuple(grammar.document(rng) for _ in range(n))


class _Grammar:
    """The patterns, sorted for drawing."""

    def __init__(self) -> None:
        self.by_step: dict[tuple[str, int, str], list[Pattern]] = {}
        for pattern in patterns():
            step = (pattern.scene, pattern.step, pattern.kind)
            self.by_step.setdefault(step, []).append(pattern)

    def document(self, rng: Random) -> WorldDocument:
        """Draw a scene and a protagonist, then tell it step by step."""
        scene = rng.choice(SCENES)
        kind = rng.choice(KINDS)
        # A variable of one sentence has a name that no other sentence uses.
        values: dict[str, int] = {}
        sentences = []
        for step in range(len(scene.steps)):
            choices = self.by_step[scene.name, step, kind]
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
    """Return a slot's word; the value of its variable is kept in `values`."""
    variable = slot.variable
    if variable is None:
        return slot.words[0]
    if variable.name not in values:
        values[variable.name] = rng.randrange(variable.n_values)
    return slot.words[values[variable.name]]
