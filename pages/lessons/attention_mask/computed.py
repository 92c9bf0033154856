"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Mapping

from mlm_core.encoder.comparison import compare_word, shared_words
from mlm_core.encoder.model_list import BUNDLED_FOLDERS
from mlm_core.inside import head_patterns
from mlm_core.inside.head_patterns import HeadPair, HeadPatterns
from mlm_core.inside.switches import Head
from mlm_core.stored.head_patterns import read_patterns
from mlm_core.stored.heads_off import read_losses
from mlm_core.text import corpora
from mlm_core.text.tokens import rarest
from mlm_core.text.words import find_whole
from pages.kit.remember import (
    encoding,
    long_work_lock,
    model,
    model_tokenizer,
    read_examples,
    reader,
    remembered,
)

MOST_SEARCHED = 30  # sentences: one pass each, half a second with a bundled model


@remembered(len(BUNDLED_FOLDERS))
def stored_heads(model_name: str) -> HeadPatterns:
    """Return what a bundled model's heads attend to in our sentences."""
    return read_patterns(model_name)


@remembered(len(BUNDLED_FOLDERS))
def rises_without(model_name: str) -> Mapping[Head, float]:
    """Return by how much a bundled model's loss on ten sentences rises without each head."""
    _, losses = read_losses(model_name)
    return {off[0]: loss - losses[()] for off, loss in losses.items() if len(off) == 1}


@remembered(256)
def pairs_at(
    model_name: str, language: str, head: Head, word: str
) -> tuple[tuple[HeadPair, ...], int]:
    """Return a head's strongest pairs at a word, and how many of our sentences have it."""
    having = [one for one in corpora.sentences(language) if find_whole(one, [word])]
    with long_work_lock():
        found = head_patterns.pairs_at(model(model_name), having[:MOST_SEARCHED], head, word)
    return found, len(having)


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
