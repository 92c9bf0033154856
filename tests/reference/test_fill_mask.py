"""The guesses of the cloze part are those of transformers' fill-mask pipeline."""

import pytest
import torch

from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDER
from mlm_core.encoder.pretrained import load
from mlm_core.pretraining.fillers import top_fillers
from mlm_core.text.tokens import tokenize


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
