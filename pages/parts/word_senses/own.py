"""The learner's own word and sentences as a map: PCA at once, UMAP when they ask."""

import streamlit as st

from mlm_core.figures.embeddings.sense_map import sense_groups
from pages.parts.word_senses import setting
from pages.parts.word_senses.board import Board, show_board
from pages.parts.word_senses.own_sentences import OwnUses, ask_text, find_uses
from pages.parts.word_senses.uses import choose_kind, gather, lay_out
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.server import helper_process

LAYER = "word_senses_own_layer"


@part
def show(page: Page) -> None:
    """Take a word and sentences, say what can't be used, and draw the map of the rest."""
    words, now = page.words, setting.current(page)
    helper_process.begin()  # it is ready when word and sentences are typed
    st.markdown(words.section("own.lead"))
    word, text = ask_text(page)
    if not word.strip() or not text.strip():
        st.info(words.section("own.empty"), icon=":material/edit:")
        return
    found = find_uses(page, word, text)
    if not found.sentences:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width=360):
            layer = setting.choose_layer(page, key=LAYER)
        kind = choose_kind(page, key="word_senses_own_kind", has_stored=False)
    uses = gather(page, found.sentences, now.pooling)
    n_cut = sum(n > 0 for n in uses.n_left_out)
    if n_cut:
        st.warning(words.section("own.long", n=n_cut), icon=":material/content_cut:")
    layout = lay_out(page, uses, layer, kind, None, key="word_senses_own_umap")
    names, group_of = _labels(page, found)
    show_board(
        page,
        Board(
            key="word_senses_own",
            uses=uses,
            layer=layer,
            layout=layout,
            groups=sense_groups(names),
            group_of=group_of,
            source=words.label(
                "source",
                model=page.model_name,
                layer=setting.layer_name(page, layer),
                n=len(found.sentences),
            ),
        ),
    )
    st.markdown(words.section("own.notice"))
    from mlm_core.embeddings.locating import find_word
    from mlm_core.embeddings.maps import pca_layout
    from mlm_core.embeddings.umap_fit import (
        bandwidth,
        fit_umap,
        fit_umap_learn,
        neighbour_graph,
        pull_and_push,
    )

    shown = (find_word, pca_layout, fit_umap_learn, fit_umap, neighbour_graph, bandwidth)
    shown = (*shown, pull_and_push)
    show_source(*shown, key="word_senses_own_code")


def _labels(page: Page, found: OwnUses) -> tuple[list[str], list[int]]:
    """Return the learner's labels, and each point's; all are alike without labels."""
    labels = [label or page.words.plain("own_no_label") for label in found.labels]
    names = list(dict.fromkeys(labels))
    return names, [names.index(label) for label in labels]
