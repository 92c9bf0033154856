"""Opening: two unrelated words, their cosine, and what thousands of random pairs have."""

import streamlit as st

from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.parts.isotropy.random_words import show_answer
from pages.shared.caches.cache_vectors import CorpusKey
from pages.shared.figures.show import show_metrics
from pages.shared.frame.guess import may_show_answer
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

GUESSED = "isotropy_guessed"  # session state: the learner's guess, once it is made


@part
def show(page: Page) -> None:
    """Show two words and their cosine, take a guess, and answer with many pairs."""
    words = page.words
    marked = []
    for name, column in zip(("first", "second"), st.columns(2), strict=True):
        with column:
            marked.append(setting.own_word(page, name=name, key=f"isotropy_{name}"))
    with st.container(width=320):
        layer = setting.choose_layer(page, key="isotropy_opening_layer")
    if None in marked:
        return
    uses = setting.vectors_of(page, tuple(marked))
    if uses is None:
        return
    for number, name in enumerate(("first", "second")):
        setting.show_word(page, uses, number, key=f"isotropy_chips_{name}")
    cosine = _cosine(uses.at(layer))
    names = [sentence.target for sentence in marked]
    show_metrics(
        {words.label("cosine_of", first=names[0], second=names[1]): formatted(cosine, ".3f")}
    )
    st.caption(words.section("kinship.vectors", model=page.model_name, layer=layer))
    st.markdown(words.section("kinship.scale"))
    guess, seed = _ask(page)
    if guess is None:
        return
    if not may_show_answer(page, "kinship_guess", "number", f"{guess:g}", key="isotropy_guess"):
        return
    corpus = CorpusKey(model_name=page.model_name, seed=seed, text=None)
    show_answer(page, setting.View(corpus=corpus, layer=layer, n_dropped=0), cosine, guess)
    show_source(*_sources(), key="isotropy_code")


def _cosine(vectors) -> float:
    from torch.nn.functional import cosine_similarity

    return cosine_similarity(vectors[0], vectors[1], dim=0).item()


def _ask(page: Page) -> tuple[float | None, int]:
    """Take the guess, which stays beside the answer, and the seed."""
    words = page.words
    with st.container(horizontal=True, vertical_alignment="bottom"):
        guess = st.slider(
            words.label("kinship_guess"),
            -0.2,
            1.0,
            0.0,
            0.05,
            format=inputs.fraction_format(),
            key="isotropy_guess",
            width=360,
        )
        if st.button(
            words.label("kinship_reveal"), icon=":material/visibility:", key="isotropy_reveal"
        ):
            st.session_state[GUESSED] = True
        seed = setting.choose_seed(page, key="isotropy_opening_seed")
    return (guess if st.session_state.get(GUESSED) else None), seed


def _sources() -> tuple:
    from mlm_core.embeddings.isotropy import independent_pairs, pair_cosines, random_pairs

    return random_pairs, independent_pairs, pair_cosines
