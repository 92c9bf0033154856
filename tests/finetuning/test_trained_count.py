"""Numbers that a fine-tuning trains: counted before, the same as the run then says."""

import pytest

from mlm_core.finetuning.cost import count_trained
from mlm_core.finetuning.run import FineTuneRun
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.labelled.examples import Dataset
from tests.finetuning.small_models import small_data, small_encoder

KINDS = {"classes": "sentiment", "answers": "passages", "tags": "entities"}


def n_of_run(settings: FineTuneSettings, data: Dataset) -> int:
    run = FineTuneRun(settings, data, small_encoder())
    return next(snapshot.n_trained for snapshot in run.go_on() if snapshot.n_trained)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "chosen",
    [
        {"trained": "head"},
        {"trained": "top", "n_top_layers": 2},
        {"trained": "top", "n_top_layers": 1, "n_read_layers": 2},
        {"trained": "all"},
        {"trained": "all", "n_read_layers": 2},
        {"trained": "all", "start": "random", "n_examples": 2, "seed": 5},
        {"trained": "top", "pooling": "cls", "scheme": "BIOES"},
    ],
    ids=str,
)
def test_the_count_is_what_the_run_trains(kind: str, chosen: dict):
    settings = FineTuneSettings(model="small", data=KINDS[kind], **chosen)
    data = small_data(kind)
    assert count_trained(settings, data, small_encoder()) == n_of_run(settings, data)


def test_a_head_of_three_classes_is_counted_by_hand():
    settings = FineTuneSettings(model="small", trained="head")
    data, encoder = small_data("classes"), small_encoder()
    assert count_trained(settings, data, encoder) == (24 + 1) * len(data.classes)
    pooled = FineTuneSettings(model="small", trained="head", pooling="cls")
    assert count_trained(pooled, data, encoder) == (24 + 1) * len(data.classes) + (24 + 1) * 24


def test_fewer_examples_train_fewer_rows_of_the_table():
    data, encoder = small_data("classes"), small_encoder()
    few, every = (FineTuneSettings(model="small", trained="all", n_examples=n) for n in (1, None))
    assert count_trained(few, data, encoder) < count_trained(every, data, encoder)
