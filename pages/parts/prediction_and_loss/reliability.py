"""Calibration on our own sentences: T chosen on half of the documents, measured on the others."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.prediction.calibration import reliability_chart
from mlm_core.number_format import formatted
from mlm_core.text import corpora
from pages.parts.prediction_and_loss.scoring import PATIENCE_SECONDS
from pages.shared.caches import cache_predictions
from pages.shared.figures.show import show_chart, show_metrics
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.prediction.calibration import ScoredBlanks

GUESSES = ("over", "right", "under")
EVERY, BLOCK = 4, 32  # each fourth sentence; some 500 in all, which take about four seconds
SEED = 0
CHOICE, REPORT = 0, 1  # documents of even and of odd number


def show_calibration(page: Page) -> None:
    """Ask for a guess; then draw confidence against accuracy, with and without a fitted T."""
    words = page.words
    st.markdown(words.section("calibration.lead"))
    guess = ask_for_guess(page, "calibration", GUESSES, key="prediction_and_loss_calibration_guess")
    if guess is None:
        return
    chosen_on, measured_on = _scored_halves(page)
    _show_verdict(page, measured_on, guess)
    _show_reliability(page, chosen_on, measured_on)


def sentences_of(half: int) -> list[str]:
    """Return the sentences that are measured, of every second document."""
    documents = corpora.documents()[half::2]
    return [sentence for document in documents for sentence in document][::EVERY]


def _scored_halves(page: Page) -> "list[ScoredBlanks]":
    """Return both halves' blanks, scored block by block, with a bar where it takes a while."""
    from mlm_core.prediction.calibration import join_blanks

    halves = [sentences_of(half) for half in (CHOICE, REPORT)]
    n_all, done, bar, start = sum(map(len, halves)), 0, None, time.monotonic()
    found: list[list[ScoredBlanks]] = [[], []]
    for half, sentences in enumerate(halves):
        for first in range(0, len(sentences), BLOCK):
            if bar is None and time.monotonic() - start > PATIENCE_SECONDS:
                bar = st.empty()
            if bar is not None:
                bar.progress(done / n_all, page.words.label("counting", done=done, of=n_all))
            block = tuple(sentences[first : first + BLOCK])
            found[half].append(cache_predictions.scored_blanks(page.model_name, block, SEED))
            done += len(block)
    if bar is not None:
        bar.empty()
    return [join_blanks(blocks) for blocks in found]


def _show_verdict(page: Page, blanks: "ScoredBlanks", guess: str) -> None:
    """Say how far mean confidence and accuracy differ, and whether chance explains it."""
    from mlm_core.prediction.calibration import confidence_gap

    words, confidence = page.words, blanks.at(1.0)
    gap, error = confidence_gap(confidence, blanks.is_right)
    answer = "right" if abs(gap) < 2 * error else "over" if gap > 0 else "under"
    st.markdown(
        words.section(
            f"calibration.{answer}",
            confidence=formatted(confidence.mean(), ".1%"),
            accuracy=formatted(blanks.is_right.float().mean(), ".1%"),
            gap=formatted(100 * abs(gap), ".1f"),
            error=formatted(100 * error, ".1f"),
            n=formatted(len(confidence), ","),
        )
        + " "
        + words.section("calibration.hit" if guess == answer else "calibration.missed")
    )


def _show_reliability(page: Page, chosen_on: "ScoredBlanks", blanks: "ScoredBlanks") -> None:
    """Draw the diagram at T = 1 and at the T that was chosen on the other half."""
    import torch

    from mlm_core.prediction.calibration import (
        N_BINS,
        best_temperature,
        calibration_error,
        error_if_calibrated,
        reliability,
    )

    words, fitted = page.words, best_temperature(chosen_on)
    bins = {t: reliability(blanks.at(t), blanks.is_right) for t in dict.fromkeys((1.0, fitted))}
    errors = {t: calibration_error(each) for t, each in bins.items()}
    generator = torch.Generator().manual_seed(SEED)
    chance = error_if_calibrated(blanks.at(1.0), generator)
    show_metrics(
        {
            words.label("ece", temperature=formatted(t, ".2f")): formatted(error, ".3f")
            for t, error in errors.items()
        }
        | {words.label("ece_chance"): formatted(chance, ".3f")}
    )
    show_chart(
        reliability_chart(
            {f"T = {formatted(t, '.2f')}": each for t, each in bins.items()},
            diagonal=words.plain("diagonal"),
            x_title=words.plain("confidence_x"),
            y_title=words.plain("accuracy_y"),
        ),
        key="prediction_and_loss_reliability",
        alt=words.plain("reliability_alt"),
        table=Table(_rows(bins)),
        source=words.label(
            "reliability_source",
            model=page.model_name,
            n=formatted(len(blanks.is_right), ","),
            sentences=formatted(len(sentences_of(REPORT)), ","),
            bins=N_BINS,
        ),
    )
    st.markdown(
        words.section(
            "calibration.fitted" if fitted != 1.0 else "calibration.stays",
            temperature=formatted(fitted, ".2f"),
            n_chosen=formatted(len(chosen_on.is_right), ","),
            n=formatted(len(blanks.is_right), ","),
            loss=formatted(blanks.mean_loss(1.0), ".3f"),
            fitted_loss=formatted(blanks.mean_loss(fitted), ".3f"),
            ece=formatted(errors[1.0], ".3f"),
            fitted_ece=formatted(errors[fitted], ".3f"),
        )
    )
    st.markdown(
        words.section(
            "calibration.chance",
            chance=formatted(chance, ".3f"),
            n=formatted(len(blanks.is_right), ","),
            bins=N_BINS,
        )
    )


def _rows(bins: "dict[float, Sequence]") -> list[dict[str, object]]:
    return [
        {
            "temperature": temperature,
            "from": each.low,
            "to": each.high,
            "n": each.n,
            "mean_confidence": each.confidence,
            "accuracy": each.accuracy,
        }
        for temperature, group in bins.items()
        for each in group
    ]
