"""The grammar of the mini world: from the lines of scenes to patterns of words.

A pattern is a sentence with all but a few words fixed. The kind of protagonist (a man, a woman,
a group), the line and its opening are fixed; a few independent variables remain. So the
probability of any sentence is a sum over patterns of a product over variables, and the best
possible prediction can be computed (best.py).

    document   scene, kind of protagonist, then one pattern for each step
    pattern    slots, one a word; a slot has a word for each value of its variable
    variable   drawn once a document ("fish": later sentences name it again) or once a sentence;
               two slots can share one ("an old trap", but "a new trap")

Read before this: scenes.py.
"""

import re
from dataclasses import dataclass, replace

from mlm_core.text.mini_world.scenes import NAMES, OPENERS, PRONOUNS, SCENES, SHARED_LISTS, Scene

KINDS = tuple(NAMES)  # of protagonist, equally likely

IRREGULAR_PLURALS = {"is": "are", "has": "have", "goes": "go"}


@dataclass(frozen=True, kw_only=True)
class Variable:
    """An independent random variable."""

    name: str  # unique in the world
    n_values: int  # all equally likely


@dataclass(frozen=True, kw_only=True)
class Slot:
    """One word of a pattern: fixed, or one word for each value of a variable."""

    words: tuple[str, ...]
    variable: Variable | None = None


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """A sentence with variables."""

    scene: str
    step: int  # counted from 0
    kind: str  # of protagonist
    probability: float  # given scene, step and kind
    slots: tuple[Slot, ...]


# The items of a line: a verb, a name in braces, a choice, or a plain word.
_ITEM = re.compile(r"\[([\w|]+)\]|\{(\w+)\}|\(([^()]*)\)|(\S+)")


def patterns() -> tuple[Pattern, ...]:
    """Return all patterns of the world, scene by scene and step by step."""
    return tuple(
        pattern
        for scene in SCENES
        for step in range(len(scene.steps))
        for kind in KINDS
        for pattern in _patterns_of_step(scene, step, kind)
    )


def plural_verb(verb: str) -> str:
    """Return the plural form: "walks" becomes "walk".

    >>> [plural_verb(verb) for verb in ("walks", "carries", "catches", "closes", "is")]
    ['walk', 'carry', 'catch', 'close', 'are']
    """
    if verb in IRREGULAR_PLURALS:
        return IRREGULAR_PLURALS[verb]
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("ches", "shes", "sses", "xes")) else verb[:-1]


def _patterns_of_step(scene: Scene, step: int, kind: str) -> list[Pattern]:
    found = []
    lines = scene.steps[step]
    for number, line in enumerate(lines):
        openers = ((1.0, ""),) if line.startswith("!") else OPENERS[step]
        for proportion, opener in openers:
            slots = _slots(
                f"{opener} {line.removeprefix('!')}", scene, kind, f"{scene.name}/{step}/{number}"
            )
            first = replace(slots[0], words=tuple(w[0].upper() + w[1:] for w in slots[0].words))
            found.append(
                Pattern(
                    scene=scene.name,
                    step=step,
                    kind=kind,
                    probability=proportion / len(lines),
                    slots=(first, *slots[1:]),
                )
            )
    return found


def _slots(text: str, scene: Scene, kind: str, prefix: str) -> list[Slot]:
    lists = SHARED_LISTS | scene.lists
    slots: list[Slot] = []
    for verb, name, choice, word in _ITEM.findall(text):
        if name == "name":
            slots += [Slot(words=("the",))] if kind == "group" else []
            slots.append(_slot(kind, NAMES[kind].split()))
        elif name in PRONOUNS[kind]:
            slots.append(Slot(words=(PRONOUNS[kind][name],)))
        elif name:
            slots.append(_slot(f"{scene.name}/{name}", lists[name].split()))
        else:
            words = (
                lists[choice].split() if choice in lists else (verb or choice or word).split("|")
            )
            if verb and kind == "group":
                words = [plural_verb(word) for word in words]
            slots.append(_slot(f"{prefix}/{len(slots)}", words))
        if len(slots) > 1 and slots[-2].words == ("a",):
            slots[-2] = _article(slots[-1])
    return slots


def _slot(name: str, words: list[str]) -> Slot:
    variable = Variable(name=name, n_values=len(words))
    return Slot(words=tuple(words), variable=variable if len(words) > 1 else None)


def _article(following: Slot) -> Slot:
    """Return "a" or "an", for each value that the next word can have."""
    articles = tuple("an" if word[0] in "aeiou" else "a" for word in following.words)
    if len(set(articles)) == 1:
        return Slot(words=articles[:1])
    return Slot(words=articles, variable=following.variable)
