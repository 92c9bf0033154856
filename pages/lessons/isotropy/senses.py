"""Does z-scoring help? 1-NN accuracy of senses word by word, and the uses of frequent words."""

from typing import Any

from mlm_core.embeddings.frequency import BandSample, BandScore, score_bands
from mlm_core.embeddings.postprocessing import Postprocessing
from mlm_core.evaluation.bootstrap import paired_lead
from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.number_format import formatted
from mlm_core.shapes import Bool, Tensor
from pages.kit.part import Part, part
from pages.lessons.isotropy import computed, setting
from pages.lessons.isotropy.sense_words import measure, say_few, sense_words

GUESSES = ("better", "same", "worse")
GUESSES_OF_GAP = ("closes", "stays", "turns")
CLOSED = 0.5  # a gap that is less than this share of what it was has closed
N_NAMED = 8  # words of a band
REACH = 5.0  # points to either side of no change
Scores = list[tuple[BandScore, ...]]  # of each treatment, from rare words to frequent ones
Right = dict[Postprocessing, Bool[Tensor, " sentence"]]  # which uses, word after word


@part(
    code=(
        "embeddings.postprocessing:LayerStatistics",
        "embeddings.word_senses:leave_one_out",
        "embeddings.frequency:score_bands",
    )
)
def show(p: Part) -> None:
    """Take a guess, then compare the choices sentence by sentence, and rare and frequent words."""
    p.say("lead", n=len(sense_words(p)))
    say_few(p)
    view = setting.choose(p)
    guess = p.guess("senses", GUESSES, rows=2)
    if guess is not None:
        setting.read_corpus(p, view.corpus)
        _senses(p, view, guess)
    with p.fold("frequent", "bar_chart"):
        p.say("frequent.lead")
        guess = p.guess("frequent", GUESSES_OF_GAP, rows=4)
        if guess is not None:
            setting.read_corpus(p, view.corpus)
            _frequent(p, view, guess)


def _senses(p: Part, view: setting.View, guess: str) -> None:
    """Answer the guess with the accuracy of each treatment and the margin of the difference."""
    right = measure(p, view)
    shares = {name: is_right.double().mean().item() for name, is_right in right.items()}
    lead = paired_lead(right["z-scored"].tolist(), right["raw"].tolist())
    truth = {1: "better", 0: "same", -1: "worse"}[lead.direction]
    setting.say_guess(p, "senses", guess, truth)
    by_treatment = setting.by_treatment(shares.values())
    p.say("answer", n=len(right["raw"]), k=view.n_dropped, **by_treatment)
    _compare(p, view, right)
    p.say("notice")


def _compare(p: Part, view: setting.View, right: Right) -> None:
    """Draw and say each difference from raw in points, with its interval, use by use."""
    names, n, rows, table = setting.treatment_names(p, view.n_dropped), len(right["raw"]), [], []
    for name in setting.POSTPROCESSINGS[1:]:
        lead = paired_lead(right[name].tolist(), right["raw"].tolist())
        points, margin = 100 * lead.value, 200 * lead.standard_error
        p.say(
            "clear" if lead.is_clear else "chance",
            treatment=names[name],
            mended=lead.n_first,
            broken=lead.n_second,
            points=lead.value,
            low=lead.low,
            high=lead.high,
            p=lead.p_value,
        )
        rows.append(DotRow(name=names[name], values=[points], errors=[margin]))
        table.append({"treatment": name, "difference": points, "margin": margin})
    reach = max(REACH, *(abs(row.values[0]) + row.errors[0] for row in rows))
    chart = dots_chart(
        rows, [p.plain("against_raw")], low=-reach, high=reach, x_title=p.plain("axis_points")
    )
    told: dict[str, Any] = setting.source_of(p, view) | {"n": n}
    p.figure("against_raw", chart, table, source="source", **told)


# Rare and frequent words.


def _frequent(p: Part, view: setting.View, guess: str) -> None:
    """Compare rare and frequent words with themselves under each treatment."""
    sample = computed.band_words(view.corpus)
    with p.reported("reading_uses") as told:
        states = computed.band_states(view.corpus, view.layer, told)
    corpus = computed.learned(view.corpus, view.layer)
    scores = [
        score_bands(corpus.postprocess(states, name, n_dropped=view.n_dropped), sample)
        for name in setting.POSTPROCESSINGS
    ]
    if len(scores[0]) < 2:
        p.note("frequent.one_band")
        return
    _say_gap(p, scores, guess)
    _draw_bands(p, view, scores)
    _say_bands(p, scores)
    _name_words(p, sample)


def _say_gap(p: Part, scores: Scores, guess: str) -> None:
    """Say whether the gap between rare and frequent words closed, if there was one."""
    raw, _, standardized = (
        bands[0].self_similarity - bands[-1].self_similarity for bands in scores
    )
    rare, *_, frequent = scores[0]
    margin = 2 * (rare.standard_error**2 + frequent.standard_error**2) ** 0.5
    if not abs(raw) > margin:
        p.say("frequent.no_gap", gap=raw, margin=margin)
        return
    truth = "closes" if abs(standardized) < CLOSED * abs(raw) else "stays"
    if truth == "stays" and standardized * raw < 0:
        truth = "turns"
    setting.say_guess(p, "frequent", guess, truth)


def _draw_bands(p: Part, view: setting.View, scores: Scores) -> None:
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
    p.write(f"**{p.label('bands_title')}**")
    told: dict[str, Any] = setting.source_of(p, view) | {"n": len(rows)}
    p.figure("frequent", chart, table, source="source", **told)


def _say_bands(p: Part, scores: Scores) -> None:
    """Say how alike the uses of rare and of frequent words are, under each treatment."""
    told = {}
    for name, (rare, *_, frequent) in setting.by_treatment(scores).items():
        for band, score in (("rare", rare), ("frequent", frequent)):
            told[f"{name}_{band}"] = score.self_similarity
            told[f"{name}_{band}_near"] = score.neighbour_proportion
    p.say("frequent.answer", **told)


def _name_words(p: Part, sample: BandSample) -> None:
    """Name some words of the rarest and of the most frequent band."""
    lists, written = {}, {}
    if not p.reads_first:  # German nouns are capitalized; small letters sort after capitals
        for word, use in zip(sample.types, sample.words, strict=True):
            written[word] = max(written.get(word, ""), use.target)
    for name, band in (("rare", min(sample.bands)), ("frequent", max(sample.bands))):
        found = dict.fromkeys(
            word for word, of in zip(sample.types, sample.bands, strict=True) if of == band
        )
        most = sorted(found, key=sample.counts.__getitem__, reverse=name == "frequent")
        lists[name] = ", ".join(
            f"{written.get(word, word)} ({formatted(sample.counts[word], ',')})"
            for word in most[:N_NAMED]
        )
    p.say("frequent.words", **lists)
