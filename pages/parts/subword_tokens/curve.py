"""Tokens per word against the size of the vocabulary, for the three algorithms."""

from dataclasses import asdict
from typing import Any

import streamlit as st

from mlm_core.figures.charts import lines_chart, log_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.stored.size_curve import stored_curve
from mlm_core.text.cutting import count_unknown, tokens_per_word
from mlm_core.text.size_curve import SIZES, SizePoint
from mlm_core.text.tokens import ALGORITHMS
from pages.parts.subword_tokens import setting
from pages.shared.caches import cache_vocabularies
from pages.shared.kit.part import Part, part


@part(code=("text.size_curve:measure", "text.cutting:tokens_per_word"))
def show(p: Part) -> None:
    """Draw the curve on the learner's own text or on the training text."""
    now = setting.current(p)
    p.say("lead")
    measured = p.choice("curve")
    if measured == "sentence" and now.is_empty:
        p.note("empty", icon="edit")
        return
    points = _measured_on(p, now.text) if measured == "sentence" else stored_curve()
    chart = lines_chart(
        [
            Curve(
                name=name,
                # A vocabulary that could grow no further is drawn once.
                points=sorted(
                    {
                        (point.reached, point.tokens_per_word)
                        for point in points
                        if point.algorithm == name
                    }
                ),
                pen=pen,
                dots=True,
            )
            for pen, name in enumerate(ALGORITHMS)
        ],
        x_title=p.plain("x"),
        y_title=p.plain("y"),
        marks=[Level(name=p.plain("current", size=now.size), value=now.size)],
        x_axis=log_axis(SIZES[1::2]),
        y_axis={"rangemode": "tozero"},
    )
    told: dict[str, Any] = {"size": now.size, "n_words": cache_vocabularies.n_corpus_words()}
    told |= {
        point.algorithm.lower(): point.tokens_per_word for point in points if point.size == now.size
    }
    table = [asdict(point) for point in points]
    p.figure("curve_chart", chart, table, source=f"source_{measured}", **told)
    p.say("reading", **told)
    if measured == "sentence":
        unknown = ", ".join(
            f"{name} {count_unknown(cut)} / {setting.n_pieces(cut)}"
            for name, cut, _ in setting.cut_by_all(now.text, now.size)
        )
        p.say("unknown", unknown=unknown)
    p.say("notice")


def _measured_on(p: Part, text: str) -> list[SizePoint]:
    """Return the points for the learner's text, training what no visitor has trained yet."""
    points = []
    with st.spinner(p.label("training"), show_time=True):
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
