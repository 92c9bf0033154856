"""What we save, transformers reads: the same logits, the same tokens for a thousand texts."""

import random

import pytest
import torch
import transformers

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.checkpoints import load_bert, save_bert
from mlm_core.encoder.model_list import BUNDLED_FOLDER
from mlm_core.text.corpora import sentences
from mlm_core.text.tokens import (
    ALGORITHMS,
    SPECIAL_TOKENS,
    load_tokenizer,
    save_tokenizer,
    tokenize,
    train_tokenizer,
)
from tests.small_bert import small_config

ALPHABETS = (
    "abc xyz THE the Cat",
    "éèüñåÇœßŁıİǆ e\u0301o\u0308",
    "東京大学漢字かなカナ한국어ไทย",
    "😀👩‍👧🏽🇩🇪✈\ufe0f🏳\ufe0f‍🌈 ok",
    "שלום مرحبا عليكم \u202e\u200f",
    "\x00\x01\x07\t\n\r\u200b\ufeff\u00a0\u2028\x7f\x85ab",
    ".,!?'\"()[]{}<>@#$%^&*-_=+~`|\\/…“”—",
    "0123456789½²٣",
    "▁##</w>Ġ",
)
PHRASES = ("[MASK]", " [CLS] ", "[SEP]", "[UNK]", "[PAD]", "[mask]", "un##happy", "</w>", " ▁the")


def varied_strings(n: int) -> list[str]:
    """Return n texts of every kind, the same ones on every run."""
    rng = random.Random(20)
    texts = ["", " ", "x" * 500, "é" * 500, "漢" * 500, "\n\n", "[MASK]"]
    texts += [line for line in sentences()[::40]]
    while len(texts) < n:
        kind = rng.randrange(len(ALPHABETS) + 3)
        length = rng.randrange(1, 60)
        if kind < len(ALPHABETS):
            text = "".join(rng.choice(ALPHABETS[kind] + " ") for _ in range(length))
        elif kind == len(ALPHABETS):  # one long word
            text = "".join(rng.choice("abcdefghé") for _ in range(500))
        elif kind == len(ALPHABETS) + 1:  # everything mixed
            text = "".join(rng.choice(rng.choice(ALPHABETS)) for _ in range(length))
        else:
            text = "".join(rng.choice((*PHRASES, "the cat", "é ")) for _ in range(length // 6 + 1))
        texts.append(text)
    return texts


TEXTS = varied_strings(1000)


@pytest.fixture(scope="module", params=["bundled folder", "bundled saved again", *ALGORITHMS])
def both(request, tmp_path_factory):
    """Give our tokenizer and what AutoTokenizer makes of its folder."""
    if request.param == "bundled folder":
        return load_tokenizer(BUNDLED_FOLDER), transformers.AutoTokenizer.from_pretrained(
            BUNDLED_FOLDER
        )
    folder = tmp_path_factory.mktemp("saved")
    if request.param in ALGORITHMS:
        tokenizer = train_tokenizer(request.param, sentences()[:400], 700)
    else:
        tokenizer = load_tokenizer(BUNDLED_FOLDER)
    config = small_config(
        tokenizer, n_positions=2000, hidden_size=6, n_layers=1, intermediate_size=10
    )
    save_bert(Bert(config), tokenizer, folder)
    return load_tokenizer(folder), transformers.AutoTokenizer.from_pretrained(folder)


def test_a_thousand_varied_texts_become_the_same_tokens(both):
    ours, theirs = both
    assert theirs(TEXTS, truncation=False)["input_ids"] == [
        tokenize(ours, text).ids for text in TEXTS
    ]


def test_pairs_become_the_same_tokens_and_segments(both):
    ours, theirs = both
    firsts, seconds = TEXTS[:300:2], TEXTS[1:300:2]
    batch = theirs(firsts, seconds, truncation=False)
    pairs = [tokenize(ours, *texts) for texts in zip(firsts, seconds, strict=True)]
    assert batch["input_ids"] == [pair.ids for pair in pairs]
    assert batch["token_type_ids"] == [pair.segment_ids for pair in pairs]


def test_the_special_tokens_have_the_roles_and_ids_that_they_have_here(both):
    ours, theirs = both
    for role, name in zip(("pad", "unk", "cls", "sep", "mask"), SPECIAL_TOKENS, strict=True):
        assert getattr(theirs, f"{role}_token") == name
        assert getattr(theirs, f"{role}_token_id") == ours.token_to_id(name)
    assert theirs.is_fast


def test_decoding_gives_the_same_text(both):
    ours, theirs = both
    for sentence in sentences()[:20]:
        ids = tokenize(ours, sentence).ids
        plain = theirs.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        assert plain == ours.decode(ids)


@pytest.mark.parametrize("with_next_sentence_head", [True, False])
@pytest.mark.parametrize("half", [False, True])
def test_what_we_save_is_read_whole_and_gives_the_same_logits(
    tmp_path, with_next_sentence_head, half
):
    torch.manual_seed(4)
    tokenizer = train_tokenizer("WordPiece", sentences()[:50], 200)
    config = small_config(
        tokenizer,
        n_positions=33,
        layer_norm_epsilon=1e-6,
        initializer_range=0.3,
        has_next_sentence_head=with_next_sentence_head,
    )
    save_bert(Bert(config), tokenizer, tmp_path / "saved", half=half)
    theirs, report = transformers.AutoModelForMaskedLM.from_pretrained(
        tmp_path / "saved", output_loading_info=True, dtype=torch.float32
    )
    assert not report["missing_keys"] and not report["mismatched_keys"]
    # It has no use for the next-sentence head; every other weight finds its place.
    assert all(
        name.startswith(("cls.seq_relationship", "bert.pooler"))
        for name in report["unexpected_keys"]
    )
    encoded = transformers.AutoTokenizer.from_pretrained(tmp_path / "saved")(
        "the old man", "a dog", return_tensors="pt"
    )
    with torch.no_grad():
        expected = theirs.eval()(**encoded).logits[0]
    bert = load_bert(tmp_path / "saved")
    text = tokenize(tokenizer, "the old man", "a dog")
    states = bert.encode(torch.tensor([text.ids]), torch.tensor([text.segment_ids])).last
    # float32 on numbers of size 1 to 10, through two layers; both read the same file.
    torch.testing.assert_close(
        bert.masked_language_logits(states)[0], expected, atol=1e-5, rtol=1e-5
    )


def test_the_bundled_folder_is_read_whole_by_transformers():
    _, report = transformers.AutoModelForMaskedLM.from_pretrained(
        BUNDLED_FOLDER, output_loading_info=True
    )
    assert not report["missing_keys"] and not report["mismatched_keys"]


def test_the_longest_text_is_that_of_the_model(tmp_path):
    tokenizer = train_tokenizer("BPE", sentences()[:20], 100)
    save_tokenizer(tokenizer, tmp_path, max_tokens=33)
    cut = transformers.AutoTokenizer.from_pretrained(tmp_path)("the " * 100, truncation=True)[
        "input_ids"
    ]
    assert cut == tokenize(tokenizer, "the " * 100, max_tokens=33).ids
