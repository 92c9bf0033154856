"""What sentence search keeps for all: the stored pairs, vectors of what is searched, trained ones.

A run depends on its settings alone, so settings and step name its encoder wherever it was trained.
"""

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from mlm_core.encoder.model_list import READERS
from pages.shared.caches import cache
from pages.shared.caches.cache import HashFuncs
from pages.shared.caches.cache_training import training_service
from pages.shared.course.language import FIRST
from pages.shared.server import visits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mlm_core.encoder.language_model import OwnModel
    from mlm_core.evaluation.bootstrap import Estimate
    from mlm_core.finetuning.heads import Pooling
    from mlm_core.search.graded_pairs import SearchTask, TrainingPair
    from mlm_core.search.ranking import Measure
    from mlm_core.search.run import ContrastiveSnapshot
    from mlm_core.search.settings import ContrastiveSettings, PairKind
    from mlm_core.shapes import Float, Tensor
    from mlm_core.stored.search_results import SearchResults
    from mlm_core.stored.search_vectors import SearchVectors

    Vectors = dict[Pooling, Tensor]

BY_HASH: HashFuncs = {"mlm_core.search.settings.ContrastiveSettings": hash}
AT_ONCE = 60  # sentences of the corpus between two moves of a progress bar
N_RESAMPLES = 1000  # for the intervals of a learner's own run


# The stored pairs.


@st.cache_resource(max_entries=4, show_spinner=False)
def task(part: str = "test", language: str = FIRST) -> "SearchTask":
    """Return the search that the graded pairs of a part make."""
    from mlm_core.labelled.tables import stored_paraphrases
    from mlm_core.search.graded_pairs import search_task

    return search_task(one for one in stored_paraphrases(language) if one.part == part)


@st.cache_resource(max_entries=2, show_spinner=False)
def corpus(language: str = FIRST) -> tuple[str, ...]:
    """Return the sentences of a language that z-scores are by."""
    from mlm_core.search.graded_pairs import corpus_in

    return corpus_in(language)


@st.cache_resource(max_entries=4, show_spinner=False)
def training_pairs(kind: "PairKind", language: str = FIRST) -> "tuple[TrainingPair, ...]":
    """Return what a run learns from."""
    from mlm_core.labelled.tables import stored_paraphrases
    from mlm_core.search.graded_pairs import labelled_pairs, unlabelled_pairs

    if kind == "unlabelled":
        return unlabelled_pairs(corpus(language))
    return labelled_pairs(one for one in stored_paraphrases(language) if one.part == "train")


# Vectors before training.


@st.cache_resource(max_entries=2, show_spinner=False)
def stored_vectors(language: str = FIRST) -> "SearchVectors":
    """Return a bundled model's vectors of the test part's candidates, in the language it reads."""
    from mlm_core.stored.search_vectors import read_vectors

    return read_vectors(language)


def vectors(model_name: str, texts: tuple[str, ...], language: str = FIRST) -> "Vectors":
    """Return one vector for each text, by each pooling."""
    if model_name == READERS[language] and texts == task(language=language).candidates:
        return stored_vectors(language).candidates
    return _vectors(model_name, texts)


# The longest are the 280 candidates of the test part: 1.7 MB by two poolings of 768 numbers.
@st.cache_resource(max_entries=48, show_spinner=False)
def _vectors(model_name: str, texts: tuple[str, ...]) -> "Vectors":
    from mlm_core.search.vectors import pooled_vectors

    with cache.long_work_lock():
        return pooled_vectors(cache.model(model_name), texts)


def corpus_blocks(model_name: str, language: str = FIRST) -> range:
    """Return where blocks of the corpus begin; none for a model whose numbers are stored."""
    is_stored = model_name == READERS[language]
    return range(0, 0 if is_stored else len(corpus(language)), AT_ONCE)


# The 9 blocks of 4 models, as many as have z-numbers: 7 MB with 768 numbers a sentence. They share
# no cache with queries, which would push them out.
@st.cache_resource(max_entries=36, show_spinner=False)
def block_vectors(model_name: str, begins: int, language: str = FIRST) -> "Tensor":
    """Return the mean vectors of one block of the corpus."""
    from mlm_core.search.vectors import sentence_vectors

    with cache.long_work_lock():
        block = corpus(language)[begins : begins + AT_ONCE]
        return sentence_vectors(cache.model(model_name), block)


@st.cache_resource(max_entries=4, show_spinner=False)
def z_numbers(model_name: str, language: str = FIRST) -> "tuple[Tensor, Tensor]":
    """Return mean and deviation of each dimension of the mean vectors, over the corpus."""
    import torch

    if model_name == READERS[language]:
        stored = stored_vectors(language)
        return stored.mean["mean"], stored.deviation["mean"]
    blocks = corpus_blocks(model_name, language)
    read = torch.cat([block_vectors(model_name, one, language) for one in blocks])
    return read.mean(dim=0), read.std(dim=0, correction=0)


# Contrastive training.


def start(settings: "ContrastiveSettings") -> str:
    """Start a run, or join the one with equal settings; return a ticket.

    Raises ValueError if the model can't be trained on, NoRoomError if the trainer takes no more.
    """
    from mlm_core.finetuning.cost import refuse_foreign
    from mlm_core.search.cost import run_bytes

    encoder = refuse_foreign(cache.model(settings.model))
    pairs = training_pairs(settings.pairs, settings.language)
    dev = task("dev", settings.language)

    def work() -> "Iterator[ContrastiveSnapshot]":
        from mlm_core.search.run import ContrastiveRun

        return ContrastiveRun(settings, pairs, dev, encoder).go_on()

    n_bytes = run_bytes(settings, pairs, encoder)
    return training_service().start(
        settings,
        work,
        n_bytes.held,
        n_bytes.kept,
        extra=n_bytes.extra,
        owner=visits.session_id(),
    )


def trained(snapshot: "ContrastiveSnapshot") -> "OwnModel":
    """Return the encoder with the best weights of a run. Raises ValueError if it has none."""
    return _trained(snapshot.settings, _step(snapshot), snapshot)


# Two trained layers of the bundled model take 6 MB; the others are shared with it.
@st.cache_resource(max_entries=3, show_spinner=False, hash_funcs=BY_HASH)
def _trained(
    settings: "ContrastiveSettings", step: int, _snapshot: "ContrastiveSnapshot"
) -> "OwnModel":
    from mlm_core.finetuning.cost import refuse_foreign
    from mlm_core.search.run import trained_encoder

    return trained_encoder(_snapshot, refuse_foreign(cache.model(settings.model)))


def trained_vectors(snapshot: "ContrastiveSnapshot", texts: tuple[str, ...]) -> "Tensor":
    """Return one vector for each text, of a trained encoder."""
    return _trained_vectors(snapshot.settings, _step(snapshot), texts, lambda: trained(snapshot))


@st.cache_resource(max_entries=48, show_spinner=False, hash_funcs=BY_HASH)
def _trained_vectors(
    settings: "ContrastiveSettings",
    step: int,
    texts: tuple[str, ...],
    _model: "Callable[[], OwnModel]",
) -> "Tensor":
    from mlm_core.search.vectors import sentence_vectors

    with cache.long_work_lock():
        return sentence_vectors(_model(), texts, pooling=settings.pooling)


def _step(snapshot: "ContrastiveSnapshot") -> int:
    return -1 if snapshot.weights is None else snapshot.weights.step


# How good it is.


@st.cache_resource(max_entries=2, show_spinner=False)
def results(language: str = FIRST) -> "SearchResults":
    """Return the stored measures of all ways on the test part."""
    from mlm_core.stored.search_results import read_results

    return read_results(language)


def trained_scores(
    snapshot: "ContrastiveSnapshot", model: "OwnModel | None" = None
) -> "dict[Measure, Estimate]":
    """Return every measure of a trained encoder on the test part, with its interval.

    Where no session is, the encoder is given as trained() returns it.
    """
    return _trained_scores(
        snapshot.settings, _step(snapshot), lambda: trained(snapshot) if model is None else model
    )


@st.cache_data(max_entries=24, show_spinner=False, hash_funcs=BY_HASH)
def _trained_scores(
    settings: "ContrastiveSettings", step: int, _model: "Callable[[], OwnModel]"
) -> "dict[Measure, Estimate]":
    from mlm_core.search.ranking import rank_candidates, score

    of_test = task(language=settings.language)
    asked = _trained_vectors(settings, step, of_test.queries, _model)
    searched = _trained_vectors(settings, step, of_test.candidates, _model)
    ranked = rank_candidates(cosines_of(asked, searched), of_test)
    return score(ranked, N_RESAMPLES, np.random.default_rng(0))


def cosines_of(
    queries: "Float[Tensor, 'query hidden']", searched: "Float[Tensor, 'text hidden']"
) -> "Float[np.ndarray, 'query text']":
    """Return the cosine of each query's vector with each other one."""
    from mlm_core.embeddings.word_senses import cosines

    return cosines(queries, searched).cpu().numpy()
