"""What a model's folder is: several forms of each kind that are refused, or read all the same."""

import json
import re
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from mlm_core.encoder.folders import without_wrappers
from mlm_core.search.recipe import read_recipe
from mlm_core.text.tokens import tokenize
from tests.encoder.test_checkpoints import change_config
from tests.encoder.test_pretrained import (
    change_tensors,
    load_folder,
    refused,
    same_logits,
    saved,
)

KINDS = ("bert", "roberta", "modernbert")
OF_KIND = {"roberta": {"type_vocab_size": 1}, "modernbert": {"local_attention": 4}}
QUERY = re.compile(r"\.1\..*(query|Wqkv)\.weight$")  # of the second layer


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> Path:
    """Give a folder with a sound model of each kind."""
    root = tmp_path_factory.mktemp("sound")
    for kind in KINDS:
        saved(root / kind, kind, **OF_KIND.get(kind, {}))
    return root


@pytest.fixture(params=KINDS)
def folder(request, sound, tmp_path) -> Path:
    """Give a copy of each, for a test to change."""
    return Path(shutil.copytree(sound / request.param, tmp_path / request.param))


def write_json(path: Path, content: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))


def rename(folder: Path, change) -> None:
    """Give each tensor another name."""
    change_tensors(folder, lambda all_: {change(name): tensor for name, tensor in all_.items()})


def add(folder: Path, change, value: torch.Tensor) -> str:
    """Add a tensor whose name is made from that of the second layer's query; return the name."""
    found = change(
        next(name for name in load_file(folder / "model.safetensors") if QUERY.search(name))
    )
    change_tensors(folder, lambda all_: all_ | {found: value})
    return found


# Quantized weights


FORMS = {  # the tensors in place of a weight, by the library that writes them
    "bitsandbytes 8": {".weight": torch.int8, ".SCB": torch.float32},
    "bitsandbytes 4": {".weight": torch.uint8, ".weight.absmax": torch.float32},
    "gptq": {".qweight": torch.int32, ".scales": torch.float16},
    "float 8": {".weight": torch.float8_e4m3fn, ".weight_scale": torch.float32},
    "quanto": {".weight._data": torch.int8, ".weight._scale": torch.float32},
    "hqq": {".W_q": torch.uint8, ".scale": torch.float16},
}


@pytest.mark.parametrize("form", FORMS)
def test_quantized_weights_are_refused_by_name(folder, form):
    def quantize(tensors):
        name = next(name for name in tensors if QUERY.search(name))
        weight = tensors.pop(name)
        stem = name.removesuffix(".weight")
        return tensors | {f"{stem}{end}": weight.to(dtype) for end, dtype in FORMS[form].items()}

    change_tensors(folder, quantize)
    message = refused(folder)
    assert re.search(r"model.safetensors \(\S*(query|Wqkv)\.\S+: (I|U|F)\d+", message)
    assert "expected ones in F16, BF16, F32, F64, save the model again after its dequ" in message


@pytest.mark.parametrize("method", ["gptq", "bitsandbytes", "fp8"])
def test_a_quantization_config_is_refused(folder, method):
    change_config(folder, quantization_config={"quant_method": method, "bits": 4})
    assert re.search(rf"config.json \(quantization_config: .*{method}.*quantized", refused(folder))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64], ids=str)
def test_floats_of_16_and_64_bits_are_read_as_the_numbers_they_are(folder, dtype):
    change_tensors(folder, lambda all_: {name: one.half().to(dtype) for name, one in all_.items()})
    changed = load_folder(folder)
    change_tensors(folder, lambda all_: {name: one.float() for name, one in all_.items()})
    text = tokenize(changed.tokenizer, "the [MASK]")
    expected = load_folder(folder).vocabulary_logits(text)
    torch.testing.assert_close(changed.vocabulary_logits(text), expected)


# Weights that nobody reads


@pytest.mark.parametrize("place", [".adapter.down", ".self.norm", "_lambda"])
@pytest.mark.parametrize("has_prefix", [True, False])
def test_weights_inside_the_encoder_that_nobody_reads_are_refused(folder, place, has_prefix):
    name = add(folder, lambda query: query.replace(".weight", f"{place}.weight"), torch.ones(5, 12))
    prefix = name.split(".")[0] + "."
    if not has_prefix:
        change_tensors(
            folder,
            lambda all_: {n.removeprefix(prefix): all_[n] for n in all_ if n.startswith(prefix)},
        )
    message = refused(folder)
    assert "has 1 weights inside the encoder that its architecture doesn't have" in message
    assert name.removeprefix(prefix) in message


@pytest.mark.parametrize("kind", ["albert", "deberta-v2", "electra", "megatron-bert", "nomic_bert"])
def test_they_are_refused_and_a_prefix_is_taken_off_in_other_architectures(tmp_path, kind):
    theirs = saved(tmp_path / kind, kind)
    rename(tmp_path / kind, "_orig_mod.{}".format)
    model = load_folder(tmp_path / kind)
    same_logits(model, theirs, tokenize(model.tokenizer, "the [MASK]"))
    first = next(name for name, _ in theirs.base_model.named_parameters() if ".0." in name)
    added = f"_orig_mod.{theirs.base_model_prefix}.{first.rpartition('.')[0]}.adapter.weight"
    change_tensors(tmp_path / kind, lambda all_: all_ | {added: torch.ones(5)})
    assert "has 1 weights inside the encoder" in refused(tmp_path / kind)


def test_more_layers_than_the_config_names_are_refused(folder):
    change_config(folder, num_hidden_layers=1, layer_types=None)
    assert re.search(r"has \d+ weights inside the encoder|has the layers", refused(folder))


@pytest.mark.parametrize("has_prefix", [True, False])
def test_other_heads_and_positions_may_stay_unread(folder, has_prefix):
    def extend(tensors):
        prefix = prefix_of(tensors)
        more = {
            f"{prefix}pooler.dense.weight": torch.ones(12, 12),
            f"{prefix}embeddings.position_ids": torch.arange(9)[None],
            "classifier.weight": torch.ones(3, 12),
            "qa_outputs.bias": torch.ones(2),
        }
        if has_prefix:
            return tensors | more
        return {name.removeprefix(prefix): tensor for name, tensor in (tensors | more).items()}

    change_tensors(folder, extend)
    assert load_folder(folder).n_layers == 2


def prefix_of(tensors) -> str:
    return next(name for name in tensors if name.endswith("embeddings.weight")).split(".")[0] + "."


# Adapters


@pytest.mark.parametrize("base", ["bert-base-cased", None])
def test_a_folder_of_an_adapter_is_refused_with_what_to_do(folder, base):
    """As peft saves it alone, and next to a model that doesn't have it in its weights."""
    write_json(folder / "adapter_config.json", {"base_model_name_or_path": base, "r": 8})
    expected = f"{folder.name}/adapter_config.json (base_model_name_or_path: {base!r}) is of an"
    assert expected in refused(folder) and "merge_and_unload()" in refused(folder)
    for path in ("config.json", "model.safetensors", "tokenizer.json"):
        (folder / path).unlink()
    assert expected in refused(folder)


@pytest.mark.parametrize("end", ["lora_A.weight", "lora_B.default.weight", "ia3_l.default"])
def test_weights_with_an_adapter_that_is_not_merged_are_refused(folder, end):
    name = add(folder, lambda query: query.replace("weight", end), torch.ones(3, 12))
    assert f"model.safetensors ({name}) is of an adapter: expected a whole" in refused(folder)
    rename(folder, lambda one: f"base_model.model.{one}".replace(".query.w", ".query.base_layer.w"))
    assert "is of an adapter: expected a whole model" in refused(folder)


# Names with a prefix


@pytest.mark.parametrize(
    "wrap",
    [
        "_orig_mod.{}".format,
        "module.{}".format,
        "_orig_mod.module.{}".format,
        "model.{}".format,
        "base_model.model.{}".format,
        lambda name: re.sub(r"\.(\d)\.", r".\1._orig_mod.", name),
    ],
    ids=["compile", "parallel", "both", "lightning", "peft", "compiled layers"],
)
def test_a_prefix_that_all_names_have_is_taken_off(folder, wrap):
    whole = load_folder(folder)
    rename(folder, wrap)
    model = load_folder(folder)
    text = tokenize(model.tokenizer, "the old [MASK]")
    assert model.has_language_head
    assert torch.equal(model.vocabulary_logits(text), whole.vocabulary_logits(text))


def test_an_encoder_without_head_keeps_its_names_and_loses_a_wrapper_alone(folder):
    prefix = prefix_of(load_file(folder / "model.safetensors"))
    change_tensors(folder, lambda all_: {n: all_[n] for n in all_ if n.startswith(prefix)})
    states = []
    for change in (
        str,
        "module.{}".format,
        lambda name: name.replace(f"module.{prefix}", "module."),
    ):
        rename(folder, change)
        model = load_folder(folder)
        assert not model.has_language_head
        states.append(model.encode(tokenize(model.tokenizer, "the dog")).last)
    assert torch.equal(states[0], states[1]) and torch.equal(states[0], states[2])


def test_a_name_that_wrapper_and_encoder_share_is_taken_off_once():
    names = ["model.model.layers.0.a", "model.head.b"]
    plain = without_wrappers(names, "model", ("layers", "head"))
    assert list(plain.values()) == ["model.layers.0.a", "head.b"]
    assert list(without_wrappers(plain.values(), "model", ("layers", "head"))) == [*plain.values()]
    assert without_wrappers(["model.layers.0.a"], "model", ("layers", "head")) == {
        "model.layers.0.a": "model.layers.0.a"
    }


# Tokens beyond the embeddings


@pytest.mark.parametrize("tokens", [["[E1]"], ["[E1]", "[E2]", "zebra"], ["<|user|>", "<|end|>"]])
def test_tokens_added_without_a_resize_are_named_with_what_to_do(folder, tokens):
    path = folder / "tokenizer.json"
    model = load_folder(folder)
    n_rows = len(model.token_embedding)
    model.tokenizer.add_tokens(tokens)
    model.tokenizer.save(str(path))
    message = refused(folder)
    assert f"has {n_rows} embedding rows, and {len(tokens)} tokens were added" in message
    assert f"such as {tokens[0]!r}: call model.resize_token_embeddings(len(tok" in message


# Code of its own


@pytest.mark.parametrize(
    "code",
    [
        {"AutoModel": "modeling_own.OwnModel"},
        {"AutoConfig": "c.OwnConfig", "AutoModelForMaskedLM": "somebody/code--m.OwnForMaskedLM"},
        {"AutoModel": ["m.OwnModel", None], "AutoTokenizer": ["t.T", None]},
    ],
    ids=lambda code: next(iter(code)),
)
@pytest.mark.parametrize("kind", [None, "new"])
def test_a_model_with_code_of_its_own_is_refused_with_advice_that_works_here(folder, code, kind):
    change_config(folder, auto_map=code, **({"model_type": kind} if kind else {}))
    message = refused(folder)
    assert re.search(r"names code of its own \(auto_map: .*Own.*\), which is never run", message)
    assert "trust_remote_code" not in message and "choose a model whose architecture" in message


@pytest.mark.parametrize("kind", ["gpt2", "no-such", "t5", ["bert"]])
def test_an_architecture_that_is_no_masked_language_model_is_refused_by_name(folder, kind):
    change_config(folder, model_type=kind)
    assert f"says model_type {kind!r}, which transformers has no masked" in refused(folder)


def test_code_that_transformers_has_taken_over_is_not_needed(sound, tmp_path):
    """The hub's own code of ModernBERT had the names that transformers' has."""
    folder = Path(shutil.copytree(sound / "modernbert", tmp_path / "m"))
    change_config(folder, auto_map={"AutoModel": "modeling_modernbert.ModernBertModel"})
    assert load_folder(folder).n_layers == 2
    folder = Path(shutil.copytree(sound / "bert", tmp_path / "b"))
    change_config(folder, auto_map={"AutoModelForTokenClassification": "own.BertWithCrf"})
    assert load_folder(folder).n_layers == 2


def test_the_name_of_a_foreign_head_is_not_that_of_the_encoder(tmp_path):
    saved(tmp_path / "nomic", "nomic_bert")
    own = "own--modeling_hf_nomic_bert.NomicBert"  # as its authors publish it
    heads = {"AutoModel": f"{own}Model", "AutoModelForMaskedLM": f"{own}ForPreTraining"}
    change_config(tmp_path / "nomic", auto_map=heads)
    assert load_folder(tmp_path / "nomic").n_layers


# A folder in the folder


@pytest.mark.parametrize("inside", ["0_Transformer", "0_BERT", "0_SentenceTransformer"])
def test_an_old_sentence_encoder_is_read_from_the_folder_inside(sound, tmp_path, inside):
    shutil.copytree(sound / "roberta", tmp_path / "m" / inside)
    modules = [{"idx": 0, "path": inside, "type": "sentence_transformers.models.Transformer"}]
    write_json(tmp_path / "m" / "modules.json", modules)
    model = load_folder(tmp_path / "m")
    text = tokenize(model.tokenizer, "the [MASK]")
    same_logits(model, whole_of(sound / "roberta"), text)
    assert (model.name, model.folder) == ("m", tmp_path / "m")


def whole_of(folder: Path):
    import transformers

    return transformers.AutoModelForMaskedLM.from_pretrained(folder).eval().requires_grad_(False)


@pytest.mark.parametrize("inside", ["0_Transformer", "checkpoint-500", "best"])
def test_a_model_that_is_in_a_folder_inside_is_named(folder, inside):
    kept = [Path(path) for path in folder.iterdir()]
    (folder / inside).mkdir()
    for path in kept:
        path.rename(folder / inside / path.name)
    write_json(folder / "1_Pooling" / "config.json", {"pooling_mode_mean_tokens": True})
    assert f"no config.json in {folder.name}, but in {inside} inside it: give" in refused(folder)


@pytest.mark.parametrize("path", ["../other", "/etc", "..", "a/b", "gone"])
def test_a_path_of_modules_json_that_leads_elsewhere_is_not_followed(sound, tmp_path, path):
    folder = Path(shutil.copytree(sound / "bert", tmp_path / "m"))
    shutil.copytree(sound / "roberta", tmp_path / "other")
    write_json(folder / "modules.json", [{"path": path}])
    assert load_folder(folder).architecture == "bert"


@pytest.mark.parametrize("content", [[], {}, ["a"], None])
def test_a_list_of_modules_that_is_none_is_refused_if_the_model_is_inside(sound, tmp_path, content):
    folder = tmp_path / "m"
    shutil.copytree(sound / "bert", folder / "0_Transformer")
    write_json(folder / "modules.json", content)
    assert "m/modules.json lists no modules: copy the file again" in refused(folder)
    shutil.copytree(sound / "bert", folder, dirs_exist_ok=True)
    model = load_folder(folder)
    assert model.architecture == "bert" and read_recipe(model).left_out == ("modules.json",)
