"""The learner's own sentence through a fine-tuned model, number by number."""

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.chips import chip_row
from mlm_core.figures.finetuning.classification_terms import (
    Link,
    chain_reach,
    chain_svg,
    links_of,
    softmax_tex,
    strip_svg,
)
from mlm_core.figures.prediction.sentence_pairs import pair_html
from mlm_core.figures.theme import printable
from mlm_core.number_format import formatted
from pages.shared.caches import cache_finetuning
from pages.shared.course.words import as_text
from pages.shared.figures.clickable import drawing
from pages.shared.figures.table import Table
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs
from pages.shared.training import finetune_runs

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from mlm_core.classification.head_steps import ClassSteps
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.text.tokens import TokenizedText

CLASS_DATA = ("sentiment", "entailment", "own_classes")
SHOWN_TERMS = 5  # of a sum of hundreds
SIDE_BY_SIDE = 3  # classes; of more, one is chosen


@part(code=("classification.head_steps:class_steps",))
def show(p: Part) -> None:
    """Read a sentence, then show tokens, vector, logits, softmax and the verdict."""
    from mlm_core.classification.head_steps import class_steps

    p.say("lead")
    chosen = finetune_runs.choose(p.page, CLASS_DATA, key="own_run")
    if chosen is None:
        return
    title, snapshot = chosen
    text, pair = _texts(p, snapshot)
    if not text.strip() or (pair is not None and not pair.strip()):
        p.note("empty", icon="edit")
        return
    steps = class_steps(cache_finetuning.model(snapshot), text, pair)
    inputs.say_what_was_left_out(steps.text)
    about: dict[str, Any] = {
        "run": title,
        "model": snapshot.settings.model,
        "step": snapshot.step_of_weights,
    }
    verdict = st.container()
    _draw_tokens(p, steps.text, pair is not None)
    _draw_vector(p, steps, snapshot.settings.pooling, about)
    _draw_sums(p, steps, snapshot.data.classes, about)
    _show_softmax(p, steps, snapshot.data.classes, about, verdict)
    p.say("notice")


def _texts(p: Part, snapshot: "FineTuneSnapshot") -> tuple[str, str | None]:
    """Show one line, or two where the model reads pairs; begin with what suits the run."""
    data, example = snapshot.settings.data, snapshot.data.test[0]

    def line(name: str, label: str, of_own_data: str) -> str:
        # A sentence of their own kind says more than one of ours.
        is_own = data == "own_classes"
        start = of_own_data[: inputs.LONGEST_TEXT] if is_own else p.label(f"default_{label}")
        return inputs.text(p.label(label), start, key=p.key(f"{name}_{data}"))

    if snapshot.data.has_pairs:
        first = line("own_pair", "own_first", example.text)
        return first, line("own_second", "own_second", example.pair)
    return line("own_text", "own_text", example.text), None


def _draw_tokens(p: Part, text: "TokenizedText", has_pair: bool) -> None:
    p.say("tokens")
    if has_pair:
        names = (p.plain("segment_first"), p.plain("segment_second"))
        html = pair_html(text.tokens, names, label=p.plain("tokens_alt"))
    else:
        html = chip_row(text.tokens, label=p.plain("tokens_alt"))
    drawing(html, key=p.key("own_chips"))


def _draw_vector(p: Part, steps: "ClassSteps", pooling: str, about: dict[str, Any]) -> None:
    """Draw h as a strip; ring the numbers that are written out below."""
    from mlm_core.classification.head_steps import largest_terms

    values = steps.pooled.tolist()
    p.say(f"vector_{pooling}", n=len(values), n_tokens=len(steps.text.tokens))
    written = [largest_terms(steps, k, SHOWN_TERMS).shown for k in _shown_classes(p, steps)]
    strip = partial(strip_svg, values, marked={term.place for terms in written for term in terms})
    about: dict[str, Any] = {"n": len(values), "low": min(values), "high": max(values)} | about
    table = {"number": list(range(len(values))), "h": values}
    p.figure("own_vector", strip, table, source="source", **about)


def _shown_classes(p: Part, steps: "ClassSteps") -> list[int]:
    """Return the classes whose sums are on the screen."""
    n = len(steps.logits)
    if n <= SIDE_BY_SIDE:
        return list(range(n))
    chosen = st.session_state.get(p.key("own_class"), "")
    return [int(chosen)] if chosen in map(str, range(n)) else [int(steps.logits.argmax())]


def _draw_sums(
    p: Part, steps: "ClassSteps", classes: tuple[str, ...], about: dict[str, Any]
) -> None:
    """Draw each logit as a sum: the largest terms h_j * w_kj, all others together, the bias.

    The sums are side by side on one scale; with many classes, the one that is chosen.
    """
    from mlm_core.classification.head_steps import largest_terms

    p.say("sums", n=len(steps.pooled))
    shown = _shown_classes(p, steps)
    if len(classes) > SIDE_BY_SIDE:
        names = {str(k): f"{k}  {name}" for k, name in enumerate(classes)}
        shown = [int(p.choice("own_class", names, start=str(shown[0])))]
    sums = {k: largest_terms(steps, k, SHOWN_TERMS) for k in shown}
    chains = {
        k: links_of(
            found,
            named=partial(p.plain, "link_term"),
            rest=p.plain("link_rest", n=found.n_rest),
            bias=p.plain("link_bias"),
        )
        for k, found in sums.items()
    }
    reach = chain_reach(list(chains.values()))
    for (k, found), column in zip(sums.items(), st.columns(max(2, len(sums))), strict=False):
        with column:
            st.markdown(f"**{as_text(printable(classes[k], 40))}**")
            total = Link(name=p.plain("link_total"), value=found.total)
            chain = partial(chain_svg, chains[k], total, reach=reach)
            p.figure(
                f"own_sum_{k}",
                chain,
                steps.columns(k),
                alt="sum_alt",
                source="source",
                name=classes[k],
                total=found.total,
                **about,
            )
    p.caption("rounded")


def _show_softmax(
    p: Part,
    steps: "ClassSteps",
    classes: tuple[str, ...],
    about: dict[str, Any],
    verdict: "DeltaGenerator",
) -> None:
    """Write out u, e^u and their quotient; draw the probabilities under `verdict`, on top."""
    p.say("softmax")
    if steps.shift:
        p.caption("shifted", shift=steps.shift)
    powers, probabilities = steps.powers.tolist(), steps.probabilities.tolist()
    columns = ("class", "u", "e^u", "y")
    rows = list(zip(classes, steps.logits.tolist(), powers, probabilities, strict=True))
    total = (p.plain("total"), None, sum(powers), sum(probabilities))
    short = [[_short(value) for value in row] for row in (*rows, total)]
    Table(short, columns).show()
    best = probabilities.index(max(probabilities))
    p.say("quotient", said=classes[best])
    st.latex(softmax_tex(powers, best, probabilities[best]))
    with verdict:
        p.say("says", said=classes[best], p=probabilities[best])
        told = ", ".join(
            f"{name} {formatted(y, '.3f')}" for name, y in zip(classes, probabilities, strict=True)
        )
        table = [dict(zip(columns, row, strict=True)) for row in rows]
        bars = partial(bars_svg, classes, probabilities, longest=1.0)
        p.figure("own_bars", bars, table, source="source", told=told, **about)


def _short(value: object) -> object:
    """Return a number with four significant digits."""
    return float(f"{value:.4g}") if isinstance(value, float) else value
