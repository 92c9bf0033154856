"""Stored maps are made: of each way to pool that differs, and as they are read."""

import numpy as np
import pytest
import torch

from mlm_core.embeddings.senses_data import stored_word
from mlm_core.encoder.pretrained import load
from mlm_core.stored.maps import map_names, read_maps
from tools import stored_maps


@pytest.mark.parametrize("name", map_names())
def test_words_in_pieces_have_maps_of_their_first_pieces_too(name):
    model = load("mini-bert")
    sentences = stored_word(name).sentences
    for pooling in stored_maps.poolings_that_differ(model, sentences):
        assert read_maps(name, pooling).layouts.shape[1] == len(sentences)


def test_the_command_makes_a_map_that_can_be_read(monkeypatch, tmp_path):
    monkeypatch.setattr("mlm_core.stored.maps.MAPS_FOLDER", tmp_path / "maps")
    flat = torch.zeros(14, 81, 2)
    monkeypatch.setattr(stored_maps, "make_maps", lambda *_: flat)  # UMAP has its own tests
    assert list(stored_maps.write_maps(["bank"])) == ["mini-bert, bank.npz: 14 maps of 81 points"]
    assert read_maps("bank").layouts.shape == (14, 81, 2)
    with np.load(tmp_path / "maps" / "bank.npz") as file:
        assert file["layouts"].dtype == np.float16
