"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Mapping
from math import log

from mlm_core.encoder.model_list import BUNDLED
from pages.shared.kit.remember import model_tokenizer


def in_short() -> Mapping[str, object]:
    """Return two losses to compare others with: of one in two, and of one in all tokens."""
    n_tokens = model_tokenizer(BUNDLED).get_vocab_size()
    return {"half": log(2), "n_tokens": n_tokens, "blind": log(n_tokens)}
