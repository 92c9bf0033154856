"""Train the runs with static and with dynamic masking.

    make stored STORED=masking    mlm_core/data/static_masking.json, in minutes

Read before this: stored_runs.py, ../mlm_core/small_runs/static_masking.py.
"""

from collections.abc import Iterator
from dataclasses import asdict
from statistics import fmean

from mlm_core.small_runs.held_out import HeldOutTest
from mlm_core.small_runs.run import untrained_bert
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.static_masking import N_BATCHES, N_PASSES, WAYS, RepeatedTask, Way
from mlm_core.small_runs.text import PreparedText, prepare_at_once
from mlm_core.stored.static_masking import RESULTS_FILE, SEEDS, MaskingRun
from mlm_core.training.loop import train
from tools.stored_finetunes import write_rows


def masking_settings(seed: int) -> SmallRunSettings:
    """Return the settings of a run; all but the seed are the same."""
    return SmallRunSettings(objective="mlm", n_steps=N_BATCHES * N_PASSES, seed=seed)


def masking_run(
    text: PreparedText, settings: SmallRunSettings, way: Way, *, test_every: int = 80
) -> MaskingRun:
    """Train one encoder and test it on the way."""
    bert = untrained_bert(settings, text.tokenizer.get_vocab_size())
    test = HeldOutTest(text, settings)
    steps, held_out, training, losses = [], [], [], []
    task = RepeatedTask(text, settings, way)
    for step in train(bert, task, settings.training(), seed=settings.seed):
        losses.append(float(step.loss))
        if step.number % test_every == 0 or step.number == settings.n_steps:
            *_, point = test.evaluate(bert, step.number)
            assert point is not None  # the last
            steps.append(step.number)
            held_out.append(point.loss)
            training.append(fmean(losses))
            losses = []
    return MaskingRun(
        way=way,
        seed=settings.seed,
        steps=tuple(steps),
        held_out=tuple(held_out),
        training=tuple(training),
    )


def make_runs() -> Iterator[str]:
    """Train all runs and write their results; yield lines for a log."""
    text = prepare_at_once(masking_settings(SEEDS[0]))
    rows = []
    for seed in SEEDS:
        for way in WAYS:
            run = masking_run(text, masking_settings(seed), way)
            rounded = {
                name: [round(loss, 4) for loss in getattr(run, name)]
                for name in ("held_out", "training")
            }
            rows.append(asdict(run) | rounded)
            yield (
                f"{way}, seed {seed}: held-out loss {run.held_out[-1]:.3f}, in training"
                f" {run.training[-1]:.3f}"
            )
    write_rows(rows, RESULTS_FILE)
