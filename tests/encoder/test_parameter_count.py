"""The count of parameters: against the encoder itself, transformers, and a hand calculation."""

import pytest
import torch

from mlm_core.encoder.bert import Bert, BertConfig
from mlm_core.encoder.cost import count_parameters, published_models

SMALL = BertConfig(
    vocabulary_size=11, hidden_size=6, n_layers=3, n_heads=2, intermediate_size=10, n_positions=7
)


def _total(config: BertConfig, **options: bool) -> int:
    return sum(term.count for term in count_parameters(config, **options))


@pytest.mark.parametrize("has_pair_head", [True, False])
def test_the_terms_sum_to_the_parameters_of_our_own_encoder(has_pair_head: bool):
    from dataclasses import replace

    config = replace(SMALL, has_next_sentence_head=has_pair_head)
    assert _total(config) == sum(p.numel() for p in Bert(config).parameters())


def test_a_block_of_width_two_counted_by_hand():
    config = BertConfig(
        vocabulary_size=5, hidden_size=2, n_layers=1, n_heads=1, intermediate_size=3, n_positions=4
    )
    counts = {(term.group, term.name): term.count for term in count_parameters(config)}
    assert counts["layers", "query_key_value"] == 3 * (4 + 2)
    assert counts["layers", "feed_forward"] == (2 * 3 + 3) + (3 * 2 + 2)
    assert counts["pair_head", "classifier"] == 2 * 2 + 2
    # 5*2 + 4*2 + 2*2 + 4, then 18 + 6 + 17 + 8, then 6 + 4 + 5, then 6 + 6
    assert _total(config) == 26 + 49 + 15 + 12


def test_the_number_of_heads_changes_nothing():
    from dataclasses import replace

    assert _total(replace(SMALL, n_heads=1)) == _total(replace(SMALL, n_heads=3))


def test_an_output_matrix_of_its_own_costs_one_more_vocabulary():
    assert _total(SMALL, tied=False) - _total(SMALL) == 11 * 6


def test_transformers_counts_the_same_for_each_published_model():
    from transformers import AutoModelForMaskedLM, BertForPreTraining, XLMRobertaConfig
    from transformers import BertConfig as TheirConfig

    base, xlmr_base, xlmr_large = published_models()
    with torch.device("meta"):
        theirs = BertForPreTraining(TheirConfig())
        assert _total(base.config) == sum(p.numel() for p in theirs.parameters())
        for model in (xlmr_base, xlmr_large):
            config = model.config
            other = AutoModelForMaskedLM.from_config(
                XLMRobertaConfig(
                    vocab_size=config.vocabulary_size,
                    hidden_size=config.hidden_size,
                    num_hidden_layers=config.n_layers,
                    num_attention_heads=config.n_heads,
                    intermediate_size=config.intermediate_size,
                    max_position_embeddings=config.n_positions,
                    type_vocab_size=config.n_segments,
                )
            )
            assert _total(config) == sum(p.numel() for p in other.parameters())


def test_the_totals_are_those_that_were_published_to_their_rounding():
    # Devlin et al. count 110M; Conneau et al. 270M and 550M, both short by the heads and rounding.
    for model in published_models():
        published = float(model.published.rstrip("M")) * 1e6
        assert abs(_total(model.config) - published) / published < 0.04, model.name
