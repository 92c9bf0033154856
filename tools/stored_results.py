"""Make all stored results in data/ again with one command.

    python -m tools.stored_results                        all of it, an hour or two
    python -m tools.stored_results maps finetuned         only these steps
    python -m tools.stored_results --skip runs figures    all but these

Run it after a change of the bundled model, of our sentences, of the vocabulary trainers or of a
training method. A later step may read the files of an earlier one. Each step lists its files, so
that tests/test_stored_results.py finds a file that no step makes.

Read before this: size_curve.py, stored_runs.py, static_masking.py, mask_rates.py, made_modern.py,
two_languages.py, nsp_effect.py, stored_maps.py, choose_finetunes.py, stored_finetunes.py,
twenty_runs.py, finetune_figures.py, refusals.py, search_results.py, search_vectors.py,
stored_probes.py, nsp_pairs.py, heads_off.py, head_patterns.py, held_dimensions.py,
patched_pairs.py, sentence_scores.py.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from mlm_core.embeddings.senses_data import stored_word
from mlm_core.encoder.model_list import BUNDLED_FOLDERS, READERS
from mlm_core.encoder.pretrained import load
from mlm_core.stored import finetunes, maps, runs
from mlm_core.stored import mask_rates as stored_mask_rates
from mlm_core.stored.finetune_choices import CHOICES_FILE
from mlm_core.stored.finetune_figures import FEW_FILES, FIGURES_FILE
from mlm_core.stored.head_patterns import PATTERNS_FILE
from mlm_core.stored.heads_off import HEADS_FILE
from mlm_core.stored.held_dimensions import HELD_FILE
from mlm_core.stored.made_modern import RESULTS_FILE as MODERN_FILE
from mlm_core.stored.nsp_effect import NSP_FILE
from mlm_core.stored.nsp_pairs import PAIRS_FILE
from mlm_core.stored.patched_pairs import PAIRS_FILE as PATCHED_FILE
from mlm_core.stored.pictures import pictures_file
from mlm_core.stored.probes import probes_file
from mlm_core.stored.refusals import REFUSALS_FILE
from mlm_core.stored.search_results import results_file
from mlm_core.stored.search_vectors import vectors_file
from mlm_core.stored.sentence_scores import SCORES_FILE
from mlm_core.stored.size_curve import CURVE_FILES
from mlm_core.stored.static_masking import RESULTS_FILE
from mlm_core.stored.twenty_runs import RUNS_FILE
from mlm_core.stored.two_languages import LANGUAGES_FILE
from tools import (
    choose_finetunes,
    finetune_figures,
    head_patterns,
    heads_off,
    held_dimensions,
    made_modern,
    mask_rates,
    nsp_effect,
    nsp_pairs,
    patched_pairs,
    refusals,
    search_results,
    search_vectors,
    sentence_scores,
    size_curve,
    static_masking,
    stored_finetunes,
    stored_maps,
    stored_pictures,
    stored_probes,
    stored_runs,
    twenty_runs,
    two_languages,
)
from tools.pretrain.record import duration

DATA_FOLDER = Path(__file__).parents[1] / "mlm_core" / "data"
# Texts and scripts of ours, published counts, and the models that all of this is made with.
WRITTEN = (
    "sentences_*.txt",
    "mini_world.txt",
    "probe_words*.txt",
    "senses/*.txt",
    "senses/two_languages/*.txt",
    "senses_in_stories.tsv",
    "patched_pairs.tsv",
    "classification/*",
    "entities/*",
    "languages.json",
    "published.json",
    "take_home/*.py",
    *(f"{name}/*" for name in BUNDLED_FOLDERS),
    "mixed_vocabularies.json",  # tools/mixed_vocabularies.py makes it, of texts that are not here
    "public_encoder.json",  # tools/search_results.py makes it, of weights that are not here
)


class Step(NamedTuple):
    """The stored results of one module."""

    name: str
    make: Callable[[], Iterator[str]]  # makes them; yields lines for a log
    files: Callable[[], AbstractSet[str]]  # their paths below data/


def _map_files() -> set[str]:
    return {
        maps.map_file(name, pooling, model.name).relative_to(DATA_FOLDER).as_posix()
        for model in map(load, BUNDLED_FOLDERS)
        for name in maps.map_names(model.name)
        for pooling in stored_maps.poolings_that_differ(model, stored_word(name).sentences)
    }


def _run_files() -> set[str]:
    names = (runs.BEST_FILE, runs.RIGHT_FILE, *(f"{name}.npz" for name in runs.stored_settings()))
    return {f"runs/{name}" for name in names}


def _finetuned_files() -> set[str]:
    return {f"finetuned/{name}.npz" for name in finetunes.stored_settings()}


def _of_languages(file: Callable[[str], Path]) -> set[str]:
    return {file(language).name for language in READERS}


STEPS = (
    Step("size_curve", size_curve.make_curves, lambda: {one.name for one in CURVE_FILES.values()}),
    Step("runs", stored_runs.make_stored, _run_files),
    Step("masking", static_masking.make_runs, lambda: {RESULTS_FILE.name}),
    Step("mask_rates", mask_rates.make_runs, lambda: {stored_mask_rates.RESULTS_FILE.name}),
    Step("made_modern", made_modern.make_runs, lambda: {MODERN_FILE.name}),
    Step("languages", two_languages.make_runs, lambda: {LANGUAGES_FILE.name}),
    # Reads the first seed's runs from the step "runs".
    Step("nsp", nsp_effect.make_scores, lambda: {NSP_FILE.name}),
    # Reads two runs of the step "runs".
    Step("nsp_pairs", nsp_pairs.make_pairs, lambda: {PAIRS_FILE.name}),
    Step("maps", stored_maps.write_maps, _map_files),
    Step("choices", choose_finetunes.make_choices, lambda: {f"finetuned/{CHOICES_FILE}"}),
    Step("finetuned", stored_finetunes.make_runs, _finetuned_files),
    Step("twenty_runs", twenty_runs.make_twenty_runs, lambda: {f"finetuned/{RUNS_FILE}"}),
    # Reads the first seed's runs from the step "finetuned".
    Step("figures", finetune_figures.make_figures, lambda: {f"finetuned/{FIGURES_FILE}"}),
    Step(
        "few_labels",
        finetune_figures.make_few_labels,
        lambda: {f"finetuned/{name}" for name in FEW_FILES.values()},
    ),
    # Reads the taggers of the step "finetuned".
    Step("refusals", refusals.make_refusals, lambda: {REFUSALS_FILE.name}),
    Step("search", search_results.make_results, lambda: _of_languages(results_file)),
    Step("search_vectors", search_vectors.make_vectors, lambda: _of_languages(vectors_file)),
    Step("probes", stored_probes.make_probes, lambda: _of_languages(probes_file)),
    Step("heads_off", heads_off.make_losses, lambda: {HEADS_FILE.name}),
    Step("head_patterns", head_patterns.make_patterns, lambda: {PATTERNS_FILE.name}),
    Step("held_dimensions", held_dimensions.make_losses, lambda: {HELD_FILE.name}),
    Step("patched_pairs", patched_pairs.make_pairs, lambda: {PATCHED_FILE.name}),
    Step("sentence_scores", sentence_scores.make_scores, lambda: {SCORES_FILE.name}),
    # Reads runs and maps of the steps before.
    Step("pictures", stored_pictures.make_pictures, lambda: _of_languages(pictures_file)),
)


def choose_steps(names: Sequence[str] = (), skipped: Sequence[str] = ()) -> tuple[Step, ...]:
    """Return the named steps (default: all) in order, without the skipped ones.

    Raises ValueError for an unknown name.
    """
    known = [step.name for step in STEPS]
    unknown = [name for name in (*names, *skipped) if name not in known]
    if unknown:
        raise ValueError(f"no step {', '.join(unknown)}: choose from {', '.join(known)}")
    return tuple(
        step for step in STEPS if step.name in (names or known) and step.name not in skipped
    )


def make_stored(steps: Sequence[Step]) -> Iterator[str]:
    """Do the steps; yield each line of their logs with the time that is gone."""
    begun = time.perf_counter()
    for number, step in enumerate(steps, 1):
        yield f"step {number} of {len(steps)}, {step.name}: {step.make.__module__}"
        for line in step.make():
            yield f"{line.strip()} [{duration(time.perf_counter() - begun)}]"


def unclaimed() -> tuple[str, ...]:
    """Return the files in data/ that no step makes and WRITTEN doesn't list, sorted."""
    made = set[str]().union(*(step.files() for step in STEPS))
    files = [path for path in DATA_FOLDER.rglob("*") if path.is_file()]
    there = {path.relative_to(DATA_FOLDER).as_posix() for path in files}
    written = {name for name in there if any(PurePosixPath(name).match(one) for one in WRITTEN)}
    return tuple(sorted(there - made - written))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    names = [step.name for step in STEPS]
    parser = argparse.ArgumentParser(prog="python -m tools.stored_results")
    parser.add_argument("steps", nargs="*", help=f"of {', '.join(names)}; all by default")
    parser.add_argument("--skip", nargs="+", default=[], help="steps to leave out")
    options = parser.parse_args(arguments)
    try:
        steps = choose_steps(options.steps, options.skip)
    except ValueError as error:
        parser.error(str(error))
    for line in make_stored(steps):
        print(line, flush=True)
    for name in unclaimed():
        print(f"data/{name} is left over: no step makes it any more, delete it")


if __name__ == "__main__":
    main()
