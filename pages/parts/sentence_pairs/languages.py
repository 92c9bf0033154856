"""Many languages in one vocabulary: alpha moves the shares, and a vocabulary learnt from them."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from mlm_core.figures.charts import bars_chart, lines_chart, percent, percent_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.text.tokens import cuts_html
from mlm_core.number_format import formatted
from mlm_core.text.language_sampling import read_languages, sampling_probabilities
from mlm_core.text.tokens import tokenize
from pages.parts.sentence_pairs.setting import choose_seed
from pages.shared.caches import cache_vocabularies
from pages.shared.course.equations import numbered
from pages.shared.kit.part import Part, part

ALGORITHMS = ("BPE", "Unigram")
SIZES = ("500", "800", "1200")
ALPHAS = (0.0, 0.1, 0.3, 0.5, 0.7, 1.0)  # of the curve
CURVE = "sentence_pairs_curve"  # session state: whether the curve was asked for


@part(
    code=(
        "text.language_sampling:sampling_probabilities",
        "text.language_sampling:draw_sentences",
        "text.language_sampling:measure_use",
    )
)
def show(p: Part) -> None:
    """Draw shares under alpha, then learn the vocabulary that follows from them."""
    p.say("lead")
    st.latex(numbered("11.5"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        alpha = p.slider("alpha")
        with st.popover(p.label("settings"), icon=":material/tune:"):
            counted = p.choice("counted")
            algorithm = p.choice("algorithm", ALGORITHMS)
            size = int(p.choice("vocabulary", {size: formatted(int(size), ",") for size in SIZES}))
            seed = choose_seed(p)
    languages = read_languages()
    names = [p.plain(f"language_{language.code}") for language in languages]
    _draw_shares(p, names, [getattr(one, counted) for one in languages], alpha, counted)
    mixture = {"algorithm": algorithm, "size": size, "counted": counted, "seed": seed}
    p.say("vocabulary")
    _show_cuts(p, names, alpha, mixture)
    _measure_curve(p, names, alpha, mixture)
    p.say("ends")
    p.caption("only_small")


def _draw_shares(p: Part, names: list[str], counts: list[int], alpha: float, counted: str) -> None:
    """Draw each language's share before and after; write out the rarest one's."""
    before, after = sampling_probabilities(counts, 1.0), sampling_probabilities(counts, alpha)
    rare = counts.index(min(counts))
    p_rare, q_rare = before[rare], after[rare]
    p.figure(
        "shares",
        bars_chart(names, {"p": before, "q": after}, written=percent, x_axis=percent_axis()),
        {
            "language": names,
            "words": counts,
            "p": before,
            "q": after,
            "alpha": [alpha] * len(counts),
        },
        rare=names[rare],
        before=p_rare,
        after=q_rare,
        counted=p.plain(f"count_source_{counted}"),
    )
    p.say("notice", rare=names[rare], p=p_rare, q=q_rare)


# A vocabulary learnt from six languages mixed by alpha: how it cuts, for every alpha.


def _measure_curve(p: Part, names: list[str], alpha: float, mixture: Mapping[str, Any]) -> None:
    """Measure tokens per word for several alphas when asked."""
    if st.button(p.label("curve"), icon=":material/show_chart:", key=f"{CURVE}_button"):
        st.session_state[CURVE] = True
    if not st.session_state.get(CURVE):
        return
    measured = [
        cache_vocabularies.mixed_uses(alpha=each, **mixture)
        for each in p.progress("curve_progress", ALPHAS)
    ]
    curves = {name: [uses[i].tokens_per_word for uses in measured] for i, name in enumerate(names)}
    chart = lines_chart(
        [
            Curve(name=name, points=list(zip(ALPHAS, values, strict=True)), pen=pen, dots=True)
            for pen, (name, values) in enumerate(curves.items())
        ],
        x_title=p.plain("curve_x"),
        y_title=p.plain("curve_y"),
        marks=[Level(name="", value=alpha)],
        y_axis={"rangemode": "tozero"},
    )
    p.figure("curve_chart", chart, {"alpha": ALPHAS} | curves, **mixture)


def _show_cuts(p: Part, names: list[str], alpha: float, mixture: Mapping[str, Any]) -> None:
    """Cut the learner's sentence with the vocabulary of alpha and with that of alpha 1."""
    sentence = p.text("sentence")
    cuts = []
    with st.spinner(p.label("learning")):
        for each in (alpha, 1.0):
            tokenizer, _ = cache_vocabularies.mixed_vocabulary(alpha=each, **mixture)
            cuts.append((p.plain("cuts_row", alpha=each), tokenize(tokenizer, sentence)))
        uses = cache_vocabularies.mixed_uses(alpha=alpha, **mixture)
    if not sentence.strip():
        p.note("empty", icon="edit")
        return
    p.figure(
        "cuts",
        partial(cuts_html, sentence, cuts),
        {
            p.plain("use_language"): names,
            p.plain("use_drawn"): [use.n_drawn for use in uses],
            p.plain("use_share"): [use.vocabulary_proportion for use in uses],
            p.plain("use_alone"): [use.n_alone for use in uses],
            p.plain("use_words"): [use.tokens_per_word for use in uses],
        },
        alpha=alpha,
        **mixture,
    )
