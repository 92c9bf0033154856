"""Which models a visitor may choose: a list that only the host of the app can change.

Three sources: the model in this repository, models of the Hugging Face hub, and folders on
the host. The environment variable MLM_MODELS narrows or widens the list: names and folder
paths between commas, "default" for the built-in list.

Read before this: bert.py. Read next: fetching.py, which loads what was chosen.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

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
MODEL_LIST_VARIABLE = "MLM_MODELS"


@dataclass(frozen=True, kw_only=True)
class ModelChoice:
    """One entry of the list that a visitor chooses from."""

    name: str  # as in the picker and in links
    source: Literal["bundled", "hub", "folder", "own"]  # own: trained in this visit
    folder: Path | None = None  # where its files are; None on the hub and in memory


def allowed_models(environment: Mapping[str, str] = os.environ) -> dict[str, ModelChoice]:
    """Return the models a visitor may choose, by name; the bundled one always comes first.

    >>> list(allowed_models({"MLM_MODELS": "FacebookAI/roberta-base, /models/ours"}))
    ['mini-bert', 'FacebookAI/roberta-base', 'ours']
    """
    listed = environment.get(MODEL_LIST_VARIABLE, "default")
    choices = {
        BUNDLED: ModelChoice(name=BUNDLED, source="bundled", folder=BUNDLED_FOLDER),
    }
    for entry in (part.strip() for part in listed.split(",")):
        if entry == "default":
            for name in DEFAULT_HUB_MODELS:
                choices.setdefault(name, ModelChoice(name=name, source="hub"))
        elif entry.startswith(("/", "./", "../", "~")):
            folder = Path(entry).expanduser()
            name = folder.name
            if name in choices and choices[name].folder != folder:
                name = f"{folder.parent.name}/{name}"  # a second folder of the same name
            choices.setdefault(name, ModelChoice(name=name, source="folder", folder=folder))
        elif entry:
            choices.setdefault(entry, ModelChoice(name=entry, source="hub"))
    return choices


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
