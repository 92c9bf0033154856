"""Opening: two unrelated words, their cosine, and what thousands of random pairs have."""

from typing import Any

import streamlit as st

from mlm_core.figures.charts import histogram_chart, marked
from mlm_core.figures.chips import chip_row
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.shared.caches import cache_vectors
from pages.shared.caches.cache_vectors import CorpusKey
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import show_metrics
from pages.shared.frame.guess import may_show_answer
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

SENTENCES = ("first", "second")
LOW, HIGH = -0.4, 1.0  # of the histogram


@part(
    code=(
        "embeddings.isotropy:random_pairs",
        "embeddings.isotropy:independent_pairs",
        "embeddings.isotropy:pair_cosines",
    )
)
def show(p: Part) -> None:
    """Show two words and their cosine, take a guess, and answer with many pairs."""
    words = []
    for name, column in zip(SENTENCES, st.columns(2), strict=True):
        with column:
            words.append(setting.own_word(p, name))
    with st.container(width=320):
        layer = setting.choose_layer(p, "opening_layer")
    first, second = words
    if first is None or second is None:
        return
    uses = setting.vectors_of(p, (first, second))
    if uses is None:
        return
    for name, place in zip(SENTENCES, uses.located, strict=True):
        chips = chip_row(place.text.tokens, selected=place.positions, label=p.plain("chips_alt"))
        drawing(chips, key=p.key(f"chips_{name}"))
    from torch.nn.functional import cosine_similarity

    cosine = cosine_similarity(*uses.at(layer), dim=0).item()
    title = p.label("cosine_of", first=first.target, second=second.target)
    show_metrics({title: formatted(cosine, ".3f")})
    p.caption("vectors", model=p.model_name, layer=layer)
    p.say("scale")
    guess, seed = _ask(p)
    if guess is None:
        return
    if not may_show_answer(p.page, "kinship_guess", "number", f"{guess:g}", key=p.key("guess")):
        return
    corpus = CorpusKey(model_name=p.model_name, seed=seed, text=None)
    _answer(p, setting.View(corpus=corpus, layer=layer, n_dropped=0), cosine, guess)


def _ask(p: Part) -> tuple[float | None, int]:
    """Take the guess, which stays beside the answer, and the seed."""
    guessed = p.key("guessed")  # session state: whether the guess is made
    with st.container(horizontal=True, vertical_alignment="bottom"):
        guess = st.slider(
            p.label("guess"),
            -0.2,
            1.0,
            0.0,
            0.05,
            format=inputs.fraction_format(),
            key=p.key("guess"),
            width=360,
        )
        p.button("reveal", st.session_state.update, {guessed: True}, icon="visibility")
        seed = setting.choose_seed(p, "opening_seed")
    return (guess if st.session_state.get(guessed) else None), seed


def _answer(p: Part, view: setting.View, cosine: float, guess: float) -> None:
    """Draw the histogram of random pairs with the pair, the guess and the mean."""
    setting.read_corpus(p, view.corpus)
    many, apart = cache_vectors.random_cosines(view.corpus, view.layer, "raw", 0)
    values = many.cosines.tolist()
    told: dict[str, Any] = {
        "mean": many.mean,
        "error": apart.standard_error,
        "n": len(values),
        "n_apart": len(apart.cosines),
        "cosine": cosine,
        "above": sum(value >= cosine for value in values) / len(values),
        "guess": guess,
        "layer": view.layer,
    }
    chart = histogram_chart(
        {p.plain("treatment_raw"): values},
        low=LOW,
        high=HIGH,
        x_title=p.plain("axis_cosine"),
        y_title=p.plain("axis_pairs"),
        marks=(
            marked(p.plain("mark_mean"), many.mean),
            marked(p.plain("mark_pair"), cosine),
            marked(p.plain("mark_guess"), guess),
        ),
    )

    def table() -> dict[str, list]:
        """Return every pair with its words and its cosine."""
        words = [word.target for word in cache_vectors.corpus_words(view.corpus).words]
        first, second = ([words[i] for i in column] for column in many.pairs.T.tolist())
        return {"first": first, "second": second, "cosine": values}

    p.figure("random", chart, table, source="source", **setting.source_of(p, view) | told)
    p.say("answer", **told)
    is_narrow = many.mean > 3 * apart.standard_error and many.mean > 0.1
    p.say("narrow" if is_narrow else "wide")
    p.caption("no_more")
