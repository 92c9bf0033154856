"""Surprisal and temperature: how unexpected a word is, and whether the model is as sure as right.

Calibration is measured on our own sentences: T is chosen on half of the documents, and all that
is shown comes from the others.
"""

import math
from functools import partial

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.prediction.calibration import reliability_chart
from mlm_core.figures.prediction.losses import loss_curve
from mlm_core.number_format import formatted
from mlm_core.prediction.calibration import (
    N_BINS,
    ScoredBlanks,
    at_temperature,
    best_temperature,
    calibration_error,
    confidence_gap,
    entropy,
    error_if_calibrated,
    join_blanks,
    reliability,
)
from mlm_core.text import corpora
from pages.parts.prediction_and_loss.setting import (
    PATIENCE_SECONDS,
    Setting,
    choose_place_and_word,
    current,
    token_name,
)
from pages.parts.prediction_and_loss.typed import one_piece
from pages.shared.caches import cache_predictions
from pages.shared.figures.show import show_metrics
from pages.shared.kit.part import Part, part

N_GUESSES = 6
SMALLEST = 1e-30  # a probability; smaller ones have no logarithm
GUESSES = ("over", "right", "under")
EVERY, BLOCK = 4, 32  # each fourth sentence; some 500 in all, which take about four seconds
SEED = 0


@part(
    code=(
        "prediction.calibration:at_temperature",
        "prediction.calibration:entropy",
        "prediction.calibration:reliability",
        "prediction.calibration:calibration_error",
        "prediction.calibration:best_temperature",
    )
)
def show(p: Part) -> None:
    """Put words on the curve of -log P at a temperature; then measure calibration."""
    p.say("lead")
    now = current(p)
    if now is not None:
        left, right = st.columns(2, gap="medium")
        with left:
            place, own = choose_place_and_word(p, now, "own")
        with right:
            temperature = p.slider("temperature")
        _show_distributions(p, now, place, temperature)
        _show_curve(p, now, place, own, temperature)
        p.say("notice")
    st.divider()
    p.say("calibration.lead")
    guess = p.guess("calibration", GUESSES)
    if guess is not None:
        chosen_on, measured_on = _scored_halves(p)
        _show_verdict(p, measured_on, guess)
        _show_reliability(p, chosen_on, measured_on)


def _show_distributions(p: Part, now: Setting, place: int, chosen: float) -> None:
    """Draw the likeliest tokens of one position at T = 1 and at the chosen T."""
    logits = now.predictions.logits[place]
    best = logits.topk(N_GUESSES).indices.tolist()
    tokens = [token_name(p, id_) for id_ in best]
    both = {"one": 1.0, "own": chosen}
    for (name, temperature), column in zip(both.items(), st.columns(2, gap="medium"), strict=True):
        y = at_temperature(logits, temperature)
        probabilities, nats = y[best].tolist(), entropy(y)
        with column:
            p.say("at", temperature=temperature)
            p.figure(
                f"temperature_{name}",
                partial(bars_svg, tokens, probabilities, longest=1.0),
                {"token": tokens, "logit": logits[best].tolist(), "probability": probabilities},
                alt="alt",
                source="source",
                position=now.predictions.positions[place],
                temperature=temperature,
            )
            show_metrics(
                {
                    p.label("entropy"): formatted(nats, ".2f"),
                    p.label("as_many"): formatted(math.exp(nats), ",.0f"),
                }
            )


def _show_curve(p: Part, now: Setting, place: int, own: str, temperature: float) -> None:
    """Mark words of one position, and the ends of the scale, on the curve of -log P."""
    y = at_temperature(now.predictions.logits[place], temperature)
    ids = {
        "best": int(y.argmax()),
        "true": now.predictions.true_ids[place],
        "own": one_piece(p, own) if own.strip() else None,
    }
    found = {
        kind: (token_name(p, id_), max(y[id_].item(), SMALLEST))
        for kind, id_ in ids.items()
        if id_ is not None
    }
    found = {"certain": ("", 1.0), **found, "uniform": ("", 1 / len(y))}
    rows = [
        (kind, p.plain(kind, word=word, nats=abs(math.log(probability))), probability)
        for kind, (word, probability) in sorted(found.items(), key=lambda row: -row[1][1])
    ]
    table = [
        {
            "word": name,
            "probability": probability,
            "one_in": 1 / probability,
            "nats": -math.log(probability),
            "bits": -math.log2(probability),
        }
        for _, name, probability in rows
    ]
    curve = loss_curve(rows, x_title=p.plain("curve_x"), y_title=p.plain("curve_y"))
    position = now.predictions.positions[place]
    p.figure("curve", curve, table, position=position, temperature=temperature)


def sentences_of(half: int) -> list[str]:
    """Return the sentences that are measured, of the documents of even (0) or odd (1) number."""
    documents = corpora.documents()[half::2]
    return [sentence for document in documents for sentence in document][::EVERY]


def _scored_halves(p: Part) -> list[ScoredBlanks]:
    """Return both halves' blanks, scored block by block, with a bar where it takes a while."""
    blocks = [
        (half, tuple(sentences[first : first + BLOCK]))
        for half, sentences in enumerate(map(sentences_of, (0, 1)))
        for first in range(0, len(sentences), BLOCK)
    ]
    found: list[list[ScoredBlanks]] = [[], []]
    for half, block in p.progress("blocks", blocks, patience=PATIENCE_SECONDS, size=BLOCK):
        found[half].append(cache_predictions.scored_blanks(p.model_name, block, SEED))
    return [join_blanks(each) for each in found]


def _show_verdict(p: Part, blanks: ScoredBlanks, guess: str) -> None:
    """Say how far mean confidence and accuracy differ, and whether chance explains it."""
    confidence = blanks.at(1.0)
    gap, error = confidence_gap(confidence, blanks.is_right)
    answer = "right" if abs(gap) < 2 * error else "over" if gap > 0 else "under"
    p.tell_right("calibration", answer)
    verdict = p.section(
        f"calibration.{answer}",
        confidence=confidence.mean(),
        accuracy=blanks.is_right.float().mean(),
        gap=abs(gap),
        error=error,
        n=len(confidence),
    )
    hit = p.section("calibration.hit" if guess == answer else "calibration.missed")
    st.markdown(f"{verdict} {hit}")


def _show_reliability(p: Part, chosen_on: ScoredBlanks, blanks: ScoredBlanks) -> None:
    """Draw the diagram at T = 1 and at the T that was chosen on the other half."""
    import torch

    fitted, n = best_temperature(chosen_on), len(blanks.is_right)
    bins = {t: reliability(blanks.at(t), blanks.is_right) for t in dict.fromkeys((1.0, fitted))}
    errors = {t: calibration_error(each) for t, each in bins.items()}
    chance = error_if_calibrated(blanks.at(1.0), torch.Generator().manual_seed(SEED))
    show_metrics(
        {p.label("ece", temperature=t): formatted(error, ".3f") for t, error in errors.items()}
        | {p.label("ece_chance"): formatted(chance, ".3f")}
    )
    p.figure(
        "reliability",
        reliability_chart(
            {f"T = {formatted(t, '.2f')}": each for t, each in bins.items()},
            diagonal=p.plain("diagonal"),
            x_title=p.plain("confidence_x"),
            y_title=p.plain("accuracy_y"),
        ),
        [
            {
                "temperature": t,
                "from": one.low,
                "to": one.high,
                "n": one.n,
                "mean_confidence": one.confidence,
                "accuracy": one.accuracy,
            }
            for t, group in bins.items()
            for one in group
        ],
        n=n,
        sentences=len(sentences_of(1)),
        bins=N_BINS,
    )
    p.say(
        "calibration.fitted" if fitted != 1.0 else "calibration.stays",
        temperature=fitted,
        n_chosen=len(chosen_on.is_right),
        n=n,
        loss=blanks.mean_loss(1.0),
        fitted_loss=blanks.mean_loss(fitted),
        ece=errors[1.0],
        fitted_ece=errors[fitted],
    )
    p.say("calibration.chance", chance=chance, n=n, bins=N_BINS)
