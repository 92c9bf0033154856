"""Evaluate encoders in one table: held-out text, word senses, fine-tuning.

    python -m tools.model_figures
    python -m tools.model_figures FOLDER --held-out a.txt.xz b.txt.xz

A column for the bundled model, one for the model of each FOLDER, and one for a random start of
the bundled one's sizes, all measured in the same way; docs/model_card.md has such a table.

    held out   texts drawn and corrupted as in pretraining, with one seed, from --held-out
    senses     leave-one-out over our own English sentences; the mean over the words
    tasks      the stored sentiment and names, with the settings that the lessons propose (of a
               random start four layers); the mean of three seeds, and the lowest and highest

The fine-tunings of the bundled model and of a random start are read from data/finetuned
(finetune_figures.py). The best layer is chosen on the sentences it is scored on, so its
score is a little too high, for every model. F1 is that of ../finetuning/scores.py.

Source: SLP3 sections 11.3.1, 11.4 and 11.5; the held-out metrics of google-research/bert.

Read before this: finetune_figures.py, ../mlm_core/pretraining/evaluation.py.
"""

import argparse
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

import torch

from mlm_core.embeddings.contextual import all_layers_word_vectors
from mlm_core.embeddings.senses_data import stored_names, stored_word
from mlm_core.embeddings.word_senses import scores_by_layer, sentence_groups
from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDER
from mlm_core.encoder.pretrained import bert_without_weights, load
from mlm_core.finetuning.settings import Data, Trained, default_settings
from mlm_core.labelled.examples import Dataset
from mlm_core.pretraining.batches import BatchShape
from mlm_core.pretraining.corpus import write_corpus
from mlm_core.pretraining.evaluation import HeldOutFigures, evaluate
from mlm_core.pretraining.objectives import Phase
from mlm_core.pretraining.starting_weights import StartSettings, set_starting_weights
from mlm_core.stored.finetune_figures import Figure, read_figures
from mlm_core.stored.finetunes import read_dataset
from mlm_core.training.loop import generator_of_step
from tools.finetune_figures import SEEDS, figure_of
from tools.pretrain.settings import PretrainingSettings, make_task
from tools.stored_finetunes import train_to_the_end

SEED = 1  # of a random start and of the held-out sample
TASKS: dict[Data, str] = {"sentiment": "sentiment", "entities": "names"}
WAYS: dict[Trained, str] = {"top": "four layers and the head trained", "all": "all layers trained"}
RANDOM_START = "random start"
N_TEXTS, TEXTS_A_BATCH = 3072, 256  # of each kind of held-out text
KINDS = {
    "pairs of 64": BatchShape(length=64, batch_size=TEXTS_A_BATCH),
    "natural sentences": BatchShape(length=64, batch_size=TEXTS_A_BATCH, natural=True),
    "pairs of 128": BatchShape(length=128, batch_size=TEXTS_A_BATCH),
}


@dataclass(frozen=True, kw_only=True)
class SenseFigures:
    """The scores of word sense disambiguation at two layers; means over the words."""

    best_layer: int  # 0 is the embedding output
    best: tuple[float, float]  # accuracy and macro-F1 there
    last: tuple[float, float]  # at the top


@dataclass(frozen=True, kw_only=True)
class ModelFigures:
    """All figures of one model."""

    held_out: dict[str, HeldOutFigures]  # by the kind of text; none without files
    senses: SenseFigures
    fine_tuned: tuple[Figure, ...]  # one a task, way and seed


def load_folder(folder: Path) -> OwnModel:
    """Return the BERT in a folder. Raises ValueError for other models."""
    folder = folder.resolve()
    # A copy of the bundled model by its name would be given the stored figures.
    is_copy = folder.name == BUNDLED and folder != BUNDLED_FOLDER.resolve()
    model = load(f"{folder.parent.name}/{folder.name}" if is_copy else folder.name, folder)
    if not isinstance(model, OwnModel):
        raise ValueError(f"{folder} holds a {model.architecture}: give the folder of a BERT")
    return model


def random_start(model: OwnModel, seed: int = SEED) -> OwnModel:
    """Return an encoder of the same sizes and vocabulary, as pretraining starts it."""
    bert = bert_without_weights(model.bert.config)
    rng = generator_of_step(seed, "starting weights", "cpu")
    set_starting_weights(bert, StartSettings(), rng)
    return OwnModel(RANDOM_START, bert.eval().requires_grad_(False), model.tokenizer)


def english_names() -> tuple[str, ...]:
    """Return the stored words whose sentences are English."""
    return tuple(name for name in stored_names() if stored_word(name).language == "en")


def sense_figures(model: OwnModel, names: Sequence[str]) -> SenseFigures:
    """Return the leave-one-out scores by layer, as means over the named words."""
    by_word = []
    for name in names:
        word = stored_word(name)
        scores = scores_by_layer(
            all_layers_word_vectors(model, word.sentences).states,
            torch.tensor(word.sense_numbers),
            len(word.senses),
            sentence_groups(word.sentences),
        )
        by_word.append([(score.accuracy, score.macro_f1) for score in scores])
    means = torch.tensor(by_word, dtype=torch.float64).mean(dim=0)  # [layer, accuracy or F1]
    best = int(means[:, 0].argmax())
    at_best, at_top = (tuple(means[layer].tolist()) for layer in (best, -1))
    return SenseFigures(best_layer=best, best=at_best, last=at_top)


def held_out_figures(
    model: OwnModel, files: Sequence[Path], n_texts: int = N_TEXTS
) -> dict[str, HeldOutFigures]:
    """Return the figures on text files for each kind of text within the window.

    The files are cut by the model's own vocabulary; from them, the seed draws the texts.
    """
    shapes = {name: shape for name, shape in KINDS.items() if shape.length <= model.max_tokens}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        deque(write_corpus(files, model.tokenizer, folder), maxlen=0)
        settings = PretrainingSettings(train_files=(), held_out_files=tuple(files), folder=folder)
        phases = (Phase(until_step=1, shapes=tuple(shapes.values())),)
        task = make_task(folder, model.tokenizer, phases, settings, torch.device("cpu"))
        return {
            kind: evaluate(
                model.bert,
                task,
                shape,
                generator_of_step(SEED, "held out", "cpu"),
                n_batches=-(-n_texts // TEXTS_A_BATCH),
            )
            for kind, shape in shapes.items()
        }


def fine_tuned_figures(
    model: OwnModel, task: Data, dataset: Dataset, way: Trained, seeds: Sequence[int] = SEEDS
) -> Iterator[Figure]:
    """Fine-tune with each seed and the lesson's settings; yield the test scores."""
    for seed in seeds:
        settings = default_settings(model.name, task, way, seed=seed)
        yield figure_of(task, way, seed, train_to_the_end(settings, dataset, model).result)


def stored_fine_tunings(is_random: bool) -> tuple[Figure, ...]:
    """Return the stored figures of the bundled model, or of a random start."""
    return tuple(
        # Nothing of a random start can be frozen, so it has one way only.
        replace(figure, variant="all") if is_random else figure
        for figure in read_figures()
        if figure.task in TASKS
        and figure.seed is not None
        and figure.n_examples is None
        and (figure.variant == "random" if is_random else figure.variant in WAYS)
    )


def measure(
    model: OwnModel, held_out_files: Sequence[Path], on_progress: Callable[[str], None]
) -> ModelFigures:
    """Return all figures of a model; `on_progress` gets a line before each part."""
    held_out = {}
    if held_out_files:
        on_progress(f"{model.name}: held-out text")
        held_out = held_out_figures(model, held_out_files)
    on_progress(f"{model.name}: word senses")
    senses = sense_figures(model, english_names())
    if model.name in (BUNDLED, RANDOM_START):
        fine_tuned = stored_fine_tunings(model.name == RANDOM_START)
    else:
        fine_tuned = []
        for task in TASKS:
            for way in WAYS:
                on_progress(f"{model.name}: {TASKS[task]}, {WAYS[way]}")
                fine_tuned += fine_tuned_figures(model, task, read_dataset(task), way)
    return ModelFigures(held_out=held_out, senses=senses, fine_tuned=tuple(fine_tuned))


def rows(figures: ModelFigures) -> dict[str, str]:
    """Return a model's column of the table: each formatted figure by its row."""
    found, senses = {}, figures.senses
    for kind, one in figures.held_out.items():
        right = one.next_sentence_accuracy
        found[f"{kind}: MLM loss"] = f"{one.masked_language_loss:.2f}"
        found[f"{kind}: masked accuracy"] = _percent(one.masked_accuracy)
        found[f"{kind}: next sentence right"] = "-" if right is None else _percent(right)
    layer = f"(layer {senses.best_layer})"
    found["word senses, best layer: accuracy"] = f"{_percent(senses.best[0])} {layer}"
    found["word senses, best layer: macro-F1"] = f"{senses.best[1]:.3f}"
    found["word senses, last layer: accuracy"] = _percent(senses.last[0])
    found["word senses, last layer: macro-F1"] = f"{senses.last[1]:.3f}"
    for task, name in TASKS.items():
        for way, description in WAYS.items():
            of_seeds = [f for f in figures.fine_tuned if (f.task, f.variant) == (task, way)]
            if task == "sentiment":  # most words are in no name, so accuracy says little
                proportions = [100 * figure.proportion_right for figure in of_seeds]
                found[f"{name}, {description}: accuracy"] = _spread(proportions, ".1f", " %")
            f1s = [figure.f1 for figure in of_seeds]
            found[f"{name}, {description}: F1"] = _spread(f1s, ".3f", "")
    return found


def _percent(proportion: float) -> str:
    return f"{100 * proportion:.1f} %"


def _spread(numbers: Sequence[float], digits: str, unit: str) -> str:
    if not numbers:
        return "-"
    return f"{mean(numbers):{digits}}{unit} ({min(numbers):{digits}} to {max(numbers):{digits}})"


def table(columns: Sequence[tuple[str, dict[str, str]]]) -> str:
    """Return models' names with their rows() as a Markdown table."""
    found = dict.fromkeys(row for _, column in columns for row in column)
    lines = [["", *(name for name, _ in columns)], ["---"] * (len(columns) + 1)]
    lines += [[row, *(column.get(row, "-") for _, column in columns)] for row in found]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.model_figures")
    parser.add_argument("folders", type=Path, nargs="*", help="of other BERTs to compare with")
    parser.add_argument("--held-out", type=Path, nargs="+", default=[], help=".txt or .txt.xz")
    options = parser.parse_args(arguments)
    bundled = load(BUNDLED)
    models = [bundled, *map(load_folder, options.folders), random_start(bundled)]
    columns = []
    for model in models:
        figures = measure(model, options.held_out, lambda line: print(line, file=sys.stderr))
        columns.append((model.name, rows(figures)))
    print(table(columns))


if __name__ == "__main__":
    main()
