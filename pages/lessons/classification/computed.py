"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Mapping

from mlm_core.finetuning.settings import RANDOM_LAYERS
from pages.kit.caches import cache_finetuning


def in_short() -> Mapping[str, object]:
    """Return what is reached with pretraining, without it, and without an encoder, in English."""
    data = cache_finetuning.dataset("sentiment")
    ways = {"pretrained": "top", "random": "random", "bag": "bag_of_words"}
    reached = {name: cache_finetuning.variant("sentiment", way) for name, way in ways.items()}
    return {
        "n": len(data.train),
        "n_classes": len(data.classes),
        "layers": RANDOM_LAYERS,
        "n_seeds": len(reached["pretrained"].proportions),
        **{name: one.mean for name, one in reached.items()},
    }
