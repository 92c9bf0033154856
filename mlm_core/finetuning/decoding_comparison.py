"""One tagger's distributions, decoded in six ways: three combinations of subwords, two decoders.

    pieces -> first, mean or product -> words -> greedy or Viterbi -> tags -> spans

The model is the same each time, only the reading of it differs: so what a decoder is worth can
be counted on a test part without another training. Tags that break the rules are read by both
readings of ../tagging/bio_tags.py, because a broken tag costs nothing in one and an entity in the
other.

Source: SLP3 section 11.5.3; the readings as in ../tagging/bio_tags.py.

Read before this: ../tagging/decoding.py, ../tagging/scores.py, ../evaluation/bootstrap.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from mlm_core.finetuning.encoded_examples import Reading
from mlm_core.shapes import Float, Tensor
from mlm_core.tagging.alignment import (
    COMBINATIONS,
    Combination,
    combine_subwords,
    subwords_of_words,
)
from mlm_core.tagging.bio_tags import OUTSIDE, Fault, Scheme, Span, decode
from mlm_core.tagging.decoding import GreedyPath, ViterbiPath, greedy, viterbi
from mlm_core.tagging.scores import score_entities
from mlm_core.tagging.transitions import Transitions, faults_in, legal_transitions

Decoder = Literal["greedy", "viterbi"]
DECODERS: tuple[Decoder, ...] = get_args(Decoder)


@dataclass(frozen=True, eq=False, kw_only=True)
class WordDecoding:
    """One sentence's words, decoded both ways."""

    log_probabilities: Float[Tensor, "word tag"]
    transitions: Transitions
    greedy: GreedyPath
    viterbi: ViterbiPath
    greedy_tags: tuple[str, ...]
    viterbi_tags: tuple[str, ...]
    faults: tuple[Fault, ...]  # of the greedy tags; Viterbi's have none


@dataclass(frozen=True, kw_only=True)
class DecodingScore:
    """What one reading of the distributions scores on a test part."""

    combination: Combination
    decoder: Decoder
    n_broken: int  # sentences whose tags break a rule
    f1: float  # entity F1, micro, conlleval's reading
    strict_f1: float  # the same, strict reading


Tags = tuple[str, ...]
DecodedSentence = Mapping[tuple[Combination, Decoder], Tags]


def decode_words(
    log_probabilities: Float[Tensor, "piece tag"],
    word_of_subword: Sequence[int | None],
    reading: Reading,
    combination: Combination,
) -> WordDecoding:
    """Return a sentence's words and both paths; words beyond the window are not among them."""
    tags, scheme = reading.classes, reading.scheme
    transitions = legal_transitions(tags, scheme)
    of_words = _combine(log_probabilities, word_of_subword, reading, combination)
    by_word, legal = greedy(of_words), viterbi(of_words, transitions)
    greedy_tags, viterbi_tags = (tuple(tags[t] for t in found.path) for found in (by_word, legal))
    return WordDecoding(
        log_probabilities=of_words,
        transitions=transitions,
        greedy=by_word,
        viterbi=legal,
        greedy_tags=greedy_tags,
        viterbi_tags=viterbi_tags,
        faults=faults_in(greedy_tags, scheme),
    )


def _combine(
    log_probabilities: Float[Tensor, "piece tag"],
    word_of_subword: Sequence[int | None],
    reading: Reading,
    combination: Combination,
) -> Float[Tensor, "word tag"]:
    return combine_subwords(
        log_probabilities,
        word_of_subword,
        reading.classes,
        reading.scheme,
        labelling=reading.labelling,
        combination=combination,
    )


def decode_all_ways(
    log_probabilities: Float[Tensor, "piece tag"],
    word_of_subword: Sequence[int | None],
    n_words: int,
    reading: Reading,
    transitions: Transitions,
) -> DecodedSentence:
    """Return a sentence's tags for each combination and decoder; O beyond the window.

    What needs no work is left out: words of one piece combine to themselves, and where the
    greedy path is legal no other is likelier.
    """
    tags, scheme = reading.classes, reading.scheme
    found: dict[tuple[Combination, Decoder], Tags] = {}
    of_words = None
    for combination in COMBINATIONS:
        if of_words is None or max(map(len, subwords_of_words(word_of_subword)), default=1) > 1:
            of_words = _combine(log_probabilities, word_of_subword, reading, combination)
        path = greedy(of_words).path
        unread = (OUTSIDE,) * (n_words - len(path))
        predicted = tuple(tags[t] for t in path)
        found[combination, "greedy"] = predicted + unread
        if faults_in(predicted, scheme):
            predicted = tuple(tags[t] for t in viterbi(of_words, transitions).path)
        found[combination, "viterbi"] = predicted + unread
    return found


def score_decodings(
    gold: Sequence[Sequence[Span]], decoded: Sequence[DecodedSentence], scheme: Scheme
) -> tuple[DecodingScore, ...]:
    """Return the score of each combination and decoder over the same sentences."""
    return tuple(
        _score(gold, [one[combination, decoder] for one in decoded], scheme, combination, decoder)
        for combination in COMBINATIONS
        for decoder in DECODERS
    )


def _score(
    gold: Sequence[Sequence[Span]],
    tags: Sequence[Tags],
    scheme: Scheme,
    combination: Combination,
    decoder: Decoder,
) -> DecodingScore:
    f1 = {
        reading: score_entities(gold, [decode(row, scheme, reading) for row in tags]).micro.f1
        for reading in ("conlleval", "strict")
    }
    return DecodingScore(
        combination=combination,
        decoder=decoder,
        n_broken=sum(bool(faults_in(row, scheme)) for row in tags),
        f1=f1["conlleval"],
        strict_f1=f1["strict"],
    )
