"""Stored maps: fresh, complete, small, aligned; what is out of date is refused."""

import tracemalloc
from itertools import pairwise

import pytest
import torch

from mlm_core.embeddings.contextual import all_layers_word_vectors
from mlm_core.embeddings.maps import align
from mlm_core.embeddings.senses_data import stored_word
from mlm_core.embeddings.trust import trust_map
from mlm_core.encoder.pretrained import load
from mlm_core.stored import maps as stored_maps
from mlm_core.stored.maps import MAPS_FOLDER, map_names, read_maps
from tests.fresh import run_fresh


@pytest.mark.parametrize("name", map_names())
def test_the_maps_of_every_word_are_there_and_fresh(name):
    maps = read_maps(name)
    assert maps.layouts.shape == (14, len(maps.sentences), 2)
    assert maps.layouts.isfinite().all() and maps.n_layers == 12


def test_no_map_is_left_over_and_all_are_small():
    files = list(MAPS_FOLDER.glob("*"))
    assert {file.name.split(".")[0] for file in files} == set(map_names())
    assert sum(file.stat().st_size for file in files) < 1_500_000


def test_a_map_keeps_more_of_the_neighbourhoods_than_chance():
    word = stored_word("bank")
    vectors = all_layers_word_vectors(load("mini-bert"), word.sentences)
    maps = read_maps("bank")
    for layer in (3, 12, "mean_last_4", "sum_last_4"):
        trust = trust_map(vectors.at(layer), maps.at(layer)).trustworthiness
        shuffled = maps.at(layer).roll(7, dims=0)
        # A map by chance has about 0.5; the stored ones 0.85 and more.
        assert trust > 0.8 > trust_map(vectors.at(layer), shuffled).trustworthiness


def test_each_layer_is_turned_onto_the_one_above():
    layouts = read_maps("court").layouts[:13]
    for lower, upper in pairwise(layouts):
        # float16 keeps three digits of numbers up to 20.
        torch.testing.assert_close(align(lower, upper), lower, atol=0.05, rtol=0)


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


def test_reading_a_map_imports_neither_umap_nor_scikit_learn():
    code = (
        "import sys; from mlm_core.stored.maps import read_maps; read_maps('bank');"
        "print(*{'umap', 'sklearn', 'numba', 'transformers'} & set(sys.modules))"
    )
    ran = run_fresh(code)
    assert (ran.returncode, ran.stdout.strip()) == (0, ""), ran.stderr
