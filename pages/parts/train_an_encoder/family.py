"""A model's family tree: what each encoder after BERT changed, with its source."""

import streamlit as st

from mlm_core.evaluation.published import FACTS, Fact, facts
from pages.shared.course.language import FIRST, current
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs


@part
def show(page: Page) -> None:
    """Let the learner choose a respect, and compare the models in it."""
    words = page.words
    st.markdown(words.section("family.lead"))
    name = inputs.choice(
        words.label("family_fact"),
        {each: words.label(f"family_{each}") for each in FACTS},
        key="train_an_encoder_family_fact",
        default="mask_rate",
    )
    st.markdown(words.section(f"family.{name}"))
    rows = facts(name)
    Table(
        {
            "model": [f"{each.model} ({each.year})" for each in rows],
            words.label(f"family_{name}"): [
                each.text.get(current(), each.text.get(FIRST)) or words.plain("family_nothing")
                for each in rows
            ],
            "paper": [_source(each) for each in rows],
        }
    ).show()
    st.caption(words.section("family.notice"))
    show_source(facts, key="train_an_encoder_family_code")


def _source(fact: Fact) -> str:
    """Return the paper and the place in it; a section has its sign."""
    if fact.paper is None or fact.where is None:
        return ""
    places = [f"§\u00a0{each}" if each[0].isdigit() else each for each in fact.where.split(", ")]
    return f"{fact.paper}, {', '.join(places)}"
