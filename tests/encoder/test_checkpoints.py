"""A BERT on disk: there and back, old names, and every kind of damage with its message."""

import json
import re
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from mlm_core.encoder.bert import Bert, BertConfig
from mlm_core.encoder.checkpoints import (
    load_bert,
    read_config,
    save_bert,
)
from mlm_core.encoder.folders import CheckpointError, read_json
from mlm_core.encoder.model_list import BUNDLED_FOLDER
from mlm_core.encoder.parameter_names import name_for_transformers, our_name
from mlm_core.text.tokens import tokenize, train_tokenizer
from tests.fresh import run_fresh
from tests.small_bert import small_config

TOKENIZER = train_tokenizer("WordPiece", ["the old man and the dog"], 60)
CONFIG = small_config(TOKENIZER)


@pytest.fixture
def folder(tmp_path) -> Path:
    """Give a sound small checkpoint, for a test to harm."""
    torch.manual_seed(5)
    save_bert(Bert(CONFIG), TOKENIZER, tmp_path / "small")
    return tmp_path / "small"


def change_config(folder: Path, **changes) -> None:
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8")) | changes
    path.write_text(json.dumps(config), encoding="utf-8")


def change_tensors(folder: Path, change) -> None:
    """Rewrite the weights as `change(tensors)` leaves or returns them."""
    path = folder / "model.safetensors"
    tensors = {name: tensor.clone() for name, tensor in load_file(path).items()}
    changed = change(tensors)
    save_file(tensors if changed is None else changed, path)


# There and back


def test_what_is_saved_comes_back_number_by_number(tmp_path):
    torch.manual_seed(6)
    bert = Bert(CONFIG)
    save_bert(bert, TOKENIZER, tmp_path / "model")
    again = load_bert(tmp_path / "model")
    assert again.config == bert.config
    ours, theirs = bert.state_dict(), again.state_dict()
    assert ours.keys() == theirs.keys()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)
    assert not again.training and not any(p.requires_grad for p in again.parameters())


def test_half_the_size_keeps_half_the_digits(tmp_path):
    torch.manual_seed(6)
    bert = Bert(CONFIG)
    save_bert(bert, TOKENIZER, tmp_path / "whole")
    save_bert(bert, TOKENIZER, tmp_path / "half", half=True)
    sizes = [(tmp_path / kind / "model.safetensors").stat().st_size for kind in ("half", "whole")]
    assert sizes[0] < 0.7 * sizes[1]  # the header with the names doesn't shrink
    again = load_bert(tmp_path / "half")
    for name, parameter in bert.state_dict().items():
        assert again.state_dict()[name].dtype == torch.float32
        # float16 has 11 significant bits, and steps of 2^-24 next to zero.
        torch.testing.assert_close(again.state_dict()[name], parameter, rtol=2**-11, atol=2**-24)


def test_a_model_without_the_next_sentence_head_comes_back_without_it(tmp_path):
    config = BertConfig(**{**vars(CONFIG), "has_next_sentence_head": False})
    save_bert(Bert(config), TOKENIZER, tmp_path / "model")
    assert load_bert(tmp_path / "model").next_sentence_head is None


def test_the_loaded_weights_do_not_hang_on_the_file(folder):
    bert = load_bert(folder)
    before = bert.embeddings.token.weight.clone()
    (folder / "model.safetensors").write_bytes(b"\xff" * 50_000)
    assert torch.equal(bert.embeddings.token.weight, before)


def test_every_parameter_has_a_name_of_its_own_there():
    ours = list(Bert(CONFIG).state_dict())
    names = [name_for_transformers(name) for name in ours]
    assert [our_name(name) for name in names] == ours
    assert len(set(names)) == len(names)
    assert "bert.encoder.layer.1.attention.self.query.weight" in names
    assert "cls.predictions.bias" in names


def test_the_bundled_model_loads_without_transformers():
    code = (
        "import sys\n"
        "from mlm_core.encoder.pretrained import load\n"
        "from mlm_core.text.tokens import tokenize\n"
        "model = load('mini-bert')\n"
        "text = tokenize(model.tokenizer, 'The dog [MASK].')\n"
        "assert model.vocabulary_logits(text).isfinite().all()\n"
        "heavy = {'transformers', 'sklearn', 'umap', 'streamlit', 'plotly'}\n"
        "print(sorted(heavy & sys.modules.keys()), model.n_layers, model.max_tokens)\n"
    )
    ran = run_fresh(code)
    assert ran.stdout.strip() == "[] 12 128", ran.stderr


def test_the_bundled_model_fills_a_blank_with_a_word_that_fits():
    from mlm_core.encoder.pretrained import load

    model = load("mini-bert")
    text = tokenize(model.tokenizer, "They went to the [MASK] by train.")
    logits = model.vocabulary_logits(text)[text.texts.index("[MASK]")]
    best = [model.tokenizer.id_to_token(i) for i in logits.topk(10).indices.tolist()]
    assert all(word.isalpha() for word in best), best
    assert BUNDLED_FOLDER.is_dir()


# Other people's files


def test_the_names_gamma_and_beta_of_the_oldest_checkpoints_are_read(folder):
    expected = load_bert(folder).state_dict()

    def to_old(tensors):
        tensors["bert.embeddings.LayerNorm.weight"] += 0.25
        return {
            name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
                "LayerNorm.bias", "LayerNorm.beta"
            ): tensor
            for name, tensor in tensors.items()
        }

    change_tensors(folder, to_old)
    again = load_bert(folder).state_dict()
    torch.testing.assert_close(
        again["embeddings.norm.weight"], expected["embeddings.norm.weight"] + 0.25
    )
    assert torch.equal(
        again["blocks.1.attention_norm.bias"], expected["blocks.1.attention_norm.bias"]
    )


def test_a_next_sentence_head_that_config_json_does_not_name_is_taken(folder):
    """Google's own BERTs say BertForMaskedLM and bring both heads."""
    change_config(folder, architectures=["BertForMaskedLM"])
    assert not read_config(folder).has_next_sentence_head
    bert = load_bert(folder)
    assert bert.next_sentence_logits(torch.zeros(1, 2, 12)).shape == (1, 2)


def test_a_tied_output_matrix_that_stands_in_the_file_is_accepted(folder):
    def add_copy(tensors):
        embedding = tensors["bert.embeddings.word_embeddings.weight"]
        tensors["cls.predictions.decoder.weight"] = embedding.clone()

    change_tensors(folder, add_copy)
    assert load_bert(folder).config == CONFIG


def test_null_in_config_json_stands_for_the_default(folder):
    change_config(folder, pad_token_id=None, hidden_dropout_prob=None)
    assert load_bert(folder).config.dropout_rate == 0.1


# Damage


def refused(folder: Path) -> str:
    """Return the message of the refusal."""
    with pytest.raises(CheckpointError) as caught:
        load_bert(folder)
    message = str(caught.value)
    assert "\n" not in message.strip() and len(message) < 500, message
    return message


@pytest.mark.parametrize("content", ["[]", "3", "null", '"bert"'])
def test_json_that_is_no_object_is_refused(folder, content):
    (folder / "config.json").write_text(content)
    assert "small/config.json holds no JSON object" in refused(folder)


def test_a_folder_in_place_of_config_json_is_refused(folder):
    (folder / "config.json").unlink()
    (folder / "config.json").mkdir()
    assert "small/config.json can't be read" in refused(folder)
    with pytest.raises(CheckpointError, match="no missing"):
        read_json(folder / "missing")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model_type": "roberta"}, "model_type 'roberta', expected 'bert'"),
        ({"hidden_act": "relu"}, "hidden_act 'relu', expected 'gelu'"),
        ({"hidden_act": ["gelu"]}, r"hidden_act \['gelu'\], expected 'gelu'"),
        ({"position_embedding_type": "relative_key"}, "position_embedding_type 'relative_key'"),
        ({"is_decoder": True}, "is_decoder True, expected False"),
        ({"num_attention_heads": 5}, "hidden_size 12 does not divide into 5 heads"),
        ({"hidden_size": "12"}, "hidden_size is '12'"),
        ({"num_hidden_layers": -1}, "n_layers is -1"),
        ({"num_hidden_layers": 9_999_999}, "num_hidden_layers 9999999: the weights don't belong"),
        ({"num_hidden_layers": 1}, r"has the layers \[0, 1\], but .* num_hidden_layers 1"),
        ({"vocab_size": 10**30}, "vocabulary_size is 1000"),
        ({"vocab_size": 9_999_999}, "shape .* for bert.embeddings.word_embeddings.weight"),
        ({"hidden_size": 9_999_999}, "for bert.embeddings.word_embeddings.weight"),  # 400 TB
        ({"hidden_dropout_prob": "much"}, "dropout_rate is 'much'"),
        ({"layer_norm_eps": [1]}, r"layer_norm_epsilon is \[1\]"),
        ({"architectures": 5}, "makes no BERT"),
    ],
)
@pytest.mark.usefixtures("unchecked_shapes")
def test_a_config_that_does_not_fit_is_refused_before_memory_is_taken(folder, changes, message):
    change_config(folder, **changes)
    assert re.search(message, refused(folder))


def test_an_output_matrix_of_its_own_is_refused(folder):
    def untie(tensors):
        embedding = tensors["bert.embeddings.word_embeddings.weight"]
        tensors["cls.predictions.decoder.weight"] = embedding + 0.01

    change_tensors(folder, untie)
    assert "untied from the embeddings" in refused(folder)
