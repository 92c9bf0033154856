"""What the lesson on isotropy keeps for all: vectors of many words, and what they tell.

A corpus of words takes seconds to read. Its vectors grow block by block, and every visitor who
asks for the same corpus makes the next missing block and sees how far all of them are together.
What is interrupted stays and goes on from there.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.text import corpora
from pages.shared import cache

if TYPE_CHECKING:
    from mlm_core.embeddings.contextual import WordVectors
    from mlm_core.embeddings.frequency import BandSample
    from mlm_core.embeddings.isotropy import CosineSample, WordSample
    from mlm_core.embeddings.treatments import Corpus, Treatment
    from mlm_core.shapes import Tensor

N_WORDS = 600  # drawn from a corpus; at every layer of the bundled model they are 8 MB
N_SENTENCES = 300  # for vectors of whole sentences
N_PAIRS = 5000  # in a histogram
BLOCK = 60  # words between two moves of a progress bar

Progress = Callable[[int, int], None]  # (done, of)


@dataclass(frozen=True, kw_only=True)
class CorpusKey:
    """Whose vectors of which words: what every result here is known by."""

    model_name: str
    seed: int
    text: str | None  # the learner's own, or None for our sentences


@dataclass
class Growing:
    """Vectors that several visitors make together; what is there is never changed again."""

    blocks: "list[Tensor]" = field(default_factory=list)
    whole: "Tensor | None" = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def finish(
        self, makers: "Sequence[Callable[[], Tensor]]", axis: int, on_progress: Progress | None
    ) -> "Tensor":
        """Make the blocks that are missing and return all as one.

        Raises ValueError if there is nothing to make.
        """
        import torch

        if not makers:
            raise ValueError("no text that this model can read: write at least two sentences")
        while self.whole is None:
            with self.lock:
                n_done = len(self.blocks)
                if self.whole is None and n_done < len(makers):
                    self.blocks.append(makers[n_done]())
                elif self.whole is None:
                    self.whole = torch.cat(self.blocks, dim=axis)
                    self.blocks.clear()
            if on_progress is not None and self.whole is None:
                on_progress(n_done + 1, len(makers))
        return self.whole


def documents(text: str | None) -> tuple[tuple[str, ...], ...]:
    """Return the learner's documents, or ours for None, each as its sentences."""
    from mlm_core.pretraining.pair_examples import documents_in

    return corpora.documents() if text is None else documents_in(text)


@st.cache_resource(max_entries=12, show_spinner=False)
def corpus_words(corpus: CorpusKey) -> "WordSample":
    """Return the words drawn from a corpus, without those that the model can't read."""
    from random import Random

    from mlm_core.embeddings.isotropy import WordSample, sample_words
    from mlm_core.embeddings.placing import split_readable

    sentences = [sentence for document in documents(corpus.text) for sentence in document]
    drawn = sample_words(sentences, N_WORDS, Random(corpus.seed))
    readable, _ = split_readable(cache.model(corpus.model_name), drawn.words)
    return WordSample(
        words=tuple(drawn.words[i] for i in readable),
        sentence_numbers=tuple(drawn.sentence_numbers[i] for i in readable),
    )


@st.cache_resource(max_entries=3, show_spinner=False)
def _corpus_growing(corpus: CorpusKey) -> Growing:
    return Growing()


def corpus_states(corpus: CorpusKey, on_progress: Progress | None = None) -> "Tensor":
    """Return the corpus's words at every layer [layer word hidden]."""
    words = corpus_words(corpus).words
    return _corpus_growing(corpus).finish(_word_blocks(corpus.model_name, words), 1, on_progress)


def _word_blocks(model_name: str, words: Sequence) -> "list[Callable[[], Tensor]]":
    from mlm_core.embeddings.contextual import all_layers_word_vectors

    asked = cache.model(model_name)
    return [
        lambda i=i: all_layers_word_vectors(asked, words[i : i + BLOCK]).states
        for i in range(0, len(words), BLOCK)
    ]


@st.cache_resource(max_entries=64, show_spinner=False)
def learned(corpus: CorpusKey, layer: int) -> "Corpus":
    """Return mean, deviation and shares of one layer's dimensions."""
    from mlm_core.embeddings.treatments import learn_from_corpus

    return learn_from_corpus(corpus_states(corpus)[layer], corpus_words(corpus).groups)


@st.cache_resource(max_entries=96, show_spinner=False)
def random_cosines(
    corpus: CorpusKey, layer: int, treatment: "Treatment", n_dropped: int
) -> "tuple[CosineSample, CosineSample]":
    """Return cosines of thousands of random pairs, and of pairs that have no word in common."""
    from random import Random

    from mlm_core.embeddings.isotropy import independent_pairs, pair_cosines, random_pairs

    numbers = corpus_words(corpus).sentence_numbers
    vectors = learned(corpus, layer).treat(
        corpus_states(corpus)[layer], treatment, n_dropped=n_dropped
    )
    many = random_pairs(numbers, N_PAIRS, Random(corpus.seed))
    apart = independent_pairs(numbers, Random(corpus.seed))
    return pair_cosines(vectors, many), pair_cosines(vectors, apart)


@st.cache_data(max_entries=400, show_spinner=False)
def mean_cosine(corpus: CorpusKey, layer: int, treatment: "Treatment", n_dropped: int) -> float:
    """Return the mean cosine over all pairs of words of different sentences."""
    from mlm_core.embeddings.isotropy import dimension_shares

    vectors = learned(corpus, layer).treat(
        corpus_states(corpus)[layer], treatment, n_dropped=n_dropped
    )
    return dimension_shares(vectors, corpus_words(corpus).groups).mean_cosine


@st.cache_resource(max_entries=20, show_spinner=False)
def sense_uses(model_name: str, name: str) -> "WordVectors":
    """Return a stored word's uses at every layer."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors
    from mlm_core.embeddings.senses_data import stored_word

    return all_layers_word_vectors(cache.model(model_name), stored_word(name).sentences)


@st.cache_resource(max_entries=240, show_spinner=False)
def right_senses(corpus: CorpusKey, name: str, treatment: "Treatment", n_dropped: int) -> "Tensor":
    """Return for each use, at each layer, whether its nearest neighbour has its sense."""
    import torch

    from mlm_core.embeddings.sense_scores import sentence_groups
    from mlm_core.embeddings.senses_data import stored_word
    from mlm_core.embeddings.word_senses import leave_one_out

    word, uses = stored_word(name), sense_uses(corpus.model_name, name)
    senses, groups = torch.tensor(word.sense_numbers), sentence_groups(word.sentences)
    return torch.stack(
        [
            leave_one_out(
                learned(corpus, layer).treat(vectors, treatment, n_dropped=n_dropped),
                senses,
                len(word.senses),
                groups,
                method="examples",
            ).senses
            == senses
            for layer, vectors in enumerate(uses.states)
        ]
    )


@st.cache_resource(max_entries=12, show_spinner=False)
def band_words(corpus: CorpusKey) -> "BandSample":
    """Return uses of rare, middling and frequent words of a corpus."""
    from random import Random

    from mlm_core.embeddings.frequency import sample_bands

    return sample_bands(documents(corpus.text), Random(corpus.seed))


@st.cache_resource(max_entries=3, show_spinner=False)
def _bands_growing(corpus: CorpusKey) -> Growing:
    return Growing()


def band_states(corpus: CorpusKey, on_progress: Progress | None = None) -> "Tensor":
    """Return the uses of the bands' words at every layer [layer use hidden]."""
    words = band_words(corpus).words
    return _bands_growing(corpus).finish(_word_blocks(corpus.model_name, words), 1, on_progress)


@st.cache_resource(max_entries=3, show_spinner=False)
def _sentences_growing(corpus: CorpusKey) -> Growing:
    return Growing()


def sentence_corpus(corpus: CorpusKey, on_progress: Progress | None = None) -> "Tensor":
    """Return vectors of whole sentences, by [CLS] and by the mean of tokens [way sentence hidden].

    They come from the last layer.
    """
    import torch

    from mlm_core.pretraining.next_sentence import sentence_vectors
    from mlm_core.text.tokens import tokenize

    asked = cache.model(corpus.model_name)
    sentences = sample_sentences(corpus)

    def block(first: int) -> "Tensor":
        rows = []
        for sentence in sentences[first : first + BLOCK]:
            text = tokenize(asked.tokenizer, sentence, max_tokens=asked.max_tokens)
            vectors = sentence_vectors(asked.encode(text).last[0])
            rows.append(torch.stack([vectors["cls"], vectors["mean"]]))
        return torch.stack(rows, dim=1)

    makers = [lambda i=i: block(i) for i in range(0, len(sentences), BLOCK)]
    return _sentences_growing(corpus).finish(makers, 1, on_progress)


def sample_sentences(corpus: CorpusKey) -> list[str]:
    """Return distinct sentences drawn from a corpus."""
    from random import Random

    known = dict.fromkeys(line for document in documents(corpus.text) for line in document)
    return Random(corpus.seed).sample(list(known), min(N_SENTENCES, len(known)))
