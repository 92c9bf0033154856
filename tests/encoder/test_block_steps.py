"""The block step by step equals the block itself, and its rows equal the real tensors."""

import pytest
import torch

from mlm_core.encoder.attention import causal_mask
from mlm_core.encoder.bert import Bert, BertConfig, EncoderBlock
from mlm_core.encoder.block_steps import block_rows, follow_token, run_block

CONFIG = BertConfig(
    vocabulary_size=11, hidden_size=6, n_heads=3, intermediate_size=10, n_layers=2, n_positions=8
)
N_TEXTS, N_TOKENS = 2, 5
# The module whose output a step is; the rest of the steps have no module of their own.
MODULES = {
    "attended": "attention.output",
    "first_norm": "attention_norm",
    "inner": "inner",
    "outer": "outer",
    "output": "feed_forward_norm",
}
PROJECTIONS = {"query": "attention.query", "key": "attention.key", "value": "attention.value"}


@pytest.fixture
def block() -> EncoderBlock:
    torch.manual_seed(5)
    return EncoderBlock(CONFIG).double().eval()


@pytest.fixture
def states() -> torch.Tensor:
    generator = torch.Generator().manual_seed(7)
    return torch.randn(N_TEXTS, N_TOKENS, 6, generator=generator, dtype=torch.float64)


def outputs_of_modules(block: EncoderBlock, states: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return what each module of the block gives in its own forward, caught by hooks."""
    caught = {}
    hooks = [
        module.register_forward_hook(
            lambda module, inputs, output, name=name: caught.__setitem__(name, output)
        )
        for name, module in block.named_modules()
    ]
    block(states, None, record=True)
    for hook in hooks:
        hook.remove()
    return caught


@pytest.mark.parametrize("mask", [None, causal_mask(N_TOKENS)])
def test_the_steps_end_where_the_block_ends(
    block: EncoderBlock, states: torch.Tensor, mask: torch.Tensor | None
):
    recorded, attention = block(states, mask, record=True)
    steps = run_block(block, states, mask)
    assert torch.equal(steps.output, recorded)
    assert torch.equal(steps.attention.weights, attention.weights)
    # torch's fused kernel adds in another order.
    fused = block(states, mask)[0]
    torch.testing.assert_close(steps.output, fused, atol=1e-12, rtol=0)


def test_every_step_is_the_output_of_its_module(block: EncoderBlock, states: torch.Tensor):
    caught, steps = outputs_of_modules(block, states), run_block(block, states)
    for step, module in MODULES.items():
        assert torch.equal(getattr(steps, step), caught[module]), step
    for step, module in PROJECTIONS.items():
        heads = getattr(steps.attention, step)
        assert torch.equal(heads.transpose(1, 2).flatten(-2), caught[module]), step
    torch.testing.assert_close(steps.first_sum, states + steps.attended)
    torch.testing.assert_close(steps.second_sum, steps.first_norm + steps.outer)


def test_the_rows_have_the_shapes_of_the_real_tensors(block: EncoderBlock, states: torch.Tensor):
    steps = run_block(block, states)
    for row in block_rows(CONFIG, batch_size=N_TEXTS, n_tokens=N_TOKENS):
        if row.name == "heads":
            made = steps.attention.output
        elif hasattr(steps, row.name):
            made = getattr(steps, row.name)
        else:
            made = getattr(steps.attention, row.name)
        assert row.shape == tuple(made.shape), row.name


def test_the_rows_have_the_parameters_of_the_real_modules(block: EncoderBlock):
    modules = dict(block.named_modules())
    owners = MODULES | PROJECTIONS
    for row in block_rows(CONFIG, batch_size=1, n_tokens=3):
        owner = modules[owners[row.name]] if row.name in owners else None
        real = sum(parameter.numel() for parameter in owner.parameters()) if owner else 0
        assert row.n_parameters == real, row.name
    total = sum(row.n_parameters for row in block_rows(CONFIG, batch_size=9, n_tokens=4))
    assert total == sum(parameter.numel() for parameter in block.parameters())


def test_the_block_of_a_whole_model_gives_that_models_states():
    torch.manual_seed(2)
    bert = Bert(CONFIG).eval()
    encoding = bert.encode(torch.tensor([[3, 1, 4, 1, 5]]), record=True)
    for i, block in enumerate(bert.blocks):
        assert torch.equal(run_block(block, encoding.states[i]).output, encoding.states[i + 1])


def test_a_tokens_length_is_the_root_of_its_squares(block: EncoderBlock, states: torch.Tensor):
    steps = run_block(block, states)
    followed = {step.name: step for step in follow_token(steps, 3)}
    vector = states[0, 3].tolist()
    assert followed["input"].length == pytest.approx(sum(x * x for x in vector) ** 0.5)
    assert followed["input"].first == pytest.approx(vector[:3])
    assert followed["inner"].size == 10 and followed["query"].size == 6
    # A fresh LayerNorm has gain 1 and bias 0: mean 0, deviation 1, length the root of 6.
    assert followed["output"].mean == pytest.approx(0, abs=1e-9)
    assert followed["output"].deviation == pytest.approx(1, abs=1e-6)
    assert followed["output"].length == pytest.approx(6**0.5, abs=1e-6)


@pytest.mark.parametrize("position", [-1, N_TOKENS])
def test_a_position_outside_the_text_is_refused(
    block: EncoderBlock, states: torch.Tensor, position: int
):
    with pytest.raises(ValueError, match="in a text of 5 tokens"):
        follow_token(run_block(block, states), position)
