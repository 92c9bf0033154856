"""Twenty fine-tunings that differ only by chance: what each was trained and tested on."""

from mlm_core.stored.finetunes import read_dataset
from mlm_core.stored.twenty_runs import SEEDS, TASK, read_twenty_runs
from tools.twenty_runs import examples


def test_the_twenty_runs_are_about_the_sentences_that_none_was_trained_on():
    right, data, used = read_twenty_runs(), read_dataset(TASK), examples()
    assert right.shape == (len(SEEDS), len(data.dev) + len(data.test))
    assert not set(used.test) & set(used.train)
