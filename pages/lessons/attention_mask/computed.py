"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Mapping

from mlm_core.encoder.comparison import compare_word, shared_words
from mlm_core.text.tokens import rarest
from pages.kit.remember import (
    encoding,
    model_tokenizer,
    read_examples,
    reader,
)


def in_short() -> Mapping[str, object]:
    """Return the last layer's cosine of the opening's two vectors of a word under each mask."""
    words, model = read_examples("attention_mask"), reader("attention_mask")
    first, second = words.plain("default_first"), words.plain("default_second")
    numbers: dict[str, object] = {"model": model}
    for name, causal in (("causal", True), ("both", False)):
        tokens_1, encoding_1 = encoding(model, first, causal)
        tokens_2, encoding_2 = encoding(model, second, causal)
        shared = {one.first: one for one in shared_words(tokens_1, tokens_2)}
        word = shared[rarest(model_tokenizer(model), shared)]
        numbers["word"] = word.text
        numbers[name] = compare_word(encoding_1, encoding_2, word).cosines[-1]
    return numbers
