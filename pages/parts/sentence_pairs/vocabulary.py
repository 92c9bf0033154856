"""A vocabulary learnt from six languages mixed by alpha: who has what of it."""

import streamlit as st

from mlm_core.figures.charts import lines_chart
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.text.tokens import cuts_html
from mlm_core.number_format import formatted
from mlm_core.text.language_sampling import read_languages
from mlm_core.text.tokens import tokenize
from pages.parts.sentence_pairs.setting import seed
from pages.shared.caches import cache
from pages.shared.course.words import Words
from pages.shared.figures.show import keep, show_chart, show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

ALGORITHMS = ("BPE", "Unigram")
SIZES = ("500", "800", "1200")
ALPHAS = (0.0, 0.1, 0.3, 0.5, 0.7, 1.0)  # of the curve
CURVE = "sentence_pairs_curve"  # session state: the setting of the curve that was asked for


def language_names(words: Words) -> list[str]:
    """Return what the six languages are called in the reader's."""
    return [words.plain(f"language_{language.code}") for language in read_languages()]


def show_vocabulary(page: Page, alpha: float, counted: str) -> None:
    """Learn a vocabulary, count each language's part of it, and cut a sentence with it."""
    words = page.words
    st.divider()
    st.markdown(words.section("languages.vocabulary"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        algorithm = inputs.choice(
            words.label("algorithm"),
            {name: name for name in ALGORITHMS},
            key="sentence_pairs_algorithm",
        )
        size = int(
            inputs.choice(
                words.label("vocabulary_size"),
                {size: formatted(int(size), ",") for size in SIZES},
                key="sentence_pairs_vocabulary",
                default="800",
            )
        )
        number = seed(page)
    setting = (algorithm, size, counted, number)
    with st.spinner(words.label("learning")):
        uses = cache.mixed_uses(algorithm, size, alpha, counted, number)
    table = Table(
        {
            words.plain("use_language"): language_names(words),
            words.plain("use_drawn"): [use.n_drawn for use in uses],
            words.plain("use_share"): [
                f"{formatted(100 * use.vocabulary_proportion, '.1f')} %" for use in uses
            ],
            words.plain("use_alone"): [use.n_alone for use in uses],
            words.plain("use_words"): [round(use.tokens_per_word, 2) for use in uses],
        }
    )
    table.show()
    keep(
        "sentence_pairs_use",
        table=table,
        source=words.label(
            "use_source",
            algorithm=algorithm,
            size=formatted(size, ","),
            alpha=formatted(alpha, ".2f"),
            seed=number,
        ),
    )
    st.markdown(words.section("languages.ends"))
    _curve(page, setting, alpha)
    st.markdown(words.section("languages.curse"))
    st.markdown(words.section("languages.accent"))
    _show_cuts(page, setting, alpha)
    st.caption(words.section("languages.only_small"))


def _curve(page: Page, setting: tuple[str, int, str, int], alpha: float) -> None:
    """Measure tokens per word for several alphas when asked."""
    words, (algorithm, size, counted, number) = page.words, setting
    asked = st.button(words.label("curve"), icon=":material/show_chart:", key=f"{CURVE}_button")
    if asked:
        st.session_state[CURVE] = True
    if not st.session_state.get(CURVE):
        return
    bar = st.progress(0.0, words.label("curve_progress", alpha=ALPHAS[0]))
    measured = []
    for i, each in enumerate(ALPHAS):
        bar.progress(i / len(ALPHAS), words.label("curve_progress", alpha=each))
        measured.append(cache.mixed_uses(algorithm, size, each, counted, number))
    bar.empty()
    curves = {
        name: [uses[i].tokens_per_word for uses in measured]
        for i, name in enumerate(language_names(words))
    }
    show_chart(
        lines_chart(
            [
                Curve(name=name, points=list(zip(ALPHAS, values, strict=True)), pen=pen, dots=True)
                for pen, (name, values) in enumerate(curves.items())
            ],
            x_title=words.plain("curve_x"),
            y_title=words.plain("curve_y"),
            marks=[Level(name="", value=alpha)],
            y_axis={"rangemode": "tozero"},
        ),
        key="sentence_pairs_curve_chart",
        alt=words.plain("curve_alt"),
        table=Table({"alpha": ALPHAS} | curves),
        source=words.label(
            "use_source", algorithm=algorithm, size=formatted(size, ","), alpha="0 … 1", seed=number
        ),
    )


# One sentence cut by two vocabularies: that of the chosen alpha, and that of alpha 1.


def _show_cuts(page: Page, setting: tuple[str, int, str, int], alpha: float) -> None:
    """Cut the learner's sentence with the vocabulary of alpha and with that of alpha 1."""
    words, (algorithm, size, counted, number) = page.words, setting
    sentence = inputs.text(
        words.label("sampling_sentence"),
        words.label("sampling_default"),
        key="sentence_pairs_sentence",
    )
    if not sentence.strip():
        st.info(words.section("languages.empty"), icon=":material/edit:")
        return
    cuts = [
        (
            words.plain("sampling_row", alpha=formatted(each, ".2f")),
            tokenize(cache.mixed_vocabulary(algorithm, size, each, counted, number)[0], sentence),
        )
        for each in (alpha, 1.0)
    ]
    show_drawing(
        cuts_html(sentence, cuts, alt=words.plain("sampling_alt")),
        key="sentence_pairs_cuts",
        table=Table(
            [
                {"vocabulary": name, "token": token.text, "id": token.id}
                for name, cut in cuts
                for token in cut.tokens
            ]
        ),
        source=words.label(
            "sampling_source", algorithm=algorithm, size=formatted(size, ","), seed=number
        ),
    )
