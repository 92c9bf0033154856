"""What a run declares to the trainer, beside what it really takes, in a process of its own."""

import json
import os
import sys

import pytest

from tests.fresh import run_fresh

# The sizes of all large tensors are counted, and what is left to estimate is small: how long the
# texts of a batch are, gaps in the heap, Python's objects. On the runs below this was at most a
# sixth of the whole; a table of logits that nobody counted would be a third.
MOST_OFF = 0.25
# A second small run would begin in the gaps that the first one left: a fifth of what it holds.
MEASURE = "import runpy; runpy.run_module('tests.run_memory', run_name='__main__')"
RUNS = (
    ("small", "mlm_nsp"),
    ("finetune", "passages", "entities"),
)


@pytest.mark.skipif(sys.platform != "linux", reason="reads and resets a process's peak in /proc")
@pytest.mark.parametrize("names", RUNS, ids="-".join)
def test_the_largest_run_of_each_sort_takes_what_it_declares(names: tuple[str, ...]):
    # oneDNN reads it when it is first used, which is after the fork.
    little = os.environ | {"OMP_NUM_THREADS": "1", "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "16"}
    done = run_fresh(MEASURE, *names, environment=little)
    assert done.returncode == 0, done.stderr
    for name, found in json.loads(done.stdout.splitlines()[-1]).items():
        for declared, measured in (("declared", "highest"), ("declared_held", "held")):
            off = found[declared] / found[measured] - 1
            assert abs(off) <= MOST_OFF, f"{name}, {measured}: {found}"
