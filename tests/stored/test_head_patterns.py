"""What is stored of the bundled models' heads: as the models and our sentences are now."""

import pytest

from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.inside.head_patterns import N_PAIRS, head_patterns
from mlm_core.inside.switches import Head, heads_of
from mlm_core.stored.head_patterns import PATTERNS_FILE, read_patterns
from mlm_core.text import corpora

ROUNDED = 2e-4  # four decimals are stored; other processors round the last of float32 differently


def test_all_of_german_is_what_the_model_has_now_with_its_sentences():
    model, stored = load(READERS["de"]), read_patterns(READERS["de"])
    now = head_patterns(model, corpora.sentences("de"), "de")
    counts = (now.n_sentences, now.n_queries)
    assert (stored.n_sentences, stored.n_queries) == counts and counts[0] == 337
    assert stored.chance == pytest.approx(now.chance, abs=ROUNDED)
    assert [*stored.shares] == [*now.shares] == [*heads_of(model)]
    for head, shares in now.shares.items():
        assert stored.shares[head] == pytest.approx(shares, abs=ROUNDED)
        weights = [pair.weight for pair in now.pairs[head]]
        assert [pair.weight for pair in stored.pairs[head]] == pytest.approx(weights, abs=ROUNDED)


def test_english_pairs_have_these_weights_now():
    model, stored = load(READERS["en"]), read_patterns(READERS["en"])
    assert stored.n_sentences == len(corpora.sentences("en"))
    for head in (Head(1, 4), Head(7, 4), Head(12, 1)):
        pairs = {pair.sentence: pair for pair in stored.pairs[head]}
        assert len(pairs) == N_PAIRS and pairs.keys() <= {*corpora.sentences("en")}
        now = head_patterns(model, pairs).pairs[head]
        for one in now:
            assert one[:3] == pairs[one.sentence][:3]
            assert one.weight == pytest.approx(pairs[one.sentence].weight, abs=ROUNDED)


def test_the_file_stays_small():
    assert PATTERNS_FILE.stat().st_size < 150_000
