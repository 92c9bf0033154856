"""What was gained between the two times: a learner's own, or that of a class by question."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

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
from pages.server.classroom.desk import Desk
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.concept_items import HALVES, ITEMS, WHEN
from pages.server.course.words import Text, Words, read_words
from pages.server.figures.show import show_chart
from pages.server.figures.table import Table
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part
from pages.server.record.session_record import concept_answers
from pages.server.room import desk, membership
from pages.server.room.server_rooms import server_rooms
from pages.server.room.telling import concept_question

SEED = 0  # of the bootstrap: the same answers have the same interval
MOST_SHOWN = 8  # misconceptions in the figure; the table has all


@part
def show(page: Page) -> None:
    """Show what a learner still has wrong; to who directs a room, the gain of the room."""
    words, mine = page.words, desk.current()
    if mine is None:
        _show_own(words)
        return
    st.markdown(words.section("gain.lead"))
    pairs = _of_room(mine)
    gains = _gains(words, pairs)
    if not gains:
        st.info(words.section("gain.nothing_class"), icon=":material/info:")
        return
    _show_gains(words, gains, n_learners=len(pairs))
    _show_misconceptions(words, pairs)
    st.caption(words.section("gain.notice"))


def _show_own(words: Words) -> None:
    """List what is still wrong, with what each answer says and the view that shows it."""
    before, after = (concept_answers()[when] for when in WHEN)
    halves = {
        half: dict(enumerate(items, 1))
        for half, items in HALVES.items()
        if items[0].name in before.keys() & after.keys()
    }
    if not halves:
        st.info(words.section("gain.nothing"), icon=":material/info:")
    for half, items in halves.items():
        st.markdown(f"#### {words.label(f'part_{half}')}")
        st.markdown(f"**{score(words, [*items.values()])}**")
        wrong = {n: one for n, one in items.items() if after.get(one.name) != RIGHT}
        if wrong:
            st.markdown(words.section("gain.still_wrong"))
            explain(words, wrong)
        else:
            st.success(words.section("gain.all_right"), icon=":material/check:")


def _of_room(mine: Desk) -> list[tuple[Answers, Answers]]:
    """Return the two answers of each learner to each question; no name is anywhere in them."""
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
        st.warning(read_words("room").section(membership.GONE), icon=":material/cloud_off:")
    return [pair for pair in by_visit.values() if pair[0].keys() & pair[1].keys()]


def _gains(words: Words, pairs: Sequence[tuple[Answers, Answers]]) -> dict[str, Gain]:
    """Return the gains by question, then that of each half, by what they are called."""
    rng = np.random.default_rng(SEED)
    by_item = gains_by_item(pairs, list(ITEMS), rng)
    found = {words.plain(f"short_{name}"): gain for name, gain in by_item.items()}
    for half, items in HALVES.items():
        whole = whole_gain(pairs, [item.name for item in items], rng)
        if whole is not None:
            found[f"{words.plain('all_items')}, {words.plain(f'part_{half}')}"] = whole
    return found


def _show_gains(words: Words, gains: dict[str, Gain], *, n_learners: int) -> None:
    known = {name: one.gain for name, one in gains.items() if one.gain is not None}
    said = ", ".join(f"{name} {formatted(gain, '.2f')}" for name, gain in known.items())
    show_chart(
        gains_chart(gains, x_title=words.plain("gain_axis")),
        key="concept_test_gains",
        alt=words.plain("gain_alt", gains=said),
        table=Table(
            [
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
        ),
        source=words.label("gain_source_class", n=n_learners),
    )
    if len(known) < len(gains):
        st.caption(words.section("gain.none_missing"))


def _show_misconceptions(words: Words, pairs: Sequence[tuple[Answers, Answers]]) -> None:
    found = [
        one
        for one in misconceptions(pairs, {name: item.wrong for name, item in ITEMS.items()})
        if one.before or one.after
    ]
    if not found:
        return
    st.markdown(words.section("gain.stay"))
    names = [words.plain(f"thinks_{one.name}") for one in found]
    titles = read_words("columns")
    shown = found[:MOST_SHOWN]
    show_chart(
        bars_chart(
            [name.partition(". ")[0] for name in names[:MOST_SHOWN]],
            {
                titles.plain("before"): [one.before for one in shown],
                titles.plain("after"): [one.after for one in shown],
            },
            written=percent,
            x_axis=percent_axis() | {"range": [0, 1.25]},
        ),
        key="concept_test_misconceptions",
        alt=words.plain("stay_alt", n=len(shown), most=names[0]),
        table=Table(
            [
                {
                    "misconception": Text(name),
                    "n": one.n,
                    "before": one.before,
                    "after": one.after,
                }
                for name, one in zip(names, found, strict=True)
            ]
        ),
        source=words.label("stay_source"),
    )
