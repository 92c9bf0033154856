"""Exercises on the cosine of random words, before and after z-scoring.

Read before this: ../exercise.py, ../../embeddings/postprocessing.py.
"""

import math
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from mlm_core.exercises.exercise import Learner, Task, Verdict, number_task, read_pair
from mlm_core.exercises.tasks.own_words import check_own_sentence
from mlm_core.number_format import formatted
from mlm_core.text import corpora

if TYPE_CHECKING:
    from mlm_core.embeddings.postprocessing import LayerStatistics
    from mlm_core.encoder.language_model import MaskedLanguageModel

N_SENTENCES, N_WORDS = 80, 320  # that a model's mean cosine is taken from
SAMPLE_SEED = 0  # the same words for all learners, since reading them takes a second
# Unlike in topic and in part of speech: two nouns are a little akin to any model.
UNRELATED = (
    ("river", "often"),
    ("bread", "seven"),
    ("king", "quickly"),
    ("garden", "against"),
    ("snow", "nobody"),
    ("train", "however"),
    ("fish", "written"),
    ("milk", "between"),
)
# Measured on the bundled model: random pairs deviate by 0.08 from their mean, raw or z-scored.
BELOW_MEAN = 0.05  # raw, so that a pair a little less alike than most will do
MOST_AFTER = 0.1  # z-scored
FEWEST_WORDS = 3  # of each of the two sentences


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelCorpus:
    """Measurements of a model on random words."""

    mean_cosines: tuple[float, ...]  # of each layer, from the embedding output up
    largest: tuple[float, ...]  # the largest dimension's proportion of each layer's mean cosine
    last: "LayerStatistics"  # the last layer's mean, deviation and shares


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


def draw_before_and_after(learner: Learner, rng: Random) -> Task:
    """Ask for two sentences whose words are similar only before z-scoring."""
    model, corpus = _corpus(learner)
    words = rng.choice(UNRELATED)
    least = math.floor(100 * (corpus.mean_cosines[-1] - BELOW_MEAN)) / 100

    def judge(answer: str) -> Verdict:
        pair = read_pair(answer)
        for sentence in pair:
            check_own_sentence(sentence, fewest=FEWEST_WORDS)
        found = _two_cosines(model, corpus.last, words, pair)
        if found is None:
            return Verdict(outcome="wrong", hint="no_word")
        raw, after = found
        values = {"raw": formatted(raw, ".3f"), "after": formatted(after, ".3f")}
        if raw >= least and after <= MOST_AFTER:
            return Verdict(outcome="right", values=values)
        hint = "raw_too_low" if raw < least else "after_too_high"
        return Verdict(outcome="wrong", hint=hint, values=values)

    return Task(
        values={
            "first": words[0],
            "second": words[1],
            "least": least,
            "most": MOST_AFTER,
            "layer": model.n_layers,
        },
        judge=judge,
    )


def _two_cosines(
    model: "MaskedLanguageModel",
    corpus: "LayerStatistics",
    words: tuple[str, str],
    sentences: tuple[str, str],
) -> tuple[float, float] | None:
    """Return the words' cosine, raw and z-scored; None if a word is missing."""
    from mlm_core.embeddings.contextual import word_vectors
    from mlm_core.embeddings.locating import find_word
    from mlm_core.embeddings.word_senses import cosines

    found = [find_word(text, word) for text, word in zip(sentences, words, strict=True)]
    if not all(each.spans for each in found):
        return None
    try:
        vectors = word_vectors(model, [each.marked() for each in found], layer=model.n_layers)
    except ValueError:  # the tokenizer leaves nothing of a word
        return None
    postprocessed = corpus.postprocess(vectors, "z-scored")
    return cosines(vectors, vectors)[0, 1].item(), cosines(postprocessed, postprocessed)[
        0, 1
    ].item()


def _corpus(learner: Learner) -> "tuple[MaskedLanguageModel, ModelCorpus]":
    model = learner.model()
    return model, learner.remember(f"random words by {model.name}", lambda: read_corpus(model))


def read_corpus(model: "MaskedLanguageModel") -> ModelCorpus:
    """Return the measurements of a model on words drawn from our own sentences."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors
    from mlm_core.embeddings.isotropy import dimension_proportions, sample_words
    from mlm_core.embeddings.postprocessing import learn_from_corpus

    rng = Random(SAMPLE_SEED)
    sample = sample_words(rng.sample(corpora.sentences(), N_SENTENCES), N_WORDS, rng)
    states = all_layers_word_vectors(model, sample.words).states
    proportions = [dimension_proportions(vectors, sample.groups) for vectors in states]
    return ModelCorpus(
        mean_cosines=tuple(each.mean_cosine for each in proportions),
        largest=tuple(each.proportions.max().item() for each in proportions),
        last=learn_from_corpus(states[-1], sample.groups),
    )
