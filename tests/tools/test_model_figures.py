"""The table of the model card: the lessons' own figures, the same for every model, made again."""

import shutil
from dataclasses import replace
from pathlib import Path
from statistics import mean

import pytest
import torch

from mlm_core.embeddings.contextual import all_layers_word_vectors
from mlm_core.embeddings.senses_data import stored_word
from mlm_core.embeddings.word_senses import scores_by_layer
from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDER
from mlm_core.stored.finetune_figures import Figure, read_figures
from mlm_core.stored.finetunes import read_stored
from mlm_core.text import corpora
from tests.finetuning.small_models import small_encoder
from tools import model_figures
from tools.finetune_figures import SEEDS
from tools.model_figures import (
    ModelFigures,
    SenseFigures,
    held_out_figures,
    load_folder,
    random_start,
    rows,
    sense_figures,
    stored_fine_tunings,
)

ROOT = Path(__file__).parents[2]
WORDS = ("bank", "mouse")


@pytest.fixture(scope="module")
def small():
    return small_encoder()


@pytest.fixture(scope="module")
def held_out_file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("text") / "held_out.txt"
    documents = ["\n".join(document) for document in corpora.documents()]
    path.write_text("\n\n".join(documents), encoding="utf-8")
    return path


def test_the_bundled_folder_is_the_bundled_model_and_a_copy_is_not(tmp_path):
    assert load_folder(BUNDLED_FOLDER).name == BUNDLED
    copy = shutil.copytree(BUNDLED_FOLDER, tmp_path / BUNDLED)
    assert load_folder(copy).name != BUNDLED  # it would be given the stored figures


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(ValueError, match="can't be loaded"):
        load_folder(tmp_path)
    with pytest.raises(ValueError, match="is not there"):
        load_folder(tmp_path / "nothing")


def test_sense_figures_are_the_means_over_words_at_the_top_and_at_the_best_layer(small):
    found = sense_figures(small, WORDS)
    by_word = []
    for word in map(stored_word, WORDS):
        states = all_layers_word_vectors(small, word.sentences).states
        by_word.append(scores_by_layer(states, torch.tensor(word.sense_numbers), len(word.senses)))
    layers = [mean(scores[i].accuracy for scores in by_word) for i in range(small.n_layers + 1)]
    assert found.last[0] == pytest.approx(layers[-1])
    assert found.last[1] == pytest.approx(mean(scores[-1].macro_f1 for scores in by_word))
    assert found.best[0] == pytest.approx(max(layers)) == pytest.approx(layers[found.best_layer])


def start_with_window(n_positions: int) -> OwnModel:
    model = small_encoder()
    config = replace(model.bert.config, n_positions=n_positions)
    return random_start(OwnModel("wider", Bert(config), model.tokenizer))


def test_a_random_start_knows_nothing_of_unseen_text(held_out_file):
    found = held_out_figures(start_with_window(64), [held_out_file], n_texts=256)
    assert set(found) == {"pairs of 64", "natural sentences"}  # 128 don't fit
    for figures in found.values():
        # All 500 entries alike have a loss of ln 500 = 6.2; scattered logits add a little.
        assert 6 < figures.masked_language_loss < 8
        assert figures.masked_accuracy < 0.1
    assert held_out_figures(start_with_window(64), [held_out_file], n_texts=256) == found


def test_the_bundled_models_fine_tunings_are_the_stored_ones():
    found = stored_fine_tunings(is_random=False)
    assert {(f.task, f.variant, f.seed) for f in found} == {
        (task, way, seed)
        for task in ("sentiment", "entities")
        for way in ("top", "all")
        for seed in SEEDS
    }
    assert set(found) <= set(read_figures())
    random = stored_fine_tunings(is_random=True)
    assert {(f.task, f.variant) for f in random} == {("sentiment", "all"), ("entities", "all")}
    assert len(random) == 2 * len(SEEDS)  # none of them from few examples
    stored = read_stored("entities_random").result
    assert stored.f1 in [pytest.approx(f.f1) for f in random if f.seed == 1]


def figures_by_hand(**changes) -> ModelFigures:
    fine_tuned = [
        Figure(task="sentiment", variant="top", seed=1, proportion_right=0.5, f1=0.25),
        Figure(task="sentiment", variant="top", seed=2, proportion_right=0.7, f1=0.75),
    ]
    senses = SenseFigures(best_layer=4, best=(0.875, 0.8), last=(0.75, 0.7))
    return ModelFigures(
        **{"held_out": {}, "senses": senses, "fine_tuned": tuple(fine_tuned)} | changes
    )


def test_a_row_tells_the_mean_of_the_seeds_and_how_far_they_lie_apart():
    column = rows(figures_by_hand())
    ways = model_figures.WAYS
    assert column[f"sentiment, {ways['top']}: accuracy"] == "60.0 % (50.0 to 70.0)"
    assert column[f"sentiment, {ways['top']}: F1"] == "0.500 (0.250 to 0.750)"
    assert column[f"names, {ways['all']}: F1"] == "-"
    assert column["word senses, best layer: accuracy"] == "87.5 % (layer 4)"
    assert column["word senses, last layer: accuracy"] == "75.0 %"
    assert column["word senses, last layer: macro-F1"] == "0.700"


def test_the_model_card_tells_the_stored_fine_tunings_row_by_row():
    lines = (ROOT / "docs" / "model_card.md").read_text(encoding="utf-8").splitlines()
    told = {line.split(" | ")[0].strip("| "): line for line in lines if line.startswith("| ")}
    columns = [
        rows(figures_by_hand(fine_tuned=stored_fine_tunings(is_random)))
        for is_random in (False, True)
    ]
    for name, of_bundled in columns[0].items():
        if not name.startswith("word senses"):
            assert of_bundled in told[name], f"{name}: the card is older than data/finetuned"
            assert columns[1][name] in told[name], name
