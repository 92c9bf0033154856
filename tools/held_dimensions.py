"""Hold the largest dimension of each layer of the bundled models at its mean, or at 0.

    make stored STORED=held_dimensions    mlm_core/data/held_dimensions.json, in five minutes

Each model reads our sentences of its language: the words of some of them have the means, others
the masked tokens.

Read before this: ../mlm_core/inside/switches.py, ../mlm_core/embeddings/postprocessing.py.
"""

import json
from collections.abc import Iterator
from random import Random

from mlm_core.embeddings.contextual import all_layers_word_vectors
from mlm_core.embeddings.isotropy import sample_words
from mlm_core.embeddings.postprocessing import LayerStatistics, learn_from_corpus
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.inside.switches import hold_dimension, losses_on
from mlm_core.shapes import Float, Tensor
from mlm_core.stored.held_dimensions import HELD_FILE, HeldDimension, HeldDimensions
from mlm_core.text import corpora
from mlm_core.text.tokens import TokenizedText, tokenize

N_SENTENCES, N_WORDS, SEED = 150, 600, 1


def make_losses() -> Iterator[str]:
    """Measure and write the losses of each model; yield lines for a log."""
    found = {}
    for language, name in READERS.items():
        model = load(name)
        texts, statistics = masked_texts(model, language), layer_statistics(model, language)
        whole, layers = losses_on(model, texts), []
        for layer in range(1, model.n_layers + 1):
            layers.append(hold_largest(model, texts, layer, statistics[layer], whole))
            yield f"{name}, {layers[-1]}"
        found[name] = HeldDimensions(whole.mean().item(), len(texts), len(whole), layers)
    HELD_FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def masked_texts(model: MaskedLanguageModel, language: str) -> list[TokenizedText]:
    """Return the sentences whose tokens are masked."""
    return [
        tokenize(model.tokenizer, each, max_tokens=model.max_tokens)
        for each in _shuffled(language)[:N_SENTENCES]
    ]


def layer_statistics(model: MaskedLanguageModel, language: str) -> list[LayerStatistics]:
    """Return each layer's statistics by words of the other sentences."""
    sample = sample_words(_shuffled(language)[N_SENTENCES:], N_WORDS, Random(SEED))
    states = all_layers_word_vectors(model, sample.words).states
    return [learn_from_corpus(vectors, sample.groups) for vectors in states]


def _shuffled(language: str) -> list[str]:
    sentences = list(dict.fromkeys(corpora.sentences(language)))
    Random(SEED).shuffle(sentences)
    return sentences


def hold_largest(
    model: MaskedLanguageModel,
    texts: list[TokenizedText],
    layer: int,
    statistics: LayerStatistics,
    whole: Float[Tensor, " masked"],
) -> HeldDimension:
    """Return the losses with the largest dimension of a layer, or the second, held at a value."""
    first, second, *_ = statistics.proportions.ranked
    mean = statistics.mean[first].item()
    at_mean, at_zero, second_at_zero = (
        losses_on(hold_dimension(model, layer, held, value), texts)
        for held, value in ((first, mean), (first, 0.0), (second, 0.0))
    )
    error = (at_mean - whole).std().item() / len(whole) ** 0.5
    losses = at_mean.mean().item(), error, at_zero.mean().item()
    return HeldDimension(layer, first, mean, *losses, second, second_at_zero.mean().item())
