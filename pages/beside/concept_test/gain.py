"""What was gained between the two times: a learner's own, or that of a class by question."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mlm_core.evaluation import study
from mlm_core.evaluation.learning_gain import (
    RIGHT,
    SITTINGS,
    WHEN,
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
from pages.server.classroom import study_seats
from pages.server.classroom.desk import Desk
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.concept_items import HALVES, ITEMS
from pages.server.record.session_record import concept_answers
from pages.server.record.study_link import is_learner
from pages.server.room import desk, membership
from pages.server.room import study as in_study
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
    learners, drawn = _of_room(p, mine)
    if learners:
        _offer_file(p, learners, drawn)
    twice = [[one.answers[when] for when in WHEN] for one in learners.values()]
    pairs = [(before, after) for before, after in twice if before.keys() & after.keys()]
    gains = _gains(p, pairs)
    if not gains:
        p.note("nothing_class")
        return
    _show_gains(p, gains, n_learners=len(pairs))
    _show_misconceptions(p, pairs)
    p.caption("notice")


def _show_own(p: Part) -> None:
    """List what is still wrong, with what each answer says and the view that shows it."""
    if not in_study.tells_answers():
        p.note("study_waits")
        return
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


def _of_room(p: Part, mine: Desk) -> tuple[dict[str, study.Learner], Counter[str]]:
    """Return the learners of a room, and how often each group and order was drawn.

    A learner of a study has its random id; others have a number, in an order that says nothing.
    """
    found: dict[str, study.Learner] = {}
    names: dict[str, str] = {}  # by visit; a learner may come from two browsers
    drawn = Counter[str]()
    try:
        with server_rooms() as rooms:
            drawn = study_seats.n_drawn(rooms, mine.code)
            for visit, (group, order, learner) in study_seats.seats(rooms, mine.code).items():
                names[visit] = learner or visit
                found.setdefault(names[visit], study.Learner(group=group, order=order))
            for when in SITTINGS:
                for item in ITEMS.values():
                    for visit, answer in mine.answers(concept_question(item, when)).items():
                        one = found.setdefault(names.get(visit, visit), study.Learner())
                        one.answers[when].setdefault(item.name, answer)
    except NoSuchRoomError:
        desk.let_go(membership.ENDED)
    except StoreGoneError:
        p.with_words("room").warn(membership.GONE, icon="cloud_off")
    numbered = enumerate(sorted(found), start=1)  # by random ids
    return {one if is_learner(one) else str(n): found[one] for n, one in numbered}, drawn


def _offer_file(p: Part, learners: Mapping[str, study.Learner], drawn: Counter[str]) -> None:
    """Offer one row an answer, and say how many learners sit in each group of a study.

    Who has a seat and no answer has one row, without a question.
    """
    seats = Counter(f"{one.group} {one.order}" for one in learners.values() if one.group)
    for name, counts in (("seats", seats), ("drawn", drawn)):
        if counts:
            p.caption(name, seats=", ".join(f"{one}: {counts[one]}" for one in sorted(counts)))
    rows = []
    for learner, one in learners.items():
        of_learner = [
            [learner, one.group, one.order, when, question, answer]
            for when, answers in one.answers.items()
            for question, answer in answers.items()
        ]
        rows += of_learner or [[learner, one.group, one.order, SITTINGS[0], "", ""]]
    table = Table(rows, [Text(name) for name in study.COLUMNS])
    p.download("answers_csv", table.csv, "answers.csv", "text/csv", icon="save")


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
