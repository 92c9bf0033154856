"""A run: the same twice, indebted to nobody's chance, and its model says what its test said."""

import gc
import math
from dataclasses import replace
from weakref import WeakValueDictionary

import pytest
import torch

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import BUNDLED_FOLDER
from mlm_core.finetuning import run as finetune_run
from mlm_core.finetuning.cost import run_bytes
from mlm_core.finetuning.fine_tuned import fine_tuned, starting_bert
from mlm_core.finetuning.one_answer import ask
from mlm_core.finetuning.run import FineTuneRun
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.labelled.examples import LabelledText
from mlm_core.labelled.tables import own_classes
from mlm_core.text.tokens import load_tokenizer
from tests.finetuning.small_models import (
    PASSAGE,
    run_to_its_end,
    settings_for,
    small_data,
    small_encoder,
)
from tests.small_bert import small_config

VARIANTS = (
    ("classes", {"pooling": "cls", "trained": "head"}),
    ("classes", {"trained": "all"}),
    ("classes", {"start": "random", "trained": "all", "n_examples": 4}),
    ("answers", {"n_top_layers": 1, "n_read_layers": 2}),
    ("tags", {"n_top_layers": 2, "scheme": "BIOES", "labelling": "all_pieces"}),
)


@pytest.mark.parametrize(("kind", "changes"), VARIANTS)
def test_a_run_is_the_same_bit_for_bit_whatever_else_the_process_draws(kind, changes, encoder):
    data = small_data(kind)
    first = run_to_its_end(data, encoder, **changes)
    torch.manual_seed(99)
    state = torch.get_rng_state()
    run = FineTuneRun(settings_for(data, **changes), data, encoder)
    for _ in run.go_on():
        assert torch.equal(torch.get_rng_state(), state)  # a run takes nothing from it
        torch.rand(3)
        state = torch.get_rng_state()
    again = run.snapshot
    assert again.losses == first.losses and again.tests == first.tests
    assert again.weights.numbers == first.weights.numbers
    assert again.predictions.predicted == first.predictions.predicted
    other = run_to_its_end(data, encoder, **changes, seed=2)
    assert other.losses != first.losses


@pytest.mark.parametrize(("kind", "changes"), VARIANTS)
def test_the_model_of_a_run_says_of_each_test_example_what_the_test_said(kind, changes, encoder):
    data = small_data(kind)
    end = run_to_its_end(data, encoder, **changes)
    model = fine_tuned(end, encoder)
    for example, found in zip(data.test, end.predictions.log_probabilities, strict=True):
        if kind == "classes":
            here = model.class_log_probabilities(example.text, example.pair)
        elif kind == "answers":
            text = model.reading.read_question(example.question, example.passage)
            here = model.answer_log_probabilities(text)
        else:
            here = model.tag_log_probabilities(model.reading.read_words(example.words)[0])
        # The run had float32 weights, the model has them from float16: 1e-3 each, relative,
        # through three layers of weights that were drawn wide.
        torch.testing.assert_close(here.exp(), found.exp(), atol=0.03, rtol=0)


@pytest.mark.parametrize(("kind", "changes"), VARIANTS)
def test_with_a_dev_part_its_best_weights_are_kept_and_the_test_part_is_measured_once(
    kind, changes, encoder
):
    data = small_data(kind)
    with_dev = replace(data, dev=data.test, test=data.train[:3])
    run = FineTuneRun(settings_for(with_dev, n_epochs=6, **changes), with_dev, encoder)
    for snapshot in run.go_on():
        assert (snapshot.predictions is None) == (snapshot.on_test is None)
    end = run.snapshot
    best = max(end.tests, key=lambda test: test.f1)
    assert end.weights.step == end.on_test.step == end.predictions.step == best.step
    # Without a dev part the same run is watched on the same examples, and its last weights stay.
    last = run_to_its_end(data, encoder, n_epochs=6, **changes)
    assert last.tests == end.tests and last.weights.step == last.n_steps
    assert last.result == last.tests[-1] and end.result == end.on_test
    if kind == "classes":
        model = fine_tuned(end, encoder)
        said = [model.class_log_probabilities(one.text, one.pair) for one in with_dev.test]
        for here, found in zip(said, end.predictions.log_probabilities, strict=True):
            torch.testing.assert_close(here, found, atol=1e-4, rtol=0)


@pytest.mark.parametrize(("kind", "changes"), VARIANTS)
def test_snapshots_tell_where_a_run_is(kind, changes, encoder):
    data = small_data(kind)
    run = FineTuneRun(settings_for(data, **changes), data, encoder)
    assert run.snapshot.phase == "preparing" and run.snapshot.weights is None
    seen = list(run.go_on())
    order = ["preparing", "reading", "training", "finished"]
    places = [order.index(snapshot.phase) for snapshot in seen]
    assert places == sorted(places) and places[-1] == 3
    steps = [snapshot.step for snapshot in seen]
    assert steps == sorted(steps)
    end = seen[-1]
    n_learnt = min(len(data.train), changes.get("n_examples", 99))
    assert end.step == end.n_steps == len(end.losses) == 2 * -(-n_learnt // 3)
    # One test before training and one after each epoch.
    assert [test.step for test in end.tests] == [0, end.n_steps // 2, end.n_steps]
    assert all(math.isfinite(test.loss) for test in end.tests)
    assert len(end.predictions.predicted) == len(data.test)
    assert list(run.go_on()) == []  # the one stream has come to its end


def test_an_encoder_with_fewer_layers_has_all_of_them_trained(encoder):
    four = run_to_its_end(small_data("classes"), encoder, n_top_layers=4)
    three = run_to_its_end(small_data("classes"), encoder, n_top_layers=3)
    assert four.losses == three.losses


BUNDLED_TOKENIZER = load_tokenizer(BUNDLED_FOLDER)


@pytest.fixture(scope="module")
def with_bundled_tokenizer():
    """Give a small random encoder that cuts words as the bundled model does."""
    config = small_config(BUNDLED_TOKENIZER, n_positions=32, n_layers=1, n_heads=2)
    with torch.random.fork_rng():
        torch.manual_seed(3)
        bert = Bert(config).eval().requires_grad_(False)
    return OwnModel("bundled words", bert, BUNDLED_TOKENIZER)


def test_own_texts_with_two_classes_train_and_score(with_bundled_tokenizer):
    data = own_classes("\n".join(f"{'ab'[i % 2]}\t{'😀' * (i + 1)} text {i}" for i in range(8)))
    end = run_to_its_end(data, with_bundled_tokenizer, pooling="cls")
    assert set(end.predictions.predicted) <= {"a", "b"}


def test_an_empty_text_is_read_as_its_two_special_tokens(with_bundled_tokenizer):
    data = small_data("classes")
    empty = replace(data, train=(LabelledText(text="", label="bad"), *data.train))
    end = run_to_its_end(empty, with_bundled_tokenizer)
    answer = ask(fine_tuned(end, with_bundled_tokenizer), "")
    assert sum(answer.probabilities) == pytest.approx(1, abs=1e-5)


def test_answers_that_no_window_shows_leave_nothing_to_learn(with_bundled_tokenizer):
    data = small_data("answers")
    far = tuple(
        replace(
            one, passage=PASSAGE * 4 + "Nine.", start=4 * len(PASSAGE), stop=4 * len(PASSAGE) + 4
        )
        for one in data.train
    )
    with pytest.raises(ValueError, match="no example fits into this model's window: choose"):
        run_to_its_end(replace(data, train=far), with_bundled_tokenizer)
    partly = run_to_its_end(
        replace(data, train=(*far, data.train[0]), test=(*data.test, far[0])),
        with_bundled_tokenizer,
    )
    assert partly.n_left_out == len(far)
    assert partly.predictions.predicted[-1] == ""
    assert len(partly.predictions.log_probabilities) == len(data.test)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("classes", ("a", "b")), "2 texts: this model reads 1 at once, give 1"),
        (("answers", ("Who?",)), "1 texts: this model reads 2 at once, give 2"),
        (("answers", ("Who?", "")), "no passage to answer from: write one"),
        (("tags", ()), "no word to tag: write a sentence"),
    ],
)
def test_what_can_not_be_asked_is_refused(asked, message, encoder):
    kind, texts = asked
    model = fine_tuned(run_to_its_end(small_data(kind), encoder, trained="head"), encoder)
    with pytest.raises(ValueError, match=message):
        ask(model, *texts)


def test_a_model_before_its_first_test_and_one_of_another_encoder_are_refused(
    encoder, with_bundled_tokenizer
):
    data = small_data("tags")
    run = FineTuneRun(settings_for(data), data, encoder)
    with pytest.raises(ValueError, match="this run has no model yet: wait until its first test"):
        fine_tuned(run.snapshot, encoder)
    end = run_to_its_end(data, encoder, trained="head")
    with pytest.raises(ValueError, match="125 weights for a model of 65: they belong to another"):
        fine_tuned(end, with_bundled_tokenizer)


def test_a_long_runs_curve_is_thinned_and_no_step_copies_more_than_it_may(encoder, monkeypatch):
    monkeypatch.setattr(finetune_run, "MOST_POINTS", 8)
    data = small_data("classes")
    run = FineTuneRun(settings_for(data, n_epochs=6), data, encoder)
    seen = list(run.go_on())
    assert max(len(snapshot.losses) for snapshot in seen) <= 8 < seen[-1].n_steps
    assert all(s.losses[-1].step == s.step for s in seen if s.losses)
    monkeypatch.setattr(finetune_run, "MOST_POINTS", 1_000)
    whole = run_to_its_end(data, encoder, n_epochs=6).losses
    bounds = [0, *(point.step for point in seen[-1].losses)]
    for point, begin, end in zip(seen[-1].losses, bounds, bounds[1:], strict=False):
        mean = sum(loss.loss for loss in whole[begin:end]) / (end - begin)
        assert point.loss == pytest.approx(mean)


def test_a_run_of_too_many_steps_is_refused_before_it_starts(encoder):
    data = small_data("classes")
    settings = settings_for(data, n_epochs=40, batch_size=1)
    with pytest.raises(ValueError, match=r"2,000 examples seen 40 times.*80,000 steps, and 5,000"):
        settings.n_steps(2_000)
    many = replace(data, train=data.train * 300)
    with pytest.raises(ValueError, match="choose fewer epochs"):
        run_bytes(settings, many, encoder)
    run_bytes(replace(settings, n_examples=10), many, encoder)


@pytest.mark.parametrize(("kind", "changes"), VARIANTS)
def test_runs_on_the_same_examples_hold_them_once_and_come_out_the_same(kind, changes, encoder):
    data, shared = small_data(kind), WeakValueDictionary()
    alone = run_to_its_end(data, encoder, **changes)
    settings = settings_for(data, **changes)
    first = FineTuneRun(settings, data, encoder, shared=shared)
    for snapshot in first.go_on():
        if snapshot.phase == "training":
            break
    second = FineTuneRun(replace(settings, peak_learning_rate=0.5e-3), data, encoder, shared=shared)
    assert next(iter(second.go_on())).phase == "reading"  # nothing is cut into tokens again
    assert len(shared) == 2  # the examples, and with their states
    for _ in first.go_on():
        pass
    assert first.snapshot.tests == alone.tests
    assert first.snapshot.weights.numbers == alone.weights.numbers
    others = replace(settings, batch_size=settings.batch_size + 1)
    other = FineTuneRun(others, data, encoder, shared=shared)
    snapshots = other.go_on()
    assert next(snapshots).phase == "reading"  # the examples are there, but these states aren't
    assert next(snapshots).phase == ("training" if settings.trained == "all" else "reading")
    del first, second, other, snapshots
    gc.collect()
    assert not shared


@pytest.mark.parametrize("seed", [1, 2])
def test_a_random_start_has_berts_weights_and_no_head_that_is_set_in_advance(seed):
    settings = FineTuneSettings(model="small", start="random", trained="all", seed=seed)
    encoder = small_encoder()
    bert = starting_bert(encoder, settings)
    matrices = [p for name, p in bert.named_parameters() if p.ndim == 2]
    assert len(matrices) > 20
    for matrix in matrices:
        # A deviation of n draws has an error of 1 / sqrt(2 n); five of these.
        assert matrix.std().item() == pytest.approx(0.02, rel=5 / math.sqrt(2 * matrix.numel()))
        assert matrix.abs().max() < 0.02 * 6
