"""Tokens per word against the size of the vocabulary, for the three algorithms."""

from dataclasses import asdict

import streamlit as st

from mlm_core.figures.charts import lines_chart, log_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.number_format import formatted
from mlm_core.text.cutting import count_unknown, tokens_per_word
from mlm_core.text.size_curve import SIZES, SizePoint, measure, stored_curve
from mlm_core.text.tokens import ALGORITHMS
from pages.parts.subword_tokens import setting
from pages.shared.caches import cache_vocabularies
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs


@part
def show(page: Page) -> None:
    """Draw the curve on the learner's own text or on the training text."""
    words, now = page.words, setting.current()
    st.markdown(words.section("curve.lead"))
    measured = inputs.choice(
        words.label("curve_on"),
        {name: words.label(f"curve_on_{name}") for name in ("corpus", "sentence")},
        key="subword_tokens_curve",
    )
    if measured == "sentence" and now.is_empty:
        setting.say_it_is_empty(page)
        return
    points = _measured_on(page, now.text) if measured == "sentence" else stored_curve()
    table = Table([asdict(point) for point in points])
    rates = ", ".join(
        f"{point.algorithm} {formatted(point.tokens_per_word, '.2f')}"
        for point in points
        if point.size == now.size
    )
    current = words.plain("curve_current", size=formatted(now.size, ","))
    show_chart(
        lines_chart(
            [
                Curve(
                    name=name,
                    # A vocabulary that could grow no further is drawn once.
                    points=sorted(
                        {(p.reached, p.tokens_per_word) for p in points if p.algorithm == name}
                    ),
                    pen=pen,
                    dots=True,
                )
                for pen, name in enumerate(ALGORITHMS)
            ],
            x_title=words.plain("curve_x"),
            y_title=words.plain("curve_y"),
            marks=[Level(name=current, value=now.size)],
            x_axis=log_axis(SIZES[1::2]),
            y_axis={"rangemode": "tozero"},
        ),
        key="subword_tokens_curve_chart",
        alt=words.plain(
            "curve_alt",
            size=formatted(now.size, ","),
            rates=rates,
        ),
        table=table,
        source=words.label(
            f"curve_source_{measured}", n_words=formatted(cache_vocabularies.n_corpus_words(), ",")
        ),
    )
    st.markdown(
        words.section(
            "curve.reading",
            size=formatted(now.size, ","),
            rates=rates,
        )
    )
    if measured == "sentence":
        unknown = ", ".join(
            f"{name} {count_unknown(cut)} / {setting.n_pieces(cut)}"
            for name, cut, _ in setting.cut_by_all(now.text, now.size)
        )
        st.markdown(words.section("curve.unknown", unknown=unknown))
    st.markdown(words.section("curve.notice"))
    show_source(measure, tokens_per_word, key="subword_tokens_curve_code")


def _measured_on(page: Page, text: str) -> list[SizePoint]:
    """Return the points for the learner's text, training what no visitor has trained yet."""
    points = []
    with st.spinner(page.words.label("curve_training"), show_time=True):
        for algorithm in ALGORITHMS:
            for size in SIZES:
                tokenizer = cache_vocabularies.trained_tokenizer(algorithm, size, None)
                points.append(
                    SizePoint(
                        algorithm=algorithm,
                        size=size,
                        reached=tokenizer.get_vocab_size(),
                        tokens_per_word=tokens_per_word(tokenizer, [text]),
                    )
                )
    return points
