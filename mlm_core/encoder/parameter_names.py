"""A parameter's name here, and the one that transformers gives to it in a file of weights.

Read before this: bert.py. Read next: checkpoints.py.
"""

import re
from collections.abc import Mapping

# Our parameter names (left) and those of transformers' BertForPreTraining (right). "#" is a
# layer's number. Each pair stands for .weight and .bias.
PARAMETER_NAMES = {
    "embeddings.token": "bert.embeddings.word_embeddings",
    "embeddings.position": "bert.embeddings.position_embeddings",
    "embeddings.segment": "bert.embeddings.token_type_embeddings",
    "embeddings.norm": "bert.embeddings.LayerNorm",
    "blocks.#.attention.query": "bert.encoder.layer.#.attention.self.query",
    "blocks.#.attention.key": "bert.encoder.layer.#.attention.self.key",
    "blocks.#.attention.value": "bert.encoder.layer.#.attention.self.value",
    "blocks.#.attention.output": "bert.encoder.layer.#.attention.output.dense",
    "blocks.#.attention_norm": "bert.encoder.layer.#.attention.output.LayerNorm",
    "blocks.#.inner": "bert.encoder.layer.#.intermediate.dense",
    "blocks.#.outer": "bert.encoder.layer.#.output.dense",
    "blocks.#.feed_forward_norm": "bert.encoder.layer.#.output.LayerNorm",
    "masked_language_head.transform": "cls.predictions.transform.dense",
    "masked_language_head.norm": "cls.predictions.transform.LayerNorm",
    "masked_language_head": "cls.predictions",  # its bias over the vocabulary
    "next_sentence_head.pooler": "bert.pooler.dense",
    "next_sentence_head.classifier": "cls.seq_relationship",
}
OUR_NAMES = {theirs: ours for ours, theirs in PARAMETER_NAMES.items()}


def name_for_transformers(our_name: str) -> str:
    """Return the name that transformers gives to a parameter of ours.

    >>> name_for_transformers("blocks.3.inner.weight")
    'bert.encoder.layer.3.intermediate.dense.weight'
    """
    return _renamed(our_name, PARAMETER_NAMES)


def our_name(theirs: str) -> str:
    """Return our name of a parameter of transformers' BertForPreTraining.

    >>> our_name("cls.predictions.bias")
    'masked_language_head.bias'
    """
    return _renamed(theirs, OUR_NAMES)


def _renamed(name: str, names: Mapping[str, str]) -> str:
    module, _, kind = name.rpartition(".")
    layer = re.search(r"\.(\d+)\.", module)
    other = names[re.sub(r"\.\d+\.", ".#.", module)]
    return f"{other.replace('#', layer[1]) if layer else other}.{kind}"
