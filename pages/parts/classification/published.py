"""How good are the real ones? Published results, each with its paper and table."""

import re

import streamlit as st

from mlm_core.evaluation.published import Result, results
from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs


@part
def show(page: Page) -> None:
    """Let the learner choose a task; draw its results and say how to read them."""
    words = page.words
    st.markdown(words.section("published.lead"))
    published = results()
    task = inputs.choice(
        words.label("published_task"),
        {each.task: each.task for each in published},
        key="classification_published_task",
    )
    rows = [each for each in published if each.task == task]
    found = [each for each in rows if each.value is not None]
    said = ", ".join(f"{each.model} {formatted(each.value, '.1f')}" for each in found)
    name = re.split("[ -]", task)[0].lower()
    metric = words.plain(f"published_metric_{name}")
    st.markdown(words.section(f"published.{name}"))
    table = _table(page, rows)
    show_drawing(
        bars_svg(
            [each.model for each in found],
            [each.value / 100 for each in found],
            longest=1.0,
            written=[f"{formatted(each.value, '.1f')} {each.part}" for each in found],
            alt=words.plain("published_alt", task=task, metric=metric, results=said),
        ),
        key="classification_published",
        table=table,
        source=words.label("published_source", metric=metric),
    )
    table.show()
    st.markdown(words.section("published.reading"))
    st.markdown(words.section("published.ours"))
    show_source(results, key="classification_published_code")


def _table(page: Page, rows: list[Result]) -> Table:
    """Return all results of a task, those that a paper doesn't report included."""
    return Table(
        {
            "model": [each.model for each in rows],
            "per_cent": [
                page.words.plain("published_nothing")
                if each.value is None
                else formatted(each.value, ".1f")
                for each in rows
            ],
            "part": [each.part or "" for each in rows],
            "paper": [", ".join(filter(None, (each.paper, each.where))) for each in rows],
        }
    )
