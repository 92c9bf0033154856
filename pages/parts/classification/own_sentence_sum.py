"""Each class's logit as a sum: the largest terms h_j * w_kj, all others together, the bias."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.finetuning.classification_terms import Link, chain_reach, chain_svg, links_of
from mlm_core.figures.theme import printable
from mlm_core.number_format import formatted
from pages.shared.course.words import as_text
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.classification.head_steps import ClassSteps, TermSum

SHOWN_TERMS = 5  # of a sum of hundreds
SIDE_BY_SIDE = 3  # classes; of more, one is chosen
CLASS = "classification_own_class"


def largest_of_all(steps: "ClassSteps") -> set[int]:
    """Return the places in h that are written out for any class on the screen."""
    from mlm_core.classification.head_steps import largest_terms

    return {
        term.place for k in _shown(steps) for term in largest_terms(steps, k, SHOWN_TERMS).shown
    }


def _shown(steps: "ClassSteps") -> list[int]:
    n = len(steps.logits)
    if n <= SIDE_BY_SIDE:
        return list(range(n))
    chosen = st.session_state.get(CLASS, "")
    return [int(chosen)] if chosen in map(str, range(n)) else [int(steps.logits.argmax())]


def show_sums(page: Page, steps: "ClassSteps", classes: tuple[str, ...], source: str) -> None:
    """Draw the sums side by side on one scale; with many classes, the one that is chosen."""
    from mlm_core.classification.head_steps import largest_terms

    words = page.words
    st.markdown(words.section("own_sentence.sums", n=len(steps.pooled)))
    shown = _shown(steps)
    if len(classes) > SIDE_BY_SIDE:
        names = {str(k): f"{k}  {name}" for k, name in enumerate(classes)}
        first = str(shown[0])
        shown = [int(inputs.listed(words.label("own_class"), names, key=CLASS, default=first))]
    sums = {k: largest_terms(steps, k, SHOWN_TERMS) for k in shown}
    chains = {k: _links(page, found) for k, found in sums.items()}
    reach = chain_reach(list(chains.values()))
    for (k, found), column in zip(sums.items(), st.columns(max(2, len(sums))), strict=False):
        with column:
            st.markdown(f"**{as_text(printable(classes[k], 40))}**")
            show_drawing(
                chain_svg(
                    chains[k],
                    Link(name=words.plain("own_link_total"), value=found.total),
                    reach=reach,
                    alt=words.plain(
                        "own_chain_alt", name=classes[k], total=formatted(found.total, ".3f")
                    ),
                ),
                key=f"classification_own_sum_{k}",
                table=Table(steps.columns(k)),
                source=source,
            )
    st.caption(words.section("own_sentence.rounded"))


def _links(page: Page, found: "TermSum") -> list[Link]:
    words = page.words
    return links_of(
        found,
        named=lambda **values: words.plain("own_link_term", **values),
        rest=words.plain("own_link_rest", n=found.n_rest),
        bias=words.plain("own_link_bias"),
    )
