"""The same tags in conlleval's reading and in the strict one, and the tag that divides them."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from mlm_core.figures.tagging.tag_rows import LitRow, tag_rows
from mlm_core.number_format import formatted
from pages.parts.bio_tagging.scores_cases import Case
from pages.parts.bio_tagging.scores_shares import measure
from pages.shared.clickable import drawing
from pages.shared.frame import Page
from pages.shared.messages import translated

if TYPE_CHECKING:
    from mlm_core.tagging.bio_tags import Scheme
    from mlm_core.tagging.errors import Disagreement

Rows = tuple[tuple[str, ...], tuple[str, ...]]


def show_readings(page: Page, case: Case, rows: Rows, scheme: "Scheme") -> None:
    """Show what each reading takes for an entity, and what each scores."""
    from mlm_core.tagging.bio_tags import READINGS, decode
    from mlm_core.tagging.errors import list_disagreements

    words = page.words
    st.markdown(f"#### {words.label('readings')}")
    st.markdown(words.section("scores.readings"))
    for reading, column in zip(READINGS, st.columns(2), strict=True):
        with column:
            scores, _ = measure(rows, scheme, reading)
            st.markdown(
                words.section(
                    f"scores.{reading}",
                    f1=formatted(scores.micro.f1, ".3f"),
                    hits=scores.counts.n_hits,
                    gold=scores.counts.n_gold,
                    predicted=scores.counts.n_predicted,
                )
            )
            spans = decode(rows[1], scheme, reading)
            drawing(
                entity_sentence(
                    case.words,
                    spans,
                    alt=words.plain("predicted_alt", text=entity_text(case.words, spans)),
                    types=case.types,
                ),
                key=f"bio_tagging_reading_{reading}",
            )
    found = list_disagreements([rows[0]], [rows[1]], scheme)
    if not found:
        st.markdown(words.section("scores.agree_io" if scheme == "IO" else "scores.agree"))
        return
    _draw_faults(page, case, rows, found)
    for one in found:
        for fault in one.faults:
            st.markdown(
                words.section(
                    "scores.disagree",
                    word=case.words[fault.position],
                    side=words.plain(one.side),
                    reason=translated(fault.reason),
                    effect=translated(one.effect),
                )
            )


def _draw_faults(page: Page, case: Case, rows: Rows, found: "tuple[Disagreement, ...]") -> None:
    words = page.words
    lit = {
        side: {
            fault.position: translated(fault.reason)
            for one in found
            if one.side == side
            for fault in one.faults
        }
        for side in ("gold", "predicted")
    }
    n = sum(map(len, lit.values()))
    drawing(
        tag_rows(
            case.words,
            [
                LitRow(name=words.plain(side), tags=row, lit=lit[side])
                for side, row in zip(lit, rows, strict=True)
            ],
            alt=words.plain("faults_alt", n=n),
        ),
        key="bio_tagging_faults",
    )
