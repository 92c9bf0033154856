"""The time that a fine-tuning has left: at the speed of its steps, what came before apart."""

from itertools import count

from mlm_core.finetuning.run import FineTuneRun
from mlm_core.finetuning.settings import FineTuneSettings
from tests.finetuning.small_models import small_data, small_encoder


def test_reading_and_the_first_test_do_not_count_as_steps():
    # Each look at the clock is a second later than the last, so a piece of work takes one.
    clock = count().__next__
    settings = FineTuneSettings(model="small", trained="head", n_epochs=3, batch_size=2)
    run = FineTuneRun(settings, small_data("classes"), small_encoder(), clock=clock)
    snapshots = list(run.go_on())
    before = [one for one in snapshots if not one.step]
    assert len(before) > 3 and all(one.seconds_left is None for one in before)
    first = snapshots[len(before)]
    assert first.step == 1 and first.seconds == len(before) + 1
    assert first.seconds_left == first.n_steps - 1
    assert snapshots[-1].seconds_left == 0
