"""What a learner takes home loads with transformers alone, and says what the page said."""

import io
import re
import tempfile
import zipfile

import pytest
import torch

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import OwnModel
from mlm_core.finetuning.take_home import ENCODER_FOLDER, pack_encoder
from mlm_core.small_runs.snapshot import blank_guesses
from mlm_core.text import corpora
from mlm_core.text.tokens import train_tokenizer
from tests.fresh import run_taken_home
from tests.small_bert import small_config

SENTENCE = "They [MASK] to the station by train."


@pytest.fixture(scope="module")
def model() -> OwnModel:
    torch.manual_seed(11)
    tokenizer = train_tokenizer("WordPiece", list(corpora.sentences())[:300], 500)
    config = small_config(
        tokenizer,
        n_positions=40,
        hidden_size=24,
        intermediate_size=40,
        initializer_range=0.3,  # far from even, so that a wrong mask would show
        has_next_sentence_head=False,
    )
    return OwnModel("mine", Bert(config).eval(), tokenizer)


@pytest.mark.parametrize(
    ("objective", "script", "sentence"),
    [
        ("mlm", "fill.py", "The [MASK] of the [MASK] was steep."),
        ("next_word", "next_word.py", SENTENCE),
    ],
)
def test_the_script_in_a_fresh_interpreter_gives_the_filling_of_the_page(
    model, tmp_path, objective, script, sentence
):
    shown = blank_guesses(model, sentence, objective, 5)
    packed = pack_encoder(model, shown, objective, "about it")
    zipfile.ZipFile(io.BytesIO(packed)).extractall(tmp_path)
    run = run_taken_home(script, folder=tmp_path / ENCODER_FOLDER)
    assert run.returncode == 0, run.stderr
    difference = float(re.search(r"largest difference: (\S+)", run.stdout)[1])
    assert difference < 1e-4, run.stdout
    told = [line.split()[0] for line in run.stdout.splitlines()[1:-1]]
    assert told == [model.tokenizer.id_to_token(guess.id) for guess in shown.guesses]


def test_nothing_is_written_to_the_disk_while_a_zip_is_made(model, tmp_path, monkeypatch):
    shown = blank_guesses(model, SENTENCE, "mlm", 5)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))  # making a file there fails
    monkeypatch.chdir(tmp_path)
    packed = pack_encoder(model, shown, "mlm", "about it")
    assert list(tmp_path.iterdir()) == []
    files = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert f"{ENCODER_FOLDER}/tokenizer.json" in files and f"{ENCODER_FOLDER}/fill.py" in files


def test_the_next_word_is_asked_for_without_what_stands_to_the_right(model):
    left = blank_guesses(model, "They [MASK] to the station.", "next_word", 4)
    other = blank_guesses(model, "They [MASK] something else.", "next_word", 4)
    assert left.guesses == other.guesses
    both = blank_guesses(model, "They [MASK] something else.", "mlm", 4)
    assert both.guesses != blank_guesses(model, "They [MASK] to the station.", "mlm", 4).guesses


def test_a_missing_blank_is_told(model):
    with pytest.raises(ValueError, match=r"write \[MASK\] in place of a word"):
        blank_guesses(model, "no blank here", "mlm", 1)
