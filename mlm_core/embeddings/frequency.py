"""Frequent words have a lower self-similarity, and z-scoring does not change that.

    self-similarity(w) = the mean cosine of two uses of the same word w in different texts

A frequent word is used in many ways, so the cosine of two uses of it is lower than that of two
uses of a rare word, even where readers find both equally similar. Z-scoring removes the
direction that all words share; the difference between frequent and rare words stays. Words are
grouped into bands by their frequency in the corpus.

Source: SLP3 section 11.3.2; Zhou et al. 2022 (cosine falls below human judgements for frequent
words); Ethayarajh 2019 for self-similarity.
Departs: Zhou et al. compare with human ratings; here bands of words are compared with each
other. Frequent words are also mostly stop words, and rare ones have more subwords: the bands
differ in more than frequency.

Read before this: postprocessing.py.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import torch

from mlm_core.embeddings.locating import marked_words
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.embeddings.word_senses import cosines
from mlm_core.shapes import Float, Tensor

# Fewest uses of a band's words; a band ends where the next begins. Steps of four, for a corpus of
# some 25,000 words.
BANDS = (2, 8, 32, 128)
WORDS_A_BAND, USES_A_WORD = 40, 6
NEVER = -2.0  # below every cosine


@dataclass(frozen=True, kw_only=True)
class BandSample:
    """Uses of words of several bands of frequency."""

    words: tuple[MarkedSentence, ...]
    types: tuple[str, ...]  # each use's word in lower case
    bands: tuple[int, ...]  # each use's band, counted from 0
    documents: tuple[int, ...]  # each use's document
    counts: dict[str, int]  # of each word in the whole corpus

    def draw(self, rng: Random, words_a_band: int = WORDS_A_BAND) -> tuple[int, ...]:
        """Return the numbers of the uses of so many words of each band."""
        known: dict[int, list[str]] = {}
        for band, word in dict.fromkeys(zip(self.bands, self.types, strict=True)):
            known.setdefault(band, []).append(word)
        drawn = {w for of in known.values() for w in rng.sample(of, min(words_a_band, len(of)))}
        return tuple(i for i, word in enumerate(self.types) if word in drawn)

    def part(self, numbers: Sequence[int]) -> "BandSample":
        """Return the sample that has only the uses of these numbers."""
        types = tuple(self.types[i] for i in numbers)
        return BandSample(
            words=tuple(self.words[i] for i in numbers),
            types=types,
            bands=tuple(self.bands[i] for i in numbers),
            documents=tuple(self.documents[i] for i in numbers),
            counts={word: self.counts[word] for word in types},
        )


@dataclass(frozen=True, kw_only=True)
class BandScore:
    """How similar the uses of a band's words are."""

    fewest: int  # uses of each word in the corpus
    most: int
    n_words: int
    self_similarity: float  # mean over the band's words
    standard_error: float  # over the band's words
    other_cosine: float  # mean cosine of uses of different words of the band
    neighbour_proportion: float  # uses whose nearest neighbour is a use of the same word


def sample_bands(
    documents: Sequence[Sequence[str]],
    rng: Random,
    *,
    words_a_band: int = WORDS_A_BAND,
) -> BandSample:
    """Return uses of words of each band, at most one use a document for each word.

    One use a document, because two uses in one text have the same topic.
    Raises ValueError if no word stands in two documents.
    """
    uses: dict[str, dict[int, list[MarkedSentence]]] = {}  # word -> document -> uses
    for number, document in enumerate(documents):
        for word in marked_words(document):
            uses.setdefault(word.target.lower(), {}).setdefault(number, []).append(word)
    counts = {word: sum(map(len, by_document.values())) for word, by_document in uses.items()}
    drawn: list[tuple[MarkedSentence, str, int, int]] = []
    for band, fewest in enumerate(BANDS):
        most = BANDS[band + 1] - 1 if band + 1 < len(BANDS) else math.inf
        known = [
            w
            for w, by_document in uses.items()
            if len(by_document) > 1 and fewest <= counts[w] <= most
        ]
        for word in rng.sample(known, min(words_a_band, len(known))):
            for number in rng.sample(sorted(uses[word]), min(USES_A_WORD, len(uses[word]))):
                drawn.append((rng.choice(uses[word][number]), word, band, number))
    if not drawn:
        raise ValueError("no word stands in two documents: give more text")
    words, types, band_of, document_of = zip(*drawn, strict=True)
    return BandSample(
        words=words,
        types=types,
        bands=band_of,
        documents=document_of,
        counts={word: counts[word] for word in types},
    )


def score_bands(vectors: Float[Tensor, "use hidden"], sample: BandSample) -> tuple[BandScore, ...]:
    """Return each band's self-similarity and neighbours, from rare to frequent.

    Uses in the same document are never compared.
    """
    numbers = {word: i for i, word in enumerate(dict.fromkeys(sample.types))}
    types = torch.tensor([numbers[word] for word in sample.types], device=vectors.device)
    documents = torch.tensor(sample.documents, device=vectors.device)
    near = cosines(vectors.double(), vectors.double())
    elsewhere = documents[:, None] != documents[None, :]
    same = (types[:, None] == types[None, :]) & elsewhere
    hits = types[near.masked_fill(~elsewhere, NEVER).argmax(dim=1)] == types
    found = []
    for band in sorted(set(sample.bands)):
        is_in = torch.tensor(sample.bands, device=near.device) == band
        own = [near[same & (types == n)[:, None]].mean().item() for n in types[is_in].unique()]
        own = torch.tensor(own)
        others = elsewhere & ~same & is_in[:, None] & is_in[None, :]
        uses = zip(sample.types, sample.bands, strict=True)
        counts = [sample.counts[word] for word, of in uses if of == band]
        score = BandScore(
            fewest=min(counts),
            most=max(counts),
            n_words=len(own),
            self_similarity=own.mean().item(),
            standard_error=own.std().item() / math.sqrt(len(own)) if len(own) > 1 else math.nan,
            other_cosine=near[others].mean().item() if others.any() else math.nan,
            neighbour_proportion=hits[is_in].double().mean().item(),
        )
        found.append(score)
    return tuple(found)
