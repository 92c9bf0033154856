"""What does not get better: the uses of frequent words stay further apart."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.shared.caches import cache_vectors
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source

if TYPE_CHECKING:
    from mlm_core.embeddings.frequency import BandSample, BandScore

GUESSES = ("closes", "stays", "turns")
CLOSED = 0.5  # a gap that is less than this share of what it was has closed


@part
def show(page: Page) -> None:
    """Take a guess, then compare rare and frequent words with themselves."""
    words = page.words
    st.markdown(words.section("frequent.lead"))
    view = setting.choose(page)
    guess = ask_for_guess(page, "frequent", GUESSES, key="isotropy_frequent_guess")
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
    _say_bands(page, scores)
    _name_words(page, sample)
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
    show_chart(
        dots_chart(
            rows,
            list(titles.values()),
            low=min(0.0, *(value for row in rows for value in row.values)),
            high=1.0,
            x_title=words.plain("axis_self"),
        ),
        key="isotropy_frequent",
        alt=words.plain("frequent_alt", n=len(rows)),
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


# The bands of frequency in words: their numbers, and some of the words in them.


def _say_bands(page: Page, scores: "list[tuple[BandScore, ...]]") -> None:
    """Say how alike the uses of rare and of frequent words are, under each treatment."""
    told = {}
    for name, bands in zip(("raw", "dropped", "z"), scores, strict=True):
        told |= {
            f"{name}_rare": formatted(bands[0].self_similarity, ".2f"),
            f"{name}_frequent": formatted(bands[-1].self_similarity, ".2f"),
            f"{name}_rare_near": formatted(100 * bands[0].neighbour_proportion, ".0f"),
            f"{name}_frequent_near": formatted(100 * bands[-1].neighbour_proportion, ".0f"),
        }
    st.markdown(page.words.section("frequent.answer", **told))


def _name_words(page: Page, sample: "BandSample") -> None:
    """Name some words of the rarest and of the most frequent band."""
    lists = {}
    for name, band in (("rare", min(sample.bands)), ("frequent", max(sample.bands))):
        found = dict.fromkeys(
            word for word, of in zip(sample.types, sample.bands, strict=True) if of == band
        )
        most = sorted(found, key=sample.counts.__getitem__, reverse=name == "frequent")
        lists[name] = ", ".join(
            f"{word} ({formatted(sample.counts[word], ',')})" for word in most[:8]
        )
    st.markdown(page.words.section("frequent.words", **lists))
