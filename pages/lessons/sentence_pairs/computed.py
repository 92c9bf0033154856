"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Mapping
from math import log
from random import Random

import torch
from tokenizers import Tokenizer

from mlm_core.prediction.next_sentence import NextSentenceSteps, next_sentence_steps
from mlm_core.prediction.packing import LAYOUTS, Layout, Packing, pack
from mlm_core.small_runs.two_languages import LanguagesRun
from mlm_core.stored.two_languages import StoredVocabularies, read_runs, read_vocabularies
from mlm_core.text import language_sampling as sampling
from mlm_core.text.language_sampling import Counted, LanguageUse
from mlm_core.text.tokens import Algorithm, TokenizedText, tokenize, train_tokenizer
from pages.kit.caches import cache_vocabularies
from pages.kit.remember import long_work_lock, model, remembered


# A pair's vectors and tokens are some 20 kB; a class works on a few hundred pairs at a time.
@remembered(400)
def next_sentence(
    model_name: str, first: str, second: str, one_segment: bool = False
) -> tuple[TokenizedText, NextSentenceSteps]:
    """Return a pair's tokens and the model's verdict on it, step by step.

    `one_segment` numbers all tokens 0, as if A and B were one text. What does not fit into
    the window is left out from the end of the longer text.
    Raises ValueError if the model has no next-sentence head.
    """
    chosen = model(model_name)
    if chosen.bert is None:
        raise ValueError(
            f"{model_name} has no next-sentence head: choose a bundled model in the sidebar"
        )
    text = tokenize(chosen.tokenizer, first, second, max_tokens=chosen.max_tokens)
    segment_ids = [0] * len(text.tokens) if one_segment else text.segment_ids
    with torch.inference_mode():
        encoding = chosen.bert.encode(torch.tensor([text.ids]), torch.tensor([segment_ids]))
    return text, next_sentence_steps(chosen.bert, encoding.last[0])


@remembered(8)  # 10 to 30 ms, 1 MB at most
def packings(
    model_name: str, text: str | None, window_size: int, language: str = "en"
) -> dict[Layout, Packing]:
    """Return the learner's documents, or ours for None, in windows, by each layout."""
    lengths = cache_vocabularies.sentence_lengths(model_name, text, language)
    return {layout: pack(lengths, window_size, layout) for layout in LAYOUTS}


# A tokenizer takes up to 2 MB and a tenth of a second; what is measured of it is kept for longer.
@remembered(12)
def mixed_vocabulary(
    algorithm: Algorithm, size: int, alpha: float, counted: Counted, seed: int
) -> tuple[Tokenizer, tuple[LanguageUse, ...]]:
    """Return a vocabulary learnt from six languages mixed by alpha, and who has what of it."""
    languages = sampling.read_languages()
    shares = sampling.sampling_probabilities([getattr(one, counted) for one in languages], alpha)
    texts = [one.sentences for one in languages]
    drawn = sampling.draw_sentences(texts, shares, sampling.N_DRAWN, Random(seed))
    lines = [sentence for sentences in drawn for sentence in sentences]
    with long_work_lock():
        tokenizer = train_tokenizer(algorithm, lines, size)
    return tokenizer, sampling.measure_use(tokenizer, texts, drawn)


@remembered(128)
def mixed_uses(
    algorithm: Algorithm, size: int, alpha: float, counted: Counted, seed: int
) -> tuple[LanguageUse, ...]:
    """Return who has what of such a vocabulary."""
    return mixed_vocabulary(algorithm, size, alpha, counted, seed)[1]


@remembered(1)
def two_languages_runs() -> tuple[LanguagesRun, ...]:
    """Return the stored encoders of a frequent and a rare language."""
    return read_runs()


@remembered(1)
def mixed_vocabularies() -> StoredVocabularies:
    """Return the stored vocabularies from English and German Wikipedia."""
    return read_vocabularies()


def in_short() -> Mapping[str, object]:
    """Return the loss of a random guess between two labels."""
    return {"coin": log(2)}
