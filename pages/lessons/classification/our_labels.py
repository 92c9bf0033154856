"""Our labels: a class, or people who share one page, label the same texts and compare."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from mlm_core.labelled.tables import texts_of
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part, as_text, part
from pages.kit.training import finetune_own_data
from pages.lessons.classification.labels_found import show_found

# The labels are in the room that the learner is in, and no other part asks for them.
from pages.server.room import our_labels
from pages.server.room.our_labels import NONE, SKIPPED, Asked, Labelling

LONGEST = 40_000  # characters of all texts in the field, as of a table with other columns
LOOK_SECONDS = 3.0  # between two looks of the teacher's page
VIEW = "classification?classification_part=our_labels"
# State: the texts to label and the sample that they began with; what is labelled without a room.
TEXTS, SAMPLE, ALONE = "labels_texts", "labels_sample", "labels_alone"
Mark = Callable[[Asked, int, str], None]


@part(code=("evaluation.agreement:krippendorff_alpha",), redraws_page=True)
def show(p: Part) -> None:
    """Show the texts to a learner one after the other, and to the teacher what came in."""
    if not p.is_presented:
        p.say("lead")
    if our_labels.is_in_room():
        _as_learner(p)
    elif our_labels.directed():
        _as_teacher(p)
    else:
        _alone(p)


# In a room.


@part()
def _as_learner(p: Part) -> None:
    try:
        found = our_labels.follow()
    except our_labels.StoreGoneError:
        return  # the banner says so
    if found is None:
        p.note("not_begun", icon="groups")
    elif not found.takes:
        _show_found(p, found)
    elif not _label(p, found, our_labels.tell):
        p.confirm("done")


def _as_teacher(p: Part) -> None:
    mine = our_labels.directed()
    try:
        found = our_labels.follow()
    except our_labels.StoreGoneError:
        return
    if mine is None or found is None:
        _ask(p, "begin_class", our_labels.begin, mine)
        return
    p.polled(_found_of_class, seconds=LOOK_SECONDS if found.takes else None)
    with p.row("center"):
        if found.takes:
            p.button("labels_end", our_labels.end, mine, found.asked, icon="lock", label="end")
        with p.popover("another", "restart_alt"):
            p.say("another")
            _ask(p, "begin_class", our_labels.begin, mine)


def _found_of_class(p: Part) -> None:
    try:
        found = our_labels.follow()
    except our_labels.StoreGoneError:
        return
    if found is not None:
        _show_found(p, found)


# Without a room: each person labels on this page, and then the next one.


@part()
def _alone(p: Part) -> None:
    found = p.state.get(ALONE)
    if found is None:
        p.say("alone")
        _ask(p, "begin", lambda _, asked, __: _begin_alone(p, asked))
        return
    if found.annotator != "1":
        p.caption("person", n=found.annotator)
    if not _label(p, found, partial(_mark_alone, p)):
        _show_found(p, found)
    with p.row("center"):
        p.button("labels_person", _next_person, p, icon="person_add", label="next_person")
        with p.popover("another", "restart_alt"):
            p.say("another")
            p.button("labels_stop", p.state.pop, ALONE, label="stop")


def _begin_alone(p: Part, asked: Asked) -> None:
    p.state[ALONE] = Labelling(asked=asked, marks={}, annotator="1")


def _mark_alone(p: Part, asked: Asked, number: int, mark: str) -> None:
    found = p.state[ALONE]
    own = our_labels.marked(found.own, number, mark)
    p.state[ALONE] = replace(found, marks={**found.marks, found.annotator: own})


def _next_person(p: Part) -> None:
    found = p.state[ALONE]
    if found.annotator in found.marks:
        p.state[ALONE] = replace(found, annotator=str(len(found.marks) + 1))


# What is labelled, the labelling itself, and what was found.


def _ask(p: Part, button: str, begin: Callable[..., None], mine: object = None) -> None:
    """Show the fields for texts and classes, and the button that begins."""
    rows = finetune_own_data.sample(p.slug, cache_finetuning.sentiment(p.slug)).splitlines()
    sample = "\n".join(row.partition("\t")[2] for row in rows)
    if p.state.get(TEXTS) in (None, p.state.get(SAMPLE)):  # or in the language read before
        p.state[TEXTS] = p.state[SAMPLE] = sample
    ends = ["txt", "tsv", "csv", "json", "jsonl"]
    p.upload_into("labels_file", TEXTS, longest=LONGEST, type=ends)
    pasted = p.pasted(TEXTS, longest=LONGEST, height=200, reads="lines")
    classes = p.text("labels_classes")
    texts = texts_of(pasted) if pasted else ()
    asked = our_labels.read_asked(texts, classes)
    n, most = len(asked.texts) if asked else 0, our_labels.MOST_TEXTS
    counts = {"left": len(texts) - n, "cut": our_labels.n_cut(texts, asked)}
    p.caption("limits", n=n, most=most, longest=our_labels.LONGEST_TEXT, **counts)
    if asked is None:
        p.warn("refused", icon="edit")
    waits = p.waits_for_encoding(TEXTS) or asked is None
    looks: dict[str, Any] = {"icon": "label", "type": "primary", "disabled": waits}
    p.button("labels_begin", begin, mine, asked, VIEW, label=button, **looks)


def _label(p: Part, found: Labelling, mark: Mark) -> bool:
    """Show the next text and a button for each class; return whether a text is left."""
    asked, state = found.asked, f"labels_{found.asked.id}_{found.annotator}"
    n_texts = len(asked.texts)
    n = n_texts - found.own.count(NONE)
    p.bar(n / n_texts, p.plain("progress", n=n, of=n_texts))
    number = p.state.get(f"{state}_now")
    if number is None or found.own[number] != NONE:
        number = p.state[f"{state}_now"] = found.next_text()
    ways = p.place(), p.row("center")
    if number is not None:
        press = partial(_press, p, asked, mark, state, number)
        with ways[0], p.place(border=True):
            p.write(as_text(asked.texts[number]))
        with ways[0], p.row("center"):
            for i, name in enumerate(asked.classes):
                about = {"name": name}
                p.button(f"labels_class_{i}", press, str(i), label="class", about=about)
        with ways[1]:
            p.button("labels_skip", press, SKIPPED, icon="skip_next", label="skip", type="tertiary")
    with ways[1]:
        looks: dict[str, Any] = {"type": "tertiary", "disabled": not p.state.get(f"{state}_done")}
        p.button("labels_undo", _undo, p, asked, mark, state, icon="undo", label="undo", **looks)
    return number is not None


def _press(p: Part, asked: Asked, mark: Mark, state: str, number: int, sign: str) -> None:
    done = p.state.setdefault(f"{state}_done", [])
    p.state[f"{state}_done"] = [one for one in done if one != number] + [number]
    mark(asked, number, sign)


def _undo(p: Part, asked: Asked, mark: Mark, state: str) -> None:
    if done := p.state.get(f"{state}_done"):
        p.state[f"{state}_now"] = done.pop()
        mark(asked, p.state[f"{state}_now"], NONE)


def _show_found(p: Part, found: Labelling) -> None:
    # On a shared page the next person is not to see the labels unasked.
    is_shared = not our_labels.is_in_room() and not our_labels.directed()
    show_found(p, found.asked.texts, found.labels, takes=found.takes, is_folded=is_shared)
