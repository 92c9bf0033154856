"""The lens and integrated gradients, in transformers' own models and by other routes.

The lens: each architecture's head, taken apart by hand. Integrated gradients: thousands of equal
steps in double precision on the hub model's own embeddings, by a hook, each token's part alone.
"""

import pytest
import torch
from torch.nn import functional as F

from mlm_core.encoder.pretrained import load
from mlm_core.inside.attribution import integrated_gradients, occlusion, words_around
from mlm_core.inside.lens import lens
from mlm_core.text.tokens import role_id, role_token, tokenize
from tests.reference.small_checkpoints import ARCHITECTURES, N_LAYERS, save_small

N_EQUAL = 2_000


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


def test_integrated_gradients_are_those_of_thousands_of_equal_steps(loaded):
    ours, theirs, text = loaded
    theirs = theirs.double()
    mask, token = role_id(ours.tokenizer, "[MASK]"), lens(ours, text).answer.id
    blank = text.ids.index(mask)
    blanks = [one.id if one.is_special else mask for one in text.tokens]
    table = theirs.get_input_embeddings().weight
    high, low = table[text.ids], table[blanks]
    extra = {}
    if theirs.config.model_type == "bert":
        extra["token_type_ids"] = torch.tensor([text.segment_ids])

    def log_p(vectors):
        n = len(vectors)
        inputs = {name: one.expand(n, -1) for name, one in extra.items()}
        output = theirs(inputs_embeds=vectors, **inputs)
        logits = output["logits" if "logits" in output else "prediction_logits"]
        return logits[:, blank, : ours.tokenizer.get_vocab_size()].log_softmax(-1)[:, token]

    shares = ((torch.arange(N_EQUAL, dtype=torch.float64) + 0.5) / N_EQUAL)[:, None, None]
    vectors = (low + shares * (high - low)).requires_grad_()
    log_p(vectors).mean().backward()
    of_tokens = ((high - low) * vectors.grad.sum(dim=0)).sum(dim=-1)
    found = integrated_gradients(ours, text, token)
    assert abs(found.gap) < 1e-3
    words = words_around(ours, text)
    for word, part in zip(words, found.parts, strict=True):
        assert part == pytest.approx(of_tokens[list(word.positions)].sum().item(), abs=2e-3)
    with torch.no_grad():
        for word, value in zip(words, occlusion(ours, text, token), strict=True):
            hidden = high.clone()
            hidden[list(word.positions)] = table[mask]
            both = log_p(torch.stack([high, hidden]))
            assert value == pytest.approx((both[0] - both[1]).item(), abs=1e-4)
    theirs.float()
