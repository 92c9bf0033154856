"""The guesses of the cloze part are those of transformers' fill-mask pipeline."""

import pytest
import torch

from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDER
from mlm_core.encoder.pretrained import load
from mlm_core.prediction.fillers import fill_at_once, top_fillers
from mlm_core.text.tokens import role_token, tokenize
from tests.reference.small_checkpoints import save_small


@pytest.mark.parametrize(
    "sentence",
    [
        "They [MASK] to the station by train.",
        "I ate an [MASK].",
        "[MASK] is the capital of the country, said the old man.",
    ],
)
def test_top_fillers_equal_the_pipelines(sentence):
    from transformers import pipeline

    theirs = pipeline("fill-mask", model=str(BUNDLED_FOLDER), top_k=5)(sentence)
    model = load(BUNDLED)
    text = tokenize(model.tokenizer, sentence)
    with torch.inference_mode():
        logits = model.vocabulary_logits(text)[text.texts.index("[MASK]")]
    ours = top_fillers(logits, 5)
    assert [filler.id for filler in ours] == [guess["token"] for guess in theirs]
    for filler, guess in zip(ours, theirs, strict=True):
        assert filler.probability == pytest.approx(guess["score"], abs=1e-4)


@pytest.mark.parametrize("architecture", ["bert-cased", "bert-uncased", "roberta"])
def test_a_folders_fillers_equal_the_pipelines_on_every_blank(architecture, tmp_path):
    from transformers import AutoModelForMaskedLM, PreTrainedTokenizerFast, pipeline

    folder = tmp_path / architecture
    save_small(architecture, folder)
    model = load(architecture, folder)
    mask = role_token(model.tokenizer, "[MASK]")
    pad = role_token(model.tokenizer, "[PAD]")
    theirs = pipeline(
        "fill-mask",
        model=AutoModelForMaskedLM.from_pretrained(folder),
        tokenizer=PreTrainedTokenizerFast(
            tokenizer_file=str(folder / "tokenizer.json"), mask_token=mask, pad_token=pad
        ),
        top_k=5,
    )(f"the {mask} saw a {mask} .")
    text = tokenize(model.tokenizer, f"the {mask} saw a {mask} .", max_tokens=model.max_tokens)
    steps = fill_at_once(model, text)
    assert len(steps) == len(theirs) == 2
    for step, guesses in zip(steps, theirs, strict=True):
        assert [filler.id for filler in step.guesses] == [guess["token"] for guess in guesses]
        for filler, guess in zip(step.guesses, guesses, strict=True):
            assert filler.probability == pytest.approx(guess["score"], abs=1e-4)
