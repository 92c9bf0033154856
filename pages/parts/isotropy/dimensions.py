"""Each dimension's share of the mean cosine: how few of them carry half of it."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.embeddings.isotropy_shares import shares_svg
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.parts.isotropy.one_dimension import N_DRAWN, RANK, look_at
from pages.shared.caches import cache_vectors
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.embeddings.postprocessing import LayerStatistics

GUESSES = ("3", "10", "50", "more")  # at most so many
NEXT_TO_NOTHING = 0.03  # a mean cosine of which shares say little


@part
def show(page: Page) -> None:
    """Take a guess, then rank the dimensions and look at one."""
    words = page.words
    st.markdown(words.section("dimensions.lead"))
    view = setting.choose(page, with_dropped=False)
    guess = ask_for_guess(page, "half", GUESSES, key="isotropy_half_guess")
    if guess is None:
        return
    setting.read_corpus(page, view.corpus)
    corpus = cache_vectors.learned(view.corpus, view.layer)
    n_half = corpus.proportions.n_for_proportion(0.5)
    truth = next((name for name in GUESSES[:-1] if n_half <= int(name)), "more")
    setting.say_guess(page, "half", guess, truth)
    _draw(page, view, corpus, n_half)
    if abs(corpus.proportions.mean_cosine) < NEXT_TO_NOTHING:
        mean = formatted(corpus.proportions.mean_cosine, ".3f")
        st.markdown(words.section("dimensions.nothing", mean=mean))
    look_at(page, view, corpus, cache_vectors.corpus_states(view.corpus, view.layer))
    st.caption(words.section("dimensions.no_more"))
    show_source(*_sources(), key="isotropy_dimensions_code")


def _draw(page: Page, view: setting.View, corpus: "LayerStatistics", n_half: int) -> None:
    """Draw the ranked bars; a click looks at a dimension."""
    words = page.words
    ranked, shares = corpus.proportions.ranked, corpus.proportions.proportions.tolist()
    n = len(ranked)
    shown = ranked[: min(N_DRAWN, n)]
    _start(len(shown))
    told = {
        "n_half": n_half,
        "n": n,
        "mean": formatted(corpus.proportions.mean_cosine, ".3f"),
        "first": ranked[0],
        "first_share": formatted(100 * shares[ranked[0]], ".0f"),
        "even": formatted(100 / n, ".1f"),
        "layer": view.layer,
    }
    st.markdown(words.section("dimensions.answer", **told))
    show_drawing(
        shares_svg(
            [str(d) for d in shown],
            [shares[d] for d in shown],
            rest=(
                words.plain("shares_rest", n=n - len(shown)),
                sum(shares[d] for d in ranked[len(shown) :]),
            ),
            chosen=int(st.session_state[RANK]),
            x_title=words.plain("shares_x"),
            sum_title=words.plain("shares_sum"),
            alt=words.plain("shares_alt", **told),
        ),
        key="isotropy_shares",
        table=lambda: Table(
            {
                "rank": list(range(1, n + 1)),
                "dimension": list(ranked),
                "contribution": [corpus.proportions.contributions[d].item() for d in ranked],
                "share": [shares[d] for d in ranked],
                "mean": [corpus.mean[d].item() for d in ranked],
                "standard_deviation": [corpus.deviation[d].item() for d in ranked],
            }
        ),
        source=setting.source(page, view),
        on_click=lambda value: inputs.choose(RANK, value.rpartition(",")[2]),
    )


def _start(n_shown: int) -> None:
    """Set the rank from the link before its list is drawn, since the bars stand above it."""
    names = [str(i) for i in range(n_shown)]
    if st.session_state.get(RANK) not in names:
        asked = st.query_params.get(RANK)
        st.session_state[RANK] = asked if asked in names else "0"


def _sources() -> tuple:
    from mlm_core.embeddings.isotropy import DimensionProportions, dimension_proportions

    return dimension_proportions, DimensionProportions
