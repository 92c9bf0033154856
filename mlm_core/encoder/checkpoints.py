"""A BERT on disk, in the folder format of transformers, without that library.

    config.json             the sizes
    model.safetensors       the weights, by transformers' parameter names
    tokenizer.json          the vocabulary and the rules that cut text (text/tokens.py)
    tokenizer_config.json   what AutoTokenizer needs to take tokenizer.json

Only safetensors are opened, never a pickle: a pickle can run code, a safetensors file can't.

Read before this: bert.py, folders.py. Read next: language_model.py; also fetching.py.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from mlm_core.encoder.bert import Bert, BertConfig
from mlm_core.encoder.folders import (
    CheckpointError,
    damaged,
    read_json,
    refuse_unread,
    weight_files,
    without_wrappers,
)
from mlm_core.encoder.parameter_names import name_for_transformers
from mlm_core.text.tokens import files_of_tokenizer

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LAYER_NUMBER = re.compile(r"bert\.encoder\.layer\.(\d+)\.")
NEXT_SENTENCE_WEIGHTS = {"bert.pooler.dense.weight", "cls.seq_relationship.weight"}
MASKED_LANGUAGE_WEIGHT = "cls.predictions.transform.dense.weight"
TOKEN_ROWS = "bert.embeddings.word_embeddings.weight"
OUTPUT_ROWS = ("cls.predictions.bias", "cls.predictions.decoder.weight")
ENCODER_PARTS = ("embeddings", "encoder", "pooler")  # of BertModel, which has no prefix

# Our setting names and those in config.json.
CONFIG_NAMES = {
    "vocabulary_size": "vocab_size",
    "hidden_size": "hidden_size",
    "n_layers": "num_hidden_layers",
    "n_heads": "num_attention_heads",
    "intermediate_size": "intermediate_size",
    "n_positions": "max_position_embeddings",
    "n_segments": "type_vocab_size",
    "dropout_rate": "hidden_dropout_prob",
    "layer_norm_epsilon": "layer_norm_eps",
    "initializer_range": "initializer_range",
    "padding_id": "pad_token_id",
}


def load_bert(folder: Path, n_entries: int | None = None) -> Bert:
    """Return the BERT in `folder`, in float32 and in evaluation mode.

    A sentence encoder such as all-MiniLM-L6-v2 was saved without heads, and comes without them.
    Rows of the vocabulary beyond its `n_entries` are left out: some tables are padded to a
    multiple of 64, and a row without an entry would be a prediction without a name.

    Raises CheckpointError if a file is missing, damaged, not a BERT's, or has other weights too.
    """
    config = read_config(folder)
    tensors = _with_prefix(read_tensors(folder))
    if MASKED_LANGUAGE_WEIGHT not in tensors:
        config = replace(config, has_masked_language_head=False, has_next_sentence_head=False)
    _refuse_other_depth(folder, tensors, config.n_layers)
    if NEXT_SENTENCE_WEIGHTS <= tensors.keys():
        # Google's own checkpoints bring this head although their config.json doesn't name it.
        config = replace(config, has_next_sentence_head=True)
    rows = tensors.get(TOKEN_ROWS)
    if n_entries is not None and rows is not None and len(rows) == config.vocabulary_size:
        for name in {TOKEN_ROWS, *OUTPUT_ROWS} & tensors.keys():
            tensors[name] = tensors[name][:n_entries]
        config = replace(config, vocabulary_size=n_entries)
    with torch.device("meta"):  # sizes only: no memory is taken before the file has been checked
        bert = Bert(config)
    ours, unread = bert.state_dict(), {name for name in tensors if name.startswith("bert.")}
    for name, parameter in ours.items():
        theirs = name_for_transformers(name)
        # The oldest checkpoints call a LayerNorm's weight and bias gamma and beta.
        old = re.sub(r"Norm\.weight$", "Norm.gamma", re.sub(r"Norm\.bias$", "Norm.beta", theirs))
        tensor = tensors.get(theirs, tensors.get(old))
        unread -= {theirs, old}
        if tensor is None or tensor.shape != parameter.shape:
            came = "no weights" if tensor is None else f"shape {list(tensor.shape)}"
            raise CheckpointError(
                f"{folder.name}/model.safetensors has {came} for {theirs}, expected shape"
                f" {list(parameter.shape)}: the weights don't belong to this config.json"
            )
        ours[name] = tensor.to(torch.float32, copy=True)  # the tensor is mapped to the file
    refuse_unread(folder, unread)
    _refuse_untied_output(tensors, ours["embeddings.token.weight"])
    bert.load_state_dict(ours, assign=True)
    return bert.eval().requires_grad_(False)


def read_config(folder: Path) -> BertConfig:
    """Return the sizes in a folder's config.json.

    Raises CheckpointError if the file is missing, damaged, or describes something else.
    """
    config = read_json(folder / "config.json")
    if config.get("model_type") != "bert":
        raise CheckpointError(
            f"{folder.name}/config.json says model_type {config.get('model_type')!r}, expected"
            " 'bert': this reader takes BERT's own architecture only"
        )
    fixed = {"hidden_act": "gelu", "position_embedding_type": "absolute", "is_decoder": False}
    for setting, ours in fixed.items():
        if config.get(setting, ours) != ours:
            raise CheckpointError(
                f"{folder.name}/config.json says {setting} {config[setting]!r}, expected {ours!r}:"
                " this encoder has nothing else, choose another checkpoint"
            )
    try:
        sizes = {
            ours: config[theirs]
            for ours, theirs in CONFIG_NAMES.items()
            if config.get(theirs) is not None  # some tools write null for a default
        }
        with_head = "BertForPreTraining" in (config.get("architectures") or [])
        return BertConfig(**sizes, has_next_sentence_head=with_head)
    except (TypeError, ValueError) as error:
        raise CheckpointError(f"{folder.name}/config.json makes no BERT: {error}") from error


def save_bert(bert: Bert, tokenizer: "Tokenizer", folder: Path, *, half: bool = False) -> None:
    """Write a folder for AutoModelForMaskedLM and AutoTokenizer; `half`: in float16."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files_of_bert(bert, tokenizer, half=half).items():
        (folder / name).write_bytes(content)


def files_of_bert(bert: Bert, tokenizer: "Tokenizer", *, half: bool = False) -> dict[str, bytes]:
    """Return the files of such a folder by their names; nothing is written."""
    tensors = {name_for_transformers(name): value for name, value in bert.state_dict().items()}
    head = "BertForPreTraining" if bert.config.has_next_sentence_head else "BertForMaskedLM"
    if not bert.config.has_masked_language_head:
        head = "BertModel"
    settings = {"architectures": [head], "tie_word_embeddings": True}
    return files_of_tensors(tensors, bert.config, settings, tokenizer, half=half)


def files_of_tensors(
    tensors: Mapping[str, torch.Tensor],
    config: BertConfig,
    settings: Mapping[str, object],
    tokenizer: "Tokenizer",
    *,
    half: bool,
) -> dict[str, bytes]:
    """Return the files for tensors by transformers' names and a config of `settings`."""
    from safetensors.torch import save

    dtype = torch.float16 if half else torch.float32
    packed = {name: t.detach().to(dtype).cpu().contiguous() for name, t in tensors.items()}
    sizes = {theirs: getattr(config, ours) for ours, theirs in CONFIG_NAMES.items()}
    content = sizes | {
        "attention_probs_dropout_prob": config.dropout_rate,
        "dtype": "float32",  # to compute in, however the file is packed
        "hidden_act": "gelu",
        "model_type": "bert",
        **settings,
    }
    return {
        "config.json": (json.dumps(content, indent=1) + "\n").encode(),
        "model.safetensors": save(packed, metadata={"format": "pt"}),
        **files_of_tokenizer(tokenizer, max_tokens=config.n_positions),
    }


def read_tensors(folder: Path) -> dict[str, torch.Tensor]:
    """Return all tensors by the names in the file. Raises CheckpointError if there are none."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    tensors = {}
    for path in weight_files(folder):
        try:
            tensors |= load_file(path)
        except (SafetensorError, OSError) as error:
            raise damaged(path, error) from error
    if not tensors:
        raise CheckpointError(
            f"no model.safetensors in {folder.name}: only safetensors are read (a pickled"
            " pytorch_model.bin could run code); save the model again with save_pretrained()"
        )
    return tensors


def _with_prefix(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return tensors by the names of BertForPreTraining: BertModel's lack the first word."""
    plain = without_wrappers(tensors, "bert", ("cls", *ENCODER_PARTS))
    tensors = {plain[name]: tensor for name, tensor in tensors.items()}
    if "embeddings.word_embeddings.weight" not in tensors:
        return tensors
    return {
        f"bert.{name}" if name.partition(".")[0] in ENCODER_PARTS else name: tensor
        for name, tensor in tensors.items()
    }


def _refuse_other_depth(folder: Path, tensors: dict[str, torch.Tensor], n_layers: int) -> None:
    layers = {int(found[1]) for name in tensors if (found := LAYER_NUMBER.match(name))}
    if layers != set(range(len(layers))) or len(layers) != n_layers:
        raise CheckpointError(
            f"{folder.name}/model.safetensors has the layers {sorted(layers)}, but config.json says"
            f" num_hidden_layers {n_layers}: the weights don't belong to this config.json"
        )


def _refuse_untied_output(tensors: dict[str, torch.Tensor], token_embedding: torch.Tensor) -> None:
    output = tensors.get("cls.predictions.decoder.weight")
    if output is not None and not torch.equal(output.float(), token_embedding):
        raise CheckpointError(
            "this checkpoint has an output matrix of its own (cls.predictions.decoder.weight),"
            " untied from the embeddings: this encoder has tied ones only, choose another"
            " checkpoint"
        )
