"""The bench runs to its end; its figures are for whoever runs it, and no test judges them."""

from dataclasses import replace

from bench import training


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
