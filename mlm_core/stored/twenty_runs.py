"""Twenty fine-tunings that differ in nothing but chance, for the lesson on choosing among them.

Each trains a head on other 400 of sentiment's training sentences and is tested on the dev and the
test part together, which it doesn't use for anything else. `make stored STORED=twenty_runs`
makes the file.

Read before this: finetunes.py, ../evaluation/selection.py.
"""

import json

import torch

from mlm_core.shapes import Bool, Tensor
from mlm_core.stored.finetunes import FOLDER

RUNS_FILE = "twenty_runs.json"
SEEDS = range(1, 21)
N_EXAMPLES = 400  # for training
TASK = "sentiment"


def read_twenty_runs() -> Bool[Tensor, "seed sentence"]:
    """Return which sentences of the dev and the test part each run is right about.

    Raises OSError or ValueError if the file can't be read.
    """
    rows = json.loads((FOLDER / RUNS_FILE).read_text(encoding="utf-8"))
    return torch.tensor([[mark == "1" for mark in row["right"]] for row in rows])
