"""The lens, attributions and heads that are off, in transformers' own models.

The lens: each architecture's head, taken apart by hand. Integrated gradients and occlusion: captum.
Heads: zeros in the input of each architecture's projection, found by its name.
"""

import warnings
from functools import partial

import pytest
import torch
import transformers
from torch.nn import functional as F

from mlm_core.encoder.model_list import UnknownLayersError
from mlm_core.encoder.pretrained import load
from mlm_core.encoder.trial import LONG, try_out
from mlm_core.inside.attribution import integrated_gradients, occlusion, words_around
from mlm_core.inside.lens import lens
from mlm_core.inside.switches import Head, blocks_of, hold_dimension, switch_off
from mlm_core.text.tokens import role_id, role_token, tokenize, train_tokenizer
from tests.reference.small_checkpoints import (
    ARCHITECTURES,
    HEAD_PROJECTIONS,
    N_LAYERS,
    save_kind,
    save_small,
)

N_STEPS = 256


def distilbert_head(model, state):
    hidden = model.vocab_layer_norm(F.gelu(model.vocab_transform(state)))
    return model.vocab_projector(hidden)


HEADS = {
    "bert": lambda model, state: model.cls.predictions(state),
    "distilbert": distilbert_head,
    "roberta": lambda model, state: model.lm_head(state),
    "xlm-roberta": lambda model, state: model.lm_head(state),
    "modernbert": lambda model, state: model.decoder(model.head(state)),
}


@pytest.fixture(scope="module", params=ARCHITECTURES)
def loaded(request, tmp_path_factory):
    """Give a model, transformers' own, and a text with one blank."""
    folder = tmp_path_factory.mktemp("checkpoint") / request.param
    theirs = save_small(request.param, folder)
    ours = load(request.param, folder)
    mask = role_token(ours.tokenizer, "[MASK]")
    return ours, theirs, tokenize(ours.tokenizer, f"the man {mask} was")


def test_the_lens_is_each_head_on_each_state(loaded):
    ours, theirs, text = loaded
    read = lens(ours, text)
    assert torch.equal(read.logits[-1], ours.vocabulary_logits(text)[read.position])
    states = ours.encode(text).states
    architecture = theirs.config.model_type
    for layer, (state, logits) in enumerate(zip(states, read.logits, strict=True)):
        at_blank = state[0, read.position]
        if architecture == "modernbert" and layer < N_LAYERS:
            at_blank = theirs.model.final_norm(at_blank)
        expected = HEADS[architecture](theirs, at_blank)[: len(logits)]
        torch.testing.assert_close(logits, expected, atol=1e-5, rtol=0)


def test_reading_the_lens_changes_nothing_in_the_shared_model(loaded):
    ours, _, text = loaded
    before = ours.vocabulary_logits(text)
    lens(ours, text)
    assert torch.equal(ours.vocabulary_logits(text), before)


def test_attributions_are_those_of_captum(loaded):
    """In double precision, by transformers' own model and its embeddings."""
    ours, theirs, text = loaded
    theirs = theirs.double()
    mask, token = role_id(ours.tokenizer, "[MASK]"), lens(ours, text).answer.id
    blank = text.ids.index(mask)
    table = theirs.get_input_embeddings().weight.detach()
    blanks = [one.id if one.is_special else mask for one in text.tokens]
    high, low = table[None, text.ids], table[None, blanks]

    def log_p(vectors):
        extra = {}
        if theirs.config.model_type == "bert":
            extra["token_type_ids"] = torch.tensor([text.segment_ids]).expand(len(vectors), -1)
        output = theirs(inputs_embeds=vectors, **extra)
        logits = output["logits" if "logits" in output else "prediction_logits"]
        return logits[:, blank, : ours.tokenizer.get_vocab_size()].log_softmax(-1)[:, token]

    words = words_around(ours, text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # captum's own, of older versions of torch
        from captum.attr import FeatureAblation, IntegratedGradients

        by_gradients = IntegratedGradients(log_p).attribute(high, low, n_steps=N_STEPS)
        word_of_token = torch.zeros(1, len(text.ids), 1, dtype=torch.long)  # 0: no word's
        for number, word in enumerate(words, start=1):
            word_of_token[0, list(word.positions)] = number
        hidden = table[None, None, mask].expand_as(high)
        by_hiding = FeatureAblation(log_p).attribute(high, hidden, feature_mask=word_of_token)
    found = integrated_gradients(ours, text, token)
    assert abs(found.gap) < 1e-3
    of_hiding = occlusion(ours, text, token)
    for word, part, value in zip(words, found.parts, of_hiding, strict=True):
        positions = list(word.positions)
        assert part == pytest.approx(by_gradients[0, positions].sum().item(), abs=2e-3)
        assert value == pytest.approx(by_hiding[0, positions[0], 0].item(), abs=1e-4)
    theirs.float()


@pytest.mark.parametrize("kind", [kind for kind, name in HEAD_PROJECTIONS.items() if name])
def test_heads_and_layers_that_are_off_are_those_of_a_hook(kind, tmp_path):
    """Each head, by zeros in its columns; then each layer, by its input as its output."""
    save_kind(kind, tmp_path)
    ours = load(kind, tmp_path)
    theirs = transformers.AutoModelForMaskedLM.from_pretrained(
        tmp_path, attn_implementation="eager"
    ).eval()
    text = tokenize(ours.tokenizer, "the man went to the market, and she waited")
    name, whole = HEAD_PROJECTIONS[kind], ours.vocabulary_logits(text)
    projections = [one for place, one in theirs.named_modules() if place.endswith(name)]
    assert len(projections) == (1 if kind == "albert" else ours.n_layers)

    def logits(layer: int, head: int):
        """Return what theirs predicts; the projections run one after the other, ALBERT's again."""
        runs = []

        def hide(_, given):
            runs.append(given)
            if len(runs) == layer:
                joined = given[0].clone()
                columns = joined.transpose(1, 2) if kind == "squeezebert" else joined
                size = columns.shape[-1] // ours.n_heads
                columns[..., size * (head - 1) : size * head] = 0
                return joined, *given[1:]

        handles = [one.register_forward_pre_hook(hide) for one in projections]
        with torch.inference_mode():
            found = theirs(input_ids=torch.tensor([text.ids]))["logits"]
        for handle in handles:
            handle.remove()
        return found[0]

    for layer, head in ((1, 1), (1, 2), (2, 1), (2, 2)):
        off = switch_off(ours, [Head(layer, head)]).vocabulary_logits(text)
        torch.testing.assert_close(off, logits(layer, head), atol=1e-5, rtol=1e-4)
        assert not torch.allclose(off, whole, atol=1e-4)
    if kind in ("neomme", "xlm"):
        with pytest.raises(UnknownLayersError):
            switch_off(ours, layers=[2])
    else:
        for layer in (1, 2):
            off = switch_off(ours, layers=[layer])
            assert off.n_layers == 1 and len(off.encode(text).states) == 2
            expected = _logits_without_layer(theirs, blocks_of(ours), layer, text)
            torch.testing.assert_close(off.vocabulary_logits(text), expected, atol=1e-5, rtol=1e-4)
            assert not torch.allclose(expected, whole, atol=1e-4)
    with pytest.raises(ValueError, match=r"BERT's architecture only, and .* has"):
        hold_dimension(ours, 1, 0, 0.0)
    assert torch.equal(ours.vocabulary_logits(text), whole), "the shared model is as it was"


def _logits_without_layer(theirs, blocks: str, layer: int, text):
    """Return what theirs predicts where a layer gives its input; ALBERT runs one again."""
    runs = []

    def passing_on(forward, hidden_states, *others, **named):
        output = forward(hidden_states, *others, **named)
        runs.append(output)
        if len(runs) != layer:
            return output
        if isinstance(output, dict):
            return output | {"feature_map": hidden_states}
        return (hidden_states, *output[1:]) if isinstance(output, tuple) else hidden_states

    with pytest.MonkeyPatch.context() as patch, torch.inference_mode():
        for block in theirs.get_submodule(blocks):
            patch.setattr(block, "forward", partial(passing_on, block.forward))
        found = theirs(input_ids=torch.tensor([text.ids]))["logits"]
    assert len(runs) == 2
    return found[0]


def test_heads_are_found_where_the_vocabulary_has_no_latin_letters(tmp_path):
    lines = ("старик пошёл на рынок а собака ждала его у дома", "она читала книгу у окна") * 20
    tokenizer = train_tokenizer("WordPiece", lines, 60)
    save_kind("roberta", tmp_path, tokenizer)
    assert {*tokenizer.encode(LONG).tokens[1:-1]} == {"[UNK]"}
    assert load("cyrillic", tmp_path).head_projection.endswith(HEAD_PROJECTIONS["roberta"])


def test_a_norm_without_weights_leaves_no_hooks_behind(tmp_path):
    save_kind("roberta", tmp_path)
    ours = load("no weights", tmp_path)
    first = ours.model.base_model.encoder.layer[0]
    first.output.LayerNorm = torch.nn.LayerNorm(ours.hidden_size, elementwise_affine=False)
    try_out(ours)
    assert ours.head_projection.endswith(HEAD_PROJECTIONS["roberta"])
    assert not any(module._forward_pre_hooks for module in ours.model.modules())
