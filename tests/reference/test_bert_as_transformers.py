"""Our encoder beside transformers' BERT with the same weights: the same numbers."""

from itertools import product

import pytest
import torch
import transformers

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.block_steps import value_lengths
from mlm_core.encoder.checkpoints import load_bert
from mlm_core.encoder.model_list import BUNDLED_FOLDER

# Both sides do the same operations, at most in another order. float64 errs by 1e-16 an
# operation; sums over a few hundred numbers of size up to 30 through four layers leave 1e-13,
# so 1e-10 is generous and still finds any difference in arithmetic (another GELU: 1e-4).
# float32 errs by 6e-8 an operation, 5e8 times as much: 1e-4.
TOLERANCES = {torch.float64: 1e-10, torch.float32: 1e-4}

# hidden, layers, heads, inner, positions, vocabulary, segments
RANDOM_SIZES = [
    (12, 2, 3, 20, 9, 31, 2),
    (10, 1, 5, 7, 8, 23, 2),
    (14, 3, 1, 33, 17, 41, 3),
    (6, 4, 6, 11, 7, 19, 2),
]
N_TEXTS, N_TOKENS = 3, 7


def random_checkpoint(folder, sizes, seed):
    """Save a BertForPreTraining with wide random weights, so that attention is uneven."""
    hidden, layers, heads, inner, positions, vocabulary, segments = sizes
    torch.manual_seed(seed)
    model = transformers.BertForPreTraining(
        transformers.BertConfig(
            hidden_size=hidden,
            num_hidden_layers=layers,
            num_attention_heads=heads,
            intermediate_size=inner,
            max_position_embeddings=positions,
            vocab_size=vocabulary,
            type_vocab_size=segments,
            layer_norm_eps=1e-6,  # not the default, so that it must have been read
        )
    )
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.5)
    model.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module", params=["bundled", *RANDOM_SIZES], ids=str)
def folder(request, tmp_path_factory):
    if request.param == "bundled":
        return BUNDLED_FOLDER
    seed = RANDOM_SIZES.index(request.param)
    return random_checkpoint(tmp_path_factory.mktemp("bert") / "model", request.param, seed)


@pytest.fixture(scope="module", params=TOLERANCES, ids=str)
def pair(request, folder) -> tuple[Bert, "transformers.PreTrainedModel", float]:
    """Give ours and theirs in one precision, with the difference that rounding may leave."""
    theirs, report = transformers.BertForPreTraining.from_pretrained(
        folder, attn_implementation="eager", dtype=request.param, output_loading_info=True
    )
    assert not any(report.values()), report
    theirs.eval().requires_grad_(False)
    return load_bert(folder).to(request.param), theirs, TOLERANCES[request.param]


def random_batch(bert, seed=1):
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(bert.config.vocabulary_size, (N_TEXTS, N_TOKENS), generator=generator)
    segment_ids = torch.tensor([[0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1, 1], [0] * N_TOKENS])
    not_padding = torch.tensor([[True] * 7, [True] * 4 + [False] * 3, [True] + [False] * 6])
    return ids, segment_ids, not_padding


def assert_same(ours, theirs, tolerance):
    assert ours.shape == theirs.shape
    assert (ours - theirs).abs().max().item() <= tolerance


def run_theirs(model, ids, segment_ids, attention_mask=None):
    """Return all that transformers' model gives; a mask of padding as ones and zeros."""
    if attention_mask is not None and attention_mask.dtype == torch.bool:
        attention_mask = attention_mask.long()
    with torch.no_grad():
        return model(
            ids,
            token_type_ids=segment_ids,
            attention_mask=attention_mask,
            output_hidden_states=True,
            output_attentions=True,
        )


def compare_all(bert, encoding, output, tolerance):
    assert len(encoding.states) == len(output.hidden_states) == bert.config.n_layers + 1
    for mine, other in zip(encoding.states, output.hidden_states, strict=True):
        assert_same(mine, other, tolerance)
    for mine, other in zip(encoding.weights, output.attentions, strict=True):
        assert_same(mine, other, tolerance)
    assert_same(bert.masked_language_logits(encoding.last), output.prediction_logits, tolerance)
    assert_same(bert.next_sentence_logits(encoding.last), output.seq_relationship_logits, tolerance)


@pytest.mark.parametrize(
    ("with_segments", "with_padding", "record"), tuple(product([False, True], repeat=3))
)
def test_logits_states_and_weights_are_those_of_transformers(
    pair, with_segments, with_padding, record
):
    bert, theirs, tolerance = pair
    ids, segment_ids, not_padding = random_batch(bert)
    segment_ids = segment_ids if with_segments else None
    not_padding = not_padding if with_padding else None
    output = run_theirs(theirs, ids, segment_ids, not_padding)
    encoding = bert.encode(ids, segment_ids, not_padding, record=record)
    assert len(encoding.weights) == (bert.config.n_layers if record else 0)
    if not record:  # the states of the fused path, with the weights of nobody
        output.attentions = ()
    compare_all(bert, encoding, output, tolerance)


@pytest.mark.parametrize("with_padding", [False, True])
def test_the_causal_switch_is_transformers_decoder_on_the_same_weights(folder, pair, with_padding):
    bert, theirs, tolerance = pair
    decoder = transformers.BertForPreTraining.from_pretrained(
        folder, attn_implementation="eager", dtype=theirs.dtype, is_decoder=True, use_cache=False
    ).eval()
    ids, segment_ids, not_padding = random_batch(bert, seed=2)
    not_padding = not_padding if with_padding else None
    output = run_theirs(decoder, ids, segment_ids, not_padding)
    encoding = bert.encode(ids, segment_ids, not_padding, causal=True, record=True)
    compare_all(bert, encoding, output, tolerance)
    assert all((layer.triu(1) == 0).all() for layer in encoding.weights)


def test_the_lengths_of_values_are_those_of_the_parts_that_transformers_attention_adds_up(pair):
    bert, theirs, tolerance = pair
    ids, segment_ids, _ = random_batch(bert, seed=3)
    seen = []
    layers = theirs.bert.encoder.layer
    for layer in layers:
        for module in (layer.attention.self.value, layer.attention.output.dense):
            module.register_forward_hook(lambda _module, _given, made: seen.append(made))
    output = theirs(ids, token_type_ids=segment_ids, output_attentions=True)
    encoding = bert.encode(ids, segment_ids, record=True)
    size = bert.config.head_size
    for i, (value, added) in enumerate(zip(seen[::2], seen[1::2], strict=True)):
        dense, total = layers[i].attention.output.dense, 0
        lengths = value_lengths(bert.blocks[i], encoding.attention[i].value)
        for head in range(bert.config.n_heads):
            own = slice(head * size, (head + 1) * size)
            parts = value[..., own] @ dense.weight[:, own].T
            assert_same(lengths[:, head], parts.square().sum(dim=-1).sqrt(), tolerance)
            total = total + output.attentions[i][:, head] @ parts
        assert_same(total + dense.bias, added, tolerance)


def test_a_drawn_mask_is_transformers_mask_of_queries_and_keys(pair):
    bert, theirs, tolerance = pair
    ids, segment_ids, _ = random_batch(bert, seed=3)
    generator = torch.Generator().manual_seed(4)
    attention_mask = torch.rand(N_TEXTS, N_TOKENS, N_TOKENS, generator=generator) < 0.5
    attention_mask |= torch.eye(N_TOKENS, dtype=torch.bool)  # theirs knows no row of zeros
    blocked = torch.zeros(attention_mask.shape, dtype=theirs.dtype).masked_fill(
        ~attention_mask, torch.finfo(theirs.dtype).min
    )
    output = run_theirs(theirs, ids, segment_ids, blocked.unsqueeze(1))
    encoding = bert.encode(ids, segment_ids, attention_mask=attention_mask, record=True)
    compare_all(bert, encoding, output, tolerance)
    one_for_all = bert.encode(ids, segment_ids, attention_mask=attention_mask[1])
    assert_same(one_for_all.last[1], output.hidden_states[-1][1], tolerance)


def test_the_random_models_attend_unevenly_enough_to_show_a_mistake(pair):
    bert, _, _ = pair
    ids, segment_ids, _ = random_batch(bert)
    weights = torch.cat(
        [layer.flatten() for layer in bert.encode(ids, segment_ids, record=True).weights]
    )
    assert weights.max() > 3 / N_TOKENS
