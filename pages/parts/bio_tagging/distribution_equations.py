"""Eq. 11.12 and 11.13 at one piece: dot products, logits, softmax, argmax, in numbers."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.finetuning.classification_terms import (
    Link,
    chain_reach,
    chain_svg,
    links_of,
    softmax_tex,
)
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from pages.parts.bio_tagging.distribution_viterbi import unbroken
from pages.shared.caches import cache_finetuning
from pages.shared.figures.show import keep, show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.classification.head_steps import ClassSteps
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.text.tokens import TokenizedText

PIECE, TAG = "bio_tagging_piece", "bio_tagging_piece_tag"
LIKELIEST = "likeliest"
SHOWN_TERMS = 5  # of a dot product of hundreds


def show_equations(
    page: Page, snapshot: "FineTuneSnapshot", text: "TokenizedText", position: int, source: str
) -> None:
    """Show every number between the state of one token and its tag."""
    from mlm_core.classification.head_steps import tag_steps

    words = page.words
    model = cache_finetuning.model(snapshot)
    steps = tag_steps(model, text, position)
    name = text.tokens[position].text
    st.markdown(f"#### {words.label('equations')}")
    st.latex(r"\mathbf{y}_i = \mathrm{softmax}(\mathbf{h}^L_i W_K) \qquad (11.12)")
    st.latex(r"t_i = \mathrm{argmax}_k(\mathbf{y}_i) \qquad (11.13)")
    st.markdown(
        words.section(
            "distribution.equations", piece=name, n=len(steps.pooled), tags=len(model.classes)
        )
    )
    _show_logits(page, steps, model.classes, name, source)
    _show_dot_product(page, steps, model.classes, name, source)
    show_source(tag_steps, key="bio_tagging_equations_code")


def _show_logits(
    page: Page, steps: "ClassSteps", tags: tuple[str, ...], name: str, source: str
) -> None:
    """Write a line for each tag, then the quotient of the likeliest one."""
    words = page.words
    powers, probabilities = steps.powers.tolist(), steps.probabilities.tolist()
    best = probabilities.index(max(probabilities))
    columns = [words.plain(f"equations_{column}") for column in ("tag", "dot", "bias", "logit")]
    columns += ["e^u", "y"]
    rows = [
        [tag, dot, bias, u, power, y]
        for tag, dot, bias, u, power, y in zip(
            tags,
            steps.terms.sum(dim=1).tolist(),
            steps.bias.tolist(),
            steps.logits.tolist(),
            powers,
            probabilities,
            strict=True,
        )
    ]
    if steps.shift:
        shift = formatted(steps.shift, ".3f")
        st.caption(words.section("distribution.equations_shifted", shift=shift))
    Table(
        [
            [f"▶\N{NO-BREAK SPACE}{unbroken(row[0])}" if k == best else unbroken(row[0])]
            + [_short(number) for number in row[1:]]
            for k, row in enumerate(rows)
        ],
        columns,
    ).show()
    keep("bio_tagging_equations", table=Table(rows, columns), source=f"{source} · {name}")
    st.latex(softmax_tex(powers, best, probabilities[best]))
    second = max((k for k in range(len(tags)) if k != best), key=lambda k: probabilities[k])
    st.markdown(
        words.section(
            "distribution.argmax",
            piece=name,
            tag=tags[best],
            p=formatted(probabilities[best], ".3f"),
            second=tags[second],
            gap=formatted(steps.logits[best].item() - steps.logits[second].item(), ".2f"),
            factor=significant(probabilities[best] / max(probabilities[second], 1e-300), 3),
        )
    )


def _show_dot_product(
    page: Page, steps: "ClassSteps", tags: tuple[str, ...], name: str, source: str
) -> None:
    """Draw one tag's logit as a sum: its largest terms, the others together, the bias."""
    from mlm_core.classification.head_steps import largest_terms

    words = page.words
    likeliest = int(steps.logits.argmax())
    names = {LIKELIEST: words.plain("equations_likeliest", tag=tags[likeliest])}
    names |= {str(k): tag for k, tag in enumerate(tags)}
    chosen = inputs.listed(words.label("equations_of"), names, key=TAG)
    k = likeliest if chosen == LIKELIEST else int(chosen)
    found = largest_terms(steps, k, SHOWN_TERMS)
    links = links_of(
        found,
        named=lambda **values: words.plain("equations_term", **values),
        rest=words.plain("equations_rest", n=found.n_rest),
        bias=words.plain("equations_bias"),
    )
    show_drawing(
        chain_svg(
            links,
            Link(name=words.plain("equations_logit"), value=found.total),
            reach=chain_reach([links]),
            alt=words.plain("equations_alt", tag=tags[k], total=formatted(found.total, ".3f")),
        ),
        key="bio_tagging_dot_product",
        table=lambda: Table(steps.columns(k)),
        source=f"{source} · {name}, {tags[k]}",
    )


def _short(value: float) -> float:
    """Return a number with three significant digits."""
    return float(f"{value:.3g}")
