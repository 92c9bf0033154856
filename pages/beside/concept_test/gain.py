"""What was gained between the two times: a learner's own, or that of a class by question."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mlm_core.evaluation import study
from mlm_core.evaluation.learning_gain import (
    RIGHT,
    Answers,
    Gain,
    gains_by_item,
    misconceptions,
    whole_gain,
)
from mlm_core.figures.charts import bars_chart, percent, percent_axis
from mlm_core.figures.classroom.gains import gains_chart
from mlm_core.number_format import formatted
from pages.beside.concept_test.asked import explain, score
from pages.kit.part import Part, Table, Text, part
from pages.server.classroom.desk import Desk
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.concept_items import HALVES, ITEMS, WHEN
from pages.server.record.session_record import concept_answers
from pages.server.room import desk, membership
from pages.server.room.server_rooms import server_rooms
from pages.server.room.telling import concept_question

SEED = 0  # of the bootstrap: the same answers have the same interval
MOST_SHOWN = 8  # misconceptions in the figure; the table has all


@part()
def show(p: Part) -> None:
    """Show what a learner still has wrong; to who directs a room, the gain of the room."""
    mine = desk.current()
    if mine is None:
        _show_own(p)
        return
    p.say("lead")
    by_visit = _of_room(p, mine)
    pairs = [pair for pair in by_visit.values() if pair[0].keys() & pair[1].keys()]
    gains = _gains(p, pairs)
    if not gains:
        p.note("nothing_class")
        return
    _show_gains(p, gains, n_learners=len(pairs))
    _show_misconceptions(p, pairs)
    p.caption("notice")
    table = Table(_rows(by_visit), [Text(name) for name in study.COLUMNS])
    p.download("answers_csv", table.csv, "answers.csv", "text/csv", icon="save")


def _show_own(p: Part) -> None:
    """List what is still wrong, with what each answer says and the view that shows it."""
    before, after = (concept_answers()[when] for when in WHEN)
    halves = {
        half: dict(enumerate(items, 1))
        for half, items in HALVES.items()
        if items[0].name in before.keys() & after.keys()
    }
    if not halves:
        p.note("nothing")
    for half, items in halves.items():
        p.write(f"#### {p.title_of(p.slug, half)}")
        p.write(f"**{score(p, [*items.values()])}**")
        wrong = {n: one for n, one in items.items() if after.get(one.name) != RIGHT}
        if wrong:
            p.say("still_wrong")
            explain(p, wrong)
        else:
            p.confirm("all_right")


def _of_room(p: Part, mine: Desk) -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    """Return by visit the answers before and after; no name is anywhere in them."""
    by_visit: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
    try:
        with server_rooms():
            for i, when in enumerate(WHEN):
                for item in ITEMS.values():
                    for visit, answer in mine.answers(concept_question(item, when)).items():
                        by_visit.setdefault(visit, ({}, {}))[i][item.name] = answer
    except NoSuchRoomError:
        desk.let_go(membership.ENDED)
    except StoreGoneError:
        p.with_words("room").warn(membership.GONE, icon="cloud_off")
    return by_visit


def _rows(by_visit: Mapping[str, tuple[Answers, Answers]]) -> list[list[object]]:
    """Return one row an answer, whose learners have numbers in an order that says nothing."""
    return [
        [number, when, question, answer]
        for number, visit in enumerate(sorted(by_visit), start=1)  # random ids
        for when, answers in zip(WHEN, by_visit[visit], strict=True)
        for question, answer in answers.items()
    ]


def _gains(p: Part, pairs: Sequence[tuple[Answers, Answers]]) -> dict[str, Gain]:
    """Return the gains by question, then that of each half, by what they are called."""
    rng = np.random.default_rng(SEED)
    by_item = gains_by_item(pairs, list(ITEMS), rng)
    found = {p.plain(f"short_{name}"): gain for name, gain in by_item.items()}
    for half, items in HALVES.items():
        whole = whole_gain(pairs, [item.name for item in items], rng)
        if whole is not None:
            found[f"{p.plain('all_items')}, {p.title_of(p.slug, half)}"] = whole
    return found


def _show_gains(p: Part, gains: dict[str, Gain], *, n_learners: int) -> None:
    known = {name: one.gain for name, one in gains.items() if one.gain is not None}
    said = ", ".join(f"{name} {formatted(gain, '.2f')}" for name, gain in known.items())
    rows = [
        {
            "question": Text(name),
            "n": one.n,
            "before": one.before,
            "after": one.after,
            "normalized_gain": one.gain,
            "interval_low": one.low,
            "interval_high": one.high,
        }
        for name, one in gains.items()
    ]
    chart = gains_chart(gains, x_title=p.plain("axis"))
    p.figure("gains", chart, rows, alt="alt", source="source_class", gains=said, n=n_learners)
    if len(known) < len(gains):
        p.caption("none_missing")


def _show_misconceptions(p: Part, pairs: Sequence[tuple[Answers, Answers]]) -> None:
    found = [
        one
        for one in misconceptions(pairs, {name: item.wrong for name, item in ITEMS.items()})
        if one.before or one.after
    ]
    if not found:
        return
    p.say("stay")
    names = [p.plain(f"thinks_{one.name}") for one in found]
    titles, shown = p.with_words("columns"), found[:MOST_SHOWN]
    chart = bars_chart(
        [name.partition(". ")[0] for name in names[:MOST_SHOWN]],
        {
            titles.plain("before"): [one.before for one in shown],
            titles.plain("after"): [one.after for one in shown],
        },
        written=percent,
        x_axis=percent_axis() | {"range": [0, 1.25]},
    )
    rows = [
        {"misconception": Text(name), "n": one.n, "before": one.before, "after": one.after}
        for name, one in zip(names, found, strict=True)
    ]
    about: dict[str, Any] = {"n": len(shown), "most": names[0]}
    p.figure("misconceptions", chart, rows, alt="stay_alt", source="stay_source", **about)
