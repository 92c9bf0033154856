"""The models by name: the bundled ones, and tried ones of the Hugging Face hub.

Read next: bert.py.
"""

import json
from pathlib import Path

BUNDLED = "mini-bert"
BILINGUAL = "mini-bert-de-en"  # of German and English
READERS = {"en": BUNDLED, "de": BILINGUAL}  # by language, the bundled model that reads it
BUNDLED_FOLDERS = {name: Path(__file__).parents[1] / "data" / name for name in READERS.values()}
BUNDLED_FOLDER = BUNDLED_FOLDERS[BUNDLED]
# The beginning of the SHA-256 of model.safetensors, for who cites a view.
HASHES = {BUNDLED: "52f219086637", BILINGUAL: "f470562cfd50"}
# Of what transformers runs. ModernBERT's window is 8,192 tokens; attention over that many fits no
# shared small server.
LONGEST_WINDOW = 512
DEFAULT_HUB_MODELS = (
    "google-bert/bert-base-cased",
    "google-bert/bert-base-uncased",
    "google-bert/bert-base-multilingual-cased",
    "distilbert/distilbert-base-cased",
    "FacebookAI/roberta-base",
    "FacebookAI/xlm-roberta-base",
    "answerdotai/ModernBERT-base",
)


class MissingHeadError(ValueError):
    """A model without its masked-language head is asked for probabilities of words."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} was saved without its masked-language head, which gives each word its"
            " probability: choose a model that has one, such as a bundled one"
        )


class MissingWeightsError(ValueError):
    """A model that gives no attention weights, or other numbers, is asked for them."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} gives no attention weights that sum to 1 for each token: choose a model"
            " whose attention can be drawn, such as a bundled one"
        )


class MissingLensError(ValueError):
    """The head of a model is asked about states alone, and doesn't give its prediction."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"there is no logit lens for {name}: its head, given the last layer's state, doesn't"
            " give the model's own prediction; choose a model of BERT's, RoBERTa's or ModernBERT's"
            " architecture, such as a bundled one"
        )


class UnknownHeadsError(ValueError):
    """A model is asked to run without a head, and its heads are not found."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} keeps its heads in an unknown place, so none can be switched off: choose a"
            " model of BERT's, RoBERTa's, DistilBERT's or ModernBERT's architecture"
        )


class UnknownLayersError(ValueError):
    """A model whose layers are not found, or do more than pass a state on."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} keeps its layers in an unknown place, or gives each another input, so none can"
            " be switched off and no state replaced: choose a model of BERT's, RoBERTa's,"
            " DistilBERT's or ModernBERT's architecture"
        )


def read_sizes(folder: Path) -> dict[str, int]:
    """Return layers, heads, width and window of a model from its config.json.

    Sizes that the file lacks, or has under unknown names, are left out. The window is what is read
    of a text here.
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
        # RoBERTa's family numbers positions from padding_id + 1, so that many rows are unused.
        if "window" in sizes and "roberta" in str(config.get("model_type")):
            sizes["window"] -= int(config["pad_token_id"]) + 1
        if "window" in sizes and config.get("model_type") != "bert":
            sizes["window"] = min(sizes["window"], LONGEST_WINDOW)
        return sizes
    except (OSError, ValueError, TypeError, KeyError):
        return {}
