"""Make all stored results in data/ again with one command.

    python -m tools.stored_results                        all of it, an hour or two
    python -m tools.stored_results maps finetuned         only these steps
    python -m tools.stored_results --skip runs figures    all but these

Run it after a change of the bundled model, of our sentences, of the vocabulary trainers or of a
training method. A step is a module that also runs by itself; a later one may read the files of an
earlier one. Each step lists its files, so that tests/test_stored_results.py finds a file that no
step makes.

Read before this: size_curve.py, stored_runs.py, static_masking.py, mask_rates.py, two_languages.py,
nsp_effect.py, stored_maps.py, choose_finetunes.py, stored_finetunes.py, twenty_runs.py,
finetune_figures.py, refusals.py, search_results.py, search_vectors.py, stored_probes.py.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.inside.known_by_layer import PROBE_TASKS, READ_AT
from mlm_core.labelled.world_pairs import PAIR_TASKS
from mlm_core.search.settings import PAIR_KINDS
from mlm_core.small_runs.mask_rates import HIDDEN_SHARES
from mlm_core.small_runs.static_masking import WAYS
from mlm_core.stored import finetunes, maps, runs
from mlm_core.stored import mask_rates as stored_mask_rates
from mlm_core.stored.finetune_choices import CHOICES_FILE
from mlm_core.stored.finetune_figures import FIGURES_FILE
from mlm_core.stored.nsp_effect import LABEL_COUNTS, NSP_FILE, NSP_OBJECTIVES
from mlm_core.stored.probes import PROBES_FILE
from mlm_core.stored.refusals import REFUSALS_FILE
from mlm_core.stored.search_results import RESULTS_FILE as SEARCH_FILE
from mlm_core.stored.search_results import SEEDS as SEEDS_OF_SEARCH
from mlm_core.stored.search_results import UNTRAINED
from mlm_core.stored.search_vectors import VECTORS_FILE
from mlm_core.stored.size_curve import CURVE_FILE
from mlm_core.stored.static_masking import RESULTS_FILE
from mlm_core.stored.static_masking import SEEDS as SEEDS_OF_MASKING
from mlm_core.stored.twenty_runs import RUNS_FILE
from mlm_core.stored.twenty_runs import SEEDS as SEEDS_OF_TWENTY
from mlm_core.stored.two_languages import ALPHAS, LANGUAGES_FILE
from mlm_core.stored.two_languages import SEEDS as SEEDS_OF_LANGUAGES
from mlm_core.text.size_curve import SIZES
from mlm_core.text.subword_trainers import ALGORITHMS
from tools import (
    choose_finetunes,
    finetune_figures,
    mask_rates,
    nsp_effect,
    refusals,
    search_results,
    search_vectors,
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
# Texts and scripts of ours, published counts, and the model that all of this is made with.
WRITTEN = (
    "sentences_en.txt",
    "mini_world.txt",
    "probe_words.txt",
    "senses/*.txt",
    "senses_in_stories.tsv",
    "classification/*",
    "entities/*",
    "languages.json",
    "published.json",
    "take_home/*.py",
    f"{BUNDLED}/*",
)


@dataclass(frozen=True, kw_only=True)
class Step:
    """The stored results of one module."""

    name: str
    command: str  # the module that makes them alone
    files: Callable[[], frozenset[str]]  # their paths below data/
    make: Callable[[], Iterator[str]]  # makes them; yields lines for a log
    n_lines: Callable[[], int]  # of the log
    seconds: float  # on two cores; only the ratios between the steps matter


def _map_files() -> frozenset[str]:
    model = load(BUNDLED)
    return frozenset(
        f"maps/{maps.map_file(name, pooling).name}"
        for name in maps.map_names()
        for pooling in stored_maps.poolings_that_differ(model, maps.map_sentences(name))
    )


def _run_files() -> frozenset[str]:
    names = (runs.BEST_FILE, *(f"{name}.npz" for name in runs.stored_settings()))
    return frozenset(f"runs/{name}" for name in names)


def _finetuned_files() -> frozenset[str]:
    return frozenset(f"finetuned/{name}.npz" for name in finetunes.stored_settings())


def _n_figures() -> int:
    n_ways = sum(len(finetunes.variants(task)) for task in finetunes.TASKS)
    n_ways += 1  # paraphrase by default
    n_few = sum(len(finetunes.few_variants(n)) for n in finetunes.FEW)
    n_controls = 2  # exchanged first texts
    return (n_ways + n_few + n_controls) * len(finetune_figures.SEEDS)


STEPS = (
    Step(
        name="size_curve",
        command="tools.size_curve",
        files=lambda: frozenset({CURVE_FILE.name}),
        make=size_curve.make_curve,
        n_lines=lambda: len(ALGORITHMS) * len(SIZES),
        seconds=20,
    ),
    Step(
        name="runs",
        command="tools.stored_runs",
        files=_run_files,
        make=stored_runs.make_stored,
        n_lines=lambda: len(_run_files()),
        seconds=200,
    ),
    Step(
        name="masking",
        command="tools.static_masking",
        files=lambda: frozenset({RESULTS_FILE.name}),
        make=static_masking.make_runs,
        n_lines=lambda: len(SEEDS_OF_MASKING) * len(WAYS),
        seconds=160,
    ),
    Step(
        name="mask_rates",
        command="tools.mask_rates",
        files=lambda: frozenset({stored_mask_rates.RESULTS_FILE.name}),
        make=mask_rates.make_runs,
        n_lines=lambda: len(stored_mask_rates.SEEDS) * len(HIDDEN_SHARES),
        seconds=900,
    ),
    Step(
        name="languages",
        command="tools.two_languages",
        files=lambda: frozenset({LANGUAGES_FILE.name}),
        make=two_languages.make_runs,
        n_lines=lambda: sum(map(len, ALPHAS.values())) * len(SEEDS_OF_LANGUAGES),
        seconds=500,
    ),
    # Reads the first seed's runs from the step "runs".
    Step(
        name="nsp",
        command="tools.nsp_effect",
        files=lambda: frozenset({NSP_FILE.name}),
        make=nsp_effect.make_scores,
        n_lines=lambda: len(NSP_OBJECTIVES) * (1 + len(PAIR_TASKS) * len(LABEL_COUNTS)),
        seconds=600,
    ),
    Step(
        name="maps",
        command="tools.stored_maps",
        files=_map_files,
        make=lambda: stored_maps.write_maps(maps.map_names(), only_stale=False),
        n_lines=lambda: len(_map_files()),
        seconds=300,
    ),
    Step(
        name="choices",
        command="tools.choose_finetunes",
        files=lambda: frozenset({f"finetuned/{CHOICES_FILE}"}),
        make=choose_finetunes.make_choices,
        n_lines=choose_finetunes.count_candidates,
        seconds=6000,
    ),
    Step(
        name="finetuned",
        command="tools.stored_finetunes",
        files=_finetuned_files,
        make=stored_finetunes.make_runs,
        n_lines=lambda: len(_finetuned_files()),
        seconds=1500,
    ),
    Step(
        name="twenty_runs",
        command="tools.twenty_runs",
        files=lambda: frozenset({f"finetuned/{RUNS_FILE}"}),
        make=twenty_runs.make_twenty_runs,
        n_lines=lambda: len(SEEDS_OF_TWENTY),
        seconds=160,
    ),
    # Reads the first seed's runs from the step before.
    Step(
        name="figures",
        command="tools.finetune_figures",
        files=lambda: frozenset({f"finetuned/{FIGURES_FILE}"}),
        make=finetune_figures.make_figures,
        n_lines=_n_figures,
        seconds=2900,
    ),
    # Reads the taggers of a step before.
    Step(
        name="refusals",
        command="tools.refusals",
        files=lambda: frozenset({REFUSALS_FILE.name}),
        make=refusals.make_refusals,
        n_lines=lambda: len(refusals.MOST_WRONG),
        seconds=60,
    ),
    Step(
        name="search",
        command="tools.search_results",
        files=lambda: frozenset({SEARCH_FILE.name}),
        make=search_results.make_results,
        n_lines=lambda: len(UNTRAINED) + len(PAIR_KINDS) * len(SEEDS_OF_SEARCH),
        seconds=100,
    ),
    Step(
        name="search_vectors",
        command="tools.search_vectors",
        files=lambda: frozenset({VECTORS_FILE.name}),
        make=search_vectors.make_vectors,
        n_lines=lambda: 1,
        seconds=10,
    ),
    Step(
        name="probes",
        command="tools.stored_probes",
        files=lambda: frozenset({PROBES_FILE.name}),
        make=stored_probes.make_probes,
        n_lines=lambda: len(PROBE_TASKS) * len(READ_AT),
        seconds=30,
    ),
    # Reads runs and maps of the steps before.
    Step(
        name="pictures",
        command="tools.stored_pictures",
        files=lambda: frozenset({stored_pictures.PICTURES_FILE.name}),
        make=stored_pictures.make_pictures,
        n_lines=lambda: len(stored_pictures.PICTURES),
        seconds=10,
    ),
)


def choose_steps(
    names: Sequence[str] = (), skipped: Sequence[str] = (), steps: Sequence[Step] = STEPS
) -> tuple[Step, ...]:
    """Return the named steps (default: all) in order, without the skipped ones.

    Raises ValueError for an unknown name.
    """
    known = [step.name for step in steps]
    unknown = [name for name in (*names, *skipped) if name not in known]
    if unknown:
        raise ValueError(f"no step {', '.join(unknown)}: choose from {', '.join(known)}")
    return tuple(
        step for step in steps if step.name in (names or known) and step.name not in skipped
    )


def make_stored(
    steps: Sequence[Step], clock: Callable[[], float] = time.perf_counter
) -> Iterator[str]:
    """Do the steps; yield each line of their logs with the remaining time."""
    total, before, begun = sum(step.seconds for step in steps), 0.0, clock()
    for number, step in enumerate(steps, 1):
        yield f"step {number} of {len(steps)}, {step.name}: python -m {step.command}"
        n_lines = step.n_lines()
        for n_done, line in enumerate(step.make(), 1):
            # Assumes that the rest takes as long as the steps so far, in proportion.
            done = before + step.seconds * min(n_done / n_lines, 1)
            gone = clock() - begun
            left = gone * (total - done) / done
            yield f"{line.strip()} [{duration(gone)} gone, about {duration(left)} left]"
        before += step.seconds


def unclaimed(folder: Path = DATA_FOLDER, steps: Sequence[Step] = STEPS) -> tuple[str, ...]:
    """Return the files in data/ that no step makes and WRITTEN doesn't list, sorted."""
    made = frozenset[str]().union(*(step.files() for step in steps))
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
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
