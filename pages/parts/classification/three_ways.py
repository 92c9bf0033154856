"""Opening: one test sentence scored by three stored runs: head alone, last layers, all layers."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.finetuning.classification import ClassRow, class_grid_svg
from pages.parts.classification.three_ways_curves import show_curves
from pages.parts.classification.three_ways_own import show_own
from pages.parts.classification.three_ways_words import WAYS, one_sentence, whole_test
from pages.shared import cache_finetuning, inputs
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.show import show_drawing
from pages.shared.table import Table
from pages.shared.words import as_text

if TYPE_CHECKING:
    from mlm_core.classification.errors import Contrast
    from mlm_core.finetuning.snapshot import FineTuneSnapshot


@part
def show(page: Page) -> None:
    """Let the learner choose a test sentence; show what each way of training made of it."""
    from mlm_core.classification.errors import contrast, judge_examples

    runs = {way: cache_finetuning.stored(f"sentiment_{way}") for way in WAYS}
    judged = [judge_examples(run.dataset, run.predictions) for run in runs.values()]
    contrasts = contrast(judged)
    chosen = _choose(page, contrasts)
    if chosen is None:
        st.info(page.words.section("three_ways.none"), icon=":material/info:")
    else:
        st.markdown(f"> {as_text(chosen.example.text)}")
    left, right = st.columns(2, gap="large")
    with left:
        if chosen is not None:
            _draw(page, runs, chosen)
    with right:
        show_curves(page, runs)
    if chosen is not None:
        st.markdown(one_sentence(page, chosen))
    st.markdown(whole_test(page, runs))
    show_own(page, runs)


def _choose(page: Page, contrasts: "tuple[Contrast, ...]") -> "Contrast | None":
    """Show which sentences there are, and the sentences; return the chosen one."""
    from mlm_core.classification.errors import most_telling

    words = page.words
    kinds = {
        "differ": [one for one in contrasts if one.models_differ],
        "wrong": [one for one in contrasts if one.all_wrong],
        "all": list(contrasts),
    }
    names = {name: words.label(f"three_ways_{name}", n=len(found)) for name, found in kinds.items()}
    kind = inputs.choice(words.label("three_ways_kind"), names, key="classification_ways_kind")
    found = {str(one.index): one for one in kinds[kind]}
    if not found:
        return None
    # One key a kind: a sentence of one list need not be in the next.
    index = inputs.listed(
        words.label("three_ways_sentence"),
        {name: one.example.text for name, one in found.items()},
        key=f"classification_ways_sentence_{kind}",
        default=str(most_telling(kinds[kind]).index),
    )
    return found[index]


def _draw(page: Page, runs: "dict[str, FineTuneSnapshot]", chosen: "Contrast") -> None:
    words, classes = page.words, runs["head"].dataset.classes
    names = {way: words.plain(f"ways_{way}") for way in runs}
    rows = [
        ClassRow(
            name=names[way],
            verdict=words.plain("ways_says", said=judged.predicted),
            probabilities=judged.probabilities,
        )
        for way, judged in zip(runs, chosen.by_model, strict=True)
    ]
    told = "; ".join(f"{row.name} {row.verdict}" for row in rows)
    label = chosen.example.label
    show_drawing(
        class_grid_svg(
            rows,
            classes,
            right=classes.index(label),
            alt=words.plain("three_ways_alt", label=label, told=told),
        ),
        key="classification_three_ways",
        table=Table(
            [
                {
                    "trained": names[way],
                    "class": name,
                    "probability": p,
                    "is_true": name == label,
                    "text": chosen.example.text,
                }
                for way, judged in zip(runs, chosen.by_model, strict=True)
                for name, p in zip(classes, judged.probabilities, strict=True)
            ]
        ),
        source=words.label("three_ways_source", model=runs["head"].settings.model),
    )
