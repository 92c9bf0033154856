"""load(): what can be had, and a message with what to do for everything that can't."""

import hashlib
import json
import pickle
import re
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from mlm_core.encoder import checkpoints, fetching, pretrained
from mlm_core.encoder.bert import Bert
from mlm_core.encoder.checkpoints import save_bert
from mlm_core.encoder.fetching import ModelUnavailableError, available_bytes, float32_bytes
from mlm_core.encoder.model_list import (
    BUNDLED_FOLDERS,
    HASHES,
    MissingLensError,
    MissingWeightsError,
)
from mlm_core.encoder.pretrained import load
from mlm_core.encoder.trial import try_out
from mlm_core.inside.attribution import integrated_gradients, occlusion
from mlm_core.inside.lens import lens
from mlm_core.inside.switches import loss_on
from mlm_core.text.tokens import tokenize, train_tokenizer
from tests.encoder.test_checkpoints import change_config
from tests.fresh import TRANSFORMERS, run_fresh
from tests.reference.small_checkpoints import save_small
from tests.small_bert import small_config

TOKENIZER = train_tokenizer("WordPiece", ["the old man and the dog"], 60)
N_ROWS = TOKENIZER.get_vocab_size()


@pytest.fixture(scope="module")
def sound_folders(tmp_path_factory) -> dict[str, Path]:
    """Give one sound checkpoint that our encoder reads and one that transformers reads."""
    root = tmp_path_factory.mktemp("sound")
    torch.manual_seed(3)
    config = small_config(N_ROWS)
    save_bert(Bert(config), TOKENIZER, root / "ours")
    save_small("distilbert", root / "theirs")
    return {"ours": root / "ours", "theirs": root / "theirs"}


@pytest.fixture(params=["ours", "theirs"])
def folder(request, sound_folders, tmp_path) -> Path:
    """Give a copy of each, for a test to harm."""
    return Path(shutil.copytree(sound_folders[request.param], tmp_path / "model"))


def load_folder(folder: Path):
    return load(folder.name, folder)


def refused(folder: Path) -> str:
    """Return the message of the refusal, which must name the model and be fit to show."""
    with pytest.raises(ModelUnavailableError) as caught:
        load_folder(folder)
    message = str(caught.value)
    assert folder.name in message and "Traceback" not in message
    return message


def change_tensors(folder: Path, change) -> None:
    path = folder / "model.safetensors"
    tensors = {name: tensor.clone() for name, tensor in load_file(path).items()}
    save_file(change(tensors), path, metadata={"format": "pt"})


def keep_tensors(folder: Path, keep) -> None:
    """Leave out the tensors of other names."""
    change_tensors(folder, lambda all_: {name: all_[name] for name in all_ if keep(name)})


def change_each(folder: Path, name_ends: str, change) -> None:
    """Change the tensors whose names end so."""
    change_tensors(
        folder,
        lambda all_: {n: change(one) if n.endswith(name_ends) else one for n, one in all_.items()},
    )


# What can be had


def test_a_sound_folder_is_ready_to_encode(folder):
    model = load_folder(folder)
    text = tokenize(model.tokenizer, "the dog", max_tokens=model.max_tokens)
    encoding = model.encode(text, record=True)
    assert len(encoding.states) == model.n_layers + 1 == 3
    assert encoding.weights[0].shape == (1, model.n_heads, len(text.ids), len(text.ids))
    torch.testing.assert_close(
        encoding.weights[0].sum(-1), torch.ones(1, model.n_heads, len(text.ids))
    )
    assert model.vocabulary_logits(text).isfinite().all()


def test_the_bundled_model_is_what_its_card_says():
    model = load("mini-bert")
    assert (model.name, model.architecture) == ("mini-bert", "bert")
    assert (model.n_layers, model.n_heads, model.hidden_size, model.max_tokens) == (12, 4, 256, 128)
    assert model.n_parameters == sum(p.numel() for p in model.bert.parameters())
    text = tokenize(model.tokenizer, "the unhappiest man " * 60, max_tokens=model.max_tokens)
    assert model.encode(text).last.shape == (1, 128, 256)


def test_a_mask_changes_the_logits_of_our_own_model():
    model = load("mini-bert")
    text = tokenize(model.tokenizer, "The [MASK] barked at the cat.")
    n_tokens = len(text.tokens)
    alone = torch.eye(n_tokens, dtype=torch.bool)
    plain, blind = (
        model.vocabulary_logits(text),
        model.vocabulary_logits(text, attention_mask=alone),
    )
    assert (plain - blind).abs().max() > 0.1
    everyone = torch.ones(n_tokens, n_tokens, dtype=torch.bool)
    torch.testing.assert_close(
        model.vocabulary_logits(text, attention_mask=everyone), plain, atol=1e-4, rtol=0
    )


def test_a_model_in_several_files_is_read_and_its_size_is_that_of_all(sound_folders, tmp_path):
    from transformers import AutoModelForMaskedLM

    whole = sound_folders["theirs"]
    folder = Path(shutil.copytree(whole, tmp_path / "model"))
    (folder / "model.safetensors").unlink()
    AutoModelForMaskedLM.from_pretrained(whole).save_pretrained(folder, max_shard_size="20KB")
    files = checkpoints.weight_files(folder)
    assert len(files) > 1
    assert sum(map(float32_bytes, files)) == float32_bytes(whole / "model.safetensors")
    assert load_folder(folder).n_layers == 2


# What can't


def test_a_folder_that_is_not_there(tmp_path):
    assert "the folder of gone is not there: check its path" in refused(tmp_path / "gone")


def test_an_empty_folder(tmp_path):
    (tmp_path / "empty").mkdir()
    assert "no config.json in empty" in refused(tmp_path / "empty")


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    assert name in refused(folder)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
@pytest.mark.parametrize("content", [b"", b"\xff\xfe{", b"[" * 100_000], ids=len)
def test_garbage_in_any_file_is_refused_by_its_name(folder, name, content):
    (folder / name).write_bytes(content)
    assert re.search(rf"{re.escape(name)} (is damaged|is not JSON)", refused(folder))


@pytest.mark.parametrize("n_bytes", [7, 400, -3])
def test_cut_off_weights_are_called_damaged(folder, n_bytes):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:n_bytes])
    assert re.search(r"model\.safetensors is damaged .*: copy the file again", refused(folder))


class WouldRun:
    """An object whose unpickling leaves a mark."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self):
        return (Path.touch, (self.mark,))


def test_a_pickle_is_never_opened(folder, tmp_path):
    mark = tmp_path / "it-ran"
    (folder / "model.safetensors").unlink()
    for name in ("pytorch_model.bin", "model.bin", "training_args.bin", "model.pkl"):
        (folder / name).write_bytes(pickle.dumps(WouldRun(mark)))
    assert "safetensors" in refused(folder)
    assert not mark.exists()
    pickle.loads((folder / "pytorch_model.bin").read_bytes())
    assert mark.exists(), "the trap itself must work"


def test_code_that_comes_with_a_model_is_never_run_nor_asked_about(folder, tmp_path):
    """Without trust_remote_code=False transformers asks at the terminal; here it says yes."""
    mark = tmp_path / "it-ran"
    (folder / "own_code.py").write_text(f"open({str(mark)!r}, 'w').close()\nclass M: pass\n")
    change_config(
        folder,
        model_type="somebodys-own",
        auto_map={"AutoConfig": "own_code.M", "AutoModelForMaskedLM": "own_code.M"},
    )
    code = (
        "from pathlib import Path\nfrom mlm_core.encoder.pretrained import load\n"
        f"load({folder.name!r}, Path({str(folder)!r}))"
    )
    ran = run_fresh(code, having=TRANSFORMERS, said_to_it="y\n" * 5)
    assert not mark.exists()
    assert "ModelUnavailableError" in ran.stderr and "[y/N]" not in ran.stdout
    assert str(folder) not in ran.stderr.rpartition("ModelUnavailableError")[2]


def test_a_model_that_transformers_runs_brings_nothing_that_belongs_into_the_helper(sound_folders):
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from mlm_core.encoder.pretrained import load\nfrom mlm_core.text.tokens import tokenize\n"
        f"model = load('theirs', Path({str(sound_folders['theirs'])!r}))\n"
        "assert model.vocabulary_logits(tokenize(model.tokenizer, 'The dog.')).isfinite().all()\n"
        "print(*{'transformers', 'umap', 'sklearn', 'numba'} & sys.modules.keys())"
    )
    ran = run_fresh(code, having=TRANSFORMERS)
    assert ran.stdout.strip() == "transformers", ran.stderr


def test_a_missing_weight_is_not_replaced_by_chance(folder):
    keep_tensors(folder, lambda name: not re.search(r"layer\.1\..*(query|q_lin)\.weight$", name))
    assert re.search(r"layer\.1\.attention.*(query|q_lin)\.weight", refused(folder))


def test_weights_without_the_language_head_make_a_model_without_probabilities(folder):
    keep_tensors(folder, lambda name: not name.startswith(("cls.", "vocab_")))
    assert not load_folder(folder).has_language_head


def test_a_folder_is_loaded_by_its_path_as_transformers_does(sound_folders, tmp_path, monkeypatch):
    folder = Path(shutil.copytree(sound_folders["ours"], tmp_path / "my model"))
    monkeypatch.chdir(tmp_path)
    for path in (folder, str(folder), "./my model", "my model", Path("my model"), "./my model/"):
        assert load(path).name == "my model"
    assert load("shown so", folder).name == "shown so"
    monkeypatch.chdir(folder)
    assert load(".").name == "my model"


@pytest.mark.parametrize("path", ["./nowhere", "/no/where", "~/nowhere-at-all", Path("nowhere")])
def test_a_path_without_a_folder_says_so_and_asks_no_hub(path):
    with pytest.raises(ModelUnavailableError, match=f"^no folder {path}: give the path of one"):
        load(path)


def test_wrong_shapes_are_refused(folder):
    change_each(folder, "position_embeddings.weight", lambda one: one[:7].contiguous())
    assert re.search(r"position_embeddings|mismatch", refused(folder))


@pytest.mark.parametrize(
    "changes",
    [
        {"vocab_size": 9_999_999},
        {"hidden_size": 6, "dim": 6},
        {"max_position_embeddings": 10**7},
        {"num_attention_heads": 5, "n_heads": 5},
        {"num_attention_heads": 0, "n_heads": 0},
        {"hidden_act": "relu", "activation": "no-such"},
        {"num_hidden_layers": 5, "n_layers": 5},
        {"model_type": "gpt2"},
        {"model_type": "no-such"},
        {"model_type": None},
    ],
    ids=str,
)
def test_a_config_that_does_not_fit_the_weights_is_refused(folder, changes):
    change_config(folder, **changes)
    assert "can't be loaded" in refused(folder)


def test_a_tokenizer_with_more_tokens_than_rows_is_refused_with_both_numbers(folder):
    large = train_tokenizer("WordPiece", [" ".join(f"w{i}x" for i in range(500))], 700)
    large.save(str(folder / "tokenizer.json"))
    message = refused(folder)
    assert re.search(
        r"has \d+ embedding rows but its tokenizer\.json numbers tokens up to", message
    )
    assert str(max(large.get_vocab().values())) in message


def test_weights_too_large_for_the_free_memory_are_refused_before_they_are_read(
    folder, monkeypatch
):
    needed = float32_bytes(folder / "model.safetensors") * fetching.MEMORY_HEADROOM
    monkeypatch.setattr(fetching, "available_bytes", lambda: int(needed) - 1)
    monkeypatch.setattr(pretrained, "load_bert", None)
    monkeypatch.setattr(pretrained, "_load_with_transformers", None)
    message = refused(folder)
    assert re.search(r"needs about .* MB of memory and .* MB are free.*: choose a smaller", message)


def test_just_enough_memory_is_enough(folder, monkeypatch):
    needed = float32_bytes(folder / "model.safetensors") * fetching.MEMORY_HEADROOM
    monkeypatch.setattr(fetching, "available_bytes", lambda: int(needed))
    assert load_folder(folder).n_layers == 2


def test_half_precision_counts_as_what_it_becomes(tmp_path):
    save_file({"a": torch.zeros(5, 7, dtype=torch.float16)}, tmp_path / "model.safetensors")
    assert float32_bytes(tmp_path / "model.safetensors") == 4 * 5 * 7


def test_the_container_counts_if_it_is_smaller_than_the_host(monkeypatch):
    files = {
        "/proc/meminfo": ["MemTotal:  9 kB", "MemAvailable:    5000 kB"],
        "/sys/fs/cgroup/memory.max": ["3000000"],
        "/sys/fs/cgroup/memory.current": ["1000000"],
    }
    monkeypatch.setattr(fetching, "_read_lines", lambda path: files.get(str(path), []))
    assert available_bytes() == 2_000_000
    files["/sys/fs/cgroup/memory.max"] = ["max"]
    assert available_bytes() == 5000 * 1024
    files.clear()
    assert available_bytes() == 2**63


def test_a_container_full_of_file_cache_has_room_for_a_model(tmp_path):
    for file, text in {
        "memory.max": "1000000\n",
        "memory.current": "900000\n",
        "memory.stat": "anon 200000\nactive_file 80000\ninactive_file 600000\n",
    }.items():
        (tmp_path / file).write_text(text)
    assert available_bytes(tmp_path) == 1_000_000 - (900_000 - 600_000)
    # The two files are read one after the other, so the cache can have grown beyond the use.
    (tmp_path / "memory.current").write_text("500000\n")
    assert available_bytes(tmp_path) == 1_000_000
    (tmp_path / "memory.stat").unlink()
    assert available_bytes(tmp_path) == 500_000


@pytest.mark.parametrize("name", ["a/b/c", "no spaces!", "--", "x" * 200])
def test_a_name_that_no_hub_model_can_have_is_refused(name):
    with pytest.raises(ModelUnavailableError, match=r"no name of the hub .*: a name is written"):
        load(name)


def test_without_a_network_the_message_says_so_and_what_stays():
    message = "not on this server yet and the Hugging Face hub can't be reached .* bundled model"
    with pytest.raises(ModelUnavailableError, match=message):
        load("google-bert/bert-base-cased")  # conftest.py has switched the hub off


def test_a_model_that_the_disk_has_no_room_for_is_not_put_down_to_the_network(monkeypatch):
    def fill(name: str):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fetching, "_download", fill)
    with pytest.raises(ModelUnavailableError, match="since the disk of this server is full"):
        load("google-bert/bert-base-cased")


# What a model must mean, whatever its shapes are


def saved(folder: Path, kind: str, n_rows: int = N_ROWS, shards: str = "1GB", **settings):
    """Save a small random model as transformers does, and return it."""
    import transformers

    sizes = {"hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 3}
    sizes |= {"intermediate_size": 20, "max_position_embeddings": 40, "initializer_range": 0.25}
    sizes |= {"vocab_size": n_rows, "pad_token_id": 0}
    torch.manual_seed(5)
    config = transformers.AutoConfig.for_model(kind, **(sizes | settings))
    model = transformers.AutoModelForMaskedLM.from_config(config).eval()
    model.save_pretrained(folder, max_shard_size=shards)
    TOKENIZER.save(str(folder / "tokenizer.json"))
    return model


def same_logits(model, theirs, text) -> None:
    expected = theirs(torch.tensor([text.ids])).logits[0, :, :N_ROWS]
    torch.testing.assert_close(model.vocabulary_logits(text), expected, atol=1e-5, rtol=0)


def test_weights_that_are_no_numbers_are_refused_by_name(folder):
    def harm(tensors):
        name = next(name for name in tensors if "attention" in name)
        tensors[name].view(-1)[0] = float("nan")
        return tensors

    change_tensors(folder, harm)
    assert re.search(r"its weights \S*attention\S* are not all numbers", refused(folder))


def test_a_tokenizer_that_puts_nothing_around_a_text_is_refused(folder):
    content = json.loads((folder / "tokenizer.json").read_text())
    (folder / "tokenizer.json").write_text(json.dumps(content | {"post_processor": None}))
    assert "no special token at both ends" in refused(folder)


def test_a_tokenizer_without_a_mask_is_refused(folder):
    path = folder / "tokenizer.json"
    path.write_text(path.read_text().replace("[MASK]", "[HIDE]"))
    assert "has no [MASK] token" in refused(folder)


@pytest.mark.parametrize("kind", ["squeezebert", "fnet"])
def test_a_model_whose_attention_cannot_be_drawn_says_so_where_it_is_asked_for(tmp_path, kind):
    """SqueezeBERT returns the scores before the softmax; FNet has no attention."""
    groups = ("q_groups", "k_groups", "v_groups", "post_attention_groups")
    groups += ("intermediate_groups", "output_groups")
    of_kind = {"squeezebert": {"embedding_size": 12, **dict.fromkeys(groups, 1)}}
    saved(tmp_path / "m", kind, **of_kind.get(kind, {}))
    model = load_folder(tmp_path / "m")
    text = tokenize(model.tokenizer, "the [MASK]")
    with pytest.raises(MissingWeightsError, match=r"gives no attention weights that sum to 1"):
        model.encode(text, record=True)
    assert model.vocabulary_logits(text).isfinite().all() and len(model.encode(text).states) == 3


def test_a_model_of_one_segment_reads_a_pair_as_one(tmp_path):
    theirs = saved(tmp_path / "m", "bert", type_vocab_size=1)
    model = load_folder(tmp_path / "m")
    text = tokenize(model.tokenizer, "the dog", "a man")
    same_logits(model, theirs, text)


@pytest.mark.parametrize("kind", ["bert", "electra"])
def test_rows_beyond_the_vocabulary_are_never_predicted(tmp_path, kind):
    theirs = saved(tmp_path / "m", kind, n_rows=N_ROWS + 7)
    model = load_folder(tmp_path / "m")
    text = tokenize(model.tokenizer, "the [MASK]")
    same_logits(model, theirs, text)
    assert len(model.token_embedding) == N_ROWS


def test_a_bert_in_several_files_is_the_same(tmp_path):
    theirs = saved(tmp_path / "m", "bert", shards="10KB")
    assert not (tmp_path / "m" / "model.safetensors").exists()
    model = load_folder(tmp_path / "m")
    text = tokenize(model.tokenizer, "the dog")
    same_logits(model, theirs, text)


def test_the_longest_text_of_a_table_with_a_padding_row_is_read(tmp_path):
    saved(tmp_path / "m", "ibert", pad_token_id=1, type_vocab_size=1)
    model = load_folder(tmp_path / "m")
    assert model.max_tokens == 40 - 2
    text = tokenize(model.tokenizer, "the dog " * 40, max_tokens=model.max_tokens)
    assert len(model.encode(text).last[0]) == 38


def test_a_model_that_padding_changes_reads_each_text_alone(tmp_path):
    """MobileBERT joins a token's vector with its neighbours', padding among them."""
    saved(tmp_path / "m", "mobilebert", embedding_size=6, intra_bottleneck_size=12)
    row = torch.tensor([0])
    change_each(tmp_path / "m", "word_embeddings.weight", lambda one: one.index_fill(0, row, 3.0))
    model = load_folder(tmp_path / "m")
    texts = [tokenize(model.tokenizer, text) for text in ("the dog", "the old man and the dog")]
    batch = model.encode_batch(texts)
    for row, text in enumerate(texts):
        for beside, alone in zip(batch.states, model.encode(text).states, strict=True):
            torch.testing.assert_close(beside[row, : len(text.ids)], alone[0], atol=1e-4, rtol=0)


# The lens: whether a state of any layer can be given to the head

OF_KIND = {
    "luke": {"entity_vocab_size": 9, "entity_emb_size": 6},
    "longformer": {"attention_window": 4, "max_position_embeddings": 66},
}


@pytest.mark.parametrize(
    ("kind", "norm", "head"),
    [
        ("roberta-prelayernorm", "roberta_prelayernorm.LayerNorm", "lm_head"),
        ("megatron-bert", "bert.encoder.ln", "cls"),
        ("roberta", None, "lm_head"),
        ("luke", None, "lm_head"),
        ("longformer", None, "lm_head"),
    ],
)
def test_lower_states_go_through_the_last_norm_before_the_head(tmp_path, kind, norm, head):
    theirs = saved(tmp_path / "m", kind, **OF_KIND.get(kind, {})).requires_grad_(False)
    model = load_folder(tmp_path / "m")
    text = tokenize(model.tokenizer, "the old [MASK]")
    read = lens(model, text)
    for state, row in zip(model.encode(text).states[:-1], read.logits, strict=False):
        at_blank = state[:, read.position].clone()
        at_blank = theirs.get_submodule(norm)(at_blank) if norm else at_blank
        expected = theirs.get_submodule(head)(at_blank)[0]
        torch.testing.assert_close(row, expected, atol=1e-5, rtol=0)
    assert torch.equal(read.logits[-1], model.vocabulary_logits(text)[read.position])


def test_a_model_whose_head_reads_no_state_alone_has_a_loss(tmp_path):
    theirs = saved(tmp_path / "m", "roberta")
    model = load_folder(tmp_path / "m")
    model.has_lens = False
    text = tokenize(model.tokenizer, "the old man and the dog")
    ids = torch.tensor([text.ids])
    ids[0, 4] = model.tokenizer.token_to_id("[MASK]")
    log_p = theirs(ids).logits[0, 4].log_softmax(-1)[text.ids[4]]
    first = [token for token in text.tokens if not token.is_special][3]
    assert text.tokens[4] == first and len(text.tokens) < 10  # so the fourth token alone is masked
    assert loss_on(model, [text]) == pytest.approx(-log_p.item(), abs=1e-4)


@pytest.mark.parametrize("kind", ["esmc", "esm"])
def test_a_model_that_predicts_nothing_from_vectors_says_so_where_words_are_attributed(
    tmp_path, kind
):
    """ESMC takes tokens alone. ESM scales their vectors by how many are masked, but no others."""
    saved(tmp_path / "m", kind)
    model = load_folder(tmp_path / "m")
    text = tokenize(model.tokenizer, "the [MASK] man")
    for method in (occlusion, integrated_gradients):
        with pytest.raises(ModelUnavailableError, match=r"^m predicts nothing, or something"):
            method(model, text, 7)


def test_a_head_that_reads_something_else_than_the_last_state_gives_no_lens(tmp_path):
    saved(tmp_path / "m", "roberta")
    model = load_folder(tmp_path / "m")
    model.model.base_model.encoder.register_forward_hook(  # as a norm without a module would
        lambda _, __, output: output.__setitem__("last_hidden_state", 2 * output[0])
    )
    try_out(model)
    with pytest.raises(MissingLensError):
        lens(model, tokenize(model.tokenizer, "the [MASK]"))


def test_the_hash_that_is_cited_is_that_of_the_weights():
    for name, folder in BUNDLED_FOLDERS.items():
        weights = (folder / "model.safetensors").read_bytes()
        assert hashlib.sha256(weights).hexdigest().startswith(HASHES[name])
