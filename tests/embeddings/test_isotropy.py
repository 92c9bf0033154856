"""Anisotropy: closed forms, draws within their standard error, shares that add up, treatments."""

import math
from random import Random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.embeddings.contextual import all_layers_word_vectors
from mlm_core.embeddings.frequency import BandSample, sample_bands, score_bands
from mlm_core.embeddings.isotropy import (
    dimension_proportions,
    independent_pairs,
    mean_cosines,
    pair_cosines,
    random_pairs,
    sample_words,
)
from mlm_core.embeddings.postprocessing import POSTPROCESSINGS, drop_dimensions, learn_from_corpus
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.text import corpora

N, HIDDEN = 4000, 64


def gaussian(n=N, hidden=HIDDEN, seed=1, shift=0.0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(n, hidden, generator=generator, dtype=torch.float64) + shift


def alone(n):
    return torch.arange(n)


def test_gaussian_vectors_have_no_anisotropy():
    """The cosine of two such vectors has mean 0 and variance 1 / hidden exactly."""
    drawn = pair_cosines(gaussian(), independent_pairs(range(N), Random(3)))
    assert len(drawn.cosines) == N // 2
    assert drawn.standard_error == pytest.approx(1 / math.sqrt(HIDDEN * N / 2), rel=0.05)
    assert abs(drawn.mean) < 4 * drawn.standard_error
    # Over all pairs the standard error is that of N (N - 1) / 2 uncorrelated cosines.
    closed = dimension_proportions(gaussian(), alone(N)).mean_cosine
    assert abs(closed) < 4 * math.sqrt(2 / (N * (N - 1) * HIDDEN))


@pytest.mark.parametrize("shift", [0.5, 2.0])
def test_a_shifted_cloud_has_the_anisotropy_of_its_closed_form(shift):
    """E[cos] = |E[u]|² for independent x, y with u = x / |x|.

    With hidden numbers of mean m and variance 1 in each x, |x|² is about hidden (1 + m²), so
    E[u_d] is m / sqrt(hidden (1 + m²)) and E[cos] = m² / (1 + m²), up to terms of 1 / hidden
    that come from the spread of |x|: its relative variance is below 1 / hidden, and moves E[u]
    by less than that, so the cosine by less than 2 / hidden of itself.
    """
    expected = shift**2 / (1 + shift**2)
    vectors = gaussian(shift=shift)
    drawn = pair_cosines(vectors, independent_pairs(range(N), Random(3)))
    slack = 2 / HIDDEN * expected
    assert abs(drawn.mean - expected) < 4 * drawn.standard_error + slack
    assert abs(dimension_proportions(vectors, alone(N)).mean_cosine - drawn.mean) < 4 * (
        drawn.standard_error
    )


def test_the_closed_form_is_the_mean_over_all_pairs_of_different_sentences():
    vectors, groups = (
        gaussian(13, 5, shift=0.3),
        torch.tensor([0, 0, 0, 4, 4, 2, 2, 2, 2, 7, 8, 8, 9]),
    )
    unit = torch.nn.functional.normalize(vectors, dim=-1)
    pairs = [(i, j) for i in range(13) for j in range(13) if groups[i] != groups[j]]
    products = torch.stack([unit[i] * unit[j] for i, j in pairs])
    shares = dimension_proportions(vectors, groups)
    torch.testing.assert_close(shares.contributions, products.mean(dim=0))
    assert shares.mean_cosine == pytest.approx(products.sum(dim=1).mean().item())
    assert mean_cosines(vectors[None].repeat(2, 1, 1), groups) == pytest.approx(
        (shares.mean_cosine,) * 2
    )


def test_a_rogue_dimension_is_found_and_holds_its_share():
    vectors = gaussian(500, 8)
    vectors[:, 5] += 20
    shares = dimension_proportions(vectors, alone(500))
    assert shares.ranked[0] == 5 and shares.proportions[5] > 0.98
    assert shares.proportions.sum() == pytest.approx(1)
    assert shares.n_for_proportion(0.5) == 1
    assert dimension_proportions(drop_dimensions(vectors, (5,)), alone(500)).mean_cosine < 0.01


def test_how_many_dimensions_hold_a_share_worked_by_hand():
    vectors = torch.tensor([[3.0, 2.0, 1.0, 0.0]]).repeat(2, 1)  # contributions 9, 4, 1, 0 of 14
    shares = dimension_proportions(vectors, alone(2))
    counts = [shares.n_for_proportion(share / 14) for share in (1, 9, 9.1, 13, 13.5, 14)]
    assert counts == [1, 1, 2, 2, 3, 3]


def test_words_are_drawn_alike_from_every_sentence_and_never_twice():
    sentences = ["one two three four five", "six", "seven eight", "six", "...", ""]
    sample = sample_words(sentences, 5, Random(0))
    assert sorted(sample.sentence_numbers) in ([0, 0, 0, 1, 2], [0, 0, 1, 2, 2])
    assert len(set(sample.words)) == 5
    everything = sample_words(sentences, 100, Random(0))
    assert [w.target for w in everything.words] == [
        *("one", "two", "three", "four", "five", "six", "seven", "eight")
    ]
    assert sample.groups.tolist() == list(sample.sentence_numbers)


def test_a_draw_out_of_a_sample_is_as_even_as_the_sample():
    pool = sample_words(["a b c d e f", "g h", "i j k l"], 100, Random(0))
    for seed in range(5):
        drawn = pool.part(pool.draw(7, Random(seed)))
        counts = [drawn.sentence_numbers.count(number) for number in range(3)]
        assert counts[1] == 2 and sorted(counts) == [2, 2, 3]
        assert set(drawn.words) < set(pool.words) and len(set(drawn.words)) == 7
    assert pool.part(pool.draw(100, Random(0))) == pool


@pytest.mark.parametrize("sentences", [[], ["one two"], ["one", "one"], ["one", "12 !"]])
def test_fewer_than_two_sentences_are_refused(sentences):
    with pytest.raises(ValueError, match="give at least two"):
        sample_words(sentences, 9, Random(0))


@given(st.lists(st.integers(0, 9), min_size=10, max_size=40), st.integers(0, 99))
def test_independent_pairs_take_one_word_of_a_sentence(groups, seed):
    if len(set(groups)) < 4:
        return
    pairs = independent_pairs(groups, Random(seed))
    used = [groups[i] for i in pairs.flatten().tolist()]
    assert len(set(used)) == len(used) == 2 * (len(set(groups)) // 2)


def test_random_pairs_are_of_different_sentences():
    groups = [0, 0, 0, 1]
    pairs = random_pairs(groups, 50, Random(0))
    assert pairs.shape == (50, 2) and all(groups[i] != groups[j] for i, j in pairs.tolist())
    with pytest.raises(ValueError, match="give at least two"):
        random_pairs([3, 3], 5, Random(0))
    with pytest.raises(ValueError, match="3 sentences: two pairs"):
        independent_pairs([0, 1, 2], Random(0))
    with pytest.raises(ValueError, match="give at least two"):
        dimension_proportions(gaussian(3, 5), torch.zeros(3, dtype=torch.long))


def test_z_scores_worked_by_hand():
    corpus = torch.tensor([[1.0, 7.0], [3.0, 7.0]])
    learnt = learn_from_corpus(corpus, alone(2))
    assert learnt.mean.tolist() == [2, 7] and learnt.deviation.tolist() == [1, 0]
    assert learnt.postprocess(torch.tensor([[5.0, 8.0]]), "z-scored").tolist() == [[3, 1]]


def test_z_scored_words_have_mean_0_deviation_1_and_no_anisotropy():
    vectors = gaussian(600, 9) * torch.arange(1, 10) + torch.arange(9) * 5
    learnt = learn_from_corpus(vectors, alone(600))
    z = learnt.postprocess(vectors, "z-scored")
    torch.testing.assert_close(z.mean(dim=0), torch.zeros(9, dtype=z.dtype))
    torch.testing.assert_close(z.std(dim=0, correction=0), torch.ones(9, dtype=z.dtype))
    assert learnt.proportions.mean_cosine > 0.3
    assert abs(dimension_proportions(z, alone(600)).mean_cosine) < 0.005


def test_the_largest_dimensions_are_dropped():
    vectors = torch.tensor([[1.0, 9.0, 3.0], [1.0, 8.0, 3.0]])
    learnt = learn_from_corpus(vectors, alone(2))
    assert learnt.postprocess(vectors, "dropped", n_dropped=1).tolist() == [[1, 3], [1, 3]]
    assert torch.equal(learnt.postprocess(vectors, "raw"), vectors)
    assert torch.equal(learnt.postprocess(vectors, "dropped", n_dropped=0), vectors)


def test_what_can_not_be_dropped_or_done_is_refused(unchecked_shapes):
    vectors = torch.ones(2, 3)
    with pytest.raises(ValueError, match="all 3 dimensions dropped"):
        drop_dimensions(vectors, (0, 1, 2))
    with pytest.raises(ValueError, match="choose from 0 to 2"):
        drop_dimensions(vectors, (3,))
    with pytest.raises(ValueError, match="treatment 'whitened': choose one of raw"):
        learn_from_corpus(vectors, alone(2)).postprocess(vectors, "whitened")


def test_bands_worked_by_hand():
    words = tuple(MarkedSentence(text=t, start=0, end=1) for t in ("a", "a", "b", "b"))
    sample = BandSample(
        words=words,
        types=("a", "a", "b", "b"),
        bands=(0, 0, 0, 0),
        documents=(0, 1, 0, 1),
        counts={"a": 2, "b": 3},
    )
    vectors = torch.tensor([[1.0, 0], [0.6, 0.8], [0.0, 1], [0.0, 1]])
    (score,) = score_bands(vectors, sample)
    assert (score.fewest, score.most, score.n_words) == (2, 3, 2)
    assert score.self_similarity == pytest.approx((0.6 + 1) / 2)
    assert score.other_cosine == pytest.approx((0 + 0.8) / 2)  # a in 0 with b in 1, and back
    # Uses 0 and 1 in document 0 see only document 1. Use 1's nearest elsewhere is a b.
    assert score.neighbour_proportion == pytest.approx(3 / 4)
    # Two words, 0.6 and 1: their deviation 0.2 * sqrt(2), over sqrt(2).
    assert score.standard_error == pytest.approx(0.2)


def test_bands_hold_words_of_their_frequency_one_use_a_document():
    sample = sample_bands(corpora.documents(), Random(2), words_a_band=5)
    bounds = ((2, 7), (8, 31), (32, 127), (128, 10**6))
    for word, band in zip(sample.types, sample.bands, strict=True):
        assert bounds[band][0] <= sample.counts[word] <= bounds[band][1]
    assert len(set(zip(sample.types, sample.documents, strict=True))) == len(sample.types)
    assert all(w.target.lower() == t for w, t in zip(sample.words, sample.types, strict=True))
    with pytest.raises(ValueError, match="no word stands in two documents"):
        sample_bands([["one two"], ["three"]], Random(0))


def test_a_draw_out_of_bands_keeps_whole_words_of_each():
    pool = sample_bands(corpora.documents(), Random(2), words_a_band=6)
    drawn = pool.part(pool.draw(Random(3), 4))
    for band in range(4):
        types = [word for word, of in zip(drawn.types, drawn.bands, strict=True) if of == band]
        assert len(set(types)) == 4
        assert all(types.count(word) == pool.types.count(word) for word in types)
    assert drawn.counts == {word: pool.counts[word] for word in drawn.types}
    assert pool.part(pool.draw(Random(3), 6)) == pool


def test_the_bundled_model_is_anisotropic_until_z_scored_and_frequent_words_stay_apart():
    model, layer = load("mini-bert"), 9
    sample = sample_words(corpora.sentences(), 100, Random(5))
    vectors = all_layers_word_vectors(model, sample.words).at(layer)
    learnt = learn_from_corpus(vectors, sample.groups)
    means = [
        dimension_proportions(
            learnt.postprocess(vectors, t, n_dropped=1), sample.groups
        ).mean_cosine
        for t in POSTPROCESSINGS
    ]
    assert means[0] > 0.3 and means[1] < means[0] / 3 and abs(means[2]) < 0.02
    assert learnt.proportions.n_for_proportion(0.5) == 1, "one rogue dimension holds half"
    bands = sample_bands(corpora.documents(), Random(5), words_a_band=10)
    uses = all_layers_word_vectors(model, bands.words).at(layer)
    for postprocessing in POSTPROCESSINGS:
        scores = score_bands(learnt.postprocess(uses, postprocessing), bands)
        gap = scores[0].self_similarity - scores[-1].self_similarity
        error = math.hypot(scores[0].standard_error, scores[-1].standard_error)
        assert gap > 2 * error, postprocessing


@pytest.fixture(scope="module", params=READERS)
def random_words(request):
    """Give a bundled model's states of 200 words of its language at every layer, and the words."""
    rng = Random(0)
    sample = sample_words(rng.sample(corpora.sentences(request.param), 150), 200, rng)
    return all_layers_word_vectors(load(READERS[request.param]), sample.words).states, sample


def test_the_bundled_models_largest_dimensions_have_a_large_mean_and_often_a_small_deviation(
    random_words,
):
    """What isotropy.md says in `dimensions.one`, and that the textbook's variance is high."""
    (layers, sample), n_below = random_words, 0
    for vectors in layers:
        largest = int(dimension_proportions(vectors, sample.groups).proportions.argmax())
        mean, deviation = vectors.mean(dim=0).abs(), vectors.std(dim=0, correction=0)
        assert mean[largest] > 10 * mean.median()
        n_below += bool(deviation[largest] < deviation.median())
    assert len(layers) / 3 < n_below < len(layers)


def test_dropping_lowers_the_mean_cosine_of_random_pairs_and_z_scoring_brings_it_to_0(
    random_words,
):
    """What isotropy.md says in `lead` and `senses.lead`."""
    layers, sample = random_words
    for vectors in layers:
        corpus = learn_from_corpus(vectors, sample.groups)
        raw, dropped, z = (
            dimension_proportions(corpus.postprocess(vectors, name), sample.groups).mean_cosine
            for name in POSTPROCESSINGS
        )
        assert raw > 0.2 and dropped < 0.75 * raw
        # The mean over all pairs is 0 by construction, but those of one sentence are left out.
        assert abs(z) < 0.02
