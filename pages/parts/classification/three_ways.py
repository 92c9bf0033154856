"""Opening: one test sentence scored by three stored runs: head alone, some layers, all layers."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.finetuning.classification import ClassRow, class_grid_svg
from mlm_core.number_format import formatted
from pages.parts.classification.three_ways_curves import show_curves
from pages.shared.caches import cache_finetuning
from pages.shared.course.words import as_text
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.classification.errors import Contrast
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

WAYS = ("head", "top", "all")


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
        st.markdown(_one_sentence(page, chosen))
    st.markdown(_whole_test(page, runs))
    _show_own(page, runs)


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


# The learner's own sentence, scored by the stored runs whose weights are stored too.


def _show_own(page: Page, runs: "dict[str, FineTuneSnapshot]") -> None:
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


# What the opening shows, in words with its numbers.


def _one_sentence(page: Page, chosen: "Contrast") -> str:
    """Say what the three rows show, with their numbers."""
    first, *_, last = chosen.by_model
    rights = [one.is_right for one in chosen.by_model]
    case = (
        "all_right"
        if all(rights)
        else "all_wrong"
        if not any(rights)
        else "learnt"
        if last.is_right and not first.is_right
        else "lost"
        if first.is_right and not last.is_right
        else "mixed"
    )
    values = {
        f"p_{way}": formatted(j.p_label, ".2f")
        for way, j in zip(WAYS, chosen.by_model, strict=True)
    }
    said = {f"said_{way}": j.predicted for way, j in zip(WAYS, chosen.by_model, strict=True)}
    seen = page.words.section("three_ways.seen", label=chosen.example.label, **values, **said)
    return f"{seen} {page.words.section(f'three_ways.{case}')}"


def _whole_test(page: Page, runs: "dict[str, FineTuneSnapshot]") -> str:
    """Say what one sentence doesn't: the share of the whole test part, and its error."""
    from mlm_core.evaluation.seeds import standard_error

    n = len(runs["head"].dataset.test)
    shares = {way: run.result.proportion_right for way, run in runs.items()}
    error = max(standard_error(share, n) for share in shares.values())
    return page.words.section(
        "three_ways.whole",
        n=n,
        error=formatted(100 * error, ".0f"),
        **{f"share_{way}": formatted(100 * share, ".0f") for way, share in shares.items()},
        **{f"n_{way}": formatted(run.n_trained, ",") for way, run in runs.items()},
    )
