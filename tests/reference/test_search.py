"""Sentence vectors, matched tokens and expanded words agree with transformers and numpy."""

import io
import json
import re
import sys
import zipfile

import numpy as np
import pytest
import torch
import transformers

from mlm_core.encoder.checkpoints import load_bert
from mlm_core.encoder.model_list import BUNDLED_FOLDER
from mlm_core.search.expansion import expand
from mlm_core.search.graded_pairs import SearchTask, unlabelled_pairs
from mlm_core.search.late_interaction import late_scores, token_states
from mlm_core.search.run import ContrastiveRun, trained_encoder
from mlm_core.search.settings import ContrastiveSettings
from mlm_core.search.take_home import SENTENCE_FOLDER, pack_sentence_encoder, search_texts
from mlm_core.search.vectors import sentence_vectors
from mlm_core.text import corpora
from tests.finetuning.small_models import small_encoder

TEXTS = [*corpora.sentences()[:7], "the river and the old man " * 20]
DEV = SearchTask(
    queries=tuple(TEXTS[:2]),
    candidates=tuple(TEXTS[2:5]),
    right=(2, 0),
    pairs=((0, 2, 2), (1, 1, 0)),
)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_transformers_gives_the_vectors_of_what_was_packed(pooling, tmp_path, monkeypatch, capsys):
    encoder = small_encoder()
    settings = ContrastiveSettings(
        model="small",
        pairs="unlabelled",
        pooling=pooling,
        n_read_layers=2,
        n_top_layers=1,
        n_epochs=1,
        batch_size=4,
        peak_learning_rate=0.01,
    )
    run = ContrastiveRun(settings, unlabelled_pairs(TEXTS), DEV, encoder)
    *_, last = run.go_on()
    model = trained_encoder(last, encoder)
    query_vector, *_ = sentence_vectors(model, ["An old river"], pooling=pooling)
    ours = sentence_vectors(model, TEXTS, pooling=pooling)
    shown = search_texts(
        "An old river", TEXTS, 5, query_vector=query_vector, text_vectors=ours, pooling=pooling
    )
    packed = pack_sentence_encoder(model, shown, "about it")
    zipfile.ZipFile(io.BytesIO(packed)).extractall(tmp_path)
    folder = tmp_path / SENTENCE_FOLDER

    inputs = transformers.AutoTokenizer.from_pretrained(folder)(
        TEXTS, padding=True, truncation=True, return_tensors="pt"
    )
    theirs, report = transformers.AutoModel.from_pretrained(
        folder, add_pooling_layer=False, output_loading_info=True
    )
    assert not report["missing_keys"] and not report["unexpected_keys"]
    with torch.inference_mode():
        states = theirs(**inputs).last_hidden_state
    real = inputs["attention_mask"].unsqueeze(-1)
    mean = (states * real).sum(dim=1) / real.sum(dim=1)
    expected = mean if pooling == "mean" else states[:, 0]
    torch.testing.assert_close(ours, expected, atol=1e-5, rtol=1e-5)

    assert load_bert(folder).config.n_layers == 2
    of_pooling = json.loads((folder / "1_Pooling/config.json").read_text())
    assert of_pooling["word_embedding_dimension"] == ours.shape[1]
    assert [of_pooling[f"pooling_mode_{name}"] for name in ("mean_tokens", "cls_token")] == [
        pooling == "mean",
        pooling == "cls",
    ]
    monkeypatch.setattr(sys, "argv", ["search.py"])
    code = compile((folder / "search.py").read_text(encoding="utf-8"), "search.py", "exec")
    exec(code, {"__file__": str(folder / "search.py"), "__name__": "__main__"})
    told = capsys.readouterr().out
    assert float(re.search(r"largest difference: (\S+)", told)[1]) < 1e-4


def test_matched_tokens_and_expanded_words_are_those_of_transformers(bundled):
    texts = TEXTS[:4]
    theirs = transformers.BertForMaskedLM.from_pretrained(BUNDLED_FOLDER).eval()
    read = transformers.AutoTokenizer.from_pretrained(BUNDLED_FOLDER)
    states, words = [], []
    for one in texts:
        with torch.inference_mode():
            found = theirs(**read(one, return_tensors="pt"), output_hidden_states=True)
        unit = found.hidden_states[-1][0].numpy()
        states.append(unit / np.linalg.norm(unit, axis=1, keepdims=True))
        words.append(np.log1p(np.maximum(found.logits[0].numpy(), 0)).max(axis=0))
    expected = [[(a @ b.T).max(axis=1).mean() for b in states] for a in states]
    ours = token_states(bundled, texts)
    np.testing.assert_allclose(late_scores(ours, ours), expected, atol=1e-5)
    expanded = expand(bundled, texts, 9)
    for ids, weights, all_weights in zip(expanded.ids, expanded.weights, words, strict=True):
        np.testing.assert_allclose(weights, np.sort(all_weights)[:-10:-1], atol=1e-5)
        np.testing.assert_allclose(weights, all_weights[ids], atol=1e-5)
