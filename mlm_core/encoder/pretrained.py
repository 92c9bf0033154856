"""Load a model: a bundled one, one in a folder, or one of the Hugging Face hub.

A BERT runs in our own encoder, with the causal switch and every step of attention; any other
masked language model runs through transformers.

Read before this: language_model.py, fetching.py, trial.py.
"""

import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from tokenizers import Tokenizer

from mlm_core.encoder.bert import Bert, BertConfig
from mlm_core.encoder.checkpoints import load_bert, read_config, read_tensors
from mlm_core.encoder.fetching import (
    MEMORY_HEADROOM,
    ModelUnavailableError,
    fetch,
    float32_bytes,
    refuse_too_large,
)
from mlm_core.encoder.folders import (
    CheckpointError,
    encoder_folder,
    read_json,
    refuse_other_forms,
    refuse_unread,
    tensor_types,
    weight_files,
    without_wrappers,
)
from mlm_core.encoder.language_model import MaskedLanguageModel, OwnModel
from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDERS
from mlm_core.encoder.modern import BlockChange, make_modern
from mlm_core.encoder.transformers_model import TransformersModel
from mlm_core.encoder.trial import not_drawable, try_out
from mlm_core.text.tokens import load_tokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedConfig, PreTrainedModel


def load(
    name: str | Path = BUNDLED, folder: Path | None = None, *, headroom: float = MEMORY_HEADROOM
) -> MaskedLanguageModel:
    """Return a model ready to encode: a bundled one, one of the hub or in a folder.

    `name` may be the path of a folder, whose own name the model then has; with `folder`, it is
    only the name to show. As many times its bytes as `headroom` must be free, unless it is a
    bundled one. Raises ModelUnavailableError if the hub can't be reached, a file is
    missing or damaged, or the weights don't fit into memory.
    """
    if folder is None and _is_path(name):
        given, folder = name, Path(os.path.abspath(Path(name).expanduser()))
        name = folder.name
        if not os.path.isdir(folder):
            raise ModelUnavailableError(
                f"no folder {given}: give the path of one with config.json, model.safetensors and"
                " tokenizer.json, as save_pretrained() writes it"
            )
    name = str(name)
    if folder is None:
        folder = BUNDLED_FOLDERS.get(name) or fetch(name)
    if not folder.is_dir():
        raise ModelUnavailableError(f"the folder of {name} is not there: check its path")
    try:
        given, folder = folder, encoder_folder(folder)
        refuse_other_forms(folder)
        n_bytes = sum(float32_bytes(file) for file in weight_files(folder))
        is_ours = folder in BUNDLED_FOLDERS.values()
        refuse_too_large(name, n_bytes, MEMORY_HEADROOM if is_ours else headroom)
        tokenizer = load_tokenizer(folder)
        model = _load(name, folder, tokenizer)
        if not is_ours:  # of ours the tests know what it does
            try_out(model)
            model.folder = given
        return model
    except ModelUnavailableError:
        raise
    except ValueError as error:
        raise ModelUnavailableError(f"{name} can't be loaded: {error}") from error


def _is_path(name: str | Path) -> bool:
    """Return whether a folder is meant, as transformers takes it, and not a model's name."""
    if isinstance(name, Path) or name.startswith((".", "/", "~")):
        return True
    return name not in BUNDLED_FOLDERS and os.path.isdir(name)


def _load(name: str, folder: Path, tokenizer: Tokenizer) -> OwnModel | TransformersModel:
    n_entries = len(entry_ids := set(tokenizer.get_vocab().values()))
    if entry_ids != set(range(n_entries)):
        raise CheckpointError(
            f"{folder.name}/tokenizer.json numbers {n_entries} tokens up to {max(entry_ids)}, so"
            " some numbers have no token: save the tokenizer again with save_pretrained()"
        )
    if read_json(folder / "config.json").get("model_type") == "bert":
        _refuse_foreign_tokenizer(name, tokenizer, read_config(folder).vocabulary_size)
        return OwnModel(name, load_bert(folder, n_entries), tokenizer)
    other, has_head = _load_with_transformers(folder)
    try:
        model = TransformersModel(name, other, tokenizer, has_language_head=has_head)
        n_rows = other.config.vocab_size
    except AttributeError as error:  # its settings have other names, since it is built otherwise
        raise CheckpointError(not_drawable(other.config.model_type, str(error))) from error
    _refuse_foreign_tokenizer(name, tokenizer, n_rows)
    return model


def _refuse_foreign_tokenizer(name: str, tokenizer: Tokenizer, n_rows: int) -> None:
    beyond = range(n_rows, tokenizer.get_vocab_size())
    added = tokenizer.get_added_tokens_decoder()
    if beyond and all(number in added for number in beyond):
        raise ModelUnavailableError(
            f"{name} has {n_rows} embedding rows, and {len(beyond)} tokens were added to its"
            f" tokenizer beyond them, such as {added[n_rows].content!r}: call"
            " model.resize_token_embeddings(len(tokenizer)), train the new rows, and save both"
        )
    if beyond:
        raise ModelUnavailableError(
            f"{name} has {n_rows} embedding rows but its tokenizer.json numbers tokens up to"
            f" {beyond[-1]}: the two files don't belong together, copy both from one model"
        )


def _load_with_transformers(folder: Path) -> "tuple[PreTrainedModel, bool]":
    """Return the model, and whether the folder has its masked-language head.

    Raises CheckpointError if it lacks anything else.
    """
    from transformers import MODEL_FOR_MASKED_LM_MAPPING, AutoConfig

    try:
        config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        model_class: Any = MODEL_FOR_MASKED_LM_MAPPING[type(config)]
        tensors = _unwrapped_tensors(folder, model_class, config)
        model, report = model_class.from_pretrained(
            folder if tensors is None else None,
            config=config,
            state_dict=tensors,
            attn_implementation="eager",  # the fused kernels keep no weights to draw
            use_safetensors=True,
            local_files_only=True,
            dtype=torch.float32,
            output_loading_info=True,
        )
    except Exception as error:  # damage shows as a dozen unrelated types
        reason = str(error).replace(str(folder), folder.name)  # not where the host keeps it
        raise CheckpointError(f"transformers can't read {folder.name}: {reason}") from error
    # transformers fills what is missing with random numbers and goes on. A head like that is
    # never asked.
    of_encoder = f"{model.base_model_prefix}."
    missing = sorted(name for name in report["missing_keys"] if name.startswith(of_encoder))
    if missing:
        raise CheckpointError(
            f"{folder.name}/model.safetensors lacks {len(missing)} weights, among them"
            f" {missing[0]}: it is damaged, copy the file again"
        )
    # A file of the encoder alone has its names without the prefix.
    inside = of_encoder, *(f"{name}." for name, _ in model.base_model.named_children())
    refuse_unread(folder, [name for name in report["unexpected_keys"] if name.startswith(inside)])
    return model.eval().requires_grad_(False), not report["missing_keys"]


def _unwrapped_tensors(
    folder: Path, model_class: "type[PreTrainedModel]", config: "PreTrainedConfig"
) -> dict[str, torch.Tensor] | None:
    """Return the tensors by their architecture's names; None if they have these in the file."""
    names = tensor_types(folder)
    if without_wrappers(names) == {name: name for name in names}:
        return None
    with torch.device("meta"):
        model = model_class(config)
    parts = [name for of in (model, model.base_model) for name, _ in of.named_children()]
    plain = without_wrappers(names, model.base_model_prefix, (*parts, "pooler"))
    return {plain[name]: tensor for name, tensor in read_tensors(folder).items()}


def bert_without_weights(config: BertConfig, changes: Collection[BlockChange] = ()) -> Bert:
    """Return an encoder whose weights are not set; no random number is drawn.

    `changes` are those of modern.py.
    """
    with torch.device("meta"):
        bert = make_modern(Bert(config), changes) if changes else Bert(config)
    # to_empty() would do this in one line, but imports sympy, which takes 38 MB.
    empty = {name: torch.empty(tensor.shape) for name, tensor in bert.state_dict().items()}
    bert.load_state_dict(empty, assign=True)
    return bert
