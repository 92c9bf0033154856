"""A batch of true and random pairs, as in training: each with its loss, and where it goes wrong."""

import math
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import streamlit as st

from mlm_core.figures.prediction.sentence_pairs import BatchRow, batch_svg
from mlm_core.number_format import formatted
from mlm_core.prediction.pair_examples import FOLLOWS, IS_RANDOM, PairExample, draw_pair
from pages.parts.sentence_pairs.setting import choose_seed, documents_text, has_head, show_pair
from pages.shared.caches import cache_predictions, cache_vocabularies
from pages.shared.figures.show import show_metrics
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

SIZES = ("8", "12", "24")
N_PAIRS = 300
STEP = 10  # pairs between two moves of the bar
MEASURED = "sentence_pairs_measured"  # session state: the setting, and a row a pair


@part(code=("prediction.pair_examples:draw_pair",))
def show(p: Part) -> None:
    """Draw a batch of examples, score each, and let the learner read any of them."""
    p.say("lead")
    if not has_head(p):
        return
    own_text = documents_text(p)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        size = int(p.choice("size", SIZES))
        seed = choose_seed(p)
    documents, rng = cache_vocabularies.documents(own_text), Random(seed)
    pairs = [draw_pair(documents, rng) for _ in range(size)]
    scored = [
        cache_predictions.next_sentence(p.model_name, pair.first_text, pair.second_text)
        for pair in pairs
    ]
    place: dict[str, Any] = {"n": size, "seed": seed, "documents": len(documents)}
    names = (p.plain("true_pair"), p.plain("random_pair"))
    rows = [
        BatchRow(
            label=names[pair.label],
            p_true=steps.probabilities[pair.label].item(),
            loss=steps.loss(pair.label),
            is_right=steps.probabilities[pair.label].item() >= 0.5,
        )
        for pair, (_, steps) in zip(pairs, scored, strict=True)
    ]
    _draw(p, pairs, rows, place)
    i = p.position("row", [row.label for row in rows], default=0)
    _say_how_it_came(p, pairs[i], i)
    show_pair(p, scored[i][0], "batch_chips")
    _measure_many(p, documents, own_text, place)
    p.say("notice")


def _draw(p: Part, pairs: list[PairExample], rows: list[BatchRow], place: dict[str, Any]) -> None:
    """Show what the batch comes to, and each pair as a line that opens it."""
    n, n_right = len(rows), sum(row.is_right for row in rows)
    wrong = [pair.label for pair, row in zip(pairs, rows, strict=True) if not row.is_right]
    show_metrics(
        {
            p.label("mean"): formatted(sum(row.loss for row in rows) / n, ".3f"),
            p.label("accuracy"): f"{n_right} / {n}",
            p.label("missed"): f"{wrong.count(FOLLOWS)}",
            p.label("fooled"): f"{wrong.count(IS_RANDOM)}",
        }
    )
    selected = st.session_state.get(p.key("row"), "0")
    p.figure(
        "batch",
        partial(
            batch_svg,
            rows,
            headings=[p.plain(name) for name in ("truth", "p", "loss")],
            selected=int(selected) if selected in map(str, range(n)) else 0,
        ),
        {
            "truth": [row.label for row in rows],
            "p_true_class": [row.p_true for row in rows],
            "loss": [row.loss for row in rows],
            "a": [pair.first_text for pair in pairs],
            "b": [pair.second_text for pair in pairs],
            "toss": [pair.toss for pair in pairs],
        },
        on_click=lambda value: inputs.choose(p.key("row"), value),
        right=n_right,
        **place,
    )


def _say_how_it_came(p: Part, pair: PairExample, i: int) -> None:
    """Say what chance did: which A, which side the coin fell on, which B."""
    p.say(
        "toss_true" if pair.label == FOLLOWS else "toss_random",
        i=i,
        a=pair.first.sentence + 1,
        d=pair.first.document + 1,
        b=pair.second.sentence + 1,
        e=pair.second.document + 1,
        toss=pair.toss,
    )


# Many pairs at once: how often the model is right, with the margin that chance leaves.


def _measure_many(
    p: Part,
    documents: Sequence[Sequence[str]],
    own_text: str | None,
    place: dict[str, Any],
) -> None:
    """Score 300 pairs when asked, and say what came of it."""
    setting = (p.model_name, place["seed"], own_text)
    if st.button(p.label("measure"), icon=":material/query_stats:", key=p.key("measure")):
        st.session_state[MEASURED] = setting, _score(p, documents, place["seed"])
    measured, rows = st.session_state.get(MEASURED, (None, []))
    if measured != setting:
        return
    rights = {
        label: [row["right"] for row in rows if row["label"] == label]
        for label in (FOLLOWS, IS_RANDOM)
    }
    n, n_right = len(rows), sum(map(sum, rights.values()))
    share = n_right / n
    p.say(
        "measured",
        right=n_right,
        n=n,
        share=share,
        margin=1.96 * math.sqrt(share * (1 - share) / n),  # normal approximation, 95 %
        true=sum(rights[FOLLOWS]) / len(rights[FOLLOWS]),
        random=sum(rights[IS_RANDOM]) / len(rights[IS_RANDOM]),
        loss=sum(row["loss"] for row in rows) / n,
    )
    p.numbers("measured", rows, source="source", **place | {"n": n})


def _score(p: Part, documents: Sequence[Sequence[str]], seed: int) -> list[dict]:
    """Return a row for each of 300 pairs."""
    rng, rows = Random(seed), []
    for begun in p.progress("measuring", range(0, N_PAIRS, STEP)):
        for _ in range(min(STEP, N_PAIRS - begun)):
            pair = draw_pair(documents, rng)
            texts = (pair.first_text, pair.second_text)
            _, steps = cache_predictions.next_sentence(p.model_name, *texts)
            rows.append(
                {
                    "label": pair.label,
                    "p_is_next": steps.p_follows,
                    "loss": steps.loss(pair.label),
                    "right": steps.probabilities[pair.label].item() >= 0.5,
                }
            )
    return rows
