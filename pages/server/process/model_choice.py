"""The models that a visitor may choose; only the app's host sets the list.

Three sources: the models in this repository, models of the Hugging Face hub, and folders on
the host. The environment variable MLM_MODELS narrows or widens the list: names and folder
paths between commas, "default" for the built-in list, "MiniLM=a-folder" for a folder by a name of
the host's.

Read before this: mlm_core/encoder/model_list.py, mlm_core/encoder/pretrained.py.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mlm_core.encoder.model_list import BUNDLED_FOLDERS, DEFAULT_HUB_MODELS

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import MaskedLanguageModel

MODEL_LIST_VARIABLE = "MLM_MODELS"
# Of a model's bytes, so many times must be free. BERT-base fitted into 1,000 MB as it was loaded;
# 21 learners who read with it took 240 MB more, and the process was killed.
HEADROOM = 2.2
OWN_PREFIX = "my-encoder-"  # an encoder trained in a visit; ten hexadecimal digits follow


@dataclass(frozen=True, kw_only=True)
class ModelChoice:
    """One entry of the list that a visitor chooses from."""

    name: str  # as in the picker and in links
    # own: trained in this visit; class: by the class in its room
    source: Literal["bundled", "hub", "folder", "own", "class"]
    folder: Path | None = None  # where its files are; None on the hub and in memory


def allowed_models(environment: Mapping[str, str] = os.environ) -> dict[str, ModelChoice]:
    """Return the models that a visitor may choose, by name, the bundled ones first.

    >>> list(allowed_models({"MLM_MODELS": "FacebookAI/roberta-base, /models/ours"}))
    ['mini-bert', 'mini-bert-de-en', 'FacebookAI/roberta-base', 'ours']
    >>> list(allowed_models({"MLM_MODELS": "MiniLM=models/all-minilm"}))
    ['mini-bert', 'mini-bert-de-en', 'MiniLM']
    """
    listed = environment.get(MODEL_LIST_VARIABLE, "default")
    choices = {
        name: ModelChoice(name=name, source="bundled", folder=folder)
        for name, folder in BUNDLED_FOLDERS.items()
    }
    for entry in (part.strip() for part in listed.split(",")):
        given, is_named, path = (part.strip() for part in entry.partition("="))
        if is_named:
            if given and path:
                folder = Path(path).expanduser()
                choices.setdefault(given, ModelChoice(name=given, source="folder", folder=folder))
        elif entry == "default":
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


def load_allowed(name: str, environment: Mapping[str, str] = os.environ) -> "MaskedLanguageModel":
    """Return the model of that name, ready to encode.

    Raises ModelUnavailableError if the name isn't on the host's list, or as `load` does.
    """
    # torch takes seconds to import; the list alone is needed before it is there.
    from mlm_core.encoder.pretrained import ModelUnavailableError, load

    choices = allowed_models(environment)
    if name not in choices:
        raise ModelUnavailableError(
            f"{name!r} is not on this server's list: choose one of {', '.join(choices)}"
        )
    return load(name, choices[name].folder, headroom=HEADROOM)
