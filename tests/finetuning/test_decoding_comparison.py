"""One tagger's distributions, read in six ways."""

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from mlm_core.finetuning.decoding_comparison import (
    decode_all_ways,
    decode_words,
    lead_of_viterbi,
    score_decodings,
)
from mlm_core.finetuning.encoded_examples import Reading
from mlm_core.tagging.alignment import COMBINATIONS
from mlm_core.tagging.bio_tags import Span
from mlm_core.tagging.transitions import faults_in, legal_transitions

TAGS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
READING = Reading(tokenizer=Tokenizer(WordLevel({}, unk_token="x")), max_tokens=20, classes=TAGS)
LEGAL = legal_transitions(TAGS, "BIO")
WORD_OF_PIECE = (None, 0, 1, 1, 1, 2, 3, 3, None)


def distributions(seed, n_pieces):
    generator = torch.Generator().manual_seed(seed)
    return (2 * torch.randn(n_pieces, len(TAGS), generator=generator)).log_softmax(dim=-1)


@pytest.mark.parametrize("seed", range(20))
def test_all_ways_at_once_are_what_each_way_gives_alone(seed):
    # Also where work is left out: a legal greedy path, words of one piece.
    for word_of_subword in (WORD_OF_PIECE, (None, 0, 1, 2, None)):
        said = distributions(seed, len(word_of_subword))
        n_words = max(word for word in word_of_subword if word is not None) + 1
        found = decode_all_ways(said, word_of_subword, n_words, READING, LEGAL)
        for combination in COMBINATIONS:
            alone = decode_words(said, word_of_subword, READING, combination)
            assert found[combination, "greedy"] == alone.greedy_tags
            assert found[combination, "viterbi"] == alone.viterbi_tags
            assert bool(alone.faults) == (alone.greedy_tags != alone.viterbi_tags)
            assert not faults_in(alone.viterbi_tags, "BIO")
            assert alone.viterbi.log_probability <= alone.greedy.log_probability + 1e-5


def test_words_beyond_the_window_are_outside():
    found = decode_all_ways(distributions(1, 9), WORD_OF_PIECE, 6, READING, LEGAL)
    assert all(len(tags) == 6 and tags[4:] == ("O", "O") for tags in found.values())


def test_the_scores_by_hand():
    # Gold: one PER of two words. Greedy said I-PER I-PER, Viterbi B-PER I-PER.
    broken, legal = ("I-PER", "I-PER"), ("B-PER", "I-PER")
    decoded = {
        (combination, decoder): broken if decoder == "greedy" else legal
        for combination in COMBINATIONS
        for decoder in ("greedy", "viterbi")
    }
    scores = score_decodings([[Span(start=0, end=2, type="PER")]], [decoded], "BIO")
    assert len(scores) == 6
    for score in scores:
        is_greedy = score.decoder == "greedy"
        assert (score.n_broken, score.f1) == (int(is_greedy), 1.0)
        assert score.strict_f1 == (0.0 if is_greedy else 1.0)


def test_viterbis_lead_has_the_interval_of_the_same_sentences():
    # Greedy joins both names where Viterbi finds the second: F1 is 0 against 1 in such a sentence.
    gold = [(Span(start=0, end=1, type="PER"), Span(start=1, end=2, type="PER"))]
    joined, apart = ("B-PER", "I-PER"), ("B-PER", "B-PER")
    mended = {("first", "greedy"): joined, ("first", "viterbi"): apart}
    alike = {("first", "greedy"): apart, ("first", "viterbi"): apart}
    rng = np.random.default_rng(0)
    always = lead_of_viterbi(gold * 9, [mended] * 9, "BIO", rng)
    assert (always.value, always.low, always.high, always.direction) == (1.0, 1.0, 1.0, 1)
    never = lead_of_viterbi(gold * 9, [alike] * 9, "BIO", rng)
    assert (never.value, never.low, never.high, never.direction) == (0.0, 0.0, 0.0, 0)
    # One of nine: no drawn set has it with probability (8/9)^9, a third.
    once = lead_of_viterbi(gold * 9, [mended] + [alike] * 8, "BIO", rng)
    assert once.value > 0 and once.low == 0.0 and once.direction == 0
