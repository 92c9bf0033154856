"""The words and scenes of the mini world: twelve stories of six steps.

A line is one way to tell a step. Its items are:

    {name}      who the document is about: "Anna", "Tom" or "the twins"
    {he} {him} {his}    pronouns that agree with {name}
    [walks]     a verb that agrees with {name}: "walks", but "walk" for "the twins"
    [walks|runs]    one of these verbs
    {fish}      a word of the scene's list, drawn once a document: later steps repeat it
    (look)      a word of the scene's list, drawn for this sentence
    (in|out)    one of these words, drawn for this sentence
    a           becomes "an" before a vowel

All words of a list are equally likely. A line may open with a time word of its step ("Then",
"After that"), unless it begins with !.

Six words have two senses, each in other scenes: bank, bass, mouse, spring, bat and seal. The
scenes are in data/mini_world.txt.

Read before this: ../corpora.py.
"""

import re
from dataclasses import dataclass
from pathlib import Path

SCENES_FILE = Path(__file__).parents[2] / "data" / "mini_world.txt"

NAMES = {
    "man": "Tom Ben Omar Paul Leo Karim",
    "woman": "Anna Lena Aisha Mary Sara Emma",
    "group": "twins children sisters brothers students friends",
}

PRONOUNS = {
    "man": {"he": "he", "him": "him", "his": "his"},
    "woman": {"he": "she", "him": "her", "his": "her"},
    "group": {"he": "they", "him": "them", "his": "their"},
}

# Lists that every scene may use.
SHARED_LISTS = {
    "friend": "sister brother uncle aunt father mother",
    "calmly": "quietly patiently silently happily",
    "anyhow": "quickly slowly silently quietly suddenly",
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
}

# How a sentence of each step may open, with probabilities.
OPENERS = (
    ((0.4, ""), (0.2, "today"), (0.4, "on (day)")),
    ((0.4, ""), (0.6, "(first|now)")),
    ((0.4, ""), (0.6, "(then|next)")),
    ((0.4, ""), (0.4, "(soon|then)"), (0.2, "after that")),
    ((0.4, ""), (0.4, "(later|now)"), (0.2, "after that")),
    ((0.4, ""), (0.3, "finally"), (0.2, "at last"), (0.1, "in the end")),
)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A story: its lists of words, its steps, and the sense its ambiguous words have."""

    name: str
    senses: dict[str, str]  # ambiguous word -> sense in this scene
    lists: dict[str, str]  # name of a list -> its words
    steps: tuple[tuple[str, ...], ...]  # for each step, the ways to tell it


def read_scenes(text: str) -> tuple[Scene, ...]:
    """Return the scenes of a file like data/mini_world.txt, in its order."""
    scenes = []
    for part in text.split("\n## ")[1:]:
        head, *steps = part.strip().split("\n\n")
        name, *entries = head.splitlines()
        pairs: dict[str, dict[str, str]] = {"sense": {}, "list": {}}
        for entry in entries:
            found = re.fullmatch(r"(sense|list) (\w+): (.+)", entry)
            assert found, entry
            kind, word, content = found.groups()
            pairs[kind][word] = content
        scenes.append(
            Scene(
                name=name,
                senses=pairs["sense"],
                lists=pairs["list"],
                steps=tuple(tuple(step.splitlines()) for step in steps),
            )
        )
    return tuple(scenes)


SCENES = read_scenes(SCENES_FILE.read_text(encoding="utf-8"))
