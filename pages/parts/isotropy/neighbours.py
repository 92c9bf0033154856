"""The words of the corpus that are nearest to one word, under each treatment."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.theme import printable
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.parts.isotropy.word_pairs import Pairs
from pages.shared.caches import cache_vectors
from pages.shared.course.words import as_text
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.embeddings.postprocessing import Postprocessing

N_SHOWN = 6
LONGEST = 90  # characters of a sentence


def show_neighbours(page: Page, view: setting.View, pairs: Pairs) -> None:
    """Let the learner choose a word of the pairs; list its neighbours three times."""
    words = page.words
    st.markdown(words.section("neighbours.lead"))
    sentences = pairs.uses.sentences
    options = {
        str(i): f"{sentence.target}: {printable(sentence.text, LONGEST)}"
        for i, sentence in enumerate(sentences)
    }
    query = int(inputs.listed(words.label("neighbours_of"), options, key="isotropy_query"))
    found = {t: _nearest(view, pairs, query, t) for t in setting.POSTPROCESSINGS}
    drawn = cache_vectors.corpus_words(view.corpus).words
    for postprocessing, column in zip(setting.POSTPROCESSINGS, st.columns(3), strict=True):
        with column:
            st.markdown(f"**{words.label(f'treatment_{postprocessing}', k=view.n_dropped)}**")
            st.markdown(
                "\n".join(
                    f"1. **{as_text(drawn[i].target)}** {formatted(cosine, '.2f')}  \n"
                    f"   {as_text(printable(drawn[i].text, LONGEST))}"
                    for i, cosine in found[postprocessing]
                )
            )
    keep(
        "isotropy_neighbours",
        table=Table(
            [
                {
                    "treatment": postprocessing,
                    "rank": rank,
                    "word": drawn[i].target,
                    "sentence": drawn[i].text,
                    "cosine": cosine,
                }
                for postprocessing, rows in found.items()
                for rank, (i, cosine) in enumerate(rows, 1)
            ]
        ),
        source=setting.source(page, view),
    )
    sets = {postprocessing: {i for i, _ in rows} for postprocessing, rows in found.items()}
    st.markdown(
        words.section(
            "neighbours.notice",
            n=len(sets["raw"]),
            dropped=len(sets["raw"] & sets["dropped"]),
            z=len(sets["raw"] & sets["z-scored"]),
        )
    )


def _nearest(
    view: setting.View, pairs: Pairs, query: int, postprocessing: "Postprocessing"
) -> list[tuple[int, float]]:
    """Return the nearest words of other sentences: number and cosine."""
    from mlm_core.embeddings.word_senses import cosines

    corpus = cache_vectors.learned(view.corpus, view.layer)
    postprocessed = [
        corpus.postprocess(vectors, postprocessing, n_dropped=view.n_dropped)
        for vectors in (
            pairs.uses.at(view.layer)[query : query + 1],
            cache_vectors.corpus_states(view.corpus, view.layer),
        )
    ]
    near = cosines(*postprocessed)[0]
    own = pairs.uses.sentences[query].text
    drawn = cache_vectors.corpus_words(view.corpus).words
    order = [i for i in near.argsort(descending=True).tolist() if drawn[i].text != own]
    return [(i, near[i].item()) for i in order[:N_SHOWN]]
