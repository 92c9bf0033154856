"""Many languages in one vocabulary: alpha moves the shares, and a vocabulary learnt from them."""

import streamlit as st

from mlm_core.figures.text.language_sampling import shares_svg
from mlm_core.number_format import formatted, in_formula
from mlm_core.text.language_sampling import (
    draw_sentences,
    measure_use,
    read_languages,
    sampling_probabilities,
)
from pages.parts.sentence_pairs.vocabulary import language_names, show_vocabulary
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

COUNTS = ("wikipedia", "crawl")
ALPHA = r"q_i = \frac{p_i^{\alpha}}{\sum_j p_j^{\alpha}} \qquad p_i = \frac{n_i}{\sum_k n_k}"


@part
def show(page: Page) -> None:
    """Draw shares under alpha, then learn the vocabulary that follows from them."""
    words = page.words
    st.markdown(words.section("languages.lead"))
    st.latex(ALPHA)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        alpha = inputs.slider(
            words.label("alpha"),
            0.0,
            1.0,
            0.3,
            step=0.05,
            key="sentence_pairs_alpha",
        )
        names = {name: words.label(f"counted_{name}") for name in COUNTS}
        counted = inputs.choice(words.label("counted"), names, key="sentence_pairs_counted")
    languages = read_languages()
    called = language_names(words)
    counts = [getattr(language, counted) for language in languages]
    before, after = sampling_probabilities(counts, 1.0), sampling_probabilities(counts, alpha)
    rare = counts.index(min(counts))
    st.latex(_rare_line(before[rare], after[rare], alpha, sum(p**alpha for p in before)))
    show_drawing(
        shares_svg(
            called,
            before,
            after,
            alt=words.plain(
                "shares_alt",
                rare=called[rare],
                before=formatted(100 * before[rare], ".2f"),
                after=formatted(100 * after[rare], ".2f"),
            ),
        ),
        key="sentence_pairs_shares",
        table=Table(
            {
                "language": called,
                "words": counts,
                "p": before,
                "q": after,
                "alpha": [alpha] * len(counts),
            }
        ),
        source=words.label("shares_source", counted=names[counted]),
    )
    st.markdown(
        words.section(
            "languages.notice",
            rare=called[rare],
            p=formatted(100 * before[rare], ".2f"),
            q=formatted(100 * after[rare], ".2f"),
        )
    )
    st.markdown(words.section("languages.sources", source=words.plain(f"count_source_{counted}")))
    show_vocabulary(page, alpha, counted)
    show_source(
        sampling_probabilities, draw_sentences, measure_use, key="sentence_pairs_alpha_code"
    )


def _rare_line(p: float, q: float, alpha: float, total: float) -> str:
    """Return the arithmetic of the rarest language's share, with numbers only."""
    power = rf"{in_formula(p, '.5f')}^{{\,{in_formula(alpha, '.2f')}}}"
    return rf"q = \frac{{{power}}}{{{in_formula(total, '.4f')}}} = {in_formula(q, '.4f')}"
