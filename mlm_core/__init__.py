"""The masked language model, from subword tokens to loss, written to be read.

Start with README.md in this folder: it names the core in reading order.

    >>> import mlm_core
    >>> model = mlm_core.load()
    >>> print(mlm_core.fill_mask(model, "They crossed the [MASK] by boat.", n=1))
    They crossed the [MASK] by boat.
      position 4
        0.131  river

These names are imported when they are asked for, so that `import mlm_core` takes milliseconds;
everything else is in its folder.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlm_core.encoder.pretrained import load
    from mlm_core.masking.rule import CorruptionRule
    from mlm_core.notebook import (
        corrupt,
        encode,
        explain,
        fill_mask,
        fine_tune,
        nearest_sense,
        tag,
        tokenize,
        train_small_encoder,
        word_vectors,
    )
    from mlm_core.tagging.scores import score_entities

__all__ = [
    "CorruptionRule",
    "corrupt",
    "encode",
    "explain",
    "fill_mask",
    "fine_tune",
    "load",
    "nearest_sense",
    "score_entities",
    "tag",
    "tokenize",
    "train_small_encoder",
    "word_vectors",
]
NOT_IN_NOTEBOOK = {
    "CorruptionRule": "mlm_core.masking.rule",
    "load": "mlm_core.encoder.pretrained",
    "score_entities": "mlm_core.tagging.scores",
}


def __getattr__(name: str) -> object:
    """Return one of the names in `__all__`, from the module that has it (PEP 562)."""
    if name not in __all__:
        raise AttributeError(
            f"module 'mlm_core' has no attribute {name!r}: it offers {', '.join(__all__)}; import"
            " all else from its folder, as in mlm_core/README.md"
        )
    return getattr(importlib.import_module(NOT_IN_NOTEBOOK.get(name, "mlm_core.notebook")), name)


def __dir__() -> list[str]:
    return __all__
