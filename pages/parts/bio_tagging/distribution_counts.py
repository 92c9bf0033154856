"""The whole test part: how often greedy breaks a rule, and what each way to decode scores."""

import time
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.shared import cache_tagging
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.finetuning.decoding_comparison import DecodingScore
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

DECODERS = {"greedy": "greedy", "viterbi": "Viterbi"}


def show_counts(page: Page, snapshot: "FineTuneSnapshot", title: str) -> None:
    """Decode every test sentence in six ways and compare."""
    words = page.words
    st.markdown(f"#### {words.label('counts')}")
    scores = _scores(page, snapshot)
    by_name = {(score.combination, score.decoder): score for score in scores}
    plain, legal = by_name["first", "greedy"], by_name["first", "viterbi"]
    n = len(snapshot.dataset.test)
    show_drawing(
        bars_svg(
            [f"{score.combination}, {DECODERS[score.decoder]}" for score in scores],
            [score.f1 for score in scores],
            longest=1.0,
            alt=words.plain(
                "counts_alt", greedy=formatted(plain.f1, ".3f"), viterbi=formatted(legal.f1, ".3f")
            ),
        ),
        key="bio_tagging_counts",
        table=Table(
            [
                {
                    "pieces": score.combination,
                    "decoder": score.decoder,
                    "sentences_with_a_broken_rule": score.n_broken,
                    "f1_conlleval": score.f1,
                    "f1_strict": score.strict_f1,
                }
                for score in scores
            ]
        ),
        source=words.label("counts_source", title=title, n=n),
    )
    st.markdown(
        words.section(
            "distribution.counted",
            n=n,
            **{
                f"broken_{name}": by_name[name, "greedy"].n_broken
                for name in ("first", "mean", "product")
            },
            share=formatted(100 * plain.n_broken / n, ".0f"),
            greedy=formatted(plain.f1, ".3f"),
            viterbi=formatted(legal.f1, ".3f"),
            strict=formatted(plain.strict_f1, ".3f"),
        )
    )
    verdict = "better" if legal.f1 > plain.f1 else "worse" if legal.f1 < plain.f1 else "alike"
    st.markdown(words.section(f"distribution.viterbi_{verdict}"))


def _scores(page: Page, snapshot: "FineTuneSnapshot") -> "tuple[DecodingScore, ...]":
    """Return the scores; tell how far it is where that takes longer than a moment."""
    n, begun = cache_tagging.n_parts(snapshot), time.monotonic()
    bar = None
    for part in range(n):
        cache_tagging.decoded_part(snapshot, part)
        seconds = time.monotonic() - begun
        if seconds < 0.5 and bar is None:
            continue
        left = round(seconds / (part + 1) * (n - part - 1))
        label = page.words.label("counting", left=left)
        if bar is None:
            bar = st.progress(0.0, label)
        bar.progress((part + 1) / n, label)
    scores = cache_tagging.decoding_scores(snapshot)
    if bar is not None:
        bar.empty()
    return scores
