"""How many numbers are learnt: term by term, for sizes of one's own and for published models."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.encoder.bert import BertConfig
    from mlm_core.encoder.cost import ParameterTerm

SLUG = "train_an_encoder"
OWN = "own"
PUBLISHED = {"bert": 0, "xlmr_base": 1, "xlmr_large": 2}  # as published_models() lists them
# Name: (smallest, largest, start, step). The start is this lesson's own encoder.
SIZES = {
    "vocabulary": (1_000, 250_000, 1_000, 1_000),
    "hidden": (64, 1024, 64, 64),
    "layers": (1, 24, 2, 1),
    "window": (48, 512, 48, 16),
}


@part
def show(page: Page) -> None:
    """Show a model's sizes, every term of its parameters, and what was published."""
    from mlm_core.encoder.cost import count_parameters, published_models
    from mlm_core.figures.encoder.parameter_count import parameter_terms_html

    words = page.words
    st.markdown(words.section("parameters.lead"))
    names = {name: words.label(f"parameters_{name}") for name in (OWN, *PUBLISHED)}
    chosen = inputs.choice(words.label("parameters_which"), names, key=f"{SLUG}_count")
    published = None if chosen == OWN else published_models()[PUBLISHED[chosen]]
    config = _own_sizes(page) if published is None else published.config
    tied = inputs.toggle(words.label("parameters_tied"), True, key=f"{SLUG}_tied")
    terms = count_parameters(config, tied=tied)
    total = sum(term.count for term in terms)
    st.markdown(_sum_in_words(page, config, terms, total))
    show_drawing(
        parameter_terms_html(
            terms,
            name_of=lambda name: words.plain(f"term_{name}"),
            alt=words.plain("parameters_alt", n=formatted(total, ",")),
        ),
        key=f"{SLUG}_parameters",
        table=Table(
            {
                "group": [term.group for term in terms],
                "term": [term.name for term in terms],
                "formula": [term.formula for term in terms],
                "parameters": [term.count for term in terms],
            }
        ),
        source=words.label("parameters_source", **_letters(config)),
    )
    if published is not None:
        st.markdown(
            words.section(
                f"parameters.{chosen}", n=formatted(total, ","), published=published.published
            )
        )
    st.markdown(words.section("parameters.notice"))
    show_source(count_parameters, key=f"{SLUG}_parameters_code")


def _own_sizes(page: Page) -> "BertConfig":
    from mlm_core.encoder.bert import BertConfig

    sizes = {}
    for column, (name, (least, most, start, step)) in zip(
        st.columns(len(SIZES)), SIZES.items(), strict=True
    ):
        with column:
            sizes[name] = inputs.slider(
                page.words.label(f"parameters_{name}"),
                least,
                most,
                start,
                step,
                key=f"{SLUG}_count_{name}",
            )
    return BertConfig(
        vocabulary_size=sizes["vocabulary"],
        hidden_size=sizes["hidden"],
        n_layers=sizes["layers"],
        n_heads=1,  # their number changes no count
        intermediate_size=4 * sizes["hidden"],
        n_positions=sizes["window"],
    )


def _sum_in_words(
    page: Page, config: "BertConfig", terms: "tuple[ParameterTerm, ...]", total: int
) -> str:
    """Say how many there are, where most of them lie, and what doubling d would do."""
    from dataclasses import replace

    from mlm_core.encoder.cost import count_parameters

    doubled = replace(
        config, hidden_size=2 * config.hidden_size, intermediate_size=2 * config.intermediate_size
    )
    largest = max(terms, key=lambda term: term.count)
    return page.words.section(
        "parameters.sum",
        n=formatted(total, ","),
        megabytes=formatted(4 * total / 1e6, ",.1f"),
        largest=page.words.plain(f"term_{largest.name}"),
        share=formatted(100 * largest.count / total, ".0f"),
        factor=formatted(sum(t.count for t in count_parameters(doubled)) / total, ".1f"),
    )


def _letters(config: "BertConfig") -> dict[str, str]:
    return {
        "v": formatted(config.vocabulary_size, ","),
        "d": formatted(config.hidden_size, ","),
        "f": formatted(config.intermediate_size, ","),
        "l": str(config.n_layers),
        "n": str(config.n_positions),
        "s": str(config.n_segments),
    }
