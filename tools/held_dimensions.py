"""Hold the largest dimension of each layer of the bundled models at its mean, or at 0.

    make stored STORED=held_dimensions    mlm_core/data/held_dimensions.json, in five minutes

Each model reads our sentences of its language: the words of some of them have the means, others
the masked tokens.

Read before this: ../mlm_core/inside/switches.py, ../mlm_core/embeddings/postprocessing.py.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from random import Random

from mlm_core.embeddings.contextual import all_layers_word_vectors
from mlm_core.embeddings.isotropy import sample_words
from mlm_core.embeddings.postprocessing import LayerStatistics, learn_from_corpus
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.inside.switches import hold_dimension, losses_on
from mlm_core.shapes import Float, Tensor
from mlm_core.stored.held_dimensions import HELD_FILE, HeldDimension
from mlm_core.text import corpora
from mlm_core.text.tokens import TokenizedText, tokenize

N_SENTENCES, N_WORDS, SEED = 150, 600, 1


def make_losses() -> Iterator[str]:
    """Measure and write the losses of each model; yield lines for a log."""
    found = {}
    for language, name in READERS.items():
        model, (texts, statistics) = load(name), read_corpus(name, language)
        whole = losses_on(model, texts)
        layers = []
        for layer in range(1, model.n_layers + 1):
            held = hold_largest(model, texts, layer, statistics[layer], whole)
            layers.append(asdict(held))
            yield f"{name}, {held}"
        found[name] = {
            "loss": whole.mean().item(),
            "n_sentences": len(texts),
            "n_masked": len(whole),
            "layers": layers,
        }
    HELD_FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def read_corpus(name: str, language: str) -> tuple[list[TokenizedText], list[LayerStatistics]]:
    """Return the sentences whose tokens are masked, and each layer's statistics by the others."""
    model, sentences = load(name), list(dict.fromkeys(corpora.sentences(language)))
    Random(SEED).shuffle(sentences)
    texts = [
        tokenize(model.tokenizer, each, max_tokens=model.max_tokens)
        for each in sentences[:N_SENTENCES]
    ]
    sample = sample_words(sentences[N_SENTENCES:], N_WORDS, Random(SEED))
    states = all_layers_word_vectors(model, sample.words).states
    return texts, [learn_from_corpus(vectors, sample.groups) for vectors in states]


def hold_largest(
    model: MaskedLanguageModel,
    texts: list[TokenizedText],
    layer: int,
    statistics: LayerStatistics,
    whole: Float[Tensor, " masked"],
) -> HeldDimension:
    """Return the losses with the largest dimension of a layer, or the second, held at a value."""
    dimension, second, *_ = statistics.proportions.ranked
    mean = statistics.mean[dimension].item()

    def losses(held: int, value: float) -> Float[Tensor, " masked"]:
        return losses_on(hold_dimension(model, layer, held, value), texts)

    at_mean = losses(dimension, mean)
    error: Tensor = (at_mean - whole).std() / len(whole) ** 0.5
    return HeldDimension(
        layer=layer,
        dimension=dimension,
        mean=mean,
        loss_at_mean=at_mean.mean().item(),
        rise_error=error.item(),
        loss_at_zero=losses(dimension, 0.0).mean().item(),
        second=second,
        second_at_zero=losses(second, 0.0).mean().item(),
    )
