"""How often each language is drawn when one vocabulary is learnt for many: alpha.

    p_i = n_i / sum_k n_k                 a language's proportion of all text
    q_i = p_i^alpha / sum_j p_j^alpha     its proportion of the drawn text

alpha 1 draws by size, alpha 0 all languages equally; XLM-R used 0.3. The effect is measured on a
vocabulary that is learnt from thirty sentences in six languages, mixed by q.

Source: SLP3 Eq 11.5; Lample & Conneau 2019; Conneau et al. 2020. The counts of words come from
where data/languages.json says; its sentences were written for this project.
Departs: the equation counts sentences, and the published counts are of words. The proportions
are equal if sentences are about as long in every language.

Read before this: tokens.py.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from tokenizers import Tokenizer

from mlm_core.text.corpora import DATA_FOLDER, make_row
from mlm_core.text.tokens import role_id, special_token_ids

LANGUAGES_FILE = DATA_FOLDER / "languages.json"
N_DRAWN = 2000  # sentences that a vocabulary is learnt from; the rarest language gets a few
Counted = Literal["wikipedia", "crawl"]


@dataclass(frozen=True, kw_only=True)
class Language:
    """One language: how much text there is of it, and our sentences in it."""

    code: str  # ISO 639-1
    name: str
    wikipedia: int  # words
    crawl: int  # words in XLM-R's training text
    sentences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LanguageUse:
    """How one language uses a vocabulary."""

    n_drawn: int  # sentences of it that the vocabulary was learnt from
    n_alone: int  # entries that no other of the languages uses
    n_used: int  # entries that it uses at all
    vocabulary_proportion: float  # an entry that k languages use counts 1/k for each
    tokens_per_word: float  # on its sentences; 1 means that no word is cut


def read_languages() -> tuple[Language, ...]:
    """Return the languages, the one with the most text first."""
    stored = json.loads(LANGUAGES_FILE.read_text(encoding="utf-8"))["languages"]
    return tuple(make_row(entry, Language) for entry in stored)


def sampling_probabilities(counts: Sequence[float], alpha: float) -> tuple[float, ...]:
    """Return q_i for each language, from 0 to 1 and summing to 1.

    A language without text is never drawn, whatever alpha is.
    Raises ValueError for a negative count or alpha, or if there is no text at all.

    >>> [round(q, 4) for q in sampling_probabilities([99, 1], 0.5)]
    [0.9087, 0.0913]
    """
    if not counts or min(counts) < 0 or sum(counts) <= 0:
        raise ValueError(f"counts are {list(counts)}: none below 0, and at least one above")
    if not 0 <= alpha < float("inf"):
        raise ValueError(f"alpha is {alpha}: choose 0 or more; above 1 the large grow larger still")
    total = sum(counts)
    raised = [(count / total) ** alpha if count else 0.0 for count in counts]
    return tuple(value / sum(raised) for value in raised)


def draw_sentences(
    texts: Sequence[Sequence[str]], proportions: Sequence[float], n: int, rng: Random
) -> tuple[tuple[str, ...], ...]:
    """Return `n` sentences in all, by language, drawn from the texts with these proportions.

    Within a language every sentence is drawn once, in random order, before any is repeated.
    """
    drawn = rng.choices(range(len(texts)), weights=proportions, k=n)
    mixed = []
    for i, text in enumerate(texts):
        sentences: list[str] = []
        while len(sentences) < drawn.count(i):
            sentences += rng.sample(text, len(text))
        mixed.append(tuple(sentences[: drawn.count(i)]))
    return tuple(mixed)


def measure_use(
    tokenizer: Tokenizer, texts: Sequence[Sequence[str]], drawn: Sequence[Sequence[str]]
) -> tuple[LanguageUse, ...]:
    """Return how each language uses a vocabulary, by tokenizing its sentences in `texts`.

    `drawn` are the sentences of each language that the vocabulary was learnt from.
    """
    special = special_token_ids(tokenizer)
    cut = [tokenizer.encode_batch(list(text)) for text in texts]
    ids = [[id_ for one in some for id_ in one.ids if id_ not in special] for some in cut]
    # [UNK] is a special token too, but it stands for text: it counts as a token, not as an entry.
    unknown = role_id(tokenizer, "[UNK]")
    n_unknown = [sum(one.ids.count(unknown) for one in some) for some in cut]
    used = [set(language) for language in ids]
    n_entries = tokenizer.get_vocab_size() - len(special)
    n_users = {entry: sum(entry in other for other in used) for entry in set().union(*used)}
    return tuple(
        LanguageUse(
            n_drawn=len(drawn[i]),
            n_alone=sum(n_users[entry] == 1 for entry in used[i]),
            n_used=len(used[i]),
            vocabulary_proportion=sum(1 / n_users[entry] for entry in used[i]) / n_entries,
            tokens_per_word=(len(ids[i]) + n_unknown[i])
            / sum(len(sentence.split()) for sentence in text),
        )
        for i, text in enumerate(texts)
    )


def subwords_per_word(tokenizer: Tokenizer, word_counts: Mapping[str, int]) -> float:
    """Return the mean number of subwords of a word; 1 means that no word is cut.

    `word_counts` is what count_words() in cutting.py returns. Only words of letters count: marks
    and most numbers are cut the same by every vocabulary. An unknown word counts as one subword.
    Source: the fertility of Rust et al. 2021. Departs: they count marks and numbers too.
    Raises ValueError without a word of letters.
    """
    counts = {word: n for word, n in word_counts.items() if word.isalpha()}
    if not counts:
        raise ValueError(f"no word of letters among {len(word_counts)} words: give a longer text")
    cut = tokenizer.encode_batch(list(counts), add_special_tokens=False)
    n_subwords = sum(len(one.ids) * n for one, n in zip(cut, counts.values(), strict=True))
    return n_subwords / sum(counts.values())
