"""Exercises on the cosine of random words.

Read before this: ../exercise.py, ../../embeddings/isotropy.py.
"""

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from mlm_core.exercises.exercise import Learner, Task, number_task
from mlm_core.number_format import formatted
from mlm_core.text import corpora

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import MaskedLanguageModel

N_SENTENCES, N_WORDS = 80, 320  # that a model's mean cosine is taken from
SAMPLE_SEED = 0  # the same words for all learners, since reading them takes a second


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelCorpus:
    """Measurements of a model on random words."""

    mean_cosines: tuple[float, ...]  # of each layer, from the embedding output up
    largest: tuple[float, ...]  # the largest dimension's proportion of each layer's mean cosine


def draw_random_cosine(learner: Learner, rng: Random) -> Task:
    """Ask for a guess: the mean cosine of random words, at one of the model's layers."""
    model, corpus = _corpus(learner)
    layer = rng.randint(0, model.n_layers)
    right = corpus.mean_cosines[layer]
    return number_task(
        right=right,
        tolerance=0.07,
        values={
            "layer": layer,
            "n_layers": model.n_layers,
            "n_words": N_WORDS,
            "cosine": formatted(right, ".2f"),
            "by_layer": "; ".join(formatted(each, ".2f") for each in corpus.mean_cosines),
        },
        says_direction=True,
        answer=formatted(right, ".2f"),
    )


def draw_largest_dimension(learner: Learner, rng: Random) -> Task:
    """Ask for a guess: the largest dimension's proportion of the mean cosine at a layer."""
    model, corpus = _corpus(learner)
    layer = rng.randint(0, model.n_layers)
    percent = [100 * each for each in corpus.largest]
    return number_task(
        right=percent[layer],
        tolerance=8,
        mistakes={"even": 100 / model.hidden_size},
        values={
            "layer": layer,
            "n_dimensions": model.hidden_size,
            "percent": formatted(percent[layer], ".0f"),
            "even": formatted(100 / model.hidden_size, ".1f"),
            "by_layer": ", ".join(formatted(each, ".0f") for each in percent),
            "cosine": formatted(corpus.mean_cosines[layer], ".2f"),
        },
        in_percent=True,
        says_direction=True,
        answer=formatted(percent[layer], ".0f"),
    )


def _corpus(learner: Learner) -> "tuple[MaskedLanguageModel, ModelCorpus]":
    model = learner.model()
    return model, learner.remember(f"random words by {model.name}", lambda: read_corpus(model))


def read_corpus(model: "MaskedLanguageModel") -> ModelCorpus:
    """Return the measurements of a model on words drawn from our own sentences."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors
    from mlm_core.embeddings.isotropy import dimension_proportions, sample_words

    rng = Random(SAMPLE_SEED)
    sample = sample_words(rng.sample(corpora.sentences(), N_SENTENCES), N_WORDS, rng)
    states = all_layers_word_vectors(model, sample.words).states
    proportions = [dimension_proportions(vectors, sample.groups) for vectors in states]
    return ModelCorpus(
        mean_cosines=tuple(each.mean_cosine for each in proportions),
        largest=tuple(each.proportions.max().item() for each in proportions),
    )
