"""Many pairs at once: how often the model is right, with the margin that chance leaves."""

import math
from collections.abc import Sequence
from random import Random

import streamlit as st

from mlm_core.number_format import formatted
from mlm_core.prediction.pair_examples import FOLLOWS, IS_RANDOM, draw_pair
from pages.shared.caches import cache_predictions
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page

N_PAIRS = 300
STEP = 10  # pairs between two moves of the bar
MEASURED = "sentence_pairs_measured"  # session state: the setting, and a row a pair


def measure_many(
    page: Page, documents: Sequence[Sequence[str]], number: int, own_text: str | None
) -> None:
    """Score 300 pairs when asked, and say what came of it."""
    words = page.words
    setting = (page.model_name, number, own_text)
    if st.button(
        words.label("measure"), icon=":material/query_stats:", key="sentence_pairs_measure"
    ):
        st.session_state[MEASURED] = setting, _score(page, documents, number)
    if st.session_state.get(MEASURED, (None,))[0] != setting:
        return
    rows = st.session_state[MEASURED][1]
    rights = {
        label: [row["right"] for row in rows if row["label"] == label]
        for label in (FOLLOWS, IS_RANDOM)
    }
    share = sum(row["right"] for row in rows) / len(rows)
    margin = 1.96 * math.sqrt(share * (1 - share) / len(rows))  # normal approximation, 95 %
    st.markdown(
        words.section(
            "batch.measured",
            right=sum(row["right"] for row in rows),
            n=len(rows),
            share=formatted(100 * share, ".0f"),
            margin=formatted(100 * margin, ".0f"),
            true=_per_cent(rights[FOLLOWS]),
            random=_per_cent(rights[IS_RANDOM]),
            loss=formatted(sum(row["loss"] for row in rows) / len(rows), ".3f"),
        )
    )
    keep(
        "sentence_pairs_measured",
        table=Table(rows),
        source=words.label(
            "batch_source",
            model=page.model_name,
            n=len(rows),
            seed=number,
            documents=len(documents),
        ),
    )


def _score(page: Page, documents: Sequence[Sequence[str]], number: int) -> list[dict]:
    rng, rows = Random(number), []
    bar = st.progress(0.0, page.words.label("measuring", n=0, of=N_PAIRS))
    for i in range(N_PAIRS):
        pair = draw_pair(documents, rng)
        steps = cache_predictions.next_sentence(page.model_name, pair.first_text, pair.second_text)[
            1
        ]
        rows.append(
            {
                "label": pair.label,
                "p_is_next": steps.p_follows,
                "loss": steps.loss(pair.label),
                "right": steps.probabilities[pair.label].item() >= 0.5,
            }
        )
        if i % STEP == 0:
            bar.progress((i + 1) / N_PAIRS, page.words.label("measuring", n=i + 1, of=N_PAIRS))
    bar.empty()
    return rows


def _per_cent(rights: Sequence[bool]) -> str:
    return formatted(100 * sum(rights) / len(rights), ".0f") if rights else "–"
