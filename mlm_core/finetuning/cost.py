"""Estimate the memory of a fine-tuning in bytes, and count its parameters.

held as long as the run exists
    parameters         12 bytes each: weight and AdamW's two moments, in float32. The states below
                       the trained layers are in a file
    examples           100 bytes a token: id, label, position in the text
kept as long as the run can be looked at
    snapshot           2 bytes a trained parameter, and the predictions
extra, during a piece of work
    gradients          4 bytes a trained parameter
    activations        what the trained layers keep for the backward pass of one batch; where
                       lower layers are frozen, at least what one of them needs

Measured in a separate process, the largest runs take this or up to a sixth less
(tests/pages/test_run_memory.py).

The number of trained parameters:

    head alone     the head
    last k layers  the head and k of the layers that are read
    all layers     the head, all layers, positions, segments, a LayerNorm, and one row of the
                   embedding table for each different token of the training examples

Read before this: settings.py, fine_tuned.py.
"""

from collections.abc import Iterable

from mlm_core.encoder.bert import BertConfig
from mlm_core.encoder.language_model import OwnModel
from mlm_core.finetuning.fine_tuned import head_classes, reading_of, training_data
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.labelled.examples import Dataset, Example, LabelledText, Question

HELD_BYTES = 12  # a trained parameter
KEPT_BYTES = 2  # its copy in float16
TOKEN_BYTES = 100  # of an encoded example
PREDICTIONS_BYTES = 500_000
NUMBER_BYTES = 4
# Of English letters, digits and spaces with a vocabulary of 16,000, rounded down to be safe. Every
# other character counts as a token.
CHARACTERS_A_TOKEN = 3.8
SUBWORDS_A_WORD = 1.2  # different subwords for each different word
MARKS = bytes(i for i in range(128) if not (chr(i).isalnum() or chr(i).isspace()))  # each a token
# Activations kept for each token and layer, in multiples of the hidden size: inputs of the matrix
# products, GELU's (four-fold), LayerNorms. Measured: 15 to 17.
KEPT_WIDTHS = 17
PASSED_WIDTHS = 13  # of one frozen layer during its forward pass: queries, keys, GELU's four-fold


def refuse_foreign(encoder: OwnModel | object) -> OwnModel:
    """Return the model; raise ValueError if it is not one that our encoder runs."""
    if not isinstance(encoder, OwnModel):
        raise ValueError(
            "fine-tuning here trains the layers of BERT's own architecture, which this model"
            " doesn't have: choose another model, such as a bundled one"
        )
    return encoder


def run_bytes(settings: FineTuneSettings, dataset: Dataset, encoder: OwnModel | object) -> int:
    """Estimate the largest number of bytes that a run takes.

    Raises ValueError if the model can't be fine-tuned here, or the run takes too many steps.
    """
    held = held_bytes(settings, dataset, encoder)
    return held + extra_bytes(settings, dataset, refuse_foreign(encoder))


def held_bytes(settings: FineTuneSettings, dataset: Dataset, encoder: OwnModel | object) -> int:
    """Estimate the bytes of a paused run: weights, AdamW, examples.

    Raises ValueError as run_bytes does.
    """
    config = refuse_foreign(encoder).bert.config
    settings.n_steps(min(len(dataset.train), settings.n_examples or len(dataset.train)))
    n_tokens = sum(_lengths((*dataset.train, *dataset.dev, *dataset.test), config))
    return _n_trained(settings, dataset, config) * HELD_BYTES + n_tokens * TOKEN_BYTES


def extra_bytes(settings: FineTuneSettings, dataset: Dataset, encoder: OwnModel) -> int:
    """Estimate the bytes that a training step adds: activations and gradients."""
    config = encoder.bert.config
    n_layers = settings.n_trained_layers(config.n_layers)
    every = (*dataset.train, *dataset.dev, *dataset.test)
    longest = sorted(_lengths(every, config))[-settings.batch_size :]
    # The 1 is the batch itself.
    widths = max(KEPT_WIDTHS * n_layers + 1, PASSED_WIDTHS)
    n_kept = len(longest) * max(longest) * config.hidden_size * widths
    return (n_kept + _n_trained(settings, dataset, config)) * NUMBER_BYTES


def kept_bytes(settings: FineTuneSettings, encoder: OwnModel) -> int:
    """Estimate the bytes of the snapshot, which stay when a run has ended."""
    config = encoder.bert.config
    n_trained = settings.n_trained_layers(config.n_layers) * _layer_numbers(config)
    return n_trained * KEPT_BYTES + PREDICTIONS_BYTES


def count_trained(settings: FineTuneSettings, dataset: Dataset, encoder: OwnModel | object) -> int:
    """Return how many parameters a run of these settings trains.

    Raises ValueError if the model can't be fine-tuned here.
    """
    own = refuse_foreign(encoder)
    bert, width = own.bert, own.bert.config.hidden_size
    n_layers = bert.config.n_layers
    blocks = list(bert.blocks)[settings.n_frozen(n_layers) : settings.n_read(n_layers)]
    total = (width + 1) * len(head_classes(dataset, settings))
    total += sum(parameter.numel() for block in blocks for parameter in block.parameters())
    if dataset.kind == "classes" and settings.pooling == "cls":
        total += (width + 1) * width  # the pooler
    if settings.trained != "all":
        return total
    embeddings = bert.embeddings
    always = (embeddings.position, embeddings.segment, embeddings.norm)
    total += sum(parameter.numel() for one in always for parameter in one.parameters())
    return total + width * _n_used(settings, dataset, own)


def _n_used(settings: FineTuneSettings, dataset: Dataset, encoder: OwnModel) -> int:
    """Return how many different tokens the training examples have."""
    reading = reading_of(encoder, dataset, settings)
    read = (reading.read(example) for example in training_data(dataset, settings).train)
    return len({i for example in read if example is not None for i in example.text.ids})


def _lengths(examples: Iterable[Example], config: BertConfig) -> list[int]:
    return [min(config.n_positions, _n_tokens(one)) for one in examples]


def _n_trained(settings: FineTuneSettings, dataset: Dataset, config: BertConfig) -> int:
    n_trained = settings.n_trained_layers(config.n_layers) * _layer_numbers(config)
    n_trained += config.hidden_size**2
    if settings.trained == "all":
        texts = [_text(example) for example in dataset.train]
        n_used = round(SUBWORDS_A_WORD * len({word for text in texts for word in text.split()}))
        n_used += len({c for text in texts for c in text if not c.isascii()})
        n_trained += (min(config.vocabulary_size, n_used) + config.n_positions) * config.hidden_size
    return n_trained


def _layer_numbers(config: BertConfig) -> int:
    width, inner = config.hidden_size, config.intermediate_size
    return 4 * (width + 1) * width + (width + 1) * inner + (inner + 1) * width + 4 * width


def _n_tokens(example: Example) -> int:
    text = _text(example)
    # Bytes are sorted out in 1 us a text, characters one by one in 10: a panel asks at each look.
    n_plain = len(text.encode("ascii", "ignore").translate(None, MARKS))
    return 3 + round(n_plain / CHARACTERS_A_TOKEN) + len(text) - n_plain


def _text(example: Example) -> str:
    if isinstance(example, LabelledText):
        return f"{example.text} {example.pair or ''}"
    if isinstance(example, Question):
        return f"{example.question} {example.passage}"
    return " ".join(example.words)
