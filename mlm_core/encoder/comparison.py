"""One word in two texts: the cosine of its two vectors, layer by layer.

    cosine(a, b) = a · b / (|a| |b|)

With the causal mask a word's vector depends on the left context alone, so two texts that begin
alike give the word the same vector in every layer. Without it, the right context changes the
vector too.

Read before this: bert.py.
"""

from dataclasses import dataclass

import torch

from mlm_core.encoder.bert import Encoding
from mlm_core.shapes import Float, Tensor
from mlm_core.text.tokens import TokenizedText, Word


@dataclass(frozen=True, kw_only=True)
class SharedWord:
    """A word that stands in two texts."""

    text: str
    first: Word  # its first occurrence in the first text
    second: Word  # its first occurrence in the second text
    same_before: bool  # whether all tokens before it are the same in both texts


@dataclass(frozen=True, kw_only=True)
class WordComparison:
    """Two vectors of one word, compared after the embeddings and after each layer."""

    cosines: tuple[float, ...]  # -1 to 1
    largest_differences: tuple[float, ...]  # of any two corresponding dimensions


def shared_words(first: TokenizedText, second: TokenizedText) -> tuple[SharedWord, ...]:
    """Return the words (with letters or digits) of both texts, in the first's order."""
    in_second = {word.text: word for word in reversed(second.words)}
    found: dict[str, SharedWord] = {}
    for word in first.words:
        other = in_second.get(word.text)
        if other is None or word.text in found or not any(map(str.isalnum, word.text)):
            continue
        found[word.text] = SharedWord(
            text=word.text,
            first=word,
            second=other,
            same_before=first.ids[: word.positions[-1] + 1]
            == second.ids[: other.positions[-1] + 1],
        )
    return tuple(found.values())


def compare_word(first: Encoding, second: Encoding, word: SharedWord) -> WordComparison:
    """Return how similar the word's vectors are in each state of the two encodings."""
    cosines, differences = [], []
    for one, other in zip(first.states, second.states, strict=True):
        a, b = word_vector(one[0], word.first), word_vector(other[0], word.second)
        cosines.append(torch.cosine_similarity(a, b, dim=0).item())
        differences.append((a - b).abs().max().item())
    return WordComparison(cosines=tuple(cosines), largest_differences=tuple(differences))


def word_vector(states: Float[Tensor, "token hidden"], word: Word) -> Float[Tensor, " hidden"]:
    """Return the mean of the vectors of a word's subwords."""
    return states[list(word.positions)].mean(dim=0)


def count_changed(
    shorter: Float[Tensor, "token hidden"],
    longer: Float[Tensor, "longer_token hidden"],
    n_tokens: int,
    tolerance: float = 1e-3,
) -> int:
    """Return how many of the first `n_tokens` vectors differ in two texts that begin alike."""
    moved = (shorter[:n_tokens] - longer[:n_tokens]).abs().amax(dim=1)
    return int((moved > tolerance).sum())


def largest_difference(first: Encoding, second: Encoding, n_tokens: int) -> float:
    """Return the largest difference in the last states of the first `n_tokens`."""
    return (first.last[0, :n_tokens] - second.last[0, :n_tokens]).abs().max().item()
