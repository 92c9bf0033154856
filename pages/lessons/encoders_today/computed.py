"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import torch

from mlm_core.embeddings.word_senses import cosines
from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import READERS
from mlm_core.evaluation.bootstrap import Estimate
from mlm_core.finetuning.cost import refuse_foreign
from mlm_core.finetuning.heads import Pooling
from mlm_core.labelled.tables import stored_paraphrases
from mlm_core.search.cost import run_bytes
from mlm_core.search.expansion import Expansion, expand
from mlm_core.search.graded_pairs import (
    SearchTask,
    TrainingPair,
    corpus_in,
    labelled_pairs,
    search_task,
    unlabelled_pairs,
)
from mlm_core.search.late_interaction import token_states
from mlm_core.search.ranking import Measure, rank_candidates, score
from mlm_core.search.recipe import Recipe, Role, read_recipe, recipe_vectors
from mlm_core.search.run import ContrastiveRun, ContrastiveSnapshot, trained_encoder
from mlm_core.search.settings import ContrastiveSettings, PairKind
from mlm_core.search.vectors import pooled_vectors, sentence_vectors
from mlm_core.shapes import Float, Tensor
from mlm_core.stored.search_results import PublicEncoder, SearchResults, read_public, read_results
from mlm_core.stored.search_vectors import SearchVectors, read_vectors
from pages.kit.remember import long_work_lock, model, read_words, remembered
from pages.kit.training import runs
from pages.lessons.encoders_today import modern_runs

Vectors = dict[Pooling, Tensor]
AT_ONCE = 60  # sentences of the corpus between two moves of a progress bar
N_RESAMPLES = 1000  # for the intervals of a learner's own run


@remembered(4)
def task(part: str = "test", language: str = "en") -> SearchTask:
    """Return the search that the graded pairs of a part make."""
    return search_task(one for one in stored_paraphrases(language) if one.part == part)


@remembered(2)
def corpus(language: str) -> tuple[str, ...]:
    """Return the sentences of a language that z-scores are by."""
    return corpus_in(language)


@remembered(4)
def training_pairs(kind: PairKind, language: str) -> tuple[TrainingPair, ...]:
    """Return what a run learns from."""
    if kind == "unlabelled":
        return unlabelled_pairs(corpus(language))
    return labelled_pairs(one for one in stored_paraphrases(language) if one.part == "train")


@remembered(2)
def stored_vectors(language: str) -> SearchVectors:
    """Return a bundled model's vectors of the test part's candidates, in the language it reads."""
    return read_vectors(language)


def vectors(model_name: str, texts: tuple[str, ...], language: str) -> Vectors:
    """Return one vector for each text, by each pooling."""
    if model_name == READERS[language] and texts == task(language=language).candidates:
        return stored_vectors(language).candidates
    return _vectors(model_name, texts)


# The longest are the 280 candidates of the test part: 1.7 MB by two poolings of 768 numbers.
@remembered(48)
def _vectors(model_name: str, texts: tuple[str, ...]) -> Vectors:
    with long_work_lock():
        return pooled_vectors(model(model_name), texts)


@remembered(4)
def recipe(model_name: str) -> Recipe | None:
    """Return how the files of a sentence encoder say that its vectors are made."""
    return None if model_name in READERS.values() else read_recipe(model(model_name))


@remembered(48)
def published_vectors(model_name: str, texts: tuple[str, ...], role: Role) -> Tensor:
    """Return one vector for each text, made as the model's files say."""
    followed = recipe(model_name)
    assert followed is not None
    with long_work_lock():
        return recipe_vectors(model(model_name), followed, texts, role)


def corpus_blocks(model_name: str, language: str) -> range:
    """Return where blocks of the corpus begin; none for a model whose numbers are stored."""
    is_stored = model_name == READERS[language]
    return range(0, 0 if is_stored else len(corpus(language)), AT_ONCE)


# The 9 blocks of 4 models, as many as have z-numbers: 7 MB with 768 numbers a sentence. They share
# no cache with queries, which would push them out.
@remembered(36)
def block_vectors(model_name: str, begins: int, language: str) -> Tensor:
    """Return the mean vectors of one block of the corpus."""
    with long_work_lock():
        block = corpus(language)[begins : begins + AT_ONCE]
        return sentence_vectors(model(model_name), block)


@remembered(4)
def z_numbers(model_name: str, language: str) -> tuple[Tensor, Tensor]:
    """Return mean and deviation of each dimension of the mean vectors, over the corpus."""
    if model_name == READERS[language]:
        stored = stored_vectors(language)
        return stored.mean["mean"], stored.deviation["mean"]
    blocks = corpus_blocks(model_name, language)
    read = torch.cat([block_vectors(model_name, one, language) for one in blocks])
    return read.mean(dim=0), read.std(dim=0, correction=0)


# The 280 candidates of the test part take 4 MB with 256 numbers a token, and 11 MB with 768.
@remembered(3)
def late_states(model_name: str, texts: tuple[str, ...]) -> list[Tensor]:
    """Return the last layer's states of each text's tokens."""
    with long_work_lock():
        return token_states(model(model_name), texts)


@remembered(6)
def expanded(model_name: str, texts: tuple[str, ...]) -> Expansion:
    """Return the words that the masked-language head gives each text."""
    with long_work_lock():
        return expand(model(model_name), texts)


def start(settings: ContrastiveSettings) -> str:
    """Start a run, or join the one with equal settings; return a ticket.

    Raises ValueError if the model can't be trained on, NoRoomError if the trainer takes no more.
    """
    encoder = refuse_foreign(model(settings.model))
    pairs = training_pairs(settings.pairs, settings.language)
    dev = task("dev", settings.language)

    def work() -> Iterator[ContrastiveSnapshot]:
        return ContrastiveRun(settings, pairs, dev, encoder).go_on()

    n = run_bytes(settings, pairs, encoder)
    return runs.begin(settings, work, held_bytes=n.held, kept_bytes=n.kept, extra_bytes=n.extra)


def trained(snapshot: ContrastiveSnapshot) -> OwnModel:
    """Return the encoder with the best weights of a run. Raises ValueError if it has none."""
    return _trained(snapshot.settings, _step(snapshot), snapshot)


# Two trained layers of the bundled model take 6 MB; the others are shared with it.
@remembered(3, by_hash=(ContrastiveSettings,))
def _trained(settings: ContrastiveSettings, step: int, _snapshot: ContrastiveSnapshot) -> OwnModel:
    return trained_encoder(_snapshot, refuse_foreign(model(settings.model)))


def trained_vectors(snapshot: ContrastiveSnapshot, texts: tuple[str, ...]) -> Tensor:
    """Return one vector for each text, of a trained encoder."""
    return _trained_vectors(snapshot.settings, _step(snapshot), texts, lambda: trained(snapshot))


@remembered(48, by_hash=(ContrastiveSettings,))
def _trained_vectors(
    settings: ContrastiveSettings,
    step: int,
    texts: tuple[str, ...],
    _model: Callable[[], OwnModel],
) -> Tensor:
    with long_work_lock():
        return sentence_vectors(_model(), texts, pooling=settings.pooling)


def _step(snapshot: ContrastiveSnapshot) -> int:
    return -1 if snapshot.weights is None else snapshot.weights.step


@remembered(2)
def results(language: str) -> SearchResults:
    """Return the stored measures of all ways on the test part."""
    return read_results(language)


@remembered(1)
def public_encoder() -> PublicEncoder:
    """Return the stored measures of a public encoder on the English test part."""
    return read_public()


def trained_scores(
    snapshot: ContrastiveSnapshot, model: OwnModel | None = None
) -> dict[Measure, Estimate]:
    """Return every measure of a trained encoder on the test part, with its interval.

    Where no session is, the encoder is given as trained() returns it.
    """
    return _trained_scores(
        snapshot.settings, _step(snapshot), lambda: trained(snapshot) if model is None else model
    )


@remembered(48, by_hash=(ContrastiveSettings,))
def _trained_scores(
    settings: ContrastiveSettings, step: int, _model: Callable[[], OwnModel]
) -> dict[Measure, Estimate]:
    of_test = task(language=settings.language)
    asked = _trained_vectors(settings, step, of_test.queries, _model)
    searched = _trained_vectors(settings, step, of_test.candidates, _model)
    ranked = rank_candidates(cosines_of(asked, searched), of_test)
    return score(ranked, N_RESAMPLES, np.random.default_rng(0))


def cosines_of(
    queries: Float[Tensor, "query hidden"], searched: Float[Tensor, "text hidden"]
) -> Float[np.ndarray, "query text"]:
    """Return the cosine of each query's vector with each other one."""
    return cosines(queries, searched).cpu().numpy()


def in_short() -> Mapping[str, object]:
    """Return how well a search finds the right sentence, what training gains, and what is new."""
    found = read_results()
    gain = found.gain["mean_reciprocal_rank"]
    rank_of = {way: measures["mean_reciprocal_rank"] for way, measures in found.scores.items()}
    return {
        "n_candidates": found.n_candidates,
        "bag": rank_of["tf_idf"].value,
        "best": read_words("encoders_today").plain(f"scores_way_{found.best_untrained}"),
        "before": rank_of[found.best_untrained].value,
        "trained": rank_of["labelled"].value,
        "gain": gain.value,
        "low": gain.low,
        "high": gain.high,
        **{way: rank_of[way].value for way in ("late_trained", "re_ranked")},
        "modern": modern_runs.lower_the_loss(),
        "public": read_public().scores["mean_reciprocal_rank"].value,
    }
