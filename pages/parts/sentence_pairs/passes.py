"""Batch sizes and passes over the data: tokens in a batch, and the steps that follow."""

import streamlit as st

from mlm_core.number_format import formatted, in_formula
from mlm_core.prediction.packing import steps_for
from pages.shared.caches import cache
from pages.shared.figures.show import show_metrics
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

SEQUENCES = {"32": 32, "256": 256, "2K": 2048, "8K": 8192}
SHORT = (
    0.9 * 128 / 512 + 0.1
)  # the tokens that are left if 90 % of the steps have 128 (the same, A.2)
BERT_WORDS, BERT_STEPS, BERT_BATCH = 3.3e9, 1_000_000, 256 * 512  # Devlin et al. 2019, A.2
# 160 GB of text; about 30 billion words at the rate of BERT's 16 GB for 3.3 billion.
ROBERTA_WORDS = 3.3e10


def show_passes(page: Page, window_size: int) -> None:
    """Let the learner choose a batch and passes, and count the steps."""
    words = page.words
    st.markdown(words.section("packing.batches"))
    lengths = cache.sentence_lengths(page.model_name, None)
    n_words = cache.n_corpus_words()
    rate = sum(map(sum, lengths)) / n_words  # tokens for a word, on our own documents
    sizes = {"ours": n_words, "bert": BERT_WORDS, "roberta": ROBERTA_WORDS}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sequences = SEQUENCES[
            inputs.choice(
                words.label("run_sequences"),
                {name: name for name in SEQUENCES},
                key="sentence_pairs_sequences",
                default="256",
            )
        ]
        corpus = inputs.choice(
            words.label("run_words"),
            {name: words.label(f"run_words_{name}") for name in sizes},
            key="sentence_pairs_corpus",
            default="bert",
        )
    passes = inputs.slider(
        words.label("run_passes"),
        1,
        100,
        40,
        key="sentence_pairs_passes",
    )
    batch, n_tokens = sequences * window_size, sizes[corpus] * rate
    shown = {
        "run_batch": formatted(batch, ","),
        "run_tokens": words.label("billion", n=formatted(n_tokens / 1e9, ".2f"))
        if n_tokens > 1e8
        else formatted(n_tokens, ",.0f"),
        "run_steps": formatted(steps_for(passes, n_tokens, batch), ","),
    }
    show_metrics({words.label(name): value for name, value in shown.items()})
    st.latex(
        rf"\frac{{{passes} \times {in_formula(n_tokens, '.2e')}}}"
        rf"{{{sequences} \times {window_size}}}"
        rf" \approx {in_formula(passes * n_tokens / batch, '.2e')}"
    )
    st.markdown(
        words.section(
            "packing.batches_notice",
            passes=formatted(BERT_STEPS * BERT_BATCH / BERT_WORDS, ".1f"),
            rate=formatted(rate, ".2f"),
            less=formatted(BERT_STEPS * BERT_BATCH / (BERT_WORDS * rate), ".1f"),
            third=formatted(SHORT * BERT_STEPS * BERT_BATCH / (BERT_WORDS * rate), ".1f"),
            large=formatted(8192 * 512, ","),
        )
    )
