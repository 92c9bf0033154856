"""Compare six decodings of one tagger: three subword combinations, two decoders.

    subwords -> first, mean or product -> words -> greedy or Viterbi -> tags -> spans

The model is the same each time and only the decoding differs, so the gain of a decoder is measured
without another training. Tags that break the rules are scored in both readings of
../tagging/bio_tags.py: in one a broken tag costs nothing, in the other an entity.

Source: SLP3 section 11.5.3; the readings as in ../tagging/bio_tags.py.

Read before this: ../tagging/decoding.py, ../tagging/scores.py, ../evaluation/bootstrap.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args

import numpy as np

from mlm_core.evaluation.bootstrap import Estimate, estimate
from mlm_core.finetuning.encoded_examples import Reading
from mlm_core.shapes import Float, Tensor
from mlm_core.tagging.alignment import COMBINATIONS, Combination, subwords_of_words
from mlm_core.tagging.bio_tags import OUTSIDE, Fault, Scheme, Span, decode
from mlm_core.tagging.decoding import GreedyPath, ViterbiPath, greedy, viterbi
from mlm_core.tagging.scores import compare_spans, score_entities
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
    """The scores of one combination and decoder on a test part."""

    combination: Combination
    decoder: Decoder
    n_broken: int  # sentences whose tags break a rule
    f1: float  # entity F1, micro, conlleval's reading
    strict_f1: float  # the same, strict reading


Tags = tuple[str, ...]
DecodedSentence = Mapping[tuple[Combination, Decoder], Tags]


def decode_words(
    log_probabilities: Float[Tensor, "subword tag"],
    word_of_subword: Sequence[int | None],
    reading: Reading,
    combination: Combination,
) -> WordDecoding:
    """Return both paths over a sentence's words inside the window."""
    tags, scheme = reading.classes, reading.scheme
    transitions = legal_transitions(tags, scheme)
    of_words = reading.combine(log_probabilities, word_of_subword, combination)
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


def decode_all_ways(
    log_probabilities: Float[Tensor, "subword tag"],
    word_of_subword: Sequence[int | None],
    n_words: int,
    reading: Reading,
    transitions: Transitions,
) -> DecodedSentence:
    """Return a sentence's tags for each combination and decoder; O beyond the window.

    Words of one subword are combined once, since all combinations agree on them. Viterbi runs
    only where the greedy path is illegal, since a legal greedy path is the likeliest one.
    """
    tags, scheme = reading.classes, reading.scheme
    found: dict[tuple[Combination, Decoder], Tags] = {}
    of_words = None
    for combination in COMBINATIONS:
        if of_words is None or max(map(len, subwords_of_words(word_of_subword)), default=1) > 1:
            of_words = reading.combine(log_probabilities, word_of_subword, combination)
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
    scores = []
    for combination, decoder in product(COMBINATIONS, DECODERS):
        tags = [one[combination, decoder] for one in decoded]
        f1, strict_f1 = (
            score_entities(gold, [decode(row, scheme, reading) for row in tags]).micro.f1
            for reading in ("conlleval", "strict")
        )
        n_broken = sum(bool(faults_in(row, scheme)) for row in tags)
        scores.append(
            DecodingScore(
                combination=combination,
                decoder=decoder,
                n_broken=n_broken,
                f1=f1,
                strict_f1=strict_f1,
            )
        )
    return tuple(scores)


def lead_of_viterbi(
    gold: Sequence[Sequence[Span]],
    decoded: Sequence[DecodedSentence],
    scheme: Scheme,
    rng: np.random.Generator,
) -> Estimate:
    """Return by how much Viterbi's F1 on the first subword is higher, on the same sentences."""
    both = [
        [decode(one["first", decoder], scheme, "conlleval") for one in decoded]
        for decoder in ("viterbi", "greedy")
    ]
    found = compare_spans(gold, *both, rng)
    return estimate(found.delta, found.deltas)
