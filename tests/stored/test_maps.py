"""Stored maps: complete, and made from the sentences, the weights and the settings of today."""

import numpy as np
import pytest

from mlm_core.stored.maps import map_file, map_names, map_sentences, read_maps
from tools.stored_maps import fingerprint


@pytest.mark.parametrize("name", map_names())
def test_the_maps_of_every_word_are_there_and_fresh(name):
    maps = read_maps(name)
    assert maps.layouts.shape == (14, len(maps.sentences), 2)
    assert maps.layouts.isfinite().all() and maps.n_layers == 12
    for pooling in ("mean", "first"):
        if map_file(name, pooling).is_file():
            with np.load(map_file(name, pooling)) as file:
                assert str(file["fingerprint"]) == fingerprint(map_sentences(name), pooling)


def test_a_layer_that_is_not_stored_is_refused(unchecked_shapes):
    for layer in (-1, 13, "last"):
        with pytest.raises(ValueError, match="choose from 0 to 12"):
            read_maps("bank").at(layer)
