"""Score by entity: two rows of tags to change, and precision, recall and F1 that move at once."""

import streamlit as st

from pages.parts.bio_tagging import scores_tags
from pages.parts.bio_tagging.scores_cases import Case, choose_case
from pages.parts.bio_tagging.scores_grid import tag_grid
from pages.parts.bio_tagging.scores_outcomes import show_outcomes
from pages.parts.bio_tagging.scores_readings import show_readings
from pages.parts.bio_tagging.scores_shares import show_shares
from pages.shared import inputs, locks
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.source import show_source

SCHEME = "bio_tagging_scores_scheme"


@part
def show(page: Page) -> None:
    """Choose a case, change its tags, and see what is counted."""
    from mlm_core.tagging.bio_tags import READINGS, SCHEMES, tags_of
    from mlm_core.tagging.errors import list_disagreements, list_outcomes
    from mlm_core.tagging.scores import score_entities, word_accuracy
    from mlm_core.tagging.transitions import faults_in

    words = page.words
    st.markdown(words.section("scores.lead"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        scheme = inputs.choice(
            words.label("scheme"), {name: name for name in SCHEMES}, key=SCHEME, default="BIO"
        )
        reading = inputs.choice(
            words.label("reading"),
            {name: words.label(f"reading_{name}") for name in READINGS},
            key="bio_tagging_scores_reading",
        )
    case = choose_case(page, scheme)
    if case is None:
        return
    tags = tags_of(case.types, scheme)
    edited = scores_tags.current(case, scheme, tags)
    gold, said = edited.rows
    inputs.drawn(words.label("scores_tags"), "", key=scores_tags.TAGS)
    if not locks.is_hidden(scores_tags.TAGS):
        tag_grid(
            case.words,
            {words.plain("gold"): gold, words.plain("predicted"): said},
            key="bio_tagging_grid",
            tags=tags,
            faults=[{fault.position for fault in faults_in(row, scheme)} for row in edited.rows],
            on_edit=scores_tags.changer(case, edited),
            disabled=locks.is_fixed(scores_tags.TAGS),
        )
    _buttons(page, case, edited)
    before = edited.before[-1] if edited.before else None
    show_shares(page, edited.rows, before, scheme, reading, case.source)
    show_outcomes(page, case, edited.rows, scheme, reading)
    show_readings(page, case, edited.rows, scheme)
    st.markdown(words.section("scores.notice"))
    show_source(
        *(score_entities, word_accuracy, list_outcomes, list_disagreements),
        key="bio_tagging_scores_code",
    )


def _buttons(page: Page, case: Case, edited: scores_tags.Edited) -> None:
    words, untouched = page.words, edited.rows == (case.gold, case.predicted)
    with st.container(horizontal=True, vertical_alignment="center"):
        inputs.button(
            words.label("undo"),
            changes=scores_tags.TAGS,
            on_click=scores_tags.undo,
            args=(case, edited),
            disabled=not edited.before,
            icon=":material/undo:",
            key="bio_tagging_scores_undo",
        )
        inputs.button(
            words.label("reset"),
            changes=scores_tags.TAGS,
            on_click=scores_tags.reset,
            args=(case,),
            disabled=untouched,
            icon=":material/restart_alt:",
            key="bio_tagging_scores_reset",
        )
        st.caption(words.section("scores.marks"), width="content")
