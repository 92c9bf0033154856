"""The learner's own sentence, scored by the stored runs whose weights are stored too."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.finetuning.classification import ClassRow, class_grid_svg
from pages.shared import cache_finetuning, inputs
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.finetuning.snapshot import FineTuneSnapshot


def show_own(page: Page, runs: "dict[str, FineTuneSnapshot]") -> None:
    """Let the learner write a sentence; show what the runs with weights make of it."""
    words = page.words
    text = inputs.text(
        words.label("three_ways_own"),
        "",
        key="classification_ways_text",
        help=words.section("three_ways.own_help"),
    )
    if not text.strip():
        return
    classes = runs["head"].dataset.classes
    asked = {way: run for way, run in runs.items() if run.weights is not None}
    rows = []
    for way, run in asked.items():
        model = cache_finetuning.model(run)
        values = model.class_log_probabilities(text).exp().tolist()
        said = classes[values.index(max(values))]
        verdict = words.plain("ways_says", said=said)
        rows.append(
            ClassRow(name=words.plain(f"ways_{way}"), verdict=verdict, probabilities=tuple(values))
        )
    told = "; ".join(f"{row.name} {row.verdict}" for row in rows)
    show_drawing(
        class_grid_svg(rows, classes, right=None, alt=words.plain("three_ways_own_alt", told=told)),
        key="classification_three_ways_own",
        table=Table(
            [
                {"trained": row.name, "class": name, "probability": p, "text": text}
                for row in rows
                for name, p in zip(classes, row.probabilities, strict=True)
            ]
        ),
        source=words.label("three_ways_own_source", model=runs["head"].settings.model),
    )
    inputs.say_what_was_left_out(model.read(text))
    st.markdown(words.section("three_ways.own_after"))
