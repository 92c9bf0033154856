"""What several lessons ask for and the server keeps once; what one lesson asks is in its folder.

from pages.kit.caches import cache_senses

word = cache_senses.stored_word("bank")
"""

from pages.server.caches import (
    cache_finetuning,
    cache_predictions,
    cache_senses,
    cache_training,
    cache_vocabularies,
    own_models,
)

__all__ = [
    "cache_finetuning",
    "cache_predictions",
    "cache_senses",
    "cache_training",
    "cache_vocabularies",
    "own_models",
]
