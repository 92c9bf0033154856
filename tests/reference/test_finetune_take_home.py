"""Fine-tuning agrees with transformers: its heads, its gradients, and what is taken home."""

import copy
import io
import json
import re
import sys
import zipfile

import pytest
import torch
import transformers

from mlm_core.finetuning.fine_tuned import FineTuned, fine_tuned, make_upper
from mlm_core.finetuning.heads import start_head
from mlm_core.finetuning.one_answer import ask
from mlm_core.finetuning.take_home import (
    FINE_TUNED_FOLDER,
    MEAN_CLASS,
    REFUSED_BY_HEADS,
    SCRIPT_OF_KIND,
    architecture,
    pack_fine_tuned,
    tensors_for_transformers,
)
from tests.finetuning.small_models import PASSAGE, run_to_its_end, settings_for, small_data
from tests.fresh import run_taken_home

TEXT, PAIR = "The old man crossed the river.", "His dog waited there."
ASKED = {
    "text": (TEXT,),
    "long text": ("the river and the old man " * 20,),
    "pair": (TEXT, PAIR),
    "long pair": (TEXT * 6, PAIR * 9),
    "question": ("Who crossed it?", PASSAGE),
    "long passage": ("Who crossed it?", PASSAGE * 4),
    "words": ("Jane", "Villanueva", "isn't", "\ufe0f", "😀", "in", "St.", "Paul", "漢字"),
    "long words": ("Unmentionable",) * 60,
}
# name: kind, with pairs, settings, what is asked
MODELS = {
    "[CLS], top": ("classes", False, {"pooling": "cls", "n_top_layers": 2}, "text"),
    "[CLS], all": ("classes", False, {"pooling": "cls", "trained": "all"}, "long text"),
    "[CLS] of pairs": ("classes", True, {"pooling": "cls", "trained": "head"}, "pair"),
    "mean, head": ("classes", False, {"trained": "head"}, "text"),
    "mean, head on layer 2": ("classes", False, {"trained": "head", "n_read_layers": 2}, "text"),
    "mean of pairs, top": ("classes", True, {"n_top_layers": 1}, "long pair"),
    "mean, random start": ("classes", False, {"start": "random", "trained": "all"}, "long text"),
    "answers, top": ("answers", True, {"n_top_layers": 1}, "question"),
    "answers, all": ("answers", True, {"trained": "all"}, "long passage"),
    "answers, layer 2 of 3": ("answers", True, {"n_top_layers": 1, "n_read_layers": 2}, "question"),
    "tags, both of 3": ("tags", False, {"trained": "all", "n_read_layers": 2}, "words"),
    "tags, head": ("tags", False, {"trained": "head", "labelling": "all_pieces"}, "words"),
    "tags, random start": (
        "tags",
        False,
        {"start": "random", "trained": "all", "scheme": "BIOES"},
        "long words",
    ),
}
# Both compute in float32, in another order.
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


def trained_model(name, encoder) -> FineTuned:
    kind, pairs, changes, _ = MODELS[name]
    return fine_tuned(run_to_its_end(small_data(kind, pairs=pairs), encoder, **changes), encoder)


def unpacked(packed: bytes, to):
    zipfile.ZipFile(io.BytesIO(packed)).extractall(to)
    return to / FINE_TUNED_FOLDER


def has_its_own_class(model: FineTuned) -> bool:
    """Tell whether the folder brings its class, which transformers runs only where it is trusted.

    We wrote that class ourselves: mlm_core/data/take_home/mean_model.py.
    """
    return architecture(model) == MEAN_CLASS


def difference_told_by(script: str, folder, monkeypatch, capsys) -> float:
    """Run a packed script here, where transformers is imported already."""
    monkeypatch.setattr(sys, "argv", [script])
    code = compile((folder / script).read_text(encoding="utf-8"), str(folder / script), "exec")
    exec(code, {"__file__": str(folder / script), "__name__": "__main__"})
    told = capsys.readouterr().out
    return float(re.search(r"largest difference: (\S+)", told)[1])


@pytest.mark.parametrize("name", MODELS)
def test_transformers_reads_what_was_packed_and_says_what_the_page_said(
    name, encoder, tmp_path, monkeypatch, capsys
):
    model = trained_model(name, encoder)
    shown = ask(model, *ASKED[MODELS[name][3]])
    folder = unpacked(pack_fine_tuned(model, shown, "about it"), tmp_path)
    has_class = has_its_own_class(model)
    assert has_class == name.startswith("mean")
    theirs, report = auto_class(model.dataset.kind).from_pretrained(
        folder, output_loading_info=True, trust_remote_code=has_class
    )
    assert type(theirs).__name__ == architecture(model)
    assert set(report["unexpected_keys"]) == ({REFUSED_BY_HEADS} if has_class else set())
    assert not report["missing_keys"] and not report["mismatched_keys"]
    assert all(parameter.dtype == torch.float32 for parameter in theirs.parameters())
    if model.dataset.kind != "answers":
        assert tuple(theirs.config.id2label.values()) == model.classes
        assert theirs.config.label2id == {name: i for i, name in enumerate(model.classes)}
    script = SCRIPT_OF_KIND[model.dataset.kind]
    # The page's output to 1e-4, which is the promise; it keeps six digits.
    assert difference_told_by(script, folder, monkeypatch, capsys) < 1e-4
    assert (folder / "README.md").read_text() == "about it"


def auto_class(kind: str):
    """Return the class that takes a folder of that kind by its config.json."""
    name = {"classes": "Sequence", "tags": "Token", "answers": "Question"}[kind]
    does = "Answering" if kind == "answers" else "Classification"
    return getattr(transformers, f"AutoModelFor{name}{does}")


@pytest.mark.parametrize("name", ["[CLS], all", "mean of pairs, top", "tags, head", "answers, top"])
def test_the_auto_class_of_the_task_takes_the_folder_and_gives_the_same_logits(
    name, encoder, tmp_path
):
    model = trained_model(name, encoder)
    texts = (TEXT, PAIR) if model.dataset.has_pairs else (TEXT,)
    theirs = as_transformers(model, tmp_path)
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / FINE_TUNED_FOLDER)
    with torch.no_grad():
        output = theirs(**tokenizer(*texts, return_tensors="pt"))
    if model.dataset.kind == "answers":
        logits = torch.stack([output.start_logits[0], output.end_logits[0]], dim=-1)
    else:
        logits = output.logits[0]
    torch.testing.assert_close(model.logits(model.read(*texts)), logits, **CLOSE)


@pytest.mark.parametrize(
    "name",
    ["[CLS], top", "[CLS] of pairs", "mean, head on layer 2", "mean of pairs, top", "tags, head"],
)
def test_a_pipeline_says_what_the_page_says(name, encoder, tmp_path):
    model = trained_model(name, encoder)
    is_tags = model.dataset.kind == "tags"
    words = TEXT.replace(".", " .").split()
    shown = ask(model, *(words if is_tags else (TEXT, PAIR) if "pairs" in name else (TEXT,)))
    folder = unpacked(pack_fine_tuned(model, shown, ""), tmp_path)
    task = "token-classification" if is_tags else "text-classification"
    pipeline = transformers.pipeline(task, str(folder), trust_remote_code=has_its_own_class(model))
    if is_tags:
        text = " ".join(words)
        pieces = {piece["start"]: piece for piece in pipeline(text, ignore_labels=[])}
        starts = [sum(len(word) + 1 for word in words[:i]) for i in range(len(words))]
        said = [(pieces[start]["entity"], pieces[start]["score"]) for start in starts]
    else:
        asked = {"text": TEXT, "text_pair": PAIR} if "pairs" in name else TEXT
        said = [(row["label"], row["score"]) for row in pipeline(asked, top_k=None)]
        said.sort(key=lambda row: shown.predicted.index(row[0]))
    assert [label for label, _ in said] == list(shown.predicted)
    scores = [float(score) for _, score in said]
    assert scores == pytest.approx(list(shown.probabilities), abs=1e-4)


@pytest.mark.parametrize("task", ["text-classification", "token-classification"])
def test_without_its_own_class_no_pipeline_answers_for_a_head_that_reads_the_mean(
    task, encoder, tmp_path
):
    model = trained_model("mean, head", encoder)
    folder = unpacked(pack_fine_tuned(model, ask(model, TEXT), ""), tmp_path)
    with pytest.raises((RuntimeError, ValueError), match=r"mismatch|Could not load"):
        transformers.pipeline(task, model=str(folder), trust_remote_code=False)


def test_the_script_runs_in_a_fresh_interpreter_with_transformers_alone(encoder, tmp_path):
    model = trained_model("mean, head", encoder)
    unpacked(pack_fine_tuned(model, ask(model, TEXT), "about it"), tmp_path)
    # A text of one's own instead of the page's.
    told = run_taken_home("classify.py", PAIR, folder=tmp_path / FINE_TUNED_FOLDER)
    assert told.returncode == 0, told.stderr
    of_own = dict(line.split() for line in told.stdout.splitlines()[1:])
    expected = ask(model, PAIR)
    assert list(of_own) == list(expected.predicted)
    assert [float(p) for p in of_own.values()] == pytest.approx(expected.probabilities, abs=1e-4)


def test_weights_that_fit_into_float16_are_packed_in_it_and_no_others(tmp_path, encoder):
    halved = copy.deepcopy(encoder)
    halved.bert.half().float()
    data = small_data("classes")
    for name, start_from, bytes_a_number in (("whole", encoder, 4), ("halved", halved, 2)):
        model = fine_tuned(run_to_its_end(data, start_from), start_from)
        folder = unpacked(pack_fine_tuned(model, ask(model, TEXT), ""), tmp_path / name)
        n_numbers = sum(t.numel() for _, t in tensors_for_transformers(model))
        size = (folder / "model.safetensors").stat().st_size
        # Beside the numbers there is a header of some hundred bytes a tensor.
        assert 0 < size - bytes_a_number * n_numbers < 10_000
        config = json.loads((folder / "config.json").read_text())
        assert config["dtype"] == "float32"


def as_transformers(model: FineTuned, folder) -> "transformers.PreTrainedModel":
    """Return transformers' model with the same weights, without dropout."""
    packed = pack_fine_tuned(model, ask(model, *example_for(model)), "")
    loader = auto_class(model.dataset.kind)
    return loader.from_pretrained(
        unpacked(packed, folder), trust_remote_code=has_its_own_class(model)
    )


def example_for(model: FineTuned) -> tuple[str, ...]:
    if model.dataset.kind == "tags":
        return tuple(TEXT.split())
    return (TEXT, PAIR) if model.dataset.has_pairs else (TEXT,)


@pytest.mark.parametrize("name", ["[CLS], all", "answers, all", "tags, random start"])
def test_all_layers_trained_have_the_gradients_of_a_whole_bert(name, encoder, tmp_path):
    model = trained_model(name, encoder)
    theirs = as_transformers(model, tmp_path).eval()
    text = model.read(*example_for(model)) if name != "tags, random start" else model.read(TEXT)
    ids, segments = torch.tensor([text.ids]), torch.tensor([text.segment_ids])
    upper = model.upper.requires_grad_(True)
    states = upper.embeddings(ids, segments)
    logits = upper(states, torch.ones_like(ids, dtype=torch.bool))
    weighting = torch.linspace(-1, 1, logits.numel()).view_as(logits)  # any one scalar will do
    (logits * weighting).sum().backward()
    output = theirs(input_ids=ids, token_type_ids=segments)
    if model.dataset.kind == "answers":
        expected = torch.stack([output.start_logits, output.end_logits], dim=-1)
    else:
        expected = output.logits
    torch.testing.assert_close(logits, expected, **CLOSE)
    (expected * weighting).sum().backward()
    of_theirs = dict(theirs.named_parameters())
    table = of_theirs["bert.embeddings.word_embeddings.weight"].grad
    used = upper.embeddings.used_ids
    seen_and_used = sorted(set(used.tolist()) & set(text.ids))
    rows = [used.tolist().index(id_) for id_ in seen_and_used]
    torch.testing.assert_close(upper.embeddings.rows.grad[rows], table[seen_and_used], **CLOSE)
    n_compared = 0
    for block, their_block in zip(upper.blocks, theirs.bert.encoder.layer, strict=True):
        pairs = (
            (block.attention.query, their_block.attention.self.query),
            (block.attention.output, their_block.attention.output.dense),
            (block.attention_norm, their_block.attention.output.LayerNorm),
            (block.inner, their_block.intermediate.dense),
            (block.outer, their_block.output.dense),
        )
        for ours, their in pairs:
            for kind in ("weight", "bias"):
                gradient = getattr(ours, kind).grad
                # Sums of hundreds of float32 products, of sizes up to 10.
                torch.testing.assert_close(
                    gradient, getattr(their, kind).grad, atol=1e-4, rtol=1e-4
                )
                n_compared += 1
    assert n_compared == 30
    position = of_theirs["bert.embeddings.position_embeddings.weight"].grad
    torch.testing.assert_close(upper.embeddings.position.grad, position, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_a_head_at_its_start_gives_transformers_logits_for_texts_of_unequal_length(
    pooling, encoder, tmp_path
):
    data = small_data("classes")
    settings = settings_for(data, pooling=pooling, trained="head")
    upper = make_upper(encoder.bert, data, settings, None)
    start_head(upper.head, encoder.bert, torch.Generator().manual_seed(3))
    upper.eval().requires_grad_(False)
    model = FineTuned(settings=settings, dataset=data, encoder=encoder, upper=upper)
    theirs = as_transformers(model, tmp_path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / FINE_TUNED_FOLDER)
    batch = tokenizer([TEXT, "A dog."], padding=True, return_tensors="pt")
    not_padding = batch["attention_mask"].bool()
    states = encoder.bert.last_states(
        batch["input_ids"], batch["token_type_ids"], not_padding, n_layers=3
    )
    with torch.no_grad():
        output = theirs(**batch)
    torch.testing.assert_close(upper(states, not_padding), output.logits, **CLOSE)
