"""What does not get better: the uses of frequent words stay further apart."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.embeddings.isotropy_dots import DotRow, dots_svg
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.parts.isotropy.frequent_words import name_words, say_bands
from pages.shared import cache_vectors
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.show import show_drawing
from pages.shared.source import show_source
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.embeddings.frequency import BandScore

GUESSES = ("closes", "stays", "turns")
CLOSED = 0.5  # a gap that is less than this share of what it was has closed


@part
def show(page: Page) -> None:
    """Take a guess, then compare rare and frequent words with themselves."""
    words = page.words
    st.markdown(words.section("frequent.lead"))
    view = setting.choose(page)
    guess = setting.ask(page, "frequent", GUESSES)
    if guess is None:
        return
    setting.read_corpus(page, view.corpus)
    sample = cache_vectors.band_words(view.corpus)
    with setting.progress(page, "reading_uses") as told:
        states = cache_vectors.band_states(view.corpus, view.layer, told)
    from mlm_core.embeddings.frequency import score_bands

    corpus = cache_vectors.learned(view.corpus, view.layer)
    scores = [
        score_bands(corpus.postprocess(states, t, n_dropped=view.n_dropped), sample)
        for t in setting.POSTPROCESSINGS
    ]
    if len(scores[0]) < 2:
        st.info(words.section("frequent.one_band"), icon=":material/info:")
        return
    _say_guess(page, scores, guess)
    _draw(page, view, scores)
    say_bands(page, scores)
    name_words(page, sample)
    st.caption(words.section("frequent.no_more"))
    show_source(score_bands, key="isotropy_frequent_code")


def _gap(scores: "tuple[BandScore, ...]") -> float:
    return scores[0].self_similarity - scores[-1].self_similarity


def _say_guess(page: Page, scores: "list[tuple[BandScore, ...]]", guess: str) -> None:
    """Say whether the gap between rare and frequent closed, if there was one."""
    raw, standardized = _gap(scores[0]), _gap(scores[-1])
    error = (scores[0][0].standard_error ** 2 + scores[0][-1].standard_error ** 2) ** 0.5
    if not abs(raw) > 2 * error:
        st.markdown(
            page.words.section(
                "frequent.no_gap", gap=formatted(raw, ".3f"), margin=formatted(2 * error, ".3f")
            )
        )
        return
    truth = "closes" if abs(standardized) < CLOSED * abs(raw) else "stays"
    if truth == "stays" and standardized * raw < 0:
        truth = "turns"
    setting.say_guess(page, "frequent", guess, truth)


def _band_names(page: Page, scores: "tuple[BandScore, ...]") -> list[str]:
    return [
        page.words.plain("band", fewest=formatted(band.fewest, ","), most=formatted(band.most, ","))
        for band in scores
    ]


def _draw(page: Page, view: setting.View, scores: "list[tuple[BandScore, ...]]") -> None:
    words = page.words
    names = _band_names(page, scores[0])
    rows = [
        DotRow(
            name=name,
            values=[band.self_similarity for band in bands],
            errors=[band.standard_error for band in bands],
        )
        for name, *bands in zip(names, *scores, strict=True)
    ]
    titles = setting.postprocessing_names(page, view.n_dropped)
    st.markdown(f"**{words.label('bands_title')}**")
    show_drawing(
        dots_svg(
            rows,
            list(titles.values()),
            low=min(0.0, *(value for row in rows for value in row.values)),
            high=1.0,
            x_title=words.plain("axis_self"),
            alt=words.plain("frequent_alt", n=len(rows)),
        ),
        key="isotropy_frequent",
        table=Table(
            [
                {
                    "treatment": postprocessing,
                    "uses": name,
                    "words": band.n_words,
                    "self_similarity": band.self_similarity,
                    "standard_error": band.standard_error,
                    "different_words": band.other_cosine,
                    "nearest_is_same_word": band.neighbour_proportion,
                }
                for postprocessing, bands in zip(setting.POSTPROCESSINGS, scores, strict=True)
                for name, band in zip(names, bands, strict=True)
            ]
        ),
        source=setting.source(page, view),
    )
