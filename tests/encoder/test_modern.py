"""The exchanged parts of a block: equal without a change, by hand, and equal in size."""

import pytest
import torch
from torch.nn import functional as F

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.modern import BLOCK_CHANGES, ModernBlock, geglu, make_modern
from mlm_core.encoder.pretrained import bert_without_weights
from mlm_core.pretraining.starting_weights import StartSettings, set_starting_weights
from tests.small_bert import small_config

CONFIG = small_config(19, intermediate_size=24)
STATES = torch.randn(2, 5, 12, generator=torch.Generator().manual_seed(1))
POSITIONS = torch.tensor([[0, 4, 2], [3, 3, 1]])


def started(*changes: str) -> Bert:
    bert = bert_without_weights(CONFIG, changes)
    start = StartSettings(weight_scale=0.5, neighbour_gain=0.0)
    set_starting_weights(bert, start, torch.Generator().manual_seed(2))
    return bert.eval()


def n_trained(bert: Bert) -> int:
    return sum(one.numel() for one in bert.parameters() if one.requires_grad)


def test_without_a_change_the_block_is_berts():
    usual = started()
    same = make_modern(started(), ()).eval()
    same.load_state_dict(usual.state_dict())
    for bert in (usual, same):
        bert.requires_grad_(False)
    for positions in (None, POSITIONS):
        of_usual, of_same = (
            bert.blocks[0](STATES, None, False, positions)[0] for bert in (usual, same)
        )
        assert torch.equal(of_usual, of_same)


@pytest.mark.parametrize("changes", [(one,) for one in BLOCK_CHANGES] + [BLOCK_CHANGES])
def test_the_states_at_some_positions_are_those_of_the_whole_text(changes):
    bert = started(*changes)
    ids = torch.randint(CONFIG.vocabulary_size, (2, 5), generator=torch.Generator().manual_seed(3))
    is_real = torch.tensor([[True] * 5, [True] * 4 + [False]])
    whole = bert.last_states(ids, not_padding=is_real)
    some = bert.last_states(ids, not_padding=is_real, positions=POSITIONS)
    expected = whole.gather(1, POSITIONS.unsqueeze(-1).expand(-1, -1, 12))
    torch.testing.assert_close(some, expected)
    recorded = bert.encode(ids, not_padding=is_real, record=True)
    torch.testing.assert_close(recorded.last, whole)
    assert len(recorded.attention) == CONFIG.n_layers


def test_geglu_by_hand_and_its_block_has_as_many_numbers():
    inner = torch.tensor([[1.0, -2.0, 3.0, 0.5]])
    by_hand = F.gelu(torch.tensor([[1.0, -2.0]])) * torch.tensor([[3.0, 0.5]])
    torch.testing.assert_close(geglu(inner), by_hand)
    # 24 becomes 16: 3 * 12 * 16 numbers in place of 2 * 12 * 24, and 8 more biases a block.
    assert n_trained(started("geglu")) - n_trained(started()) == CONFIG.n_layers * 8


def test_pre_norm_has_as_many_norms_and_none_at_the_first():
    first = ModernBlock(CONFIG, ("pre_norm",), number=1)
    assert torch.equal(first.attention_norm(STATES), STATES), "the embeddings are normalized"
    assert torch.equal(first.last_norm(STATES), STATES)
    assert n_trained(started("pre_norm")) == n_trained(started())


def test_rotary_knows_the_order_from_no_table():
    bert = started("rotary")
    assert not bert.embeddings.position.weight.any()
    assert n_trained(started()) - n_trained(bert) == CONFIG.n_positions * CONFIG.hidden_size
    ids = torch.tensor([[4, 5, 6, 7, 8]])
    turned_round = bert.last_states(ids.flip(1)).flip(1)
    assert not torch.allclose(bert.last_states(ids), turned_round, atol=1e-2)
    for block in bert.blocks:  # without the turns the same words in any order are the same
        block.attention.turn = lambda query, key, positions: (query, key)
    turned_round = bert.last_states(ids.flip(1)).flip(1)
    torch.testing.assert_close(bert.last_states(ids), turned_round)
