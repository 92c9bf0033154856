"""Train encoders with 15 % of the tokens hidden and with any share, and let them write.

    make stored STORED=mask_rates    mlm_core/data/mask_rates.json, in some twenty minutes

Read before this: stored_runs.py, ../mlm_core/small_runs/mask_rates.py.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import asdict
from random import Random

from mlm_core.encoder.language_model import OwnModel
from mlm_core.small_runs.mask_rates import (
    HIDDEN_SHARES,
    HiddenShare,
    loss_at,
    neighbours_of_grammar,
    pretraining_task,
    share_of_neighbours,
    write_sentences,
)
from mlm_core.small_runs.run import untrained_bert
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.text import PreparedText, prepare_at_once
from mlm_core.stored.mask_rates import RESULTS_FILE, SEEDS, SHARES, STEPS, MaskRateRun
from mlm_core.text.mini_world.world import world
from mlm_core.training.loop import train
from tools.stored_finetunes import write_rows

N_SENTENCES = 200  # that each encoder writes with each number of steps
N_SHOWN = 5  # of them are stored
DIGITS = 4


def rate_settings(seed: int) -> SmallRunSettings:
    """Return the settings of a run: a chosen token always becomes [MASK]."""
    return SmallRunSettings(
        objective="mlm", mask_rate=1.0, random_rate=0.0, keep_rate=0.0, n_steps=4_000, seed=seed
    )


def rate_run(
    text: PreparedText,
    settings: SmallRunSettings,
    share: HiddenShare,
    *,
    n_sentences: int = N_SENTENCES,
) -> MaskRateRun:
    """Train one encoder, test it at each share, and let it write."""
    bert = untrained_bert(settings, text.tokenizer.get_vocab_size())
    task = pretraining_task(share, text, settings)
    deque(train(bert, task, settings.training(), seed=settings.seed), maxlen=0)
    model = OwnModel(share, bert.eval(), text.tokenizer)
    sentences = [one for document in world("held_out") for one in document.sentences]
    lengths = [len(one.words) for one in Random(0).sample(sentences, n_sentences)]
    written = {
        n_steps: list(write_sentences(model, lengths, n_steps, Random(settings.seed)))
        for n_steps in STEPS
    }
    known = neighbours_of_grammar()
    return MaskRateRun(
        share=share,
        seed=settings.seed,
        losses=tuple(round(loss_at(one, bert, text, settings.length), DIGITS) for one in SHARES),
        neighbours=tuple(
            round(share_of_neighbours(written[n_steps], known), DIGITS) for n_steps in STEPS
        ),
        sentences=tuple(" ".join(words) for words in written[STEPS[-1]][:N_SHOWN]),
    )


def make_runs() -> Iterator[str]:
    """Train all runs and write their results; yield lines for a log."""
    text = prepare_at_once(rate_settings(SEEDS[0]))
    rows = []
    for seed in SEEDS:
        for share in HIDDEN_SHARES:
            run = rate_run(text, rate_settings(seed), share)
            rows.append(asdict(run))
            yield f"{share}, seed {seed}: losses {run.losses}, neighbours {run.neighbours}"
    write_rows(rows, RESULTS_FILE)
