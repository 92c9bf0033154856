"""Precision, recall, F1 and token accuracy of two rows of tags, written out with their counts."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from mlm_core.figures.tagging.tag_rows import LitRow, tag_rows
from mlm_core.number_format import formatted, in_formula
from pages.parts.bio_tagging.scores_cases import Case
from pages.parts.bio_tagging.scores_grid import Rows
from pages.shared.course.core_messages import translated
from pages.shared.course.words import Words, read_words
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.tagging.bio_tags import Reading, Scheme
    from mlm_core.tagging.errors import Disagreement
    from mlm_core.tagging.scores import Counts, EntityScores, WordAccuracy

METRICS = ("precision", "recall", "f1", "macro", "accuracy")


def show_shares(
    page: Page, rows: Rows, before: Rows | None, scheme: "Scheme", reading: "Reading", source: str
) -> None:
    """Show the numbers, by how much the last change moved each, and the divisions."""
    words = page.words
    scores, accuracy = measure(rows, scheme, reading)
    now = _values(scores, accuracy)
    earlier = None if before is None else _values(*measure(before, scheme, reading))
    with st.container(horizontal=True, gap="medium"):
        for name in METRICS:
            change = None if earlier is None else now[name] - earlier[name]
            st.metric(
                words.label(f"scores_{name}"),
                formatted(now[name], ".3f"),
                # Streamlit takes only the ASCII minus for a fall.
                delta=None if not change else formatted(change, "+.3f").replace("−", "-"),
                delta_arrow="off" if not change else "auto",
                width="content",
            )
    st.latex(_formulas(scores.counts))
    st.markdown(
        words.section(
            "scores.accuracy",
            right=accuracy.n_right,
            n=accuracy.n_words,
            accuracy=formatted(accuracy.accuracy, ".3f"),
            outside=accuracy.n_gold_outside,
            outside_accuracy=formatted(accuracy.all_outside_accuracy, ".3f"),
        )
    )
    if not scores.counts.n_predicted or not scores.counts.n_gold:
        st.markdown(words.section("scores.nothing"))
    table = _table(words, scores)
    if len(scores.by_type) > 1:
        table.show()
        st.markdown(words.section("scores.macro"))
    keep(
        "bio_tagging_scores",
        table=table,
        source=f"{source} · {scheme} · {words.plain(f'reading_{reading}')}",
    )


def measure(
    rows: Rows, scheme: "Scheme", reading: "Reading"
) -> "tuple[EntityScores, WordAccuracy]":
    """Return the entity scores and the word accuracy of one sentence."""
    from mlm_core.tagging.bio_tags import decode
    from mlm_core.tagging.scores import score_entities, word_accuracy

    gold, said = (decode(row, scheme, reading) for row in rows)
    return score_entities([gold], [said]), word_accuracy([rows[0]], [rows[1]])


def _values(scores: "EntityScores", accuracy: "WordAccuracy") -> dict[str, float]:
    return {
        "precision": scores.micro.precision,
        "recall": scores.micro.recall,
        "f1": scores.micro.f1,
        "macro": scores.macro.f1,
        "accuracy": accuracy.accuracy,
    }


def _formulas(counts: "Counts") -> str:
    """Return the three divisions with their counts; of 0/0 the rule says 0."""

    def share(name: str, formula: str, part: int, whole: int) -> str:
        value = f"= {in_formula(part / whole, '.3f')}" if whole else r"\rightarrow 0"
        return rf"{name} &= {formula} = \frac{{{part}}}{{{whole}}} {value}"

    hits, named = counts.n_hits, read_words("columns").plain
    hit, said, gold = (rf"\text{{{named(name)}}}" for name in ("hits", "predicted", "gold"))
    lines = (
        share("P", rf"\frac{{{hit}}}{{{said}}}", hits, counts.n_predicted),
        share("R", rf"\frac{{{hit}}}{{{gold}}}", hits, counts.n_gold),
        r"F_1 &= \frac{2 P R}{P + R}",
        share(
            "",
            rf"\frac{{2 \cdot {hit}}}{{{gold} + {said}}}",
            2 * hits,
            counts.n_gold + counts.n_predicted,
        ),
    )
    return r"\begin{aligned}" + r" \\[.4em] ".join(lines) + r"\end{aligned}"


def _table(words: Words, scores: "EntityScores") -> Table:
    rows = [(score.type, score.counts, score.measures) for score in scores.by_type]
    rows.append((words.plain("scores_row_micro"), scores.counts, scores.micro))
    found = [
        {
            "type": name,
            "hits": counts.n_hits,
            "gold": counts.n_gold,
            "predicted": counts.n_predicted,
            "precision": round(measures.precision, 4),
            "recall": round(measures.recall, 4),
            "F1": round(measures.f1, 4),
        }
        for name, counts, measures in rows
    ]
    macro = scores.macro
    found.append(
        {
            "type": words.plain("scores_row_macro"),
            "hits": "",
            "gold": "",
            "predicted": "",
            "precision": round(macro.precision, 4),
            "recall": round(macro.recall, 4),
            "F1": round(macro.f1, 4),
        }
    )
    return Table(found)


# The same tags in conlleval's reading and in the strict one, and the tag that divides them.


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
