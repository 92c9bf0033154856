"""Stored maps are made: of each way to pool that differs, and as they are read."""

import numpy as np
import pytest
import torch

from mlm_core.encoder.pretrained import load
from mlm_core.stored.maps import map_names, map_sentences, read_maps
from tools import stored_maps


@pytest.mark.parametrize("name", map_names())
def test_words_in_pieces_have_maps_of_their_first_pieces_too(name):
    model = load("mini-bert")
    for pooling in stored_maps.poolings_that_differ(model, map_sentences(name)):
        assert len(read_maps(name, pooling).sentences) == len(read_maps(name).sentences)


def test_the_command_makes_a_map_that_can_be_read(monkeypatch, tmp_path):
    monkeypatch.setattr("mlm_core.stored.maps.MAPS_FOLDER", tmp_path / "maps")
    flat = torch.zeros(14, 81, 2)
    monkeypatch.setattr(stored_maps, "make_maps", lambda *_: flat)  # UMAP has its own tests
    assert list(stored_maps.write_maps(["bank"])) == ["bank.npz: 14 maps of 81 points"]
    assert read_maps("bank").layouts.shape == (14, 81, 2)
    with np.load(tmp_path / "maps" / "bank.npz") as file:
        assert file["layouts"].dtype == np.float16
