"""Stored maps: complete, and made from the sentences, the weights and the settings of today."""

import numpy as np
import pytest

from mlm_core.embeddings.senses_data import stored_word
from mlm_core.encoder.model_list import BUNDLED_FOLDERS
from mlm_core.stored.maps import map_file, map_names, read_maps
from tools.stored_maps import fingerprint

MAPS = [(model, name) for model in BUNDLED_FOLDERS for name in map_names(model)]


@pytest.mark.parametrize(("model", "name"), MAPS)
def test_the_maps_of_every_word_are_there_and_fresh(model, name):
    maps, sentences = read_maps(name, model_name=model), stored_word(name).sentences
    assert maps.layouts.shape == (14, len(sentences), 2)
    assert maps.layouts.isfinite().all() and maps.n_layers == 12
    for pooling in ("mean", "first"):
        if map_file(name, pooling, model).is_file():
            with np.load(map_file(name, pooling, model)) as file:
                assert str(file["fingerprint"]) == fingerprint(sentences, pooling, model)


def test_another_model_has_no_stored_maps():
    assert map_names("FacebookAI/roberta-base") == ()


def test_a_layer_that_is_not_stored_is_refused(unchecked_shapes):
    for layer in (-1, 13, "last"):
        with pytest.raises(ValueError, match="choose from 0 to 12"):
            read_maps("bank").at(layer)
