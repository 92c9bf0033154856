"""The table of runs: a row a run, and the same as a file with all digits."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from pages.parts.train_an_encoder.runs import STORED
from pages.shared.course.words import read_words
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.small_runs.snapshot import Snapshot

# A row in the page is no wider than the page; the file has every column.
TIMED = ("speed", "seconds")
IN_PAGE = (
    *("run", "steps", "parameters", "loss", "perplexity", "accuracy", "by_kind", "pairs"),
    *TIMED,
)
SHARES = frozenset({"accuracy", "pairs"})
COUNTS = frozenset({"steps", "parameters", "speed", "seconds"})
NONE = "–"


def show(page: Page, titles: Mapping[str, str], snapshots: "Mapping[str, Snapshot]") -> None:
    """Show a row for each run that has been tested, and offer the file."""
    words = page.words
    rows = [
        {"run": titles[name], **figures(snapshot, is_stored=name in STORED)}
        for name, snapshot in snapshots.items()
    ]
    columns = [name for name in IN_PAGE if name not in TIMED or any(row[name] for row in rows)]
    heads = [words.plain(f"column_{name}") for name in columns]
    Table([[_shown(row, name) for name in columns] for row in rows], heads).show()
    st.download_button(
        read_words("frame").label("save_csv"),
        Table(rows).csv,
        file_name="train_an_encoder_runs.csv",
        mime="text/csv",
        key="train_an_encoder_runs_csv",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
    )


def figures(snapshot: "Snapshot", *, is_stored: bool) -> dict[str, float | None]:
    """Return what the table says about a run, at its last test; speed only if it ran here."""
    from mlm_core.encoder.cost import count_parameters

    point, facts = snapshot.held_out[-1], snapshot.facts
    config = snapshot.settings.bert_config(facts.vocabulary_got)
    return {
        "steps": point.step,
        "parameters": sum(term.count for term in count_parameters(config)),
        "vocabulary": facts.vocabulary_got,
        "loss": point.loss,
        "perplexity": point.perplexity,
        "accuracy": point.accuracy,
        "at_masked": point.accuracy_at_masked,
        "at_random": point.accuracy_at_random,
        "at_kept": point.accuracy_at_kept,
        "pairs": point.next_sentence_accuracy,
        "speed": None if is_stored else snapshot.tokens_a_second,
        "seconds": None if is_stored else snapshot.seconds,
    }


def _shown(row: dict, name: str) -> str:
    """Return one entry of the table in the page."""
    if name == "by_kind":
        shares = [row[f"at_{kind}"] for kind in ("masked", "random", "kept")]
        return (
            NONE
            if None in shares
            else " · ".join(formatted(100 * share, ".0f") for share in shares)
        )
    value = row[name]
    if value is None:
        return NONE
    if name in SHARES:
        return f"{formatted(100 * value, '.1f')} %"
    if name in COUNTS:
        return formatted(value, ",.0f")
    return value if isinstance(value, str) else significant(value, 3)
