"""Score by entity: two rows of tags to change, and precision, recall and F1 that move at once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from pages.parts.bio_tagging import scores_grid
from pages.parts.bio_tagging.scores_cases import Case, choose_case
from pages.parts.bio_tagging.scores_grid import tag_grid
from pages.parts.bio_tagging.scores_shares import show_readings, show_shares
from pages.shared.figures.clickable import drawing
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs, locks

if TYPE_CHECKING:
    from mlm_core.tagging.bio_tags import Reading, Scheme, Span
    from mlm_core.tagging.errors import Outcome

SCHEME = "bio_tagging_scores_scheme"
ICONS = {"hit": ":green[:material/check:]"}
WRONG = ":red[:material/close:]"


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
    edited = scores_grid.current(case, scheme, tags)
    gold, said = edited.rows
    inputs.drawn(words.label("scores_tags"), "", key=scores_grid.TAGS)
    if not locks.is_hidden(scores_grid.TAGS):
        tag_grid(
            case.words,
            {words.plain("gold"): gold, words.plain("predicted"): said},
            key="bio_tagging_grid",
            tags=tags,
            faults=[{fault.position for fault in faults_in(row, scheme)} for row in edited.rows],
            on_edit=scores_grid.changer(case, edited),
            disabled=locks.is_fixed(scores_grid.TAGS),
        )
    _buttons(page, case, edited)
    before = edited.before[-1] if edited.before else None
    show_shares(page, edited.rows, before, scheme, reading, case.source)
    _show_outcomes(page, case, edited.rows, scheme, reading)
    show_readings(page, case, edited.rows, scheme)
    st.markdown(words.section("scores.notice"))
    show_source(
        *(score_entities, word_accuracy, list_outcomes, list_disagreements),
        key="bio_tagging_scores_code",
    )


def _buttons(page: Page, case: Case, edited: scores_grid.Edited) -> None:
    words, untouched = page.words, edited.rows == (case.gold, case.predicted)
    with st.container(horizontal=True, vertical_alignment="center"):
        inputs.button(
            words.label("undo"),
            changes=scores_grid.TAGS,
            on_click=scores_grid.undo,
            args=(case, edited),
            disabled=not edited.before,
            icon=":material/undo:",
            key="bio_tagging_scores_undo",
        )
        inputs.button(
            words.label("reset"),
            changes=scores_grid.TAGS,
            on_click=scores_grid.reset,
            args=(case,),
            disabled=untouched,
            icon=":material/restart_alt:",
            key="bio_tagging_scores_reset",
        )
        st.caption(words.section("scores.marks"), width="content")


# Gold and predicted entities as drawn spans, and each hit, miss and false alarm by its name.


def _show_outcomes(
    page: Page,
    case: Case,
    rows: tuple[tuple[str, ...], tuple[str, ...]],
    scheme: "Scheme",
    reading: "Reading",
) -> None:
    """Draw both sides' entities and name what became of each."""
    from mlm_core.tagging.bio_tags import decode
    from mlm_core.tagging.errors import list_outcomes

    words = page.words
    spans = dict(
        zip(("gold", "predicted"), (decode(r, scheme, reading) for r in rows), strict=True)
    )
    for side, own in spans.items():
        other = spans["predicted" if side == "gold" else "gold"]
        st.markdown(f"**{words.label(f'{side}_entities')}**")
        drawing(
            entity_sentence(
                case.words,
                own,
                alt=words.plain(f"{side}_alt", text=entity_text(case.words, own)),
                marks={span: "✓" if span in other else "✗" for span in own},
                types=case.types,
            ),
            key=f"bio_tagging_spans_{side}",
        )
    outcomes = list_outcomes([spans["gold"]], [spans["predicted"]])
    if not outcomes:
        st.markdown(words.section("scores.no_entity"))
        return
    n_hits = sum(outcome.kind == "hit" for outcome in outcomes)
    st.markdown(
        words.section(
            "scores.counted",
            hits=n_hits,
            missed=sum(outcome.is_miss for outcome in outcomes),
            alarms=sum(outcome.is_false_alarm for outcome in outcomes),
        )
    )
    st.markdown("\n".join(f"- {_told(page, case.words, outcome)}" for outcome in outcomes))


def _told(page: Page, words: Sequence[str], outcome: "Outcome") -> str:
    """Say what became of one entity, and what it costs."""
    told = {
        side: _quoted(words, span)
        for side, span in (("gold", outcome.gold), ("predicted", outcome.predicted))
        if span is not None
    }
    icon = ICONS.get(outcome.kind, WRONG)
    return f"{icon} {page.words.label(f'outcome_{outcome.kind}', **told)}"


def _quoted(words: Sequence[str], span: "Span") -> str:
    return f"{' '.join(words[span.start : span.end])} ({span.type})"
