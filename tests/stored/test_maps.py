"""Stored maps: fresh, complete, small, aligned; what is out of date is refused."""

import tracemalloc

import pytest

from mlm_core.embeddings.senses_data import stored_word
from mlm_core.stored import maps as stored_maps
from mlm_core.stored.maps import map_names, read_maps


@pytest.mark.parametrize("name", map_names())
def test_the_maps_of_every_word_are_there_and_fresh(name):
    maps = read_maps(name)
    assert maps.layouts.shape == (14, len(maps.sentences), 2)
    assert maps.layouts.isfinite().all() and maps.n_layers == 12


def test_a_layer_that_is_not_stored_is_refused(unchecked_shapes):
    for layer in (-1, 13, "last"):
        with pytest.raises(ValueError, match="choose from 0 to 12"):
            read_maps("bank").at(layer)


def test_changed_sentences_or_weights_make_a_map_stale(monkeypatch, tmp_path):
    sentences = stored_word("bank").sentences
    fresh = stored_maps.fingerprint(sentences)
    assert stored_maps.fingerprint(sentences[1:]) != fresh
    assert stored_maps.fingerprint(sentences, "first") != fresh
    for file in ("model.safetensors", "tokenizer.json"):
        content = (stored_maps.BUNDLED_FOLDER / file).read_bytes()
        (tmp_path / file).write_bytes(content[:-1] + b"!")
    monkeypatch.setattr(stored_maps, "BUNDLED_FOLDER", tmp_path)
    assert stored_maps.fingerprint(sentences) != fresh
    with pytest.raises(ValueError, match=r"bank\.npz was made from other .*tools.stored_maps bank"):
        read_maps("bank")


def test_the_model_is_looked_at_in_pieces():
    sentences = stored_word("bank").sentences
    tracemalloc.start()
    stored_maps.fingerprint(sentences)
    _, highest = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert highest < 5_000_000, "the model's file has 27 MB"


def test_a_map_that_is_not_there_says_how_to_make_it(monkeypatch, tmp_path):
    monkeypatch.setattr(stored_maps, "MAPS_FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"no stored map bank\.npz: make it with python -m"):
        read_maps("bank")
    with pytest.raises(ValueError, match="no sentences for 'cat'"):
        read_maps("cat")
