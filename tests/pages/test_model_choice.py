"""Which models a visitor may choose, and that only the host's variable changes it."""

import json
from pathlib import Path

import pytest

from mlm_core.encoder import fetching
from mlm_core.encoder.fetching import ModelUnavailableError, float32_bytes
from mlm_core.encoder.model_list import (
    BUNDLED,
    BUNDLED_FOLDER,
    BUNDLED_FOLDERS,
    DEFAULT_HUB_MODELS,
    LONGEST_WINDOW,
    READERS,
    read_sizes,
)
from pages.server.process.model_choice import HEADROOM, allowed_models, load_allowed

OURS = [BUNDLED, READERS["de"]]


def test_without_the_variable_the_bundled_models_come_first_and_then_the_hubs():
    choices = allowed_models({})
    assert list(choices) == [*OURS, *DEFAULT_HUB_MODELS]
    assert [choices[name].folder for name in OURS] == list(BUNDLED_FOLDERS.values())
    assert all(folder.is_dir() for folder in BUNDLED_FOLDERS.values())
    assert all(choices[name].source == "hub" for name in DEFAULT_HUB_MODELS)
    assert all(choices[name].folder is None for name in DEFAULT_HUB_MODELS)


@pytest.mark.parametrize("listed", ["", " ", ",", " , ,"])
def test_an_empty_list_leaves_the_bundled_models(listed):
    assert list(allowed_models({"MLM_MODELS": listed})) == OURS


def test_names_folders_and_the_default_list_mix_in_the_order_given():
    choices = allowed_models({"MLM_MODELS": "/models/ours, a/b ,default,a/b"})
    assert list(choices) == [*OURS, "ours", "a/b", *DEFAULT_HUB_MODELS]
    assert (choices["ours"].source, choices["ours"].folder) == ("folder", Path("/models/ours"))
    assert choices["a/b"].source == "hub"


def test_a_folder_can_be_given_a_name():
    choices = allowed_models({"MLM_MODELS": f"MiniLM = ./all-minilm,{BUNDLED}=/x, =a, b="})
    assert list(choices) == [*OURS, "MiniLM"]
    assert choices["MiniLM"].folder == Path("all-minilm")
    assert (choices["MiniLM"].source, choices[BUNDLED].folder) == ("folder", BUNDLED_FOLDER)


def test_two_folders_of_one_name_can_both_be_chosen():
    choices = allowed_models({"MLM_MODELS": "/first/bert,/second/bert,/first/bert"})
    assert list(choices) == [*OURS, "bert", "second/bert"]
    assert choices["second/bert"].folder == Path("/second/bert")


def test_a_folder_called_as_the_bundled_model_does_not_replace_it_nor_get_lost():
    choices = allowed_models({"MLM_MODELS": f"/other/{BUNDLED}"})
    assert choices[BUNDLED].folder == BUNDLED_FOLDER
    assert choices[f"other/{BUNDLED}"].folder == Path(f"/other/{BUNDLED}")


def test_the_window_leaves_out_the_positions_that_a_roberta_never_uses(tmp_path):
    sizes = {"num_hidden_layers": 2, "num_attention_heads": 3, "hidden_size": 24}
    config = sizes | {"max_position_embeddings": 50, "pad_token_id": 1}
    (tmp_path / "config.json").write_text(json.dumps(config | {"model_type": "roberta"}))
    assert read_sizes(tmp_path) == {"layers": 2, "heads": 3, "width": 24, "window": 48}
    (tmp_path / "config.json").write_text(json.dumps(config | {"model_type": "bert"}))
    assert read_sizes(tmp_path)["window"] == 50
    config |= {"model_type": "modernbert", "max_position_embeddings": 8_192}
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert read_sizes(tmp_path)["window"] == LONGEST_WINDOW


def test_a_name_that_is_not_on_the_list_is_refused_with_the_list():
    with pytest.raises(ModelUnavailableError, match=r"'gpt' is not on .*: choose one of mini-bert"):
        load_allowed("gpt", {"MLM_MODELS": ""})


def test_a_visitor_cannot_name_a_folder_of_the_host(tmp_path):
    with pytest.raises(ModelUnavailableError, match="is not on this server's list"):
        load_allowed(str(tmp_path), {"MLM_MODELS": ""})


def test_a_folder_on_the_list_that_is_gone_is_named(tmp_path):
    with pytest.raises(ModelUnavailableError, match="the folder of gone is not there"):
        load_allowed("gone", {"MLM_MODELS": str(tmp_path / "gone")})


def test_a_model_needs_as_much_memory_as_a_class_takes_with_it(tmp_path, monkeypatch):
    folder, listed = tmp_path / "other", {"MLM_MODELS": str(tmp_path / "other")}
    folder.symlink_to(BUNDLED_FOLDER)
    needed = int(HEADROOM * float32_bytes(folder / "model.safetensors"))
    monkeypatch.setattr(fetching, "available_bytes", lambda: needed - 1)
    with pytest.raises(ModelUnavailableError, match="needs about"):
        load_allowed("other", listed)
    assert load_allowed(BUNDLED, listed).name == BUNDLED
    monkeypatch.setattr(fetching, "available_bytes", lambda: needed)
    assert load_allowed("other", listed).name == "other"
