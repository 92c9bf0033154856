"""What an attention head attends to: proportions by kind of token, and its strongest pairs.

    proportion of kind c = mean over query tokens of  sum over keys j of kind c of  weight(i, j)
    by chance            = the same with equal weights, 1 / n tokens of the sentence

A key is of one kind, the first that fits: [CLS], [SEP], the query itself, the previous or the next
token, a punctuation mark, the same word elsewhere, a noun, verb or adjective, the rest. So the
proportions sum to 1. [CLS] and [SEP] are no queries.

Source: Clark et al. 2019 for the kinds, Hoover et al. 2020 (exBERT) for a page of one head with its
strongest examples. Departs: part of speech is that of our list of words that have just one
(../data/probe_words.txt); exBERT looks for states that are near, here pairs have large weights.

What this can't show: what a head is for. Other weights can give nearly the same prediction (Jain &
Wallace 2019); see switches.py for what is lost without a head.

Read before this: ../encoder/attention.py, known_by_layer.py, switches.py.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch.nn import functional as F

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.inside.known_by_layer import CLASSES, word_classes
from mlm_core.inside.switches import Head, heads_of
from mlm_core.shapes import Float, Int, Tensor
from mlm_core.text.tokens import TokenizedText, tokenize
from mlm_core.text.words import find_whole, fold

CLASS_OF = {of: name for name, several in CLASSES["part_of_speech"].items() for of in several}
KINDS = ("cls", "sep", "itself", "previous", "next", "punctuation", "same_word")
KINDS += (*CLASSES["part_of_speech"], "rest")
NEAR = {0: "itself", -1: "previous", 1: "next"}
N_PAIRS = 12  # of a head


class HeadPair(NamedTuple):
    """One token that attends to another one, in a sentence."""

    sentence: str
    query: int  # positions
    key: int
    weight: float


@dataclass(frozen=True, kw_only=True)
class HeadPatterns:
    """What each head of a model attends to in some sentences."""

    n_sentences: int
    n_queries: int  # tokens
    chance: tuple[float, ...]  # by kind, with equal weights
    shares: Mapping[Head, tuple[float, ...]]  # by kind
    pairs: Mapping[Head, tuple[HeadPair, ...]]  # of the largest weights, one a sentence


def kinds_of(text: TokenizedText, classes: Mapping[str, str]) -> Int[Tensor, "query key"]:
    """Return the kind of each key for each query, as its number in KINDS.

    `classes` has the part of speech of words. The rows of [CLS] and [SEP] have no meaning.
    """
    n_tokens = range(len(text.tokens))
    words = {i: fold(word.text.strip()) for word in text.words for i in word.positions}
    places = [token.word for token in text.tokens]
    of_key = [_kind_of_key(j, words.get(j), classes) for j in n_tokens]

    def kind(i: int, j: int) -> str:
        if of_key[j] in ("cls", "sep"):
            return of_key[j]
        if j - i in NEAR:
            return NEAR[j - i]
        is_same = words.get(i) == words[j] and places[i] != places[j]
        return "same_word" if is_same and of_key[j] != "punctuation" else of_key[j]

    return torch.tensor([[KINDS.index(kind(i, j)) for j in n_tokens] for i in n_tokens])


def _kind_of_key(position: int, word: str | None, classes: Mapping[str, str]) -> str:
    """Return the kind that a key has for all queries that are not near."""
    if word is None:
        return "sep" if position else "cls"
    if not any(letter.isalnum() for letter in word):
        return "punctuation"
    return classes.get(word, "rest")


def parts_of_speech(language: str) -> dict[str, str]:
    """Return the part of speech of the words of our list that have just one."""
    return {word: CLASS_OF[of] for word, of in word_classes(language).items() if of in CLASS_OF}


def shares_of(
    weights: Float[Tensor, "*head query key"], text: TokenizedText, classes: Mapping[str, str]
) -> Float[Tensor, "*head kind"]:
    """Return the mean proportion of a head's weights on each kind of key in one text."""
    queries = [i for i, token in enumerate(text.tokens) if token.word is not None]
    is_kind = F.one_hot(kinds_of(text, classes)[queries], len(KINDS)).double()
    return torch.einsum("...qk,qkc->...c", weights[..., queries, :].double(), is_kind) / len(
        queries
    )


def strongest_pairs(
    weights: Float[Tensor, "*head query key"], text: TokenizedText, at: Collection[int] = ()
) -> tuple[Float[Tensor, "*head"], Int[Tensor, "*head"], Int[Tensor, "*head"]]:
    """Return each head's largest weight between tokens of words, with query and key.

    One of the two is `at` some positions, if any are given.
    """
    is_word = torch.tensor([token.word is not None for token in text.tokens])
    allowed = is_word[:, None] & is_word
    if at:
        is_at = torch.tensor([i in at for i in range(len(text.tokens))])
        allowed &= is_at[:, None] | is_at
    most, places = weights.where(allowed, -1.0).flatten(-2).max(dim=-1)
    return most, places // len(is_word), places % len(is_word)


def head_patterns(
    model: MaskedLanguageModel, sentences: Iterable[str], language: str = "en"
) -> HeadPatterns:
    """Return what each head attends to in some sentences, each of at least one word.

    Of pairs of the same two tokens the strongest counts. Raises MissingWeightsError if the model
    gives no weights.
    """
    classes, heads = parts_of_speech(language), heads_of(model)
    shares = torch.zeros(model.n_layers, model.n_heads, len(KINDS), dtype=torch.double)
    chance, n_queries, n_sentences = torch.zeros(len(KINDS), dtype=torch.double), 0, 0
    found: dict[Head, dict[tuple[int, int], HeadPair]] = {head: {} for head in heads}
    for text, weights in _read(model, sentences):
        n = sum(token.word is not None for token in text.tokens)
        shares += n * shares_of(weights, text, classes)
        chance += n * shares_of(torch.full_like(weights[0, 0], 1 / len(text.ids)), text, classes)
        n_queries, n_sentences = n_queries + n, n_sentences + 1
        columns = (one.flatten().tolist() for one in strongest_pairs(weights, text))
        for head, most, query, key in zip(heads, *columns, strict=True):
            tokens = (text.ids[query], text.ids[key])
            if tokens not in found[head] or most > found[head][tokens].weight:
                found[head][tokens] = HeadPair(text.text, query, key, most)
    means = (shares / n_queries).flatten(0, 1).tolist()
    return HeadPatterns(
        n_sentences=n_sentences,
        n_queries=n_queries,
        chance=tuple((chance / n_queries).tolist()),
        shares=dict(zip(heads, map(tuple, means), strict=True)),
        pairs={head: _strongest(pairs.values(), N_PAIRS) for head, pairs in found.items()},
    )


def pairs_at(
    model: MaskedLanguageModel, sentences: Iterable[str], head: Head, word: str, n: int = N_PAIRS
) -> tuple[HeadPair, ...]:
    """Return a head's strongest pair at a word in each sentence that has it, at most `n` of these.

    Raises MissingWeightsError if the model gives no weights.
    """
    pairs = []
    for text, weights in _read(model, sentences):
        spans = find_whole(text.text, [word])
        at = [
            i
            for i, token in enumerate(text.tokens)
            if any(start < token.stop and token.start < stop for start, stop in spans)
        ]
        if at:
            one = strongest_pairs(weights[head.layer - 1, head.head - 1], text, at)
            most, query, key = (each.item() for each in one)
            pairs.append(HeadPair(text.text, int(query), int(key), most))
    return _strongest(pairs, n)


def _read(
    model: MaskedLanguageModel, sentences: Iterable[str]
) -> Iterator[tuple[TokenizedText, Float[Tensor, "layer head query key"]]]:
    """Yield each sentence with all its weights, one by one: a batch's padding gets none."""
    for sentence in sentences:
        text = tokenize(model.tokenizer, sentence, max_tokens=model.max_tokens)
        yield text, torch.stack(model.encode(text, record=True).weights)[:, 0].cpu()


def _strongest(pairs: Iterable[HeadPair], n: int) -> tuple[HeadPair, ...]:
    return tuple(sorted(pairs, key=lambda pair: -pair.weight)[:n])
