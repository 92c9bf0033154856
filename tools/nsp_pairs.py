"""Let the stored runs judge pairs of sentences, for the exercise on NSP.

    make stored STORED=nsp_pairs    mlm_core/data/nsp_pairs.json, in some seconds

Read before this: ../mlm_core/probing/pair_task.py, stored_runs.py.
"""

import json
from collections.abc import Iterator

from mlm_core.probing.pair_task import PairTaskResult, pair_task
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.snapshot import model_at
from mlm_core.small_runs.text import prepare_at_once
from mlm_core.stored.nsp_pairs import N_PAIRS, PAIRS_FILE, RUNS, SEEDS
from mlm_core.stored.runs import as_marks, read_stored


def make_pairs() -> Iterator[str]:
    """Judge the pairs of all seeds and write which are right; yield lines for a log."""
    text, rows = prepare_at_once(SmallRunSettings()), []
    for run in RUNS:
        bert = model_at(read_stored(run)).bert
        for seed in SEEDS:
            *_, found = pair_task(bert, text, seed=seed, n_train=N_PAIRS, n_held_out=N_PAIRS)
            assert isinstance(found, PairTaskResult)  # the last
            of = {"from_cls": found.from_cls, "from_mean": found.from_mean}
            marks = {name: as_marks(one.right) for name, one in of.items()}
            rows.append({"run": run, "seed": seed} | marks)
            yield f"{run}, pairs {seed}: {[one.accuracy for one in of.values()]}"
    lines = ",\n".join(map(json.dumps, rows))
    PAIRS_FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
