"""Make the table of scores: each way to fine-tune with three seeds, and the baselines.

    make stored STORED=figures       mlm_core/data/finetuned/figures.json
    make stored STORED=few_labels    mlm_core/data/finetuned/few_labels_*.json

A seed whose run is stored is not trained again.

Read before this: stored_finetunes.py, ../mlm_core/stored/finetune_figures.py,
../mlm_core/classification/bag_of_words.py, ../mlm_core/answers/rule.py,
../mlm_core/classification/few_labels.py.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from mlm_core.answers.rule import answer_by_rule
from mlm_core.classification.bag_of_words import fit_bag_of_words, majority_class
from mlm_core.classification.exchanged_pairs import exchange_first_texts
from mlm_core.classification.few_labels import FewLabelsRun, usual_settings
from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.pretrained import load
from mlm_core.finetuning.cost import refuse_foreign
from mlm_core.finetuning.fine_tuned import training_data
from mlm_core.finetuning.scores import Scores, right_examples, score_examples
from mlm_core.finetuning.settings import SENTIMENT, Data, FineTuneSettings, language_of, usual_model
from mlm_core.finetuning.snapshot import FineTuneSnapshot, FineTuneTest
from mlm_core.labelled.examples import SCORED_PARTS, Dataset, ScoredPart
from mlm_core.stored.finetune_figures import FEW_FILES, FIGURES_FILE, Figure, majority_scores
from mlm_core.stored.finetunes import (
    FEW,
    FOLDER,
    TASKS,
    few_name,
    few_variants,
    paraphrase_variants,
    read_dataset,
    read_stored,
    stored_settings,
    variants,
)
from mlm_core.stored.runs import as_marks
from tools.stored_finetunes import train_to_the_end, write_rows

SEEDS = (1, 2, 3)
PARAPHRASE: Data = "paraphrase"


def make_figures() -> Iterator[str]:
    """Train every variant with three seeds and write the table; yield lines for a log."""
    found = []
    for task in (*TASKS, PARAPHRASE, SENTIMENT["de"]):
        for row in figures_of(task):
            found.append(row)
            yield (
                f"{task} {row.variant} {row.n_examples or 'all'} seed {row.seed}, {row.part}:"
                f" {row.proportion_right:.1%}, F1 {row.f1:.3f}"
            )
    write_rows(map(asdict, found), FOLDER / FIGURES_FILE)


def make_few_labels() -> Iterator[str]:
    """Compare what three ways make of few labels, in each language; yield lines for a log."""
    for task, file in FEW_FILES.items():
        settings, data = usual_settings(task), read_dataset(task)
        run = FewLabelsRun(settings, data, refuse_foreign(load(settings.model)))
        deque(run.go_on(), maxlen=0)
        write_rows(map(asdict, run.snapshot.scores), FOLDER / file)
        yield f"{task}: {len(run.snapshot.scores)} scores in {run.snapshot.seconds:.0f} s"


def figures_of(task: Data) -> Iterator[Figure]:
    """Yield the rows of one task: its baselines, then what is trained with each seed."""
    encoder, dataset = refuse_foreign(load(usual_model(task))), read_dataset(task)
    yield from baselines(task, dataset)
    if task in SENTIMENT.values():
        yield from (figure for n in FEW for figure in few_bags(task, n))
    for stored, variant, settings, examples in _ways(task, dataset):
        for seed in SEEDS:
            run = _finished(stored, replace(settings, seed=seed), examples, encoder)
            right = marks(seed, examples, run.tested.predicted)
            n = settings.n_examples
            yield figure_of(task, variant, seed, run.result, n_examples=n, right=right)


def baselines(task: Data, dataset: Dataset) -> Iterator[Figure]:
    """Yield the scores of a task's baselines on the test and the dev part."""
    if dataset.kind == "classes":
        bag, most = fit_bag_of_words(dataset.train), majority_class(dataset.train)
    for part in SCORED_PARTS:
        scored = getattr(dataset, part)
        if dataset.kind == "tags":
            yield figure_of(task, "majority", None, majority_scores(dataset, part), part)
            continue
        if dataset.kind == "answers":
            said = {"by_rule": [answer_by_rule(one.question, one.passage) for one in scored]}
        else:
            said = {"majority": [most] * len(scored), "bag_of_words": bag.says(scored)}
        for name, predicted in said.items():
            right = marks(None, dataset, predicted) if part == "test" else ""
            scores = score_examples(scored, predicted, "BIO")
            yield figure_of(task, name, None, scores, part, right=right)


def few_bags(task: Data, n: int) -> Iterator[Figure]:
    """Yield the test scores of a bag of words of the `n` sentences that each seed draws."""
    dataset = read_dataset(task)
    for seed in SEEDS:
        settings = replace(few_variants(n, task=task)["top"], seed=seed)
        bag = fit_bag_of_words(training_data(dataset, settings).train)
        said = bag.says(dataset.test)
        scores, right = score_examples(dataset.test, said, "BIO"), marks(seed, dataset, said)
        yield figure_of(task, "bag_of_words", seed, scores, n_examples=n, right=right)


def marks(seed: int | None, dataset: Dataset, predicted: Sequence[str | tuple[str, ...]]) -> str:
    """Return a mark for each test example, 1 if it is right; "" for tags and later seeds."""
    if dataset.kind == "tags" or seed not in (None, SEEDS[0]):
        return ""
    return as_marks(right_examples(dataset.test, predicted))


def figure_of(
    task: Data,
    variant: str,
    seed: int | None,
    scores: Scores | FineTuneTest,
    part: ScoredPart = "test",
    n_examples: int | None = None,
    right: str = "",
) -> Figure:
    """Return the scores on a part as a row of the table."""
    return Figure(
        task=task,
        variant=variant,
        seed=seed,
        n_examples=n_examples,
        part=part,
        proportion_right=scores.proportion_right,
        f1=scores.f1,
        right=right,
    )


def _ways(task: Data, dataset: Dataset) -> Iterator[tuple[str, str, FineTuneSettings, Dataset]]:
    """Yield what is trained on a task: a stored run's name, variant, settings, examples."""
    # Paraphrase has its default alone and the control: the ways are compared on the other tasks.
    ways = {"top": paraphrase_variants()["top"]} if task == PARAPHRASE else variants(task)
    if (
        language_of(task) != "en"
    ):  # whose ways are not compared: all layers are stored with one seed
        del ways["all"]
    for name, settings in ways.items():
        yield f"{task}_{name}", name, settings, dataset
    if task in ("entailment", PARAPHRASE):  # what is learnt where the first text tells nothing
        best = ways["top" if task == PARAPHRASE else "eight"]
        yield f"{task}_exchanged", "exchanged", best, exchange_first_texts(dataset, 0)
    if task not in SENTIMENT.values():
        return
    for n in FEW:
        for way, settings in few_variants(n, task=task).items():
            yield few_name(n, way, task), way, settings, dataset


def _finished(
    name: str, settings: FineTuneSettings, dataset: Dataset, encoder: OwnModel
) -> FineTuneSnapshot:
    """Return a finished run: stored with the same settings, or new."""
    if name in stored_settings() and (stored := read_stored(name)).settings == settings:
        return stored
    return train_to_the_end(settings, dataset, encoder)
