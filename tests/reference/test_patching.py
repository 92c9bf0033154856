"""Patched states in transformers' own models: by a forward hook, one state at a time."""

import pytest
import torch
from transformers import BertForMaskedLM

from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDER, UnknownLayersError
from mlm_core.encoder.pretrained import load
from mlm_core.inside.patching import PairError, pair_of, patched_logits
from mlm_core.text.tokens import role_token, tokenize
from tests.reference.small_checkpoints import ARCHITECTURES, N_LAYERS, save_kind, save_small

CLEAN, CORRUPTED = "in the {} was", "in a {} was"


def pair_in(model, clean: str, corrupted: str):
    mask = role_token(model.tokenizer, "[MASK]")
    texts = (tokenize(model.tokenizer, text.format(mask)) for text in (clean, corrupted))
    return pair_of(model.tokenizer, *texts)


def hooked(theirs, blocks, pair, layer: int, position: int):
    """Return the logits at the blank with one clean state, kept and put in by hooks."""
    kept = {}

    def put(module, given, output=None):
        is_tuple = isinstance(output, tuple)
        states = given[0] if output is None else output[0] if is_tuple else output
        if "clean" not in kept:
            kept["clean"] = states.clone()
            return None
        states = states.clone()
        states[0, position] = kept["clean"][0, position]
        if output is not None and not is_tuple:
            return states
        return (states, *(given if output is None else output)[1:])

    if layer == 0:
        handle = blocks[0].register_forward_pre_hook(put)
    else:
        handle = blocks[layer - 1].register_forward_hook(put)
    with torch.inference_mode():
        for text in (pair.clean, pair.corrupted):
            output = theirs(input_ids=torch.tensor([text.ids]))
    handle.remove()
    return output["logits" if "logits" in output else "prediction_logits"][0, pair.blank]


def blocks_of(theirs, n_layers: int):
    return next(
        one
        for one in theirs.modules()
        if isinstance(one, torch.nn.ModuleList) and len(one) == n_layers
    )


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_each_patched_state_is_that_of_a_hook(architecture, tmp_path):
    theirs = save_small(architecture, tmp_path)
    ours = load(architecture, tmp_path)
    pair, n = pair_in(ours, CLEAN, CORRUPTED), ours.tokenizer.get_vocab_size()
    before = ours.vocabulary_logits(pair.clean)
    for layer in range(N_LAYERS + 1):
        one_state = torch.eye(len(pair.clean.ids)).bool()
        found = patched_logits(ours, pair, layer, one_state)
        for position, logits in enumerate(found):
            expected = hooked(theirs, blocks_of(theirs, N_LAYERS), pair, layer, position)[:n]
            torch.testing.assert_close(logits, expected, atol=1e-5, rtol=0)
    assert torch.equal(ours.vocabulary_logits(pair.clean), before), "the shared model is as it was"


def test_the_bundled_models_states_in_double_precision():
    """Within 1e-6: in single precision rounding alone is larger than that."""
    theirs = BertForMaskedLM.from_pretrained(BUNDLED_FOLDER).eval().double()
    ours = load(BUNDLED)
    assert ours.bert is not None
    ours.bert.double()
    pair = pair_in(
        ours,
        "The capital of France is the city of {}.",
        "The capital of Spain is the city of {}.",
    )
    for layer, position in ((0, 4), (6, 4), (8, 4), (8, 9), (11, 9), (12, 9)):
        one_state = torch.eye(len(pair.clean.ids))[[position]].bool()
        (found,) = patched_logits(ours, pair, layer, one_state)
        expected = hooked(theirs, blocks_of(theirs, 12), pair, layer, position)
        torch.testing.assert_close(found, expected, atol=1e-6, rtol=0)


@pytest.mark.parametrize(
    ("kind", "n_layers"),
    [
        ("distilbert", 24),  # as in ALBERT, which runs one layer many times
        ("squeezebert", 2),  # its layers have the tokens in the last axis and give a dict
        ("xlm", 2),  # a list for each operation
    ],
)
def test_a_model_whose_layers_are_not_found_or_of_an_odd_shape_is_refused(kind, n_layers, tmp_path):
    save_kind(kind, tmp_path)
    ours = load(kind, tmp_path)
    pair = pair_in(ours, CLEAN, CORRUPTED)
    ours.n_layers = n_layers
    for layer in (0, 1, n_layers):
        with pytest.raises(UnknownLayersError, match="keeps its layers in an unknown place"):
            patched_logits(ours, pair, layer, torch.eye(len(pair.clean.ids)).bool())


@pytest.mark.parametrize(
    ("kind", "corrupted"),
    [
        ("roberta", "in the {}was"),
        ("roberta", " in the {} was"),
        ("roberta", "in a {}was"),
        ("modernbert", "in the {}was"),
        ("modernbert", "in the  {} was"),
    ],
)
def test_a_pair_that_differs_in_a_space_says_so(kind, corrupted, tmp_path):
    save_small(kind, tmp_path)
    with pytest.raises(PairError, match="differ in a space: copy the first sentence"):
        pair_in(load(kind, tmp_path), CLEAN, corrupted)
