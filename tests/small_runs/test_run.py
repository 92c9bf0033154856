"""A run in small pieces: settings, exactness, snapshots, and what it learns."""

import dataclasses
import math
from itertools import pairwise

import pytest
import torch

from mlm_core.masking.rule import IGNORED_LABEL, CorruptionRule
from mlm_core.pretraining.objectives import pretraining_losses
from mlm_core.small_runs.held_out import (
    HeldOutTest,
    make_scheduled_task,
    make_small_task,
    unigram_baseline,
)
from mlm_core.small_runs.next_word import NextWordTask, next_word_loss
from mlm_core.small_runs.run import SmallRun, untrained_bert
from mlm_core.small_runs.settings import CHANGES, OBJECTIVES, SmallRunSettings
from mlm_core.small_runs.snapshot import LossPoint, empty_bert, mean_point, model_at
from mlm_core.small_runs.text import prepare, prepare_at_once
from mlm_core.text.tokens import tokenize
from mlm_core.training.curve import MOST_POINTS, LossCurve

WHO = ("sailor", "gardener", "teacher", "farmer")
WHAT = ("rope", "rose", "book", "spade")
TEXT = "\n\n".join(
    f"The {WHO[i % 4]} took a {WHAT[i % 4]} on day {i}. The {WHAT[i % 4]} was {i} years old."
    for i in range(60)
)

TOPICS = (
    (("sailor", "captain", "fisher"), ("rope", "net", "ship")),
    (("gardener", "farmer", "neighbour"), ("rose", "spade", "hedge")),
)
PLACES = ("market", "town", "river", "station", "museum", "castle", "bridge")
VERBS = ("took", "saw", "left", "drew", "found")
# Four sentences a document, on one topic; no sentence twice.
TALES = "\n\n".join(
    "\n".join(
        f"The {who} {verb} a {what} near the {place}.\nThen the {what} {verb} the {who}"
        f" of the {place}."
        for what in things[:2]
    )
    for place in PLACES
    for verb in VERBS
    for people, things in TOPICS
    for who in people
)


def tiny(**changes) -> SmallRunSettings:
    defaults = {
        "own_text": TEXT,
        "vocabulary_size": 150,
        "hidden_size": 16,
        "n_heads": 2,
        "n_layers": 1,
        "length": 24,
        "n_steps": 12,
        "batch_size": 8,
        "evaluate_every": 5,
    }
    return SmallRunSettings(**(defaults | changes))


def finished(settings: SmallRunSettings, **options):
    *_, last = SmallRun(settings, **options).go_on()
    return last


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden_size": 30}, "30 does not divide into 4 heads"),
        ({"hidden_size": 132}, "hidden_size is 132: .* 4 to 128"),
        ({"n_layers": 5}, "n_layers is 5: .* 1 to 4"),
        ({"vocabulary_size": 4001}, "100 to 4,000"),
        ({"n_steps": 5001}, "1 to 5,000"),
        ({"n_steps": 0}, "1 to 5,000"),
        ({"length": 64, "batch_size": 129}, "8,256 tokens a step, and 8,192"),
        (
            {"length": 64, "batch_size": 128, "hidden_size": 128, "n_layers": 4},
            r"takes 2\d\d MB of memory while it trains, and 220 are allowed: choose fewer texts",
        ),
        (
            {"peak_learning_rate": 10.0},
            "peak_learning_rate is 10.0: choose a number above 0, at most 1",
        ),
        ({"peak_learning_rate": 0.0}, "peak_learning_rate"),
        ({"peak_learning_rate": math.nan}, "peak_learning_rate"),
        ({"mlm_probability": 0.0}, "mlm_probability"),
        ({"mask_rate": 0.9}, "three shares that sum to 1"),
        ({"warmup_proportion": 1.0}, "warmup_proportion"),
        ({"seed": -1}, "seed"),
    ],
)
def test_settings_that_cannot_be_are_refused_when_they_are_made(change, message):
    with pytest.raises(ValueError, match=message):
        SmallRunSettings(**change)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_parameters_are_counted_exactly(objective):
    settings = SmallRunSettings(objective=objective, hidden_size=12, n_layers=3, n_heads=2)
    bert = empty_bert(settings, settings.vocabulary_size)
    assert settings.parameter_count == sum(p.numel() for p in bert.parameters())


@pytest.mark.parametrize("n_steps", [1, 2, 7, 600, 5000])
@pytest.mark.parametrize("hidden_size", [8, 128])
def test_checkpoints_begin_at_0_end_with_the_last_and_stay_within_their_number(
    n_steps, hidden_size
):
    settings = SmallRunSettings(
        n_steps=n_steps, hidden_size=hidden_size, n_layers=4, vocabulary_size=4000
    )
    steps = settings.checkpoint_steps
    assert steps[0] == 0 and steps[-1] == n_steps and list(steps) == sorted(set(steps))
    assert len(steps) < settings.n_checkpoints  # the newest has a place of its own


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_two_runs_in_turn_are_bit_for_bit_two_runs_alone(objective):
    first, second = tiny(objective=objective), tiny(objective=objective, seed=5, batch_size=9)
    alone = [finished(first), finished(second)]
    torch.manual_seed(99)  # whatever others do with the process's own chance
    runs = [SmallRun(first), SmallRun(second)]
    streams = [run.go_on() for run in runs]
    while streams:
        torch.rand(3)
        streams = [stream for stream in streams if next(stream, None) is not None]
    for one, other in zip(alone, runs, strict=True):
        assert one.losses == other.snapshot.losses
        assert one.held_out == other.snapshot.held_out
        assert one.checkpoints == other.snapshot.checkpoints
    assert alone[0].losses != alone[1].losses


def test_every_piece_gives_a_snapshot_that_later_work_does_not_change():
    run = SmallRun(tiny())
    seen = list(run.go_on())
    copies = [dataclasses.replace(snapshot) for snapshot in seen]
    assert [snapshot.phase for snapshot in seen] == sorted(
        (snapshot.phase for snapshot in seen), key=("preparing", "training", "finished").index
    )
    assert seen[-1].phase == "finished" and seen[-1] is run.snapshot
    steps = [snapshot.step for snapshot in seen]
    assert steps == sorted(steps) and max(b - a for a, b in pairwise(steps)) == 1
    for snapshot, copy in zip(seen, copies, strict=True):
        assert snapshot.losses == copy.losses
        assert len(snapshot.losses) == snapshot.step
    with pytest.raises(dataclasses.FrozenInstanceError):
        seen[0].step = 3
    # Structure is shared: what was there is the same object in the next snapshot.
    assert seen[-1].checkpoints[0] is seen[-5].checkpoints[0]
    assert seen[-1].losses[0] is seen[-5].losses[0]


def test_the_held_out_rows_stand_where_they_were_asked_for():
    snapshot = finished(tiny())
    assert [point.step for point in snapshot.held_out] == [0, 5, 10, 12]
    point = snapshot.held_out[-1]
    assert point.perplexity == pytest.approx(math.exp(point.loss))
    assert point.next_sentence_loss is not None
    alone = finished(tiny(objective="mlm")).held_out[-1]
    assert alone.next_sentence_loss is None and alone.accuracy_at_kept is not None
    assert finished(tiny(objective="next_word")).held_out[-1].accuracy_at_kept is None


def test_runs_that_hide_words_otherwise_are_judged_on_the_same_test():
    *_, text = prepare(tiny())
    usual = HeldOutTest(text, tiny())
    other = HeldOutTest(text, tiny(mask_rate=1.0, random_rate=0.0, keep_rate=0.0, seed=8))
    no_pairs = HeldOutTest(text, tiny(objective="mlm"))
    for test in (other, no_pairs):
        assert test.baselines.unigram_loss == usual.baselines.unigram_loss
        for one, two in zip(usual.batches, test.batches, strict=True):
            assert one.ids.equal(two.ids) and one.labels.equal(two.labels)
    shown = torch.cat([batch.branches.flatten() for batch in other.batches])
    assert set(shown.tolist()) == {-1, 0, 1, 2}


def test_every_held_out_sentence_is_in_the_test():
    *_, text = prepare(tiny(objective="mlm"))
    test = HeldOutTest(text, tiny(objective="next_word"))
    starts = text.held_out.sentence_starts.tolist()
    wanted = {tuple(text.held_out.tokens[a:b].tolist()) for a, b in pairwise(starts)}
    first = {
        tuple(ids[1 : ids.index(text.special.sep)])
        for batch in test.batches
        for ids in batch.ids.tolist()
    }
    assert first == wanted


def test_the_unigram_loss_by_hand():
    counts = torch.tensor([50, 3, 0, 5])
    loss, most_frequent = unigram_baseline(counts, frozenset({0}), torch.tensor([1, 1, 2]))
    # One is added to each: 4, 1 and 6 of 11.
    assert loss == pytest.approx(-(2 * math.log(4 / 11) + math.log(1 / 11)) / 3)
    assert most_frequent == 3


def test_next_words_are_labelled_one_place_to_the_left_and_never_a_separator():
    *_, text = prepare(tiny(objective="mlm"))
    task = make_small_task(text, text.train, "next_word", 24, 50, CorruptionRule())
    batch = task.batch(0, torch.Generator().manual_seed(4))
    for row, labels in zip(batch.ids.tolist(), batch.labels.tolist(), strict=True):
        for position, label in enumerate(labels):
            following = row[position + 1] if position + 1 < len(row) else text.special.pad
            is_word = following not in text.special.all
            assert label == (following if is_word else IGNORED_LABEL)
    assert int((batch.labels != IGNORED_LABEL).sum()) == int(batch.n_predictions)


def test_the_next_word_loss_sees_nothing_to_the_right():
    settings = tiny(objective="next_word")
    *_, text = prepare(settings)
    bert = untrained_bert(settings, text.tokenizer.get_vocab_size())
    task = make_small_task(text, text.train, "next_word", 24, 6, CorruptionRule())
    batch = task.batch(0, torch.Generator().manual_seed(4))
    # Only position 2 counts; what stands from position 4 on must not matter.
    labels = torch.full_like(batch.labels, IGNORED_LABEL)
    labels[:, 2] = batch.labels[:, 2]
    changed = batch.ids.clone()
    changed[:, 4:] = 7
    losses = [
        next_word_loss(bert, dataclasses.replace(batch, ids=ids, labels=labels))[0].item()
        for ids in (batch.ids, changed)
    ]
    assert losses[0] == pytest.approx(losses[1], rel=1e-6)


def test_without_next_sentences_each_b_is_what_follows_a_and_no_pair_is_judged():
    settings = tiny(objective="mlm")
    *_, text = prepare(settings)
    task = make_small_task(text, text.train, "mlm", 24, 200, CorruptionRule())
    shape = task.phases[0].shapes[0]
    texts = task.draw_texts(shape, torch.Generator().manual_seed(2))
    running = text.train.tokens.tolist()
    joined = " ".join(map(str, running))
    n_pairs = 0
    for ids, segments, is_text in zip(*(t.tolist() for t in texts[:3]), strict=True):
        words = [i for i, is_word in zip(ids, is_text, strict=True) if is_word]
        n_pairs += 1 in segments
        assert " ".join(map(str, words)) in joined
    assert n_pairs > 0
    batch = task.corrupt(texts, shape, torch.Generator().manual_seed(2))
    assert batch.pair_labels is None
    bert = untrained_bert(settings, text.tokenizer.get_vocab_size())
    losses = pretraining_losses(bert, batch)
    assert losses.next_sentence_loss is None and losses.total is losses.masked_language_loss


def test_a_trimmed_batch_has_the_losses_of_a_padded_one():
    settings = tiny()
    *_, text = prepare(settings)
    task = make_small_task(text, text.train, "mlm_nsp", 24, 9, CorruptionRule())
    batch = task.batch(0, torch.Generator().manual_seed(6))
    assert batch.not_padding.any(dim=0).all() and batch.ids.shape[1] < 24
    n_padding = 24 - batch.ids.shape[1]
    padded = dataclasses.replace(
        batch,
        ids=torch.nn.functional.pad(batch.ids, (0, n_padding)),
        segment_ids=torch.nn.functional.pad(batch.segment_ids, (0, n_padding)),
        not_padding=torch.nn.functional.pad(batch.not_padding, (0, n_padding)),
    )
    bert = untrained_bert(settings, text.tokenizer.get_vocab_size())
    one, other = pretraining_losses(bert, batch), pretraining_losses(bert, padded)
    torch.testing.assert_close(one.total, other.total)


def test_the_curve_is_thinned_and_keeps_its_means():
    curve = LossCurve(mean_point)
    points = [
        LossPoint(
            step=i + 1,
            loss=float(i),
            language_loss=2.0 * i,
            next_sentence_loss=None,
            rate=0.5,
            gradient_norm=1.0,
        )
        for i in range(3001)
    ]
    for number, point in enumerate(points, 1):
        curve.add(point)
        drawn = curve.points()
        assert len(drawn) <= MOST_POINTS and drawn[-1].step == number
    bounds = [0, *(point.step for point in drawn)]
    for point, begin, end in zip(drawn, bounds, bounds[1:], strict=False):
        assert point.loss == pytest.approx(sum(range(begin, end)) / (end - begin))
        assert point.language_loss == pytest.approx(2 * point.loss)
    assert mean_point(points[:1]) is points[0]


def test_a_model_from_a_checkpoint_predicts_as_the_run_did():
    snapshot = finished(tiny(n_steps=40))
    first, last = model_at(snapshot, 0), model_at(snapshot)
    assert last.bert.config == snapshot.settings.bert_config(snapshot.facts.vocabulary_got)
    *_, text = prepare(snapshot.settings)
    test = HeldOutTest(text, snapshot.settings)
    for model, row in ((first, snapshot.held_out[0]), (last, snapshot.held_out[-1])):
        *_, point = test.evaluate(model.bert, row.step)
        # float16 keeps 11 bits of each weight, an error of 0.05 %; logits of order 1 to 10 move
        # by a few thousandths at most.
        assert point.loss == pytest.approx(row.loss, abs=0.01)
    blank = tokenize(last.tokenizer, "The sailor took a [MASK].")
    assert last.vocabulary_logits(blank).shape[-1] == snapshot.facts.vocabulary_got


def test_the_newest_weights_come_with_the_newest_test():
    settings = tiny(n_steps=500, evaluate_every=45)
    run = SmallRun(settings)
    for snapshot in run.go_on():
        if snapshot.step == 50:
            break
    assert snapshot.checkpoints[-1].step == 45
    assert len(snapshot.checkpoints) <= settings.n_checkpoints


def test_the_weights_with_the_lowest_held_out_loss_are_kept():
    settings = tiny(
        own_text=TALES, n_steps=250, evaluate_every=25, batch_size=24, peak_learning_rate=0.02
    )
    snapshot = finished(settings)
    best = min(snapshot.held_out, key=lambda point: point.loss)
    assert best.step < settings.n_steps and best.step not in settings.checkpoint_steps
    assert snapshot.checkpoints[snapshot.best_checkpoint].step == best.step
    steps = [one.step for one in snapshot.checkpoints]
    assert steps == sorted({*settings.checkpoint_steps, best.step})
    *_, text = prepare(settings)
    bert = model_at(snapshot, snapshot.best_checkpoint).bert
    *_, point = HeldOutTest(text, settings).evaluate(bert, best.step)
    assert point.loss == pytest.approx(best.loss, abs=0.01)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_run_beats_the_unigrams(objective):
    settings = tiny(
        objective=objective, own_text=TALES, n_steps=90, batch_size=24, peak_learning_rate=0.01
    )
    snapshot = finished(settings)
    assert snapshot.held_out[-1].loss < 0.6 * snapshot.baselines.unigram_loss
    assert snapshot.held_out[0].loss > snapshot.held_out[-1].loss


@pytest.mark.parametrize("changes", [(one,) for one in CHANGES] + [CHANGES])
def test_a_changed_run_is_exact_learns_and_keeps_its_weights(changes):
    settings = tiny(changes=changes, n_steps=30, objective="mlm", peak_learning_rate=0.01)
    first, again = finished(settings), finished(settings)
    assert first.held_out == again.held_out and first.checkpoints == again.checkpoints
    assert first.held_out[-1].loss < first.held_out[0].loss - 0.5
    assert first.held_out != finished(dataclasses.replace(settings, changes=())).held_out
    kept = model_at(first).bert
    *_, point = HeldOutTest(prepare_at_once(settings), settings).evaluate(kept, 30)
    # Weights are kept in float16.
    assert point.loss == pytest.approx(first.held_out[-1].loss, abs=0.01)


def test_the_schedules_change_the_task_by_the_step():
    settings = tiny(changes=("falling_masks", "causal_first"), objective="mlm", batch_size=64)
    task = make_scheduled_task(prepare_at_once(settings), settings)
    assert isinstance(task.task_at(0), NextWordTask) and isinstance(task.task_at(5), NextWordTask)
    assert not isinstance(task.task_at(6), NextWordTask)
    rates = [task.task_at(step).settings.mlm_probability for step in range(6, 12)]
    assert rates == sorted(rates, reverse=True)
    assert (rates[0], rates[-1]) == pytest.approx((0.3, 0.15))
    falling = make_scheduled_task(
        prepare_at_once(settings), dataclasses.replace(settings, changes=("falling_masks",))
    )
    first, last = (
        int(falling.batch(step, torch.Generator().manual_seed(1))[1].n_predictions)
        for step in (0, 11)
    )
    assert 1.8 * last < first < 2.3 * last  # the same texts; the count of each is rounded
