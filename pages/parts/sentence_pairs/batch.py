"""A batch of true and random pairs, as in training: each with its loss, and where it goes wrong."""

from random import Random

import streamlit as st

from mlm_core.figures.prediction.sentence_pairs import BatchRow, batch_svg
from mlm_core.number_format import formatted
from mlm_core.prediction.pair_examples import FOLLOWS, PairExample, draw_pair
from pages.parts.sentence_pairs.measured import measure_many
from pages.parts.sentence_pairs.setting import (
    documents_text,
    has_head,
    seed,
    show_pair,
)
from pages.shared.caches import cache_predictions, cache_vocabularies
from pages.shared.figures.show import show_drawing, show_metrics
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

SIZES = ("8", "12", "24")
ROW = "sentence_pairs_row"


@part
def show(page: Page) -> None:
    """Draw a batch of examples, score each, and let the learner read any of them."""
    words = page.words
    st.markdown(words.section("batch.lead"))
    if not has_head(page, key="batch"):
        return
    own_text = documents_text(page)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = {size: size for size in SIZES}
        size = int(
            inputs.choice(words.label("batch_size"), names, key="sentence_pairs_size", default="12")
        )
        number = seed(page)
    documents, rng = cache_vocabularies.documents(own_text), Random(number)
    pairs = [draw_pair(documents, rng) for _ in range(size)]
    scored = [
        cache_predictions.next_sentence(page.model_name, pair.first_text, pair.second_text)
        for pair in pairs
    ]
    _draw(page, pairs, [steps for _, steps in scored], number, len(documents))
    chosen = inputs.position(
        words.label("batch_row"), [_names(page)[pair.label] for pair in pairs], key=ROW, default=0
    )
    st.markdown(_how_it_came(page, pairs[chosen], chosen))
    show_pair(page, scored[chosen][0], key="sentence_pairs_batch_chips")
    measure_many(page, documents, number, own_text)
    st.markdown(words.section("batch.notice"))
    show_source(draw_pair, key="sentence_pairs_batch_code")


def _names(page: Page) -> tuple[str, str]:
    """Return the words for the two labels."""
    return page.words.plain("true_pair"), page.words.plain("random_pair")


def _draw(page: Page, pairs: list[PairExample], steps: list, number: int, n_documents: int) -> None:
    words = page.words
    losses = [step.loss(pair.label) for pair, step in zip(pairs, steps, strict=True)]
    p_true = [step.probabilities[p.label].item() for p, step in zip(pairs, steps, strict=True)]
    rows = [
        BatchRow(label=_names(page)[pair.label], p_true=p, loss=loss, is_right=p >= 0.5)
        for pair, p, loss in zip(pairs, p_true, losses, strict=True)
    ]
    n, n_right = len(rows), sum(row.is_right for row in rows)
    wrong = [pair.label for pair, row in zip(pairs, rows, strict=True) if not row.is_right]
    show_metrics(
        {
            words.label("batch_mean"): formatted(sum(losses) / n, ".3f"),
            words.label("batch_accuracy"): f"{n_right} / {n}",
            words.label("batch_missed"): f"{wrong.count(FOLLOWS)}",
            words.label("batch_fooled"): f"{len(wrong) - wrong.count(FOLLOWS)}",
        }
    )
    selected = st.session_state.get(ROW, "0")
    show_drawing(
        batch_svg(
            rows,
            headings=[words.plain(f"batch_{name}") for name in ("truth", "p", "loss")],
            selected=int(selected) if selected in map(str, range(n)) else 0,
            alt=words.plain("batch_alt", n=n, right=n_right),
        ),
        key="sentence_pairs_batch",
        table=Table(
            {
                "truth": [row.label for row in rows],
                "p_true_class": p_true,
                "loss": losses,
                "a": [pair.first_text for pair in pairs],
                "b": [pair.second_text for pair in pairs],
                "toss": [pair.toss for pair in pairs],
            }
        ),
        source=words.label(
            "batch_source", model=page.model_name, n=n, seed=number, documents=n_documents
        ),
        on_click=lambda value: inputs.choose(ROW, value),
    )


def _how_it_came(page: Page, pair: PairExample, i: int) -> str:
    """Say what chance did: which A, which side the coin fell on, which B."""
    return page.words.section(
        "batch.toss_true" if pair.label == FOLLOWS else "batch.toss_random",
        i=i,
        a=pair.first.sentence + 1,
        d=pair.first.document + 1,
        b=pair.second.sentence + 1,
        e=pair.second.document + 1,
        toss=formatted(pair.toss, ".2f"),
    )
