"""What a sentence encoder's files say, applied: each step by hand, and what can't be applied."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.checkpoints import save_bert
from mlm_core.encoder.pretrained import load
from mlm_core.search.recipe import read_recipe, recipe_vectors
from mlm_core.text.tokens import tokenize, train_tokenizer
from tests.small_bert import small_config

TOKENIZER = train_tokenizer("WordPiece", ["the old man and the dog query: text:"], 60)
TEXTS = ("the old man", "The dog and the old man", "dog", "the old man")
LIBRARY = "sentence_transformers.models"
TANH = "torch.nn.modules.activation.Tanh"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> Path:
    """Give the folder of an encoder alone."""
    folder = tmp_path_factory.mktemp("encoder")
    torch.manual_seed(8)
    save_bert(Bert(small_config(TOKENIZER)), TOKENIZER, folder)
    return folder


@pytest.fixture
def folder(encoder, tmp_path) -> Path:
    """Give one with the same files, for a test to add to."""
    for path in encoder.iterdir():
        (tmp_path / path.name).symlink_to(path)
    return tmp_path


def publish(folder: Path, pooling: dict | None = None, *modules, **said):
    """Write the files of a sentence encoder; return the model and its recipe."""
    named = [("", f"{LIBRARY}.Transformer"), ("1_Pooling", f"{LIBRARY}.Pooling"), *modules]
    files = {
        "modules.json": [{"path": path, "type": type_} for path, type_ in named],
        "1_Pooling/config.json": {"pooling_mode": "mean"} if pooling is None else pooling,
        "config_sentence_transformers.json": said,
    }
    for path, content in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(json.dumps(content))
    model = load(folder)
    return model, read_recipe(model)


def add_layer(folder: Path, path: str, config: dict, **tensors: torch.Tensor) -> None:
    (folder / path).mkdir()
    (folder / path / "config.json").write_text(json.dumps(config))
    named = {name.replace("_", "."): tensor for name, tensor in tensors.items()}
    save_file(named, folder / path / "model.safetensors")


def states_of(model, text: str, max_tokens: int | None = None) -> torch.Tensor:
    return model.encode(tokenize(model.tokenizer, text, max_tokens=max_tokens)).last[0]


BY_HAND = {
    "cls": lambda h: h[0],
    "max": lambda h: torch.stack([max(column) for column in h.T]),
    "mean": lambda h: sum(h) / len(h),
    "mean_sqrt_len_tokens": lambda h: sum(h) / len(h) ** 0.5,
    "weightedmean": lambda h: sum(i * row for i, row in enumerate(h, 1)) / sum(range(len(h) + 1)),
    "lasttoken": lambda h: h[-1],
}


@pytest.mark.parametrize("pooling", BY_HAND)
def test_each_pooling_is_what_it_is_by_hand(folder, pooling):
    model, recipe = publish(folder, {"pooling_mode": pooling})
    found = recipe_vectors(model, recipe, TEXTS, "text")
    expected = [BY_HAND[pooling](states_of(model, text)) for text in TEXTS]
    torch.testing.assert_close(found, torch.stack(expected), atol=1e-5, rtol=0)
    assert recipe.poolings == (pooling,) and not recipe.left_out


@pytest.mark.parametrize(
    ("config", "poolings"),
    [
        ({"pooling_mode_cls_token": False, "pooling_mode_max_tokens": True}, ["max"]),
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True}, ["cls", "mean"]),
        ({"pooling_mode": ["max", "cls"], "embedding_dimension": 12}, ["max", "cls"]),
        ({"word_embedding_dimension": 12}, ["mean"]),
    ],
)
def test_old_and_new_settings_of_the_pooling_are_read_and_vectors_joined(folder, config, poolings):
    model, recipe = publish(folder, config)
    [found] = recipe_vectors(model, recipe, TEXTS[:1], "text")
    states = states_of(model, TEXTS[0])
    expected = torch.cat([BY_HAND[pooling](states) for pooling in poolings])
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("activation", [TANH, "torch.nn.modules.linear.Identity", None])
@pytest.mark.parametrize("has_bias", [True, False])
def test_layers_over_the_vector_are_applied_in_their_order(folder, activation, has_bias):
    weight, bias = torch.randn(5, 12), torch.randn(5)
    config = {"in_features": 12} | ({"activation_function": activation} if activation else {})
    of_bias = {"linear_bias": bias} if has_bias else {}
    add_layer(folder, "2_Dense", config, linear_weight=weight, **of_bias)
    scale, shift = torch.randn(5), torch.randn(5)
    add_layer(folder, "3_LayerNorm", {"dimension": 5}, norm_weight=scale, norm_bias=shift)
    names = ("Dense", "LayerNorm", "Dropout", "Normalize")
    modules = [(f"{i}_{name}", f"{LIBRARY}.{name}") for i, name in enumerate(names, 2)]
    model, recipe = publish(folder, None, *modules)
    assert tuple(name for name, _ in recipe.layers) == names and not recipe.left_out
    found = recipe_vectors(model, recipe, TEXTS, "text")
    for text, vector in zip(TEXTS, found, strict=True):
        dense = weight @ states_of(model, text).mean(dim=0) + (bias if has_bias else 0)
        dense = dense if activation and "Identity" in activation else dense.tanh()
        normal = (dense - dense.mean()) / (dense.var(correction=0) + 1e-5).sqrt() * scale + shift
        torch.testing.assert_close(vector, normal / normal.norm(), atol=1e-5, rtol=0)


@pytest.mark.parametrize(
    ("window", "read"), [(4, 4), (5, 5), (None, 9), (900, 9), (10**30, 9), ("8", 9)]
)
def test_the_window_cuts_off_where_the_files_say(folder, window, read):
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": window}))
    model, recipe = publish(folder)
    text = "the old man and the dog and the man"
    [found] = recipe_vectors(model, recipe, [text], "text")
    expected = states_of(model, text, read).mean(dim=0)
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize(
    ("said", "of_query", "of_text"),
    [
        ({"prompts": {"query": "query: ", "document": "text: "}}, "query: ", "text: "),
        (
            {"prompts": {"query": "query: ", "passage": "text: ", "document": ""}},
            "query: ",
            "text: ",
        ),
        ({"prompts": {"s": "the "}, "default_prompt_name": "s"}, "the ", "the "),
        ({"prompts": {"query": "query: "}, "default_prompt_name": None}, "query: ", ""),
        ({"prompts": None, "default_prompt_name": 3}, "", ""),
    ],
)
def test_prompts_are_put_before_queries_and_texts(folder, said, of_query, of_text):
    model, recipe = publish(folder, **said)
    for role, prompt in (("query", of_query), ("text", of_text)):
        [found] = recipe_vectors(model, recipe, TEXTS[:1], role)
        expected = states_of(model, prompt + TEXTS[0]).mean(dim=0)
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("pooling", ["cls", "mean", "weightedmean"])
def test_a_prompt_that_is_not_pooled_is_read_all_the_same(folder, pooling):
    config = {"pooling_mode": pooling, "include_prompt": False}
    model, recipe = publish(folder, config, prompts={"query": "the dog: "})
    [found] = recipe_vectors(model, recipe, ["man"], "query")
    states = states_of(model, "the dog: man")
    n = len(tokenize(model.tokenizer, "the dog:").tokens) - 1  # without its [SEP]
    weights = torch.arange(n + 1, len(states) + 1.0)
    expected = {
        "cls": states[n],
        "mean": states[n:].mean(dim=0),
        "weightedmean": weights @ states[n:] / weights.sum(),
    }
    torch.testing.assert_close(found, expected[pooling], atol=1e-5, rtol=0)


def test_texts_are_lowercased_where_the_files_say(folder):
    (folder / "sentence_bert_config.json").write_text(json.dumps({"do_lower_case": True}))
    model, recipe = publish(folder)
    both = recipe_vectors(model, recipe, ["THE Dog", "the dog"], "text")
    assert torch.equal(both[0], both[1])


@pytest.mark.parametrize(
    ("pooling", "modules", "named"),
    [
        (None, [("2_CNN", f"{LIBRARY}.CNN")], "CNN"),
        (None, [("2_Own", "own_code.Dense")], "own_code.Dense"),
        (None, [("2_Dense", f"{LIBRARY}.Dense")], "Dense"),  # without its files
        (None, [("../elsewhere", f"{LIBRARY}.Normalize")], "Normalize"),
        ({"pooling_mode": "mode"}, [], "Pooling"),
        ({"pooling_mode": "mean"}, [("3_Dense", f"{LIBRARY}.Dense")], "Dense"),  # of another width
        (None, [("4_Dense", f"{LIBRARY}.Dense")], "Dense"),  # of an unknown activation
    ],
    ids=str,
)
def test_what_cannot_be_applied_is_named_and_then_nothing_is(folder, pooling, modules, named):
    add_layer(folder, "3_Dense", {}, linear_weight=torch.ones(5, 7))
    config = {"activation_function": "own.Mish"}
    add_layer(folder, "4_Dense", config, linear_weight=torch.ones(5, 12))
    model, recipe = publish(folder, pooling, *modules)
    assert named in recipe.left_out
    with pytest.raises(ValueError, match=f"makes its vectors with .*{named}, which is not applied"):
        recipe_vectors(model, recipe, TEXTS, "text")


def test_an_encoder_that_is_no_sentence_encoder_has_no_recipe(folder):
    assert read_recipe(load(folder)) is None and read_recipe(load("mini-bert")) is None
