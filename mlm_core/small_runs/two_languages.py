"""One small encoder for a frequent and a rare language: what alpha does to each.

    text          95 % of the sentences in the mini world's own language, 5 % in the second one
    alpha         decides how often each language is drawn: for the vocabulary and for the encoder
    loss          -log P of a word with all its subwords hidden, on held-out sentences
    accent        how often a rare held-out sentence is likelier in the frequent one's word order

The loss is per word and not per token, because each alpha gives another vocabulary. The accent
compares the same words in two orders by their pseudo-log-likelihood. A model that knows the rare
language's order never prefers the other one.

Source: SLP3 Eq 11.5; Conneau et al. 2020, section 5.2 (alpha); Papadimitriou et al. 2023 (the
accent, by comparing word orders); Kauf & Ivanova 2023 for the score of a word of several subwords.
Departs: two languages made by a grammar, one small encoder.

`make stored STORED=languages` trains the runs, ../stored/two_languages.py reads them.

Read before this: ../text/language_sampling.py, ../text/mini_world/second_language.py, run.py,
../prediction/fillers.py.
"""

from dataclasses import dataclass
from random import Random

from tokenizers import Tokenizer

from mlm_core.encoder.language_model import OwnModel
from mlm_core.prediction.fillers import score_positions
from mlm_core.pretraining.batches import BatchShape, Phase
from mlm_core.pretraining.corpus import corpus_in_memory
from mlm_core.pretraining.objectives import PretrainingTask
from mlm_core.pretraining.sentence_pairs import SpecialIds
from mlm_core.pretraining.vocabulary import learn_wordpieces
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.text.cutting import count_words
from mlm_core.text.language_sampling import (
    draw_sentences,
    sampling_probabilities,
    subwords_per_word,
)
from mlm_core.text.mini_world.second_language import Kinship, in_second_language, words_of, written
from mlm_core.text.mini_world.world import world
from mlm_core.text.tokens import tokenize

N_RARE_DOCUMENTS = 45  # of the world's 900 for training: 5 %
N_DRAWN = 8_000  # sentences
N_TESTED = 150  # held-out sentences of each language
N_LETTERS = 100  # at most; all letters of both languages are in the vocabulary


@dataclass(frozen=True, kw_only=True)
class TwoLanguages:
    """The sentences of both, the frequent language first."""

    train: tuple[tuple[str, ...], tuple[str, ...]]
    held_out: tuple[tuple[str, ...], tuple[str, ...]]
    in_frequent_order: tuple[str, ...]  # the rare one's held-out sentences with its own words


@dataclass(frozen=True, kw_only=True)
class LanguagesRun:
    """What one alpha and one seed gave; pairs have the frequent language first."""

    kinship: Kinship
    alpha: float
    seed: int
    proportion: float  # of the rare language's sentences among those drawn
    loss: tuple[float, float]  # nats a word
    subwords_per_word: tuple[float, float]  # on held-out sentences
    accent: float  # proportion of the rare sentences that are likelier in the frequent order


def languages_settings(seed: int) -> SmallRunSettings:
    """Return the settings of a run; all but the seed are the same.

    The vocabulary is too small for the words of both languages, as it is in large models.
    """
    return SmallRunSettings(
        objective="mlm", vocabulary_size=900, n_steps=1_200, batch_size=32, seed=seed
    )


def two_languages(kinship: Kinship) -> TwoLanguages:
    """Return the world in both languages; other documents are told in each for training."""
    documents = world("train")
    told = [
        [s for document in part for s in document.sentences]
        for part in (documents[:-N_RARE_DOCUMENTS], documents[-N_RARE_DOCUMENTS:])
    ]
    held_out = {s.words: s for document in world("held_out") for s in document.sentences}
    tested = Random(0).sample(list(held_out.values()), N_TESTED)
    return TwoLanguages(
        train=(
            tuple(written(words_of(s)) for s in told[0]),
            tuple(in_second_language(s, kinship) for s in told[1]),
        ),
        held_out=(
            tuple(written(words_of(s)) for s in tested),
            tuple(in_second_language(s, kinship) for s in tested),
        ),
        in_frequent_order=tuple(in_second_language(s, kinship, first_order=True) for s in tested),
    )


def draw_mixture(
    texts: TwoLanguages, alpha: float, seed: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sentences of each language that alpha draws for a run."""
    proportions = sampling_probabilities([len(text) for text in texts.train], alpha)
    frequent, rare = draw_sentences(texts.train, proportions, N_DRAWN, Random(seed))
    return frequent, rare


def make_mixed_task(
    drawn: tuple[tuple[str, ...], tuple[str, ...]], settings: SmallRunSettings
) -> tuple[Tokenizer, PretrainingTask]:
    """Return a vocabulary learnt from the mixture, and masked words of the same mixture."""
    sentences = [sentence for text in drawn for sentence in text]
    tokenizer = learn_wordpieces(lambda: sentences, settings.vocabulary_size, N_LETTERS)
    # Each sentence is a document, so none is followed by another one.
    *_, corpus = corpus_in_memory([[sentence] for sentence in sentences], tokenizer)
    assert corpus is not None  # the last piece is the whole
    shape = BatchShape(
        length=settings.length, batch_size=settings.batch_size, natural=True, trimmed=True
    )
    phases, special = (
        (Phase(until_step=settings.n_steps, shapes=(shape,)),),
        SpecialIds.of(tokenizer),
    )
    return tokenizer, PretrainingTask(
        corpus, phases, special, settings.corruption, next_sentence=False
    )


def measure_languages(
    model: OwnModel, texts: TwoLanguages, drawn: tuple[tuple[str, ...], tuple[str, ...]]
) -> dict[str, float | tuple[float, ...]]:
    """Return what a trained encoder gave, by the names of LanguagesRun's fields."""
    scores = [[log_likelihood(model, one) for one in text] for text in texts.held_out]
    other_order = [log_likelihood(model, one) for one in texts.in_frequent_order]
    n_words = [sum(len(one.split()) for one in text) for text in texts.held_out]
    accented = [other > own for own, other in zip(scores[1], other_order, strict=True)]
    return {
        "proportion": len(drawn[1]) / sum(map(len, drawn)),
        "loss": tuple(-sum(one) / n for one, n in zip(scores, n_words, strict=True)),
        "subwords_per_word": tuple(
            subwords_per_word(model.tokenizer, count_words(model.tokenizer, text))
            for text in texts.held_out
        ),
        "accent": sum(accented) / len(accented),
    }


def log_likelihood(model: OwnModel, sentence: str) -> float:
    """Return a sentence's pseudo-log-likelihood; the rest of a split word is hidden with it."""
    text = tokenize(model.tokenizer, sentence, max_tokens=model.max_tokens)
    scored = score_positions(model, text, hide_rest_of_word=True)
    return sum(one.log_probability for one in scored)
