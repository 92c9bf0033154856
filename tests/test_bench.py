"""The bench runs to its end; its figures are for whoever runs it, and no test judges them."""

from dataclasses import replace

import pytest

from bench import run, training
from bench.run import Remark
from mlm_core.encoder.checkpoints import read_config
from mlm_core.encoder.model_list import BUNDLED_FOLDER


def test_the_training_bench_yields_each_speed_and_where_the_time_goes():
    size = replace(
        training.SIZES[0],
        vocabulary_size=2_000,
        hidden_size=16,
        batch_size=4,
        length=16,
        steps_a_turn=1,
    )
    told = [row.line() for row in training.measure_size(size, 1)]
    for phase in ("making batches", "forward", "backward and clipping", "optimizer"):
        assert any(phase in line for line in told), (phase, told)


def test_the_largest_size_is_the_bundled_models():
    size, config = training.SIZES[-1], read_config(BUNDLED_FOLDER)
    for name in ("vocabulary_size", "hidden_size", "n_layers", "n_heads"):
        assert getattr(size, name) == getattr(config, name), name
    assert size.length == config.n_positions


def test_a_part_runs_only_when_it_is_named_and_as_often_as_asked(monkeypatch, capsys):
    def measure(repetitions):
        yield Remark(f"measured {repetitions} times")

    monkeypatch.setattr(training, "measure_bundled", measure)
    run.main(["training_bundled", "--repetitions", "3"])
    assert "measured 3 times" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="no measurement train: choose from forward"):
        run.main(["train"])
