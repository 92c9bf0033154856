"""Pairs cut from a corpus in which every token tells where it stood."""

import math

import pytest
import torch

from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.pretraining.corpus import TokenCorpus
from mlm_core.pretraining.sentence_pairs import (
    FOLLOWS,
    IS_RANDOM,
    DocumentTable,
    SpecialIds,
    draw_full,
    draw_natural,
    drop_final_stops,
    read_texts,
)

SPECIAL = SpecialIds(pad=0, cls=2, sep=3, mask=4)
FIRST = 10  # token ids count up from here, so an id is a place in the corpus


def corpus_of(documents: list[list[int]]) -> TokenCorpus:
    """Return a corpus with sentences of these lengths in these documents."""
    lengths = [length for document in documents for length in document]
    sizes = [len(document) for document in documents]
    n_tokens = sum(lengths)
    return TokenCorpus(
        tokens=torch.arange(FIRST, FIRST + n_tokens),
        sentence_starts=torch.tensor([0, *lengths]).cumsum(0),
        document_starts=torch.tensor([0, *sizes]).cumsum(0),
        counts=torch.ones(FIRST + n_tokens).long(),
    )


def some_corpus() -> TokenCorpus:
    generator = torch.Generator().manual_seed(5)
    documents = [
        torch.randint(3, 25, (int(n),), generator=generator).tolist()
        for n in torch.randint(2, 30, (40,), generator=generator)
    ]
    documents[7] = [4, 90, 5, 120]  # sentences longer than any room
    return corpus_of(documents)


def document_of(corpus: TokenCorpus, place: torch.Tensor) -> torch.Tensor:
    bounds = corpus.sentence_starts[corpus.document_starts]
    return torch.searchsorted(bounds, place, right=True) - 1


@pytest.mark.parametrize("length", [24, 51])
def test_full_pairs_fill_the_length_and_stay_in_their_documents(length):
    corpus = some_corpus()
    room, n = length - 3, 3000
    table = DocumentTable(corpus, least_tokens=room, least_sentences=1)
    pairs = draw_full(corpus, table, n, room, torch.Generator().manual_seed(1))
    assert (pairs.a_length + pairs.b_length == room).all()
    assert (pairs.a_length > 0).all() and (pairs.b_length > 0).all()
    for start, size in ((pairs.a_start, pairs.a_length), (pairs.b_start, pairs.b_length)):
        assert document_of(corpus, start).equal(document_of(corpus, start + size - 1))
    follows = pairs.pair_label == FOLLOWS
    assert (pairs.b_start == pairs.a_start + pairs.a_length)[follows].all()
    other = document_of(corpus, pairs.a_start) != document_of(corpus, pairs.b_start)
    assert other.equal(pairs.pair_label == IS_RANDOM)
    # 5 standard deviations of a share of one half.
    assert abs(follows.double().mean() - 0.5) < 5 * math.sqrt(0.25 / n)


def test_full_pairs_are_cut_at_sentences_wherever_there_is_one():
    corpus = corpus_of([[9] * 20, [9] * 20])
    table = DocumentTable(corpus, least_tokens=40, least_sentences=1)
    pairs = draw_full(corpus, table, 500, 40, torch.Generator().manual_seed(2))
    for start in (pairs.a_start, pairs.a_start + pairs.a_length, pairs.b_start):
        assert (start % 9 == 0).all()


def test_no_b_of_a_full_pair_begins_its_document():
    corpus = corpus_of([[9] * 6, [11, 7, 30, 5], [25, 25]] * 4)
    table = DocumentTable(corpus, least_tokens=40, least_sentences=1)
    pairs = draw_full(corpus, table, 4_000, 40, torch.Generator().manual_seed(6))
    begins_document = torch.isin(pairs.b_start, corpus.sentence_starts[corpus.document_starts])
    begins_sentence = torch.isin(pairs.b_start, corpus.sentence_starts)
    is_random = pairs.pair_label == IS_RANDOM
    # Of a long sentence at the end, no later start leaves room for a long B: then it may.
    may_begin = (document_of(corpus, pairs.b_start) % 3 == 2) & (pairs.b_length > 25)
    assert (is_random & begins_sentence).sum() > 1_000
    assert not (begins_document & ~may_begin).any()
    assert not (begins_document & ~is_random).any()


def test_a_full_batch_reads_as_cls_a_sep_b_sep():
    corpus = some_corpus()
    table = DocumentTable(corpus, least_tokens=21, least_sentences=1)
    pairs = draw_full(corpus, table, 50, 21, torch.Generator().manual_seed(3))
    texts = read_texts(corpus, pairs, 24, SPECIAL)
    for i in range(50):
        a = list(range(int(pairs.a_start[i]), int(pairs.a_start[i] + pairs.a_length[i])))
        b = list(range(int(pairs.b_start[i]), int(pairs.b_start[i] + pairs.b_length[i])))
        expected = [2, *(FIRST + t for t in a), 3, *(FIRST + t for t in b), 3]
        assert texts.ids[i].tolist() == expected
        assert texts.segment_ids[i].tolist() == [0] * (len(a) + 2) + [1] * (len(b) + 1)
        assert texts.is_text[i].tolist() == [token >= FIRST for token in expected]


def test_natural_texts_are_whole_sentences_alone_or_in_pairs():
    corpus = corpus_of([[5, 6, 7], [8, 9], [30, 40, 11]])
    table = DocumentTable(corpus, least_tokens=2, least_sentences=2)
    n = 4000
    drawn = draw_natural(corpus, table, n, 24, torch.Generator().manual_seed(4), single_rate=0.25)
    texts = read_texts(corpus, drawn, 24, SPECIAL)
    starts = set(corpus.sentence_starts.tolist())
    assert set(drawn.a_start.tolist()) < starts and set(drawn.b_start.tolist()) < starts
    single = drawn.pair_label == IGNORED_LABEL
    assert (texts.segment_ids[single] == 0).all()
    assert ((texts.ids == 3).sum(dim=1) == torch.where(single, 1, 2)).all()
    assert (texts.n_real <= 24).all()
    assert ((texts.ids == 0).sum(dim=1) == 24 - texts.n_real).all()
    for label, share in ((IGNORED_LABEL, 0.25), (FOLLOWS, 0.375), (IS_RANDOM, 0.375)):
        seen = float((drawn.pair_label == label).double().mean())
        assert abs(seen - share) < 5 * math.sqrt(share * (1 - share) / n)
    short = (drawn.pair_label == FOLLOWS) & (drawn.a_start == 0)
    assert (drawn.b_start[short] == 5).all() and (drawn.b_length[short] == 6).all()


def test_only_single_texts_lose_a_final_stop():
    corpus = corpus_of([[5, 6, 7], [8, 9]])
    corpus.tokens[[4, 10]] = 1  # the stop ends the first two sentences
    table = DocumentTable(corpus, least_tokens=2, least_sentences=2)
    generator = torch.Generator().manual_seed(6)
    drawn = draw_natural(corpus, table, 300, 30, generator, single_rate=0.5)
    dropped = drop_final_stops(corpus, drawn, torch.tensor([1]), 1.0, generator)
    loses = (drawn.b_length == 0) & (drawn.a_start < 11)
    assert loses.any()
    assert (drawn.a_length - dropped.a_length).equal(loses.long())


def test_one_long_document_is_not_enough_for_pairs():
    corpus = corpus_of([[9] * 20, [5]])
    with pytest.raises(ValueError, match="1 of 2 documents have 40 tokens"):
        DocumentTable(corpus, least_tokens=40, least_sentences=1)
