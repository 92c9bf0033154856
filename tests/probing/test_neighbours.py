"""Neighbours and the sentence-pair task on models small enough to check by hand."""

import math

import pytest
import torch

from mlm_core.encoder.language_model import OwnModel
from mlm_core.pretraining.sentence_pairs import Texts
from mlm_core.probing.neighbours import make_bank, nearest_occurrences, nearest_tokens
from mlm_core.probing.pair_task import judge, pair_task, pair_vectors
from mlm_core.small_runs.run import untrained_bert
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.text import prepare
from mlm_core.text.tokens import special_token_ids, tokenize

WORDS = ("rope", "rose", "book", "spade")
TEXT = "\n\n".join(
    f"The {WORDS[i % 4]} was taken on day {i}. Later the {WORDS[i % 4]} was {i} years old."
    for i in range(40)
)
SETTINGS = SmallRunSettings(
    own_text=TEXT, vocabulary_size=150, hidden_size=12, n_heads=2, n_layers=1, length=24
)


@pytest.fixture(scope="module")
def text():
    *_, prepared = prepare(SETTINGS)
    return prepared


@pytest.fixture
def model(text):
    bert = untrained_bert(SETTINGS, text.tokenizer.get_vocab_size())
    return OwnModel("small", bert.eval().requires_grad_(False), text.tokenizer)


def test_the_nearest_token_is_the_one_that_points_the_same_way(model):
    rope, rose = (model.tokenizer.token_to_id(word) for word in ("rope", "rose"))
    table = model.bert.embeddings.token.weight
    table[rose] = 3 * table[rope]
    first, *others = nearest_tokens(model, rope, n=5)
    assert (first.id, first.text) == (rose, "rose") and first.cosine == pytest.approx(1.0)
    cosines = [near.cosine for near in others]
    assert len(others) == 4 and cosines == sorted(cosines, reverse=True) and cosines[0] < 1


def test_neither_the_token_nor_a_special_one_is_its_neighbour(model):
    rope = model.tokenizer.token_to_id("rope")
    found = nearest_tokens(model, rope, n=10_000)
    specials = special_token_ids(model.tokenizer)
    assert len(found) == model.tokenizer.get_vocab_size() - len(specials) - 1
    assert not {near.id for near in found} & (specials | {rope})
    with pytest.raises(ValueError, match="has the ids 0 to"):
        nearest_tokens(model, 10_000)


def test_a_word_of_the_bank_is_nearest_to_itself_in_the_same_words_elsewhere(model):
    sentences = ["The rope was old.", "A book!", "The  rope was old."]
    *_, bank = make_bank(model, sentences)
    assert [word.target for word in bank.occurrences[:4]] == ["The", "rope", "was", "old"]
    asked = tokenize(model.tokenizer, sentences[0])
    (word,) = [word for word in asked.words if word.text == "rope"]
    first, second, *_ = nearest_occurrences(model, bank, asked, word.positions)
    # The two sentences read alike but for a space, so their states are the same.
    assert (first.occurrence.text, first.occurrence.target) == (sentences[2], "rope")
    assert first.cosine == pytest.approx(1.0) and second.cosine < 1 - 1e-6


def test_a_blank_has_neighbours_too_and_a_place_that_is_not_there_has_none(model):
    *_, bank = make_bank(model, ["The rope was old.", "Take the book."], causal=True)
    assert bank.causal
    blank = tokenize(model.tokenizer, "The [MASK] was old.")
    assert len(nearest_occurrences(model, bank, blank, [2], n=3)) == 3
    with pytest.raises(ValueError, match="tokens"):
        nearest_occurrences(model, bank, blank, [99])
    with pytest.raises(ValueError, match="no word"):
        list(make_bank(model, ["...", ""]))


def test_pair_vectors_ignore_padding(model):
    ids = torch.tensor([[2, 9, 8, 3, 7, 3, 0, 0], [2, 9, 3, 8, 6, 7, 5, 3]])
    texts = Texts(
        ids=ids,
        segment_ids=torch.tensor([[0, 0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 1, 1, 1, 1, 1]]),
        is_text=ids > 4,
        n_real=torch.tensor([6, 8]),
        pair_label=torch.tensor([0, 1]),
    )
    both = pair_vectors(model.bert, texts)
    alone = pair_vectors(model.bert, Texts(*(part[:1] for part in texts))._replace())
    cut = texts._replace(
        ids=ids[:1, :6],
        segment_ids=texts.segment_ids[:1, :6],
        is_text=texts.is_text[:1, :6],
        n_real=texts.n_real[:1],
        pair_label=texts.pair_label[:1],
    )
    short = pair_vectors(model.bert, cut)
    for name in ("cls", "mean"):
        torch.testing.assert_close(getattr(both, name)[:1], getattr(short, name))
        torch.testing.assert_close(getattr(alone, name), getattr(short, name))
    assert both.follows.tolist() == [True, False]


def test_a_vector_that_tells_is_judged_right_and_noise_is_a_coin():
    generator = torch.Generator().manual_seed(3)
    n, hidden = 1000, 7
    follows, held_out_follows = torch.rand(2, n, generator=generator) < 0.5
    noise, held_out_noise = torch.randn(2, n, hidden, generator=generator)
    told, held_out_told = noise.clone(), held_out_noise.clone()
    told[:, 4] += 20 * follows
    held_out_told[:, 4] += 20 * held_out_follows
    assert judge(told, follows, held_out_told, held_out_follows).accuracy > 0.99
    result = judge(noise, follows, held_out_noise, held_out_follows)
    # 5 standard deviations of a share of one half.
    assert abs(result.accuracy - 0.5) < 5 * math.sqrt(0.25 / n)


def test_the_pair_task_yields_its_progress_and_asks_all_encoders_the_same(model, text):
    pieces = list(pair_task(model.bert, text, seed=4, n_train=200, n_held_out=130))
    # Two passes for 200 pairs, two for 130, one regression, and the result.
    assert pieces[:-1] == [None] * 5
    assert len(pieces[-1].from_cls.right) == 130
    *_, again = pair_task(model.bert, text, seed=4, n_train=200, n_held_out=130)
    assert again == pieces[-1]


def test_read_from_the_left_cls_tells_nothing(model, text):
    *_, result = pair_task(model.bert, text, seed=4, causal=True, n_train=200, n_held_out=130)
    # One vector for all pairs: the regression can only say the same of all.
    assert abs(result.from_cls.accuracy - 0.5) < 5 * math.sqrt(0.25 / 130)
