"""Is [CLS] a sentence vector? Cosines of paraphrases and of look-alikes, by [CLS] and by mean."""

import streamlit as st

from mlm_core.figures.matrix import matrix_svg
from mlm_core.number_format import formatted
from mlm_core.prediction.next_sentence import sentence_vectors
from pages.shared.caches import cache_predictions
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import sentence_trios

WAYS = ("cls", "mean")
GUESSES = ("cls", "mean", "both", "neither")


@part
def show(page: Page) -> None:
    """Take a trio of sentences and a guess; show both ways' cosines, then eight more trios."""
    words = page.words
    st.markdown(words.section("cls.lead"))
    trio = sentence_trios.ask(
        lambda name: words.label(f"cls_{name}"),
        lambda name: words.label(f"cls_default_{name}"),
        key="sentence_pairs_cls",
    )
    if not all(text.strip() for text in trio):
        st.info(words.section("no_text"), icon=":material/edit:")
        return
    guess = ask_for_guess(page, "cls", GUESSES, key="sentence_pairs_cls_guess")
    if guess is None:
        return
    cosines = _cosines(page, trio)
    nearer = tuple(way for way in WAYS if cosines[way][0] > cosines[way][1])
    truth = {0: "neither", 2: "both"}.get(len(nearer)) or nearer[0]
    st.markdown(
        words.section(
            "cls.right" if guess == truth else "cls.wrong",
            guess=words.plain(f"cls_guess_{guess}"),
            truth=words.plain(f"cls_guess_{truth}"),
        )
    )
    _draw(page, cosines)
    _all_trios(page)
    st.markdown(words.section("cls.notice"))
    show_source(sentence_vectors, key="sentence_pairs_cls_code")


def _cosines(page: Page, trio: list[str]) -> dict[str, tuple[float, float]]:
    """Return for each way the cosine with the paraphrase and with the unrelated sentence."""
    from torch.nn.functional import cosine_similarity

    vectors = [cache_predictions.sentence_vectors(page.model_name, text) for text in trio]
    return {
        way: tuple(
            cosine_similarity(vectors[0][way], other[way], dim=0).item() for other in vectors[1:]
        )
        for way in WAYS
    }


def _draw(page: Page, cosines: dict[str, tuple[float, float]]) -> None:
    words = page.words
    columns = [words.plain(f"cls_column_{name}") for name in sentence_trios.FIELDS[1:]]
    shown = {way: "; ".join(formatted(value, ".3f") for value in cosines[way]) for way in WAYS}
    show_drawing(
        matrix_svg(
            [cosines[way] for way in WAYS],
            [words.plain(f"cls_row_{way}") for way in WAYS],
            columns,
            alt=words.plain("cls_alt", **shown),
        ),
        key="sentence_pairs_cls",
        table=Table(
            [
                {"vector": way, "with": column, "cosine": value}
                for way in WAYS
                for column, value in zip(columns, cosines[way], strict=True)
            ]
        ),
        source=words.label("cls_source", model=page.model_name),
    )


def _all_trios(page: Page) -> None:
    """Count over the lesson's own trios how often the paraphrase is the nearer one."""
    trios = sentence_trios.read(page.words.section("cls.list"))
    cosines = [_cosines(page, trio) for trio in trios]
    counts = {way: sum(each[way][0] > each[way][1] for each in cosines) for way in WAYS}
    st.markdown(page.words.section("cls.trios", n=len(trios), half=len(trios) // 2, **counts))
