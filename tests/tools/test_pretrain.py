"""The command from text files to a model, killed and resumed, on one process and on two."""

import csv
import itertools
import json
import lzma
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
import torch
from safetensors.torch import load_file

from mlm_core.encoder.bert import Bert, BertConfig
from mlm_core.encoder.checkpoints import load_bert
from mlm_core.pretraining.corpus import open_corpus, write_corpus
from mlm_core.pretraining.vocabulary import learn_wordpieces
from mlm_core.text.tokens import load_tokenizer, tokenize
from mlm_core.training.loop import NonFiniteLossError, TrainingSettings, make_optimizer
from tests.fresh import Fresh, start_fresh
from tools.pretrain.__main__ import main
from tools.pretrain.run_state import save_state
from tools.pretrain.speed import bfloat16_gain

ROOT = Path(__file__).parents[2]
ONE_THREAD = {"OMP_NUM_THREADS": "1"}  # so that sums are taken in one order
TINY = [
    *("--vocabulary-size", "300", "--alphabet-size", "60", "--hidden-size", "24"),
    *("--n-layers", "2", "--n-heads", "2", "--intermediate-size", "40", "--length", "40"),
    *("--short-length", "24", "--natural-length", "24", "--tokens-a-batch", "960"),
    *("--log-every", "4", "--evaluate-every", "20", "--n-held-out-batches", "1"),
    *("--held-out-texts", "16", "--peak-learning-rate", "0.005", "--bf16", "no"),
]

SMALL = BertConfig(
    vocabulary_size=9, hidden_size=12, n_layers=2, n_heads=3, intermediate_size=20, n_positions=5
)


def some_text(n_documents: int, seed: int) -> str:
    """Return documents on one topic each, so that there is something to learn."""
    rng = random.Random(seed)
    topics = {
        "harbour": ("sailor", "captain", "fisher", "ship", "net", "rope", "sea", "quay"),
        "garden": ("gardener", "farmer", "child", "rose", "hedge", "spade", "lawn", "pond"),
        "school": ("teacher", "pupil", "friend", "book", "pencil", "map", "desk", "hall"),
    }
    documents = []
    for _ in range(n_documents):
        who, what, where = (words := rng.choice(list(topics.values())))[:3], words[3:6], words[6:]
        documents.append(
            "\n".join(
                " ".join(
                    f"The {rng.choice(who)} {rng.choice(('took', 'saw', 'left'))} a"
                    f" {rng.choice(what)} near the {rng.choice(where)}."
                    for _ in range(rng.randint(2, 5))
                )
                for _ in range(rng.randint(3, 6))
            )
        )
    return "\n\n".join(documents) + "\n"


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("texts")
    with lzma.open(folder / "train.txt.xz", "wt", encoding="utf-8") as file:
        file.write(some_text(60, seed=1))
    (folder / "held.txt").write_text(some_text(20, seed=2), encoding="utf-8")
    return ["--train", str(folder / "train.txt.xz"), "--held-out", str(folder / "held.txt")]


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Let all processes take their sums in one order."""
    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(n_threads)


def run_command(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    """Run the command as it is typed."""
    return subprocess.run(
        [sys.executable, "-m", "tools.pretrain", *arguments],
        cwd=ROOT, env=os.environ | ONE_THREAD | environment, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip


RUN = "import runpy; runpy.run_module('tools.pretrain', run_name='__main__')"
# Killed as by somebody else, just after it saved for the seventh time.
KILLED = """
import os, signal
from tools.pretrain import run

save, saved = run.save_state, []

def save_and_die(*what, **more):
    save(*what, **more)
    saved.append(more["step"])
    if len(saved) == 7:
        os.kill(os.getpid(), signal.SIGKILL)

run.save_state = save_and_die
"""


def start_command(*arguments: str, before: str = "", **environment: str) -> Fresh:
    """Start what the command runs in a process that has torch already."""
    environment = os.environ | ONE_THREAD | environment
    return start_fresh(before + RUN, *arguments, environment=environment)


def figures(folder: Path) -> list[dict[str, str]]:
    """Return the log without its times."""
    with open(folder / "log.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [{k: v for k, v in row.items() if "second" not in k} for row in rows]


def test_the_command_makes_a_model_that_learned_and_that_transformers_reads(
    texts, tmp_path, capsys
):
    main([*texts, *TINY, "--folder", str(tmp_path), "--steps", "120"])
    said = capsys.readouterr().out
    assert "120 steps" in said and "left" in said and "done in" in said
    losses = [float(row["masked_language_loss"]) for row in figures(tmp_path)]
    assert losses[-1] < 0.6 * losses[0]
    ElementTree.parse(tmp_path / "curve.svg")

    bert = load_bert(tmp_path / "model")
    assert bert.config.dropout_rate == 0.1
    tokenizer = load_tokenizer(tmp_path / "model")
    text = tokenize(tokenizer, "The sailor [MASK] a rope near the sea.")
    ids = torch.tensor([text.ids])
    ours = bert.masked_language_logits(bert.encode(ids).last)
    from transformers import AutoModelForMaskedLM

    theirs = AutoModelForMaskedLM.from_pretrained(tmp_path / "model").eval()
    assert theirs.dtype == torch.float32
    torch.testing.assert_close(ours, theirs(ids).logits, rtol=1e-4, atol=1e-4)

    with pytest.raises(ValueError, match=r"other settings \(n_layers\)"):
        main([*texts, *TINY, "--folder", str(tmp_path), "--steps", "9", "--n-layers", "3"])

    # A new run can start from that model: from what it knows, in its own words.
    start = [*texts, *TINY, "--start-from", str(tmp_path / "model"), "--mlm-probability", "0.3"]
    main([*start, "--folder", str(tmp_path / "further"), "--steps", "4"])
    (row,) = figures(tmp_path / "further")
    assert float(row["masked_language_loss"]) < 1.3 * losses[-1] < 0.8 * losses[0]
    same = load_tokenizer(tmp_path / "further" / "model").get_vocab()
    assert same == tokenizer.get_vocab()
    kept = json.loads((tmp_path / "further/run.json").read_text("utf-8"))
    assert kept["start_from"] == "model" and "n_layers" not in kept
    with pytest.raises(ValueError, match="length 41 is beyond the 40 positions of model"):
        main([*start, "--folder", str(tmp_path / "long"), "--steps", "4", "--length", "41"])


def test_a_run_that_was_killed_goes_on_exactly(texts, tmp_path, one_thread):
    # Three interpreters, so that nothing may hang on the order of a set of words.
    options = [*texts, *TINY, "--steps", "40", "--save-every-seconds", "0"]
    main([*options, "--folder", str(tmp_path / "whole")])
    killed = tmp_path / "killed"
    first = start_command(*options, "--folder", str(killed), before=KILLED).wait()
    assert first.returncode == -signal.SIGKILL, first.stderr
    assert 0 < len(figures(killed)) < len(figures(tmp_path / "whole"))
    again = run_command(*options, "--folder", str(killed))
    assert again.returncode == 0, again.stderr

    assert figures(killed) == figures(tmp_path / "whole")
    for name in ("state.safetensors", "model/model.safetensors"):
        ours, theirs = (load_file(tmp_path / run / name) for run in ("killed", "whole"))
        assert ours.keys() == theirs.keys()
        assert all(ours[key].equal(theirs[key]) for key in ours)


def test_a_state_with_nan_is_refused_and_the_one_before_stays(tmp_path):
    torch.manual_seed(1)
    bert = Bert(SMALL)
    settings = TrainingSettings(n_steps=3)
    optimizer = make_optimizer(bert, settings)
    bert.masked_language_logits(bert.encode(torch.tensor([[1, 5, 2]])).last).sum().backward()
    bert.next_sentence_logits(bert.encode(torch.tensor([[1, 5, 2]])).last).sum().backward()
    optimizer.step()
    path = tmp_path / "state.safetensors"
    save_state(path, bert, optimizer, step=2, seconds=1.0)
    before = path.read_bytes()
    bert.blocks[1].inner.weight.data[3, 2] = float("nan")
    with pytest.raises(NonFiniteLossError, match=r"weight.blocks.1.inner.weight is NaN .* step 3"):
        save_state(path, bert, optimizer, step=3, seconds=2.0)
    assert path.read_bytes() == before


def test_the_vocabulary_is_the_same_on_every_run_and_has_no_rare_letters():
    lines = [*some_text(12, seed=3).splitlines(), "A ÿ once."]
    first, again = (learn_wordpieces(lambda: iter(lines), 150, 20) for _ in range(2))
    assert first.to_str() == again.to_str()
    assert 50 < first.get_vocab_size() <= 150
    assert first.encode("sailor ÿ", add_special_tokens=False).tokens[-1] == "[UNK]"
    with pytest.raises(ValueError, match="single characters come first"):
        learn_wordpieces(lambda: iter(lines), 45, 20)


def test_a_corpus_on_disk_holds_the_sentences_in_order(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("One sea. Two nets.\nThree ropes.\n\nA rose.\n", encoding="utf-8")
    tokenizer = learn_wordpieces(lambda: path.read_text().splitlines(), 80, 30)
    assert list(write_corpus([path], tokenizer, tmp_path / "corpus"))
    assert not list(write_corpus([path], tokenizer, tmp_path / "corpus"))  # done already
    corpus = open_corpus(tmp_path / "corpus")
    starts = corpus.sentence_starts.tolist()
    sentences = [
        tokenizer.decode(corpus.tokens[start:stop].tolist())
        for start, stop in itertools.pairwise(starts)
    ]
    assert sentences == ["One sea.", "Two nets.", "Three ropes.", "A rose."]
    assert corpus.document_starts.tolist() == [0, 3, 4]
    assert int(corpus.counts.sum()) == corpus.n_tokens


def test_a_file_cannot_be_trained_on_and_held_out(texts, tmp_path):
    with pytest.raises(ValueError, match="would be trained on and held out"):
        main(["--train", texts[1], "--held-out", texts[1], "--folder", str(tmp_path),
              "--steps", "1"])  # fmt: skip


@pytest.mark.parametrize(("in_float32", "in_bfloat16", "gain"), [(4, 1, 4.0), (1, 2, 0.5)])
def test_the_precision_is_chosen_by_time_and_one_slow_turn_does_not_count(
    in_float32, in_bfloat16, gain
):
    turns = [9, *[in_float32] * 3, 50, in_float32, 9, in_bfloat16, 50, *[in_bfloat16] * 3]
    readings = itertools.chain.from_iterable((0.0, float(turn)) for turn in turns)
    assert bfloat16_gain(torch.device("cpu"), lambda: next(readings)) == gain
