"""A contrastive training of a small encoder."""

import pytest
import torch

from mlm_core.search.contrastive_task import ContrastiveTask, DrawnDropout, make_upper
from mlm_core.search.cost import run_bytes
from mlm_core.search.graded_pairs import SearchTask, TrainingPair, unlabelled_pairs
from mlm_core.search.ranking import rank_candidates
from mlm_core.search.run import (
    ContrastiveRun,
    ContrastiveSnapshot,
    scores_of,
    trained_encoder,
)
from mlm_core.search.settings import ContrastiveSettings, default_settings
from mlm_core.search.vectors import sentence_vectors
from mlm_core.text import corpora

FIRSTS, SECONDS, OTHERS = (tuple(corpora.sentences()[n : n + 9]) for n in (20, 40, 60))
PAIRS = tuple(
    TrainingPair(first=first, second=second, negatives=(other,))
    for first, second, other in zip(FIRSTS, SECONDS, OTHERS, strict=True)
)
# The pairs themselves, so that a training that works is seen to work.
DEV = SearchTask(
    queries=FIRSTS,
    candidates=(*SECONDS, *OTHERS),
    right=tuple(range(9)),
    pairs=tuple((i, j, 2 * (i == j)) for i in range(9) for j in (i, 17 - i)),
)


def settings(**changes) -> ContrastiveSettings:
    short = {"n_epochs": 12, "batch_size": 4, "peak_learning_rate": 0.01, "n_top_layers": 2}
    return ContrastiveSettings(model="small", **short | changes)


def run_to_its_end(encoder, learnt=PAIRS, **changes) -> list[ContrastiveSnapshot]:
    return list(ContrastiveRun(settings(**changes), learnt, DEV, encoder).go_on())


@pytest.fixture(scope="module")
def snapshots(encoder):
    return run_to_its_end(encoder)


def test_pairs_are_found_after_training_and_the_best_step_is_kept(snapshots):
    last = snapshots[-1]
    assert (last.phase, last.step, last.n_steps) == ("finished", 36, 36)
    assert snapshots[2].seconds_left is None and last.seconds_left == 0
    by_step = {test.step: test.measures["mean_reciprocal_rank"] for test in last.tests}
    assert by_step[0] < 0.7 < max(by_step.values())
    assert by_step[last.weights.step] == max(by_step.values())
    assert last.losses[-1].loss < last.losses[0].loss / 2


def test_late_interaction_is_trained_as_it_searches(encoder):
    last = run_to_its_end(encoder, scoring="tokens", dropout_rate=0.0)[-1]
    by_step = {test.step: test.measures["mean_reciprocal_rank"] for test in last.tests}
    assert by_step[0] < max(by_step.values()) == by_step[last.weights.step]
    model = trained_encoder(last, encoder)
    ranked = rank_candidates(scores_of(last.settings, model, DEV), DEV)
    # float16 rounds the kept weights.
    assert (1 / ranked.ranks).mean() == pytest.approx(by_step[last.weights.step], abs=0.05)


def test_the_bytes_of_a_run_grow_with_what_it_trains_and_its_batch(encoder, snapshots):
    found = run_bytes(settings(), PAIRS, encoder)
    n_trained = snapshots[-1].n_trained
    assert found.kept >= len(snapshots[-1].weights.numbers) == 2 * n_trained
    assert found.held > 12 * n_trained and found.extra > 4 * n_trained
    larger = run_bytes(settings(batch_size=8), PAIRS, encoder)
    assert (larger.held, larger.kept) == (found.held, found.kept) and larger.extra > found.extra


def test_the_same_settings_give_the_same_run_whatever_else_draws_numbers(encoder, snapshots):
    torch.rand(3)
    again = run_to_its_end(encoder)[-1]
    assert again.losses == snapshots[-1].losses
    assert again.weights.numbers == snapshots[-1].weights.numbers


def test_the_trained_encoder_shares_what_is_frozen_and_the_first_one_stays(encoder, snapshots):
    before = sentence_vectors(encoder, FIRSTS)
    trained = trained_encoder(snapshots[-1], encoder)
    assert trained.bert.embeddings.token.weight is encoder.bert.embeddings.token.weight
    assert trained.n_layers == 3 and not trained.has_language_head
    torch.testing.assert_close(
        sentence_vectors(trained, FIRSTS, layer=1), sentence_vectors(encoder, FIRSTS, layer=1)
    )
    assert not torch.allclose(sentence_vectors(trained, FIRSTS), before, atol=0.1)
    torch.testing.assert_close(sentence_vectors(encoder, FIRSTS), before)
    assert encoder.has_language_head and len(encoder.bert.blocks) == 3


def test_training_that_does_not_help_leaves_the_encoder_as_it_was(encoder):
    # Each sentence is to be alike to what is wrong in the dev part.
    wrong = [
        TrainingPair(first=pair.first, second=pair.negatives[0], negatives=(pair.second,))
        for pair in PAIRS
    ]
    last = run_to_its_end(encoder, wrong, n_epochs=4)[-1]
    assert last.weights.step == 0 and len(last.tests) > 3
    trained = trained_encoder(last, encoder)  # float16 rounds the trained layers
    torch.testing.assert_close(
        sentence_vectors(trained, FIRSTS), sentence_vectors(encoder, FIRSTS), atol=0.02, rtol=0.02
    )


def test_a_sentence_and_itself_differ_by_dropout_alone(encoder):
    pairs = unlabelled_pairs(FIRSTS)
    losses = {
        rate: run_to_its_end(
            encoder, pairs, pairs="unlabelled", dropout_rate=rate, n_epochs=1, pooling="cls"
        )[-1].losses[0]
        for rate in (1e-6, 0.3)
    }
    # Without dropout, each one's nearest candidate is itself.
    assert losses[1e-6].loss < losses[0.3].loss


def test_a_partner_that_is_a_hard_negative_elsewhere_is_one_candidate(encoder):
    pairs = [
        TrainingPair(first="a", second="b", negatives=("c", "d")),
        TrainingPair(first="e", second="c", negatives=("b",)),
    ]
    run = ContrastiveRun(settings(), pairs, DEV, encoder)
    reading = run._read(1)
    while True:
        try:
            next(reading)
        except StopIteration as end:
            texts, number_of = end.value
            break
    task = ContrastiveTask(pairs, texts, number_of, DrawnDropout(0.1), settings())
    batch = task.batch(0, torch.Generator())
    assert len(batch.texts.ids) == 2 + 3  # first sentences; b, c and d
    assert sorted(batch.partners.tolist()) == [0, 1]


def test_dropout_keeps_the_mean_and_is_off_in_evaluation():
    dropout = DrawnDropout(0.25)
    dropout.generator = torch.Generator().manual_seed(3)
    ones = torch.ones(200, 50)
    dropped = dropout(ones)
    # 10,000 draws: the proportion of zeros has a standard error of 0.0043.
    assert (dropped == 0).float().mean().item() == pytest.approx(0.25, abs=0.02)
    assert dropped.max().item() == pytest.approx(4 / 3)
    assert not torch.equal(dropout(ones), dropped)
    assert dropout.eval()(ones) is ones


def test_more_layers_than_there_are_means_all(encoder):
    upper = make_upper(encoder.bert, settings(n_read_layers=12, n_top_layers=12))
    assert upper.n_frozen == 0 and len(upper.blocks) == 3


def test_the_bundled_model_is_read_to_its_eighth_layer_and_others_to_their_last():
    assert default_settings("mini-bert").n_read_layers == 8
    unlabelled = default_settings("small", "unlabelled", n_epochs=3)
    assert (unlabelled.n_read_layers, unlabelled.n_epochs) == (None, 3)
    assert unlabelled.pairs == "unlabelled"
