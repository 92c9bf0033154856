"""Is [CLS] a good sentence vector? Raw and z-scored, beside the mean of the tokens."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.matrix import matrix_svg
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.shared.caches import cache_predictions, cache_vectors
from pages.shared.caches.cache_vectors import SENTENCE_WAYS
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.source import show_source
from pages.shared.link import sentence_trios

if TYPE_CHECKING:
    from mlm_core.embeddings.postprocessing import LayerStatistics

STATES = ("raw", "z-scored")


def show_sentence_vectors(page: Page, view: setting.View) -> None:
    """Compare a sentence with two others in four ways; then count over the lesson's own trios."""
    import torch

    from mlm_core.embeddings.postprocessing import learn_from_corpus, standardize

    words = page.words
    trio = sentence_trios.ask(
        lambda name: words.label(f"trio_{name}"),
        lambda name: words.label(f"default_{name}"),
        key="isotropy_trio",
    )
    if not all(text.strip() for text in trio):
        st.info(words.section("questions.no_text"), icon=":material/edit:")
        return
    with setting.progress(page, "reading_sentences") as told:
        vectors = cache_vectors.sentence_corpus(view.corpus, told)
    n = len(vectors[SENTENCE_WAYS[0]])
    corpora = {way: learn_from_corpus(found, torch.arange(n)) for way, found in vectors.items()}
    _draw(page, view, corpora, trio, n)
    _count(page, corpora)
    show_source(standardize, key="isotropy_cls_code")


def _cosines(
    page: Page, corpora: "dict[str, LayerStatistics]", trio: list[str]
) -> list[tuple[str, str, float, float]]:
    """Return for each way and treatment the cosines with the paraphrase and the other."""
    from torch.nn.functional import cosine_similarity

    found = [cache_predictions.sentence_vectors(page.model_name, text) for text in trio]
    rows = []
    for way in SENTENCE_WAYS:
        for state in STATES:
            first, *others = (corpora[way].postprocess(each[way], state) for each in found)
            near = [cosine_similarity(first, other, dim=0).item() for other in others]
            rows.append((way, state, *near))
    return rows


def _draw(
    page: Page, view: setting.View, corpora: "dict[str, LayerStatistics]", trio: list[str], n: int
) -> None:
    words = page.words
    rows = _cosines(page, corpora, trio)
    columns = [words.plain(f"column_{name}") for name in sentence_trios.FIELDS[1:]]
    names = [words.plain(f"row_{way}_{state}") for way, state, *_ in rows]
    random = {way: formatted(corpora[way].proportions.mean_cosine, ".2f") for way in SENTENCE_WAYS}
    show_drawing(
        matrix_svg(
            [near for _, _, *near in rows],
            names,
            columns,
            scale="signed",
            alt=words.plain("trio_alt"),
        ),
        key="isotropy_trio",
        table=Table(
            [
                {"vector": way, "treatment": state, columns[0]: first, columns[1]: second}
                for way, state, first, second in rows
            ]
        ),
        source=words.label("trio_source", model=page.model_name, n=n, seed=view.corpus.seed),
    )
    st.markdown(words.section("questions.cls_answer", **random))


def _count(page: Page, corpora: "dict[str, LayerStatistics]") -> None:
    """Count over the lesson's own trios how often the paraphrase is the nearer one."""
    words = page.words
    trios = sentence_trios.read(words.section("questions.trios"))
    counts: dict[str, int] = {}
    for trio in trios:
        for way, state, near, far in _cosines(page, corpora, trio):
            name = f"{way}_{state.replace('-', '_')}"
            counts[name] = counts.get(name, 0) + (near > far)
    st.markdown(words.section("questions.cls_count", n=len(trios), **counts))
