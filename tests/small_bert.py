"""A BERT for tests: its sizes are small, and all are different, so that a swapped axis shows."""

from tokenizers import Tokenizer

from mlm_core.encoder.bert import BertConfig

SIZES = {"hidden_size": 12, "n_layers": 2, "n_heads": 3, "intermediate_size": 20}


def small_config(vocabulary: Tokenizer | int, n_positions: int = 9, **changes) -> BertConfig:
    """Return the sizes of a small encoder, some of them changed."""
    n = vocabulary if isinstance(vocabulary, int) else vocabulary.get_vocab_size()
    return BertConfig(vocabulary_size=n, n_positions=n_positions, **SIZES | changes)
