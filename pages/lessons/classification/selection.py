"""The best of twenty runs, chosen by the test part: what of its result is luck?"""

from random import Random
from typing import Any

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.evaluation.selection import choose_by_part, draw_part, repeat_selection
from mlm_core.figures.finetuning.classification_variants import slopes_chart
from mlm_core.stored.twenty_runs import N_EXAMPLES, SEEDS, TASK
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part, part
from pages.kit.training import finetune_runs
from pages.lessons.classification import computed

SIZES = ("25", "50", "100", "200")  # sentences of the test part
N_TIMES = 200


@part(code=("evaluation.selection:choose_by_part", "evaluation.selection:repeat_selection"))
def show(p: Part) -> None:
    """Draw a test part, choose by it, and look at the other sentences; then do that often."""
    right = computed.twenty_runs()
    p.say("lead", n_train=N_EXAMPLES)
    finetune_runs.say_if_english(p)
    run = p.counter("selection_run")
    with p.row():
        n = int(p.choice("selection_size", SIZES))
        p.count_on("selection_run", run, "selection_run_go", "casino")
    found = choose_by_part(right, draw_part(right.shape[1], n, Random(run)))
    n_others = right.shape[1] - n
    on_part, on_others = found.on_part.tolist(), found.on_others.tolist()
    about: dict[str, Any] = {
        "n": n,
        "n_others": n_others,
        "best_part": on_part[found.chosen],
        "best_others": on_others[found.chosen],
        "mean_part": float(found.on_part.mean()),
        "mean_others": float(found.on_others.mean()),
        "gap": float(found.gap),
    }
    p.say("fell" if found.gap > 0 else "held", **about)
    parts = (p.plain("on_part", n=n), p.plain("on_others", n=n_others))
    pairs = list(zip(on_part, on_others, strict=True))
    slopes = slopes_chart(pairs, found.chosen, names=(*parts, p.plain("mean"), p.plain("chosen")))
    table = {"seed": list(SEEDS), "on_test_part": on_part, "on_others": on_others}
    about |= {"model": BUNDLED, "n_train": N_EXAMPLES, "run": run + 1}
    p.figure("selection", slopes, table, **about)
    means = repeat_selection(right, n, N_TIMES, Random(n))
    shares = {"on_part": means.on_part, "on_others": means.on_others, "all": means.all_on_others}
    p.say("often", times=means.n, n_lower=means.n_lower, **shares)
    data = cache_finetuning.dataset(TASK)
    p.say("notice", n_train=len(data.train), n_dev=len(data.dev), n_test=len(data.test))
