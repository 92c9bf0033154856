"""What the lessons on fine-tuning keep for all: examples, stored runs, models of a moment.

A run depends on its settings alone, so settings and step name a model wherever it was trained.
"""

import os
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import cache
from pages.shared.cache_training import training_service

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlm_core.finetuning.examples import Dataset
    from mlm_core.finetuning.fine_tuned import FineTuned
    from mlm_core.finetuning.finetune_settings import FineTuneSettings
    from mlm_core.finetuning.finetune_snapshot import FineTuneSnapshot
    from mlm_core.finetuning.stored_finetunes import Figure

# Streamlit would take settings to pieces at every look.
BY_HASH = {"mlm_core.finetuning.finetune_settings.FineTuneSettings": hash}


# A learner's own data has at most 300,000 characters.
@st.cache_resource(max_entries=12, show_spinner=False)
def dataset(data: str, own_data: str | None = None) -> "Dataset":
    """Return stored examples, or a learner's own. Raises ValueError if those can't be read."""
    from mlm_core.finetuning.stored_finetunes import read_dataset

    return read_dataset(data, own_data)


@st.cache_resource(max_entries=24, show_spinner=False)
def stored(name: str) -> "FineTuneSnapshot":
    """Return a fine-tuning that was done before and is stored with this app."""
    from mlm_core.finetuning.stored_finetunes import read_stored

    return read_stored(name)


@st.cache_data(max_entries=1, show_spinner=False)
def figures() -> "tuple[Figure, ...]":
    """Return the stored figures of all variants and baselines."""
    from mlm_core.finetuning.stored_finetunes import read_figures

    return read_figures()


def cost(settings: "FineTuneSettings") -> int:
    """Return the bytes that a run holds in memory. Raises ValueError if the model has no BERT."""
    from mlm_core.finetuning.finetune_cost import run_bytes

    encoder = cache.model(settings.model)
    return run_bytes(settings, dataset(settings.data, settings.own_data), encoder)


def start(settings: "FineTuneSettings") -> str:
    """Start a run, or join the one with equal settings; return a ticket.

    Raises ValueError if the data or the model can't be trained on, NoRoomError if the trainer
    takes no more.
    """
    encoder = cache.model(settings.model)
    examples = dataset(settings.data, settings.own_data)

    def work() -> "Iterator[FineTuneSnapshot]":
        import torch

        from mlm_core.finetuning.finetune_run import FineTuneRun

        # As in cache_training: half of the processors stay with those who read pages.
        torch.set_num_threads(max(1, min(2, (os.cpu_count() or 2) // 2)))
        return FineTuneRun(settings, examples, encoder).go_on()

    return training_service().start(settings, work, cost(settings))


def model(snapshot: "FineTuneSnapshot") -> "FineTuned":
    """Return the model of a run as it was at its last test. Raises ValueError if it has none."""
    step = snapshot.weights.step if snapshot.weights is not None else -1
    return _model(snapshot.settings, step, snapshot)


# The largest, all layers of the bundled model, takes 42 MB; four layers take 13 MB.
@st.cache_resource(max_entries=3, show_spinner=False, hash_funcs=BY_HASH)
def _model(
    settings: "FineTuneSettings", step: int, _snapshot: "FineTuneSnapshot"
) -> "FineTuned":
    from mlm_core.finetuning.fine_tuned import fine_tuned

    return fine_tuned(_snapshot, cache.model(settings.model))
