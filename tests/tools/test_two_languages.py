"""A frequent and a rare language: what is drawn, what is measured, what the stored runs bear."""

from dataclasses import replace
from statistics import fmean

import pytest

from mlm_core.small_runs.two_languages import (
    N_DRAWN,
    draw_mixture,
    languages_settings,
    two_languages,
)
from mlm_core.stored.two_languages import ALPHAS, SEEDS, read_runs
from mlm_core.text.mini_world.second_language import KINSHIPS
from tools.two_languages import languages_run


@pytest.fixture(scope="module")
def texts():
    return two_languages("related")


def test_the_rare_language_has_a_twentieth_of_the_text_and_other_sentences(texts):
    frequent, rare = texts.train
    assert len(rare) / (len(frequent) + len(rare)) == pytest.approx(0.05)
    for part, held_out in zip(texts.train, texts.held_out, strict=True):
        assert not set(part) & set(held_out)
    for own, other in zip(texts.held_out[1], texts.in_frequent_order, strict=True):
        assert other.rstrip(".").lower().split() == own.rstrip(".").lower().split()[::-1]


@pytest.mark.parametrize(
    # By hand: 0.05 ** 0.5 / (0.05 ** 0.5 + 0.95 ** 0.5) = 0.2236 / (0.2236 + 0.9747)
    ("alpha", "proportion"),
    [(0.0, 0.5), (0.5, 0.1866), (1.0, 0.05)],
)
def test_alpha_decides_how_often_the_rare_language_is_drawn(texts, alpha, proportion):
    frequent, rare = draw_mixture(texts, alpha, seed=3)
    assert len(frequent) + len(rare) == N_DRAWN
    # Five standard deviations of a binomial count.
    deviation = (N_DRAWN * proportion * (1 - proportion)) ** 0.5
    assert abs(len(rare) - N_DRAWN * proportion) < 5 * deviation


def test_a_short_run_gives_the_same_numbers_again(texts):
    few = replace(
        texts,
        held_out=(texts.held_out[0][:2], texts.held_out[1][:2]),
        in_frequent_order=texts.in_frequent_order[:2],
    )
    settings = replace(
        languages_settings(2), n_steps=2, hidden_size=8, n_heads=2, n_layers=1, batch_size=3
    )
    first, again = (languages_run(few, "related", 0.3, settings) for _ in range(2))
    assert first == again
    assert all(loss > 0 for loss in first.loss) and first.accent in (0.0, 0.5, 1.0)


def test_the_stored_runs_are_all_there_and_say_what_the_lesson_says():
    runs = read_runs()
    wanted = {
        (kinship, alpha, s) for kinship in KINSHIPS for alpha in ALPHAS[kinship] for s in SEEDS
    }
    assert {(run.kinship, run.alpha, run.seed) for run in runs} == wanted
    assert len(runs) == len(wanted)

    def mean(kinship, alpha, value):
        return fmean(value(r) for r in runs if (r.kinship, r.alpha) == (kinship, alpha))

    for kinship in KINSHIPS:
        rare, frequent = (
            [mean(kinship, alpha, lambda run, i=i: run.loss[i]) for alpha in (0.0, 1.0)]
            for i in (1, 0)
        )
        assert rare[0] < rare[1] and frequent[0] > frequent[1]
        tokens = [
            mean(kinship, alpha, lambda run: run.subwords_per_word[1]) for alpha in (0.0, 1.0)
        ]
        assert tokens[0] < tokens[1]
    accents = {
        (kinship, alpha): mean(kinship, alpha, lambda run: run.accent)
        for kinship in KINSHIPS
        for alpha in (0.0, 1.0)
    }
    assert accents["related", 1.0] > 4 * accents["related", 0.0]
    assert accents["unrelated", 1.0] < 0.1
