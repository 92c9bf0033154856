"""What this lesson works out and keeps, and the numbers of its summary.

Taggers' answers are kept for all visitors: those for a learner's sentence, and the test part's
decodings. A test part is decoded a few sentences at a time, so that a page can show how far it is.
A run depends on its settings alone, so settings and step name a model wherever it was trained.
"""

from collections.abc import Callable, Mapping

import numpy as np

from mlm_core.evaluation.bootstrap import Estimate
from mlm_core.finetuning import fine_tuned
from mlm_core.finetuning.cost import refuse_foreign
from mlm_core.finetuning.decoding_comparison import (
    DecodedSentence,
    DecodingScore,
    decode_all_ways,
    lead_of_viterbi,
    score_decodings,
)
from mlm_core.finetuning.encoded_examples import Reading
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.shapes import Float, Tensor
from mlm_core.stored.refusals import StoredRefusal
from mlm_core.tagging.transitions import legal_transitions
from mlm_core.text.tokens import TokenizedText
from pages.kit.caches import cache_finetuning
from pages.kit.remember import model, read_on, remembered
from pages.lessons.bio_tagging.lesson import STORED

SEED = 1  # of bootstraps: the same taggers have the same p and interval
AT_ONCE = 32  # sentences decoded between two looks at the clock
Predicted = Float[Tensor, "subword tag"]  # log probabilities
Read = tuple[TokenizedText, tuple[int | None, ...], Predicted]


def piece_probabilities(snapshot: FineTuneSnapshot, words: tuple[str, ...]) -> Read:
    """Return words as subwords, the word of each subword, and log P of each tag at each."""
    step = snapshot.step_of_weights
    return _piece_probabilities(snapshot.settings, step, words, snapshot)


@remembered(128, by_hash=[FineTuneSettings])
def _piece_probabilities(
    settings: FineTuneSettings, step: int, words: tuple[str, ...], _snapshot: FineTuneSnapshot
) -> Read:
    tagger = cache_finetuning.model(_snapshot)
    text, word_of_subword = tagger.reading.read_words(words)
    return text, word_of_subword, tagger.tag_log_probabilities(text)


def n_parts(snapshot: FineTuneSnapshot) -> int:
    """Return in how many parts a test part is decoded."""
    return -(-len(snapshot.data.test) // AT_ONCE)


def decoded_part(snapshot: FineTuneSnapshot, part: int) -> tuple[DecodedSentence, ...]:
    """Return some of the test sentences, decoded in every way from what the run predicted."""
    return _decoded_part(snapshot.settings, snapshot.tested.step, part, snapshot)


# A part is some 100 kB; six runs of 500 sentences fit.
@remembered(96, by_hash=[FineTuneSettings])
def _decoded_part(
    settings: FineTuneSettings, step: int, part: int, _snapshot: FineTuneSnapshot
) -> tuple[DecodedSentence, ...]:
    reading = reading_of(_snapshot)
    transitions = legal_transitions(reading.classes, reading.scheme)
    here = slice(part * AT_ONCE, (part + 1) * AT_ONCE)
    examples = _snapshot.data.test[here]
    found = []
    for example, predicted in zip(examples, _snapshot.tested.log_probabilities[here], strict=True):
        encoded = reading.read(example)
        assert encoded is not None  # only a question may be cut off
        word_of_subword = encoded.word_of_subword
        n_words = len(example.words)
        found.append(decode_all_ways(predicted, word_of_subword, n_words, reading, transitions))
    return tuple(found)


def decoding_scores(snapshot: FineTuneSnapshot) -> tuple[tuple[DecodingScore, ...], Estimate]:
    """Return the scores of every way to decode, and Viterbi's lead.

    It is quick once all parts were asked for.
    """
    return _decoding_scores(snapshot.settings, snapshot.tested.step, snapshot)


@remembered(48, by_hash=[FineTuneSettings])
def _decoding_scores(
    settings: FineTuneSettings, step: int, _snapshot: FineTuneSnapshot
) -> tuple[tuple[DecodingScore, ...], Estimate]:
    decoded = [one for part in range(n_parts(_snapshot)) for one in decoded_part(_snapshot, part)]
    gold = [example.spans for example in _snapshot.data.test]
    of_all = gold, decoded, settings.scheme
    return score_decodings(*of_all), lead_of_viterbi(*of_all, np.random.default_rng(SEED))


def reading_of(snapshot: FineTuneSnapshot) -> Reading:
    """Return how the run reads sentences."""
    encoder = refuse_foreign(model(snapshot.settings.model))
    return fine_tuned.reading_of(encoder, snapshot.data, snapshot.settings)


def refusal_of(settings: FineTuneSettings) -> StoredRefusal | None:
    """Return the threshold of doubt of a run with these settings, if one is stored."""
    runs, refusals = cache_finetuning.stored_settings(), cache_finetuning.refusals()
    same = (name for name, stored in runs.items() if stored == settings)
    return next((refusals[name] for name in same if name in refusals), None)


def in_short() -> Mapping[str, object]:
    """Return the accuracy by word and the F1 by entity of the stored tagger of what is read."""
    test = cache_finetuning.stored(STORED[read_on("bio_tagging")]).result
    return {"right": test.proportion_right, "f1": test.f1}


def get_ready_in(language: str, let_pass: Callable[[], None]) -> None:
    """Read and decode what the lesson scores, with the tagger that it begins with."""
    tagger = cache_finetuning.stored(STORED[language])
    for part in range(n_parts(tagger)):
        decoded_part(tagger, part)
        let_pass()
    decoding_scores(tagger)
