"""The stored pairs that runs with and without NSP judge right."""

from mlm_core.probing.pair_task import pair_task
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.snapshot import model_at
from mlm_core.small_runs.text import prepare_at_once
from mlm_core.stored.nsp_pairs import N_PAIRS, SEEDS, read_right
from mlm_core.stored.runs import read_stored


def test_a_stored_run_judges_the_pairs_as_it_is_stored():
    bert, text = model_at(read_stored("no_nsp")).bert, prepare_at_once(SmallRunSettings())
    *_, found = pair_task(bert, text, seed=SEEDS[1], n_train=N_PAIRS, n_held_out=N_PAIRS)
    for variant in ("from_cls", "from_mean"):
        _, right = read_right(SEEDS[1], variant)
        assert right == getattr(found, variant).right
