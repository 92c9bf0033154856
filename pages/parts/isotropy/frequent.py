"""What does not get better: the uses of frequent words stay further apart."""

from typing import Any

import streamlit as st

from mlm_core.embeddings.frequency import BandSample, BandScore, score_bands
from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.shared.caches import cache_vectors
from pages.shared.kit.part import Part, part

GUESSES = ("closes", "stays", "turns")
CLOSED = 0.5  # a gap that is less than this share of what it was has closed
N_NAMED = 8  # words of a band
Scores = list[tuple[BandScore, ...]]  # of each treatment, from rare words to frequent ones


@part(code=("embeddings.frequency:score_bands",))
def show(p: Part) -> None:
    """Take a guess, then compare rare and frequent words with themselves."""
    p.say("lead")
    view = setting.choose(p)
    guess = p.guess("frequent", GUESSES)
    if guess is None:
        return
    setting.read_corpus(p, view.corpus)
    sample = cache_vectors.band_words(view.corpus)
    with p.reported("reading_uses") as told:
        states = cache_vectors.band_states(view.corpus, view.layer, told)
    corpus = cache_vectors.learned(view.corpus, view.layer)
    scores = [
        score_bands(corpus.postprocess(states, name, n_dropped=view.n_dropped), sample)
        for name in setting.POSTPROCESSINGS
    ]
    if len(scores[0]) < 2:
        p.note("one_band")
        return
    _say_guess(p, scores, guess)
    _draw(p, view, scores)
    _say_bands(p, scores)
    _name_words(p, sample)
    p.caption("no_more")


def _say_guess(p: Part, scores: Scores, guess: str) -> None:
    """Say whether the gap between rare and frequent closed, if there was one."""
    raw, _, standardized = (
        bands[0].self_similarity - bands[-1].self_similarity for bands in scores
    )
    rare, *_, frequent = scores[0]
    margin = 2 * (rare.standard_error**2 + frequent.standard_error**2) ** 0.5
    if not abs(raw) > margin:
        p.say("no_gap", gap=raw, margin=margin)
        return
    truth = "closes" if abs(standardized) < CLOSED * abs(raw) else "stays"
    if truth == "stays" and standardized * raw < 0:
        truth = "turns"
    setting.say_guess(p, "frequent", guess, truth)


def _draw(p: Part, view: setting.View, scores: Scores) -> None:
    """Draw how alike the uses of a word are, one row a band."""
    names = [p.plain("band", fewest=band.fewest, most=band.most) for band in scores[0]]
    rows = [
        DotRow(
            name=name,
            values=[band.self_similarity for band in bands],
            errors=[band.standard_error for band in bands],
        )
        for name, *bands in zip(names, *scores, strict=True)
    ]
    chart = dots_chart(
        rows,
        list(setting.treatment_names(p, view.n_dropped).values()),
        low=min(0.0, *(value for row in rows for value in row.values)),
        high=1.0,
        x_title=p.plain("axis_self"),
    )
    table = [
        {
            "treatment": treatment,
            "uses": name,
            "words": band.n_words,
            "self_similarity": band.self_similarity,
            "standard_error": band.standard_error,
            "different_words": band.other_cosine,
            "nearest_is_same_word": band.neighbour_proportion,
        }
        for treatment, bands in zip(setting.POSTPROCESSINGS, scores, strict=True)
        for name, band in zip(names, bands, strict=True)
    ]
    st.markdown(f"**{p.label('bands_title')}**")
    told: dict[str, Any] = setting.source_of(p, view) | {"n": len(rows)}
    p.figure("frequent", chart, table, source="source", **told)


def _say_bands(p: Part, scores: Scores) -> None:
    """Say how alike the uses of rare and of frequent words are, under each treatment."""
    told = {}
    for name, (rare, *_, frequent) in setting.by_treatment(scores).items():
        for band, score in (("rare", rare), ("frequent", frequent)):
            told[f"{name}_{band}"] = score.self_similarity
            told[f"{name}_{band}_near"] = score.neighbour_proportion
    p.say("answer", **told)


def _name_words(p: Part, sample: BandSample) -> None:
    """Name some words of the rarest and of the most frequent band."""
    lists = {}
    for name, band in (("rare", min(sample.bands)), ("frequent", max(sample.bands))):
        found = dict.fromkeys(
            word for word, of in zip(sample.types, sample.bands, strict=True) if of == band
        )
        most = sorted(found, key=sample.counts.__getitem__, reverse=name == "frequent")
        lists[name] = ", ".join(
            f"{word} ({formatted(sample.counts[word], ',')})" for word in most[:N_NAMED]
        )
    p.say("words", **lists)
