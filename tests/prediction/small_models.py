"""A small random model with a vocabulary of its own, for the tests of predictions."""

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import OwnModel
from mlm_core.text.tokens import train_tokenizer
from tests.small_bert import small_config

LINES = ["the cat sat on the mat", "a dog ran to the river", "the old man saw a dog"]


def small_model(*, n_positions: int = 31, initializer_range: float = 0.4) -> OwnModel:
    """Return the model, the same each time."""
    tokenizer = train_tokenizer("WordPiece", LINES, 60)
    torch.manual_seed(7)
    config = small_config(
        tokenizer,
        n_positions=n_positions,
        hidden_size=14,
        n_heads=2,
        intermediate_size=22,
        initializer_range=initializer_range,
    )
    return OwnModel("small", Bert(config).eval().requires_grad_(False), tokenizer)
