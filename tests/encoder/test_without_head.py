"""Encoders that were saved without a masked-language head, as sentence encoders are shipped."""

import json
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from mlm_core.encoder.checkpoints import save_bert
from mlm_core.encoder.fetching import ModelUnavailableError
from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import BUNDLED, MissingHeadError
from mlm_core.encoder.pretrained import load
from mlm_core.prediction.masked_words import labels_of, predict
from mlm_core.prediction.untrained_head import head_loss
from mlm_core.text.tokens import tokenize
from tests.finetuning.small_models import run_to_its_end, small_data
from tests.reference.small_checkpoints import save_small, small_tokenizer

KINDS = ("bert-uncased", "roberta", "distilbert", "xlm-roberta", "modernbert")


def without_head(kind: str, folder: Path) -> Path:
    """Save a small encoder as AutoModel does: no head, names without the model's prefix."""
    save_small(kind, folder)
    transformers.AutoModel.from_pretrained(folder).save_pretrained(folder)
    names = load_file(folder / "model.safetensors").keys()
    assert not any("predictions" in name or "lm_head" in name or "vocab_" in name for name in names)
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_it_gives_the_states_and_weights_of_transformers_and_no_probabilities(kind, tmp_path):
    folder = without_head(kind, tmp_path / kind)
    model = load(kind, folder)
    assert not model.has_language_head and (model.bert is not None) == (kind == "bert-uncased")
    text = tokenize(model.tokenizer, "the old man", max_tokens=model.max_tokens)
    encoding = model.encode(text, record=True)
    theirs = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    with torch.no_grad():
        output = theirs(torch.tensor([text.ids]), output_hidden_states=True, output_attentions=True)
    # float32 over two layers of width 12: errors of about 1e-6.
    for ours, wanted in zip(encoding.states, output.hidden_states, strict=True):
        torch.testing.assert_close(ours, wanted, atol=2e-5, rtol=1e-4)
    for ours, wanted in zip(encoding.weights, output.attentions, strict=True):
        weights = ours.weights if hasattr(ours, "weights") else ours
        torch.testing.assert_close(weights, wanted, atol=2e-5, rtol=1e-4)
    with pytest.raises(MissingHeadError, match=f"{kind} was saved without its masked-language"):
        model.vocabulary_logits(text)
    with pytest.raises(MissingHeadError):
        predict(model, text, labels_of(text.ids, {1}))
    with pytest.raises(MissingHeadError):
        head_loss(model)


def test_a_sentence_encoder_of_minilm_s_shape_is_read_as_it_is_shipped(tmp_path):
    """Six layers of width 384 in 12 heads, a tokenizer that cuts and pads, a pooler."""
    config = transformers.BertConfig(
        vocab_size=400, hidden_size=384, num_hidden_layers=6, num_attention_heads=12,
        intermediate_size=1536, max_position_embeddings=512, type_vocab_size=2,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(tmp_path)
    tokenizer = small_tokenizer("bert-uncased")
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=8)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "modules.json").write_text(json.dumps([{"type": "sentence_transformers.models"}]))
    model = load("MiniLM", tmp_path)
    assert (model.n_layers, model.n_heads, model.hidden_size, model.max_tokens) == (6, 12, 384, 512)
    text = tokenize(model.tokenizer, "the man and the dog and the cat and the house")
    assert len(text.tokens) > 8
    assert model.encode(text).last.shape == (1, len(text.tokens), 384)
    assert model.bert.next_sentence_head is None


@pytest.mark.parametrize("kind", ["classes", "tags"])
def test_it_is_fine_tuned(kind, tmp_path):
    model = load("own", without_head("bert-uncased", tmp_path))
    last = run_to_its_end(small_data(kind), model, trained="top", n_top_layers=1)
    assert last.phase == "finished" and last.tests[-1].loss > 0


def test_it_is_saved_and_read_again_without_head(tmp_path):
    model = load("a", without_head("bert-uncased", tmp_path / "a"))
    save_bert(model.bert, model.tokenizer, tmp_path / "b")
    again = load("b", tmp_path / "b")
    assert not again.has_language_head
    text = tokenize(model.tokenizer, "the old man")
    torch.testing.assert_close(again.encode(text).last, model.encode(text).last)
    config = json.loads((tmp_path / "b" / "config.json").read_text())
    assert config["architectures"] == ["BertModel"]


def test_a_lost_weight_of_the_encoder_itself_is_still_refused(tmp_path):
    folder = without_head("roberta", tmp_path / "roberta")
    path = folder / "model.safetensors"
    tensors = load_file(path)
    del tensors["encoder.layer.1.output.dense.weight"]
    save_file(tensors, path, metadata={"format": "pt"})
    with pytest.raises(ModelUnavailableError, match=r"lacks 1 weights, .*: it is damaged"):
        load("roberta", folder)


def test_a_trained_head_is_told_from_one_of_random_numbers():
    bundled = load(BUNDLED)
    trained = head_loss(bundled)
    assert not trained.is_untrained and trained.loss < 0.5 * trained.uniform
    head = bundled.bert.masked_language_head
    with torch.random.fork_rng():
        torch.manual_seed(4)
        random = type(head)(bundled.bert.config).requires_grad_(False)
    # As transformers draws a missing head.
    torch.nn.init.normal_(random.transform.weight, std=0.02)
    torch.nn.init.zeros_(random.transform.bias)
    again = OwnModel("random head", load(BUNDLED).bert, bundled.tokenizer)
    again.bert.masked_language_head = random
    assert head_loss(again).is_untrained
