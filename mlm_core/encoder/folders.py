"""A model's folder as a whole, before its weights are read: what it is, and what it is not.

    adapter_config.json   changes to a model, which is elsewhere
    config.json           quantized weights, or code that comes with the model
    *.safetensors         the names and types of all tensors, from the headers alone
    modules.json          a sentence encoder; old ones keep the encoder in a folder 0_Transformer

Weights that are taken by name and shape alone can mean something else: whole numbers are weights
only with their scales, and an encoder without its adapter is another one.

Read next: checkpoints.py.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

FLOATS = ("F16", "BF16", "F32", "F64")  # as safetensors writes them
# What the encoder's states don't depend on: the pooler's head, and tables that the sizes give.
NOT_NEEDED = re.compile(r"(^|\.)pooler\.|(_ids|\.inv_freq)$")
OF_ADAPTER = re.compile(r"\.(base_layer|lora_\w+|ia3_\w+)(\.|$)")  # as peft names its tensors
# Put into names by torch.compile and by training on several devices.
WRAPPERS = ("_orig_mod.", "_fsdp_wrapped_module.", "_checkpoint_wrapped_module.")


class CheckpointError(ValueError):
    """A folder that can't be used as a model; the message says why and what to do."""


def encoder_folder(folder: Path) -> Path:
    """Return where the encoder is: the folder, or the one inside that modules.json names.

    Raises CheckpointError if only folders inside, which nothing names, have a model.
    """
    is_model = any((folder / name).is_file() for name in ("config.json", "adapter_config.json"))
    if (folder / "modules.json").is_file():
        try:
            inside = module_folder(folder, read_modules(folder)[0])
        except CheckpointError:
            if not is_model:
                raise
        else:
            if inside and (inside / "config.json").is_file():
                return inside
    if not is_model:
        found = [*folder.glob("*/config.json"), *folder.glob("*/adapter_config.json")]
        models = {one.parent.name for one in found if '_type"' in one.read_text(errors="replace")}
        if models:
            raise CheckpointError(
                f"no config.json in {folder.name}, but in {', '.join(sorted(models))} inside it:"
                " give the path of such a folder"
            )
    return folder


def module_folder(folder: Path, module: Mapping) -> Path | None:
    """Return the folder of a module that modules.json lists; None for one that leads elsewhere.

    A path out of the folder is none that the library writes.
    """
    path = str(module.get("path") or ".")
    return folder / path if re.fullmatch(r"\.|\w[\w.-]*", path) else None


def read_modules(folder: Path) -> list[dict]:
    """Return what modules.json lists. Raises CheckpointError if that is nothing."""
    modules = _read(folder / "modules.json")
    if (
        not isinstance(modules, list)
        or not modules
        or not all(isinstance(m, dict) for m in modules)
    ):
        raise CheckpointError(f"{folder.name}/modules.json lists no modules: copy the file again")
    return modules


def refuse_other_forms(folder: Path) -> None:
    """Raise CheckpointError unless the folder is a whole model whose numbers are its weights."""
    types = tensor_types(folder)
    _refuse_adapter(folder, types)
    config = read_json(folder / "config.json")
    _refuse_own_code(folder, config)
    _refuse_quantized(folder, config, types)


def tensor_types(folder: Path) -> dict[str, str]:
    """Return the type of each tensor, as safetensors writes it, by the name in the file."""
    from safetensors import SafetensorError, safe_open

    found = {}
    for path in weight_files(folder):
        try:
            with safe_open(path, framework="pt") as file:
                found |= {name: file.get_slice(name).get_dtype() for name in file.keys()}
        except (SafetensorError, OSError) as error:
            raise damaged(path, error) from error
    return found


def damaged(path: Path, error: Exception) -> CheckpointError:
    """Return the error of a file of weights that can't be opened."""
    return CheckpointError(
        f"{path.parent.name}/{path.name} is damaged ({error}): copy the file again"
    )


def weight_files(folder: Path) -> list[Path]:
    """Return the file of weights, or the several files of a large model."""
    whole = folder / "model.safetensors"
    return [whole] if whole.is_file() else sorted(folder.glob("model-*-of-*.safetensors"))


def _refuse_adapter(folder: Path, names: Iterable[str]) -> None:
    found = [f"model.safetensors ({name})" for name in names if OF_ADAPTER.search(name)]
    if (folder / "adapter_config.json").is_file():
        base = read_json(folder / "adapter_config.json").get("base_model_name_or_path")
        found = [f"adapter_config.json (base_model_name_or_path: {base!r})"]
    if found:
        raise CheckpointError(
            f"{folder.name}/{found[0]} is of an adapter: expected a whole model, load the"
            " adapter on its base with peft, then save the result of merge_and_unload() with"
            " save_pretrained()"
        )


def _refuse_own_code(folder: Path, config: Mapping) -> None:
    """Refuse another architecture than ours or transformers' own, by its name or its code.

    A class of the same name as transformers' is where that one came from.
    """
    kind, given = config.get("model_type"), config.get("auto_map")
    given = given if isinstance(given, dict) else {}
    code = [str(given[key]) for key in ("AutoModel", "AutoModelForMaskedLM") if key in given]
    known: str | None = "bert"
    if kind != "bert":
        code = code[:1]  # of a foreign head the tensors tell, and it is never asked
        from transformers.models.auto import modeling_auto

        heads = modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
        known = heads.get(kind) if isinstance(kind, str) else None
        bases = modeling_auto.MODEL_MAPPING_NAMES.get(kind) if known else None
        own = {known, *([bases] if isinstance(bases, str) else bases or ())}
        code = [name for name in code if known is None or name.rpartition(".")[2] not in own]
    if code:
        raise CheckpointError(
            f"{folder.name}/config.json names code of its own (auto_map: {code[0]}), which is never"
            " run here: choose a model whose architecture transformers has itself, such as BERT,"
            " RoBERTa or ModernBERT"
        )
    if known is None:
        raise CheckpointError(
            f"{folder.name}/config.json says model_type {kind!r}, which transformers has no masked"
            " language model of: choose an encoder such as BERT, RoBERTa or ModernBERT"
        )


def _refuse_quantized(folder: Path, config: Mapping, types: Mapping[str, str]) -> None:
    kind = config.get("quantization_config")
    found = [f"config.json (quantization_config: {str(kind)[:60]})"] if kind else []
    found += [
        f"model.safetensors ({name}: {dtype})"
        for name, dtype in types.items()
        if dtype not in FLOATS and not NOT_NEEDED.search(name)
    ]
    if found:
        raise CheckpointError(
            f"{folder.name}/{found[0]} is of quantized weights: expected ones in"
            f" {', '.join(FLOATS)}, save the model again after its dequantize()"
        )


def refuse_unread(folder: Path, unread: Iterable[str]) -> None:
    """Raise CheckpointError if tensors of the encoder, by name, would be left out."""
    names = sorted(name for name in unread if not NOT_NEEDED.search(name))
    if names:
        raise CheckpointError(
            f"{folder.name}/model.safetensors has {len(names)} weights inside the encoder that"
            f" its architecture doesn't have, among them {names[0]}: without them it would be"
            " another model; merge an adapter into the weights, or choose another checkpoint"
        )


def without_wrappers(
    names: Collection[str], base: str = "", parts: Collection[str] = ()
) -> dict[str, str]:
    """Return the architecture's name of each tensor, without what a wrapper put before all.

    `base` is the encoder's name there, `parts` are the names of what is in it and next to it.

    >>> names = ["module.bert.embeddings.a", "module.cls.b"]
    >>> list(without_wrappers(names, "bert", ("cls", "embeddings")).values())
    ['bert.embeddings.a', 'cls.b']
    """
    plain = {name: re.sub(rf"(?<![^.])({'|'.join(WRAPPERS)})", "", name) for name in names}
    while True:
        firsts = {name.partition(".")[0] for name in plain.values()}
        rest = {name: one.partition(".")[2] for name, one in plain.items()}
        if len(firsts) != 1 or not all(rest.values()):
            return plain
        nexts = {one.partition(".")[0] for one in rest.values()}
        if base not in nexts and firsts <= {base, *parts}:
            return plain
        plain = rest


def read_json(path: Path) -> dict:
    """Return a JSON file's object. Raises CheckpointError if there is none."""
    content = _read(path)
    if not isinstance(content, dict):
        raise CheckpointError(
            f"{path.parent.name}/{path.name} holds no JSON object: copy the file again"
        )
    return content


def _read(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CheckpointError(
            f"no {path.name} in {path.parent.name}: expected a folder with config.json,"
            " model.safetensors and tokenizer.json, as save_pretrained() writes it"
        ) from error
    except OSError as error:
        raise CheckpointError(
            f"{path.parent.name}/{path.name} can't be read ({error.strerror}): copy the file again"
        ) from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError(
            f"{path.parent.name}/{path.name} is not JSON ({error}): copy the file again"
        ) from error
