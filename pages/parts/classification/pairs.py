"""Two sentences at once: does the second follow from the first? And does their order matter?"""

import streamlit as st

from mlm_core.classification.bag_of_words import fit_bag_of_words
from mlm_core.finetuning.encoded_examples import Reading
from pages.parts.classification.pairs_figures import show_figures
from pages.parts.classification.pairs_one import RELATIONS, show_pair
from pages.parts.classification.pairs_order import show_order
from pages.shared import cache_finetuning, finetune_runs, inputs
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.source import show_source

FIRST, SECOND = "classification_pairs_first", "classification_pairs_second"


@part
def show(page: Page) -> None:
    """Take two sentences and show the classes in both orders, then the whole test part."""
    words = page.words
    st.markdown(words.section("pairs.lead"))
    chosen = finetune_runs.choose(page, ("entailment", "own_classes"), key="pairs_run")
    if chosen is None:
        return
    title, snapshot = chosen
    if not snapshot.dataset.has_pairs:
        st.info(words.section("pairs.no_pairs"), icon=":material/info:")
        return
    first, second = _own_pair(page)
    if first.strip() and second.strip():
        show_pair(page, title, cache_finetuning.model(snapshot), first, second)
    else:
        st.info(words.section("pairs.empty"), icon=":material/edit:")
    show_order(page, snapshot)
    show_figures(page, title, snapshot)
    st.markdown(words.section("pairs.paraphrase"))
    show_source(Reading._labelled, fit_bag_of_words, key="classification_pairs_code")


def _own_pair(page: Page) -> tuple[str, str]:
    words = page.words

    def put(name: str) -> None:
        inputs.choose(FIRST, words.plain("pairs_sample"))
        inputs.choose(SECOND, words.plain(f"pairs_sample_{name}"))

    left, right = st.columns(2)
    with left:
        first = inputs.text(words.label("pairs_first"), words.plain("pairs_sample"), key=FIRST)
    with right:
        sample = words.plain("pairs_sample_entailment")
        second = inputs.text(words.label("pairs_second"), sample, key=SECOND)
    with st.container(horizontal=True):
        for name in RELATIONS:
            st.button(
                words.label(f"pairs_put_{name}"),
                on_click=put,
                args=(name,),
                key=f"classification_pairs_put_{name}",
            )
    return first, second
