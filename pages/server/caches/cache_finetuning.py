"""What the lessons on fine-tuning keep for all: examples, stored runs, models of a moment.

A run depends on its settings alone, so settings and step name a model wherever it was trained.
"""

from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import streamlit as st

from pages.server.caches import cache
from pages.server.caches.cache import HashFuncs
from pages.server.caches.cache_training import training_service
from pages.server.course.language import read_on
from pages.server.process import visits

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from mlm_core.encoder.language_model import OwnModel
    from mlm_core.finetuning.fine_tuned import FineTuned
    from mlm_core.finetuning.one_answer import OneAnswer
    from mlm_core.finetuning.run import Prepared
    from mlm_core.finetuning.settings import Data, FineTuneSettings
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.labelled.examples import Dataset, ScoredPart
    from mlm_core.labelled.own_parts import Layout, OwnData
    from mlm_core.stored.finetune_choices import Choice
    from mlm_core.stored.finetune_figures import Figure
    from mlm_core.stored.refusals import StoredRefusal
    from mlm_core.text.tokens import TokenizedText

# What runs that are at work have prepared: a head on 500 sentences holds 12 MB of frozen states.
_prepared: "WeakValueDictionary[Hashable, Prepared]" = WeakValueDictionary()
# Streamlit would take settings to pieces at every look.
BY_HASH: HashFuncs = {"mlm_core.finetuning.settings.FineTuneSettings": hash}


# A learner's own data has at most 300,000 characters.
@st.cache_resource(max_entries=12, show_spinner=False)
def dataset(data: "Data", own_data: str | None = None) -> "Dataset":
    """Return stored examples, or a learner's own. Raises ValueError if those can't be read."""
    from mlm_core.stored.finetunes import read_dataset

    return read_dataset(data) if own_data is None else own(data, own_data).dataset


def sentiment(page: str) -> "Data":
    """Return the name of the sentiment data in the language that a page reads."""
    from mlm_core.finetuning.settings import SENTIMENT

    return SENTIMENT[read_on(page)]


@st.cache_resource(max_entries=12, show_spinner=False)
def own(data: "Data", text: str) -> "OwnData":
    """Return a learner's own examples and how they were understood.

    Raises ValueError, with the lines, if they can't be read.
    """
    from mlm_core.labelled.conll import read_own_entities
    from mlm_core.labelled.tables import read_own_classes

    return read_own_entities(text) if data == "own_tags" else read_own_classes(text)


@st.cache_resource(max_entries=48, show_spinner=False)
def layout(data: "Data", text: str) -> "Layout | None":
    """Return which column is what in a learner's own examples; None if there is no row."""
    from mlm_core.labelled.conll_columns import layout_of_columns
    from mlm_core.labelled.tables import layout_of_table

    return layout_of_columns(text) if data == "own_tags" else layout_of_table(text)


@st.cache_data(max_entries=48, show_spinner=False)
def n_cut(data: "Data", text: str, model_name: str) -> int:
    """Return how many of a learner's examples are longer than the model's window."""
    from mlm_core.finetuning.fine_tuned import reading_of
    from mlm_core.finetuning.settings import default_settings

    encoder, examples = _encoder(model_name), own(data, text).dataset
    reading = reading_of(encoder, examples, default_settings(model_name, data, own_data=text))
    found = 0
    for one in (*examples.train, *examples.dev, *examples.test):
        n_characters = sum(
            map(len, one.words if data == "own_tags" else (one.text, one.pair or ""))
        )
        # A token has at least one character, and a pair has three special tokens.
        if n_characters + 3 > encoder.max_tokens:
            encoded = reading.read(one)
            found += encoded is None or encoded.text.n_left_out > 0
    return found


@st.cache_resource(max_entries=24, show_spinner=False)
def stored(name: str) -> "FineTuneSnapshot":
    """Return a fine-tuning that was done before and is stored with this app."""
    from mlm_core.stored.finetunes import read_stored

    return read_stored(name, read=dataset)  # the runs of a task share its examples


@st.cache_data(max_entries=2, show_spinner=False)
def figures(part: "ScoredPart" = "test") -> "tuple[Figure, ...]":
    """Return the stored figures of all variants and baselines on test, or of baselines on dev."""
    from mlm_core.stored.finetune_figures import read_figures

    return tuple(one for one in read_figures() if one.part == part)


@st.cache_data(max_entries=1, show_spinner=False)
def choices() -> "tuple[Choice, ...]":
    """Return the stored scores on dev by which the default was chosen."""
    from mlm_core.stored.finetune_choices import read_choices

    return read_choices()


@st.cache_data(max_entries=1, show_spinner=False)
def refusals() -> "dict[str, StoredRefusal]":
    """Return the stored thresholds of doubt, by the name of a run or of a head."""
    from mlm_core.stored.refusals import read_refusals

    return read_refusals()


@st.cache_resource(show_spinner=False)  # 0.3 ms, ten times a look at a run
def stored_settings() -> "dict[str, FineTuneSettings]":
    """Return the settings of each stored run, by its name."""
    from mlm_core.stored import finetunes

    return finetunes.stored_settings()


def _encoder(name: str) -> "OwnModel":
    """Return a model. Raises ValueError if it is not one that our encoder runs."""
    from mlm_core.finetuning.cost import refuse_foreign

    return refuse_foreign(cache.model(name))


def cost(settings: "FineTuneSettings") -> int:
    """Return the bytes of a run at its highest. Raises ValueError if the model has no BERT."""
    from mlm_core.finetuning.cost import run_bytes

    encoder = cache.model(settings.model)
    return run_bytes(settings, dataset(settings.data, settings.own_data), encoder)


def n_trained(settings: "FineTuneSettings") -> int:
    """Return how many numbers a run trains. Raises ValueError if the model has no BERT."""
    # What doesn't change the count is put to one value, so that a slider costs nothing.
    seed = settings.seed if settings.n_examples is not None else 1
    same = {"n_epochs": 1, "batch_size": 1, "peak_learning_rate": 1e-3, "labelling": "first_only"}
    return _n_trained(replace(settings, seed=seed, **same))


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=BY_HASH)
def _n_trained(settings: "FineTuneSettings") -> int:
    from mlm_core.finetuning.cost import count_trained

    examples = dataset(settings.data, settings.own_data)
    return count_trained(settings, examples, cache.model(settings.model))


@st.cache_data(max_entries=48, show_spinner=False)
def levels(
    data: "Data", own_data: str | None = None, part: "ScoredPart" = "test"
) -> dict[str, tuple[float, float]]:
    """Return what anyone gets without an encoder on a part: name, share right and F1.

    Of data without stored figures, such as a learner's own, only what says the most frequent
    class: more would take seconds.
    """
    from mlm_core.stored.finetune_figures import majority_scores

    stored = {
        figure.variant: (figure.proportion_right, figure.f1)
        for figure in figures(part)
        if figure.task == data and figure.seed is None
    }
    if stored:
        return stored
    scores = majority_scores(dataset(data, own_data), part)
    return {"majority": (scores.proportion_right, scores.f1)}


def start(settings: "FineTuneSettings") -> str:
    """Start a run, or join the one with equal settings; return a ticket.

    Raises ValueError if the data or the model can't be trained on, NoRoomError if the trainer
    takes no more.
    """
    from mlm_core.finetuning.cost import extra_bytes, held_bytes, kept_bytes

    encoder = _encoder(settings.model)  # refuses a model that can't be trained here
    examples = dataset(settings.data, settings.own_data)

    def work() -> "Iterator[FineTuneSnapshot]":
        from mlm_core.finetuning.run import FineTuneRun

        return FineTuneRun(settings, examples, encoder, shared=_prepared).go_on()

    return training_service().start(
        settings,
        work,
        held_bytes(settings, examples, encoder),
        kept_bytes(settings, encoder),
        extra=extra_bytes(settings, examples, encoder),
        owner=visits.session_id(),
    )


def model(snapshot: "FineTuneSnapshot") -> "FineTuned":
    """Return the model of a run as it was at its last test. Raises ValueError if it has none."""
    return _model(snapshot.settings, snapshot.step_of_weights, snapshot)


# Made in 40 milliseconds. The largest, all layers of the bundled model, takes 42 MB; the stored
# ones, with four layers, 13 MB each.
@st.cache_resource(max_entries=2, show_spinner=False, hash_funcs=BY_HASH)
def _model(settings: "FineTuneSettings", step: int, _snapshot: "FineTuneSnapshot") -> "FineTuned":
    from mlm_core.finetuning.fine_tuned import fine_tuned

    return fine_tuned(_snapshot, _encoder(settings.model))


def one_answer(
    snapshot: "FineTuneSnapshot", asked: tuple[str, ...]
) -> "tuple[OneAnswer, TokenizedText]":
    """Return what a run's model says of texts or words, and how it reads them."""
    step = snapshot.step_of_weights
    return _one_answer(snapshot.settings, step, asked, snapshot)


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=BY_HASH)
def _one_answer(
    settings: "FineTuneSettings", step: int, asked: tuple[str, ...], _snapshot: "FineTuneSnapshot"
) -> "tuple[OneAnswer, TokenizedText]":
    from mlm_core.finetuning.one_answer import ask

    tuned = model(_snapshot)
    if tuned.dataset.kind == "tags":
        read = tuned.reading.read_words(asked)[0]
    else:
        read = tuned.read(*asked)
    return ask(tuned, *asked), read
