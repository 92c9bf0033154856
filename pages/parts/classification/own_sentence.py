"""The learner's own sentence through a fine-tuned model, number by number."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.chips import chip_row
from mlm_core.figures.finetuning.classification_terms import softmax_tex
from mlm_core.figures.prediction.sentence_pairs import pair_html
from mlm_core.number_format import formatted
from pages.parts.classification.own_sentence_sum import largest_of_all, show_sums
from pages.shared.caches import cache_finetuning
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs
from pages.shared.training import finetune_runs

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from mlm_core.classification.head_steps import ClassSteps
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.text.tokens import TokenizedText

CLASS_DATA = ("sentiment", "entailment", "own_classes")


@part
def show(page: Page) -> None:
    """Read a sentence, then show tokens, vector, logits, softmax and the verdict."""
    from mlm_core.classification.head_steps import class_steps

    words = page.words
    st.markdown(words.section("own_sentence.lead"))
    chosen = finetune_runs.choose(page, CLASS_DATA, key="own_run")
    if chosen is None:
        return
    title, snapshot = chosen
    text, pair = _texts(page, snapshot)
    if not text.strip() or (pair is not None and not pair.strip()):
        st.info(words.section("own_sentence.empty"), icon=":material/edit:")
        return
    model = cache_finetuning.model(snapshot)
    steps = class_steps(model, text, pair)
    inputs.say_what_was_left_out(steps.text)
    source = words.label(
        "own_source", run=title, model=snapshot.settings.model, step=snapshot.weights.step
    )
    verdict = st.container()
    _tokens(page, steps.text, pair is not None)
    _vector(page, steps, snapshot.settings.pooling, source)
    show_sums(page, steps, model.classes, source)
    _show_softmax(page, steps, model.classes, source, verdict)
    st.markdown(words.section("own_sentence.notice"))
    show_source(class_steps, key="classification_own_code")


def _texts(page: Page, snapshot: "FineTuneSnapshot") -> tuple[str, str | None]:
    """Show one line, or two where the model reads pairs; begin with what suits the run."""
    words, data = page.words, snapshot.settings.data
    has_pairs = snapshot.dataset.has_pairs
    kind = "pair" if has_pairs else "text"
    default = words.label(f"own_default_{kind}")
    if data == "own_classes":
        # A sentence of their own kind says more than one of ours.
        default = snapshot.dataset.test[0].text[: inputs.LONGEST_TEXT]
    text = inputs.text(
        words.label("own_first" if has_pairs else "own_text"),
        default,
        key=f"classification_own_{kind}_{data}",
    )
    if not has_pairs:
        return text, None
    second = words.label("own_default_second")
    if data == "own_classes":
        second = snapshot.dataset.test[0].pair[: inputs.LONGEST_TEXT]
    return text, inputs.text(
        words.label("own_second"), second, key=f"classification_own_second_{data}"
    )


def _tokens(page: Page, text: "TokenizedText", has_pair: bool) -> None:
    words = page.words
    st.markdown(words.section("own_sentence.tokens"))
    if has_pair:
        names = (words.plain("own_segment_first"), words.plain("own_segment_second"))
        html = pair_html(text.tokens, names, label=words.plain("own_tokens_alt"))
    else:
        html = chip_row(text.tokens, label=words.plain("own_tokens_alt"))
    drawing(html, key="classification_own_chips")


def _vector(page: Page, steps: "ClassSteps", pooling: str, source: str) -> None:
    """Draw h as a strip; ring the numbers that are written out below."""
    words = page.words
    st.markdown(
        words.section(
            f"own_sentence.vector_{pooling}", n=len(steps.pooled), n_tokens=len(steps.text.tokens)
        )
    )
    marked = largest_of_all(steps)
    values = steps.pooled.tolist()
    show_drawing(
        strip_html(page, values, marked),
        key="classification_own_vector",
        table=Table({"number": list(range(len(values))), "h": values}),
        source=source,
    )


def strip_html(page: Page, values: list[float], marked: set[int]) -> str:
    """Return the strip of the vector's numbers."""
    from mlm_core.figures.finetuning.classification_terms import strip_svg

    low, high = formatted(min(values), ".2f"), formatted(max(values), ".2f")
    alt = page.words.plain("own_strip_alt", n=len(values), low=low, high=high)
    return strip_svg(values, marked=marked, alt=alt)


# The softmax of a few logits with all its numbers, and the verdict as bars.


def _show_softmax(
    page: Page,
    steps: "ClassSteps",
    classes: tuple[str, ...],
    source: str,
    verdict: "DeltaGenerator",
) -> None:
    """Write out u, e^u and their quotient; draw the probabilities under `verdict`, on top."""
    words = page.words
    st.markdown(words.section("own_sentence.softmax"))
    if steps.shift:
        st.caption(words.section("own_sentence.shifted", shift=formatted(steps.shift, ".3f")))
    powers, probabilities = steps.powers.tolist(), steps.probabilities.tolist()
    rows = [
        {"class": name, "u": u, "e^u": power, "y": y}
        for name, u, power, y in zip(
            classes, steps.logits.tolist(), powers, probabilities, strict=True
        )
    ]
    total = {
        "class": words.plain("own_total"),
        "u": None,
        "e^u": sum(powers),
        "y": sum(probabilities),
    }
    short = [{name: _short(value) for name, value in row.items()} for row in [*rows, total]]
    Table(short).show()
    best = probabilities.index(max(probabilities))
    st.markdown(words.section("own_sentence.quotient", said=classes[best]))
    st.latex(softmax_tex(powers, best, probabilities[best]))
    with verdict:
        told = ", ".join(
            f"{name} {formatted(y, '.3f')}" for name, y in zip(classes, probabilities, strict=True)
        )
        st.markdown(
            words.section(
                "own_sentence.says", said=classes[best], p=formatted(probabilities[best], ".3f")
            )
        )
        show_drawing(
            bars_svg(classes, probabilities, longest=1.0, alt=words.plain("own_alt", told=told)),
            key="classification_own_bars",
            table=Table(rows),
            source=source,
        )


def _short(value: object) -> object:
    """Return a number with four significant digits."""
    return float(f"{value:.4g}") if isinstance(value, float) else value
