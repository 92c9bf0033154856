"""Train BERT's recipe in small, and with one change each.

    make stored STORED=made_modern    mlm_core/data/made_modern.json, in half an hour

First the learning rate of BERT's recipe is chosen on dev: documents of the same world of which no
sentence is in the training or the held-out part. Then each way and each
control is trained with each seed.

Read before this: stored_runs.py, ../mlm_core/stored/made_modern.py.
"""

import json
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from random import Random

from mlm_core.pretraining.corpus import corpus_in_memory
from mlm_core.probing.pair_task import pair_task
from mlm_core.small_runs.held_out import HeldOutTest, make_scheduled_task
from mlm_core.small_runs.run import SmallRun, untrained_bert
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.snapshot import model_at
from mlm_core.small_runs.text import PreparedText, prepare_at_once
from mlm_core.stored.made_modern import (
    BASELINE,
    CONTROLS,
    DEV_SEED,
    N_PAIRS,
    RATES,
    RESULTS_FILE,
    SEEDS,
    WAYS,
    ModernResults,
    ModernRun,
    recipe_settings,
)
from mlm_core.text.mini_world.world import documents, write_documents
from mlm_core.training.loop import train

N_DRAWN = 600  # documents for dev, of which those with a known sentence are left out
N_TIMED = 32  # steps, in turns with as many of the baseline
DIGITS = 4


def dev_documents() -> tuple[tuple[str, ...], ...]:
    """Return documents of which no sentence is in the training or the held-out part."""
    parts = (*documents("train"), *documents("held_out"))
    known = {sentence for document in parts for sentence in document}
    drawn = write_documents(Random(DEV_SEED), N_DRAWN)
    texts = (tuple(sentence.text for sentence in document.sentences) for document in drawn)
    return tuple(text for text in texts if known.isdisjoint(text))


def with_dev(text: PreparedText) -> PreparedText:
    """Return the text with dev in place of the held-out part."""
    corpus = next(filter(None, corpus_in_memory(dev_documents(), text.tokenizer)))
    return replace(text, held_out=corpus)


def loss_on_dev(text: PreparedText, settings: SmallRunSettings) -> float:
    """Return the loss of hidden words after a run; `text` has dev as its held-out part."""
    bert = untrained_bert(settings, text.tokenizer.get_vocab_size())
    task = make_scheduled_task(text, settings)
    deque(train(bert, task, settings.training(), seed=settings.seed), maxlen=0)
    *_, point = HeldOutTest(text, replace(settings, objective="mlm")).evaluate(bert, 0)
    assert point is not None  # the last
    return round(point.loss, DIGITS)


def modern_run(text: PreparedText, settings: SmallRunSettings, way: str) -> ModernRun:
    """Train one encoder and test it."""
    run = SmallRun(settings, text=text)
    deque(run.go_on(), maxlen=0)
    points = run.snapshot.held_out
    bert = model_at(run.snapshot).bert
    *_, judged = pair_task(bert, text, seed=1, n_train=N_PAIRS, n_held_out=N_PAIRS)
    blanks = points[-1].accuracy_at_masked
    assert judged is not None and blanks is not None
    return ModernRun(
        way=way,
        seed=settings.seed,
        losses=tuple(round(point.loss, DIGITS) for point in points),
        blanks=round(blanks, DIGITS),
        pairs=round(judged.from_cls.accuracy, DIGITS),
        seconds=round(relative_seconds(text, settings), DIGITS),
    )


def relative_seconds(
    text: PreparedText, settings: SmallRunSettings, n_steps: int = N_TIMED
) -> float:
    """Return the processor's time of a short run, times the baseline's; a step each in turns.

    The schedule is squeezed into these steps, so that all of its phases count.
    """
    usual = recipe_settings((), settings.seed, settings.peak_learning_rate)
    runs, seconds = [], [0.0, 0.0]
    for one in (settings, usual):
        short = replace(one, n_steps=n_steps)
        bert = untrained_bert(short, text.tokenizer.get_vocab_size())
        task = make_scheduled_task(text, short)
        runs.append(train(bert, task, short.training(), seed=short.seed))
    for _ in range(n_steps):
        for number, run in enumerate(runs):
            begun = time.process_time()
            next(run)
            seconds[number] += time.process_time() - begun
    return seconds[0] / seconds[1]


def make_runs() -> Iterator[str]:
    """Choose the rate, train all runs and write their results; yield lines for a log."""
    text = prepare_at_once(recipe_settings((), DEV_SEED, RATES[0]))
    dev, runs = with_dev(text), []
    losses = [loss_on_dev(dev, recipe_settings((), DEV_SEED, rate)) for rate in RATES]
    rate = ModernResults(tuple(losses), ()).rate
    yield f"on dev: {losses}, so {rate}"
    for seed in SEEDS:
        for way in (*WAYS, *CONTROLS):
            settings = replace(recipe_settings((way,), seed, rate), **CONTROLS.get(way, {}))
            run = modern_run(text, settings, way)
            runs.append(run if way != BASELINE else replace(run, seconds=1.0))
            yield f"{way}, seed {seed}: {run.loss}, {run.blanks}, {run.pairs}, {run.seconds}"
    write_results(losses, runs)


def write_results(on_dev: Sequence[float], runs: Sequence[ModernRun]) -> None:
    """Write what read_results() reads, a run a line."""
    lines = ",\n".join(json.dumps(asdict(run)) for run in runs)
    written = f'{{"on_dev": {json.dumps(on_dev)},\n"runs": [\n{lines}\n]}}\n'
    RESULTS_FILE.write_text(written, encoding="utf-8")
