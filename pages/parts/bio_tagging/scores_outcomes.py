"""Gold and predicted entities as drawn spans, and each hit, miss and false alarm by its name."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from pages.parts.bio_tagging.scores_cases import Case
from pages.shared.clickable import drawing
from pages.shared.frame import Page

if TYPE_CHECKING:
    from mlm_core.tagging.bio_tags import Reading, Scheme, Span
    from mlm_core.tagging.errors import Outcome

ICONS = {"hit": ":green[:material/check:]"}
WRONG = ":red[:material/close:]"


def show_outcomes(
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
