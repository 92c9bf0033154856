"""The models by name: the bundled one, and those of the Hugging Face hub that were tried.

Read before this: bert.py.
"""

import json
from pathlib import Path

BUNDLED = "mini-bert"
BUNDLED_FOLDER = Path(__file__).parents[1] / "data" / BUNDLED
DEFAULT_HUB_MODELS = (
    "google-bert/bert-base-cased",
    "google-bert/bert-base-uncased",
    "google-bert/bert-base-multilingual-cased",
    "distilbert/distilbert-base-cased",
    "FacebookAI/roberta-base",
    "FacebookAI/xlm-roberta-base",
    "answerdotai/ModernBERT-base",
)


def read_sizes(folder: Path) -> dict[str, int]:
    """Return a model's layers, heads, width and window from its config.json, without loading it.

    What the file does not say, or says in no known way, is left out.
    """
    names = {
        "layers": ("num_hidden_layers", "n_layers"),
        "heads": ("num_attention_heads", "n_heads"),
        "width": ("hidden_size", "dim"),
        "window": ("max_position_embeddings",),
    }
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        sizes = {
            size: int(config[name])
            for size, known in names.items()
            for name in known
            if name in config
        }
        # RoBERTa's family numbers positions from padding_id + 1, so that many rows are lost.
        if "window" in sizes and "roberta" in str(config.get("model_type")):
            sizes["window"] -= int(config["pad_token_id"]) + 1
        return sizes
    except (OSError, ValueError, TypeError, KeyError):
        return {}
