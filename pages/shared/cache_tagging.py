"""What a tagger says of sentences, kept for all: a learner's own, and the test part's decodings.

A test part is decoded a few sentences at a time, so that a page can tell how far it is.
"""

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import cache, cache_finetuning

if TYPE_CHECKING:
    from mlm_core.finetuning.decoding_comparison import DecodedSentence, DecodingScore
    from mlm_core.finetuning.encoded_examples import Reading
    from mlm_core.finetuning.settings import FineTuneSettings
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.shapes import Tensor
    from mlm_core.text.tokens import TokenizedText

AT_ONCE = 32  # sentences decoded between two looks at the clock

Read = tuple["TokenizedText", tuple[int | None, ...], "Tensor"]


def piece_probabilities(snapshot: "FineTuneSnapshot", words: tuple[str, ...]) -> Read:
    """Return words as pieces, the word of each piece, and log P of each tag at each piece."""
    step = snapshot.weights.step if snapshot.weights is not None else -1
    return _piece_probabilities(snapshot.settings, step, words, snapshot)


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=cache_finetuning.BY_HASH)
def _piece_probabilities(
    settings: "FineTuneSettings",
    step: int,
    words: tuple[str, ...],
    _snapshot: "FineTuneSnapshot",
) -> Read:
    model = cache_finetuning.model(_snapshot)
    text, word_of_subword = model.reading.read_words(words)
    return text, word_of_subword, model.tag_log_probabilities(text)


def n_parts(snapshot: "FineTuneSnapshot") -> int:
    """Return in how many parts a test part is decoded."""
    return -(-len(snapshot.dataset.test) // AT_ONCE)


def decoded_part(snapshot: "FineTuneSnapshot", part: int) -> tuple["DecodedSentence", ...]:
    """Return some of the test sentences, decoded in every way from what the run said of them."""
    return _decoded_part(snapshot.settings, snapshot.predictions.step, part, snapshot)


# A part is some 100 kB; six runs of 500 sentences fit.
@st.cache_resource(max_entries=96, show_spinner=False, hash_funcs=cache_finetuning.BY_HASH)
def _decoded_part(
    settings: "FineTuneSettings", step: int, part: int, _snapshot: "FineTuneSnapshot"
) -> tuple["DecodedSentence", ...]:
    from mlm_core.finetuning.decoding_comparison import decode_all_ways
    from mlm_core.tagging.transitions import legal_transitions

    reading = reading_of(_snapshot)
    transitions = legal_transitions(reading.classes, reading.scheme)
    here = slice(part * AT_ONCE, (part + 1) * AT_ONCE)
    examples = _snapshot.dataset.test[here]
    found = []
    for example, said in zip(examples, _snapshot.predictions.log_probabilities[here], strict=True):
        word_of_subword = reading.read(example).word_of_subword
        n_words = len(example.words)
        found.append(decode_all_ways(said, word_of_subword, n_words, reading, transitions))
    return tuple(found)


def decoding_scores(snapshot: "FineTuneSnapshot") -> tuple["DecodingScore", ...]:
    """Return the scores of every way to decode; quick once all parts were asked for."""
    return _decoding_scores(snapshot.settings, snapshot.predictions.step, snapshot)


@st.cache_resource(max_entries=24, show_spinner=False, hash_funcs=cache_finetuning.BY_HASH)
def _decoding_scores(
    settings: "FineTuneSettings", step: int, _snapshot: "FineTuneSnapshot"
) -> tuple["DecodingScore", ...]:
    from mlm_core.finetuning.decoding_comparison import score_decodings

    decoded = [one for part in range(n_parts(_snapshot)) for one in decoded_part(_snapshot, part)]
    gold = [example.spans for example in _snapshot.dataset.test]
    return score_decodings(gold, decoded, settings.scheme)


def reading_of(snapshot: "FineTuneSnapshot") -> "Reading":
    """Return how the run reads sentences."""
    from mlm_core.finetuning import fine_tuned

    encoder = cache.model(snapshot.settings.model)
    return fine_tuned.reading_of(encoder, snapshot.dataset, snapshot.settings)
