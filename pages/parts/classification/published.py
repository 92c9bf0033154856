"""How good are the real ones? Published results, each with its paper and table."""

import re
from functools import partial

from mlm_core.evaluation.published import results
from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.shared.figures.table import Table
from pages.shared.kit.part import Part, part


@part(code=("evaluation.published:results",))
def show(p: Part) -> None:
    """Let the learner choose a task; draw its results and say how to read them."""
    p.say("lead")
    published = results()
    task = p.choice("published_task", list(dict.fromkeys(each.task for each in published)))
    rows = [each for each in published if each.task == task]
    found = [(each, each.value) for each in rows if each.value is not None]
    name = re.split("[ -]", task)[0].lower()
    p.say(name)
    table = {  # also what a paper doesn't report
        "model": [each.model for each in rows],
        "per_cent": [
            p.plain("nothing") if each.value is None else formatted(each.value, ".1f")
            for each in rows
        ],
        "part": [each.part or "" for each in rows],
        "paper": [", ".join(filter(None, (each.paper, each.where))) for each in rows],
    }
    bars = partial(
        bars_svg,
        [each.model for each, _ in found],
        [value / 100 for _, value in found],
        longest=1.0,
        written=[f"{formatted(value, '.1f')} {each.part}" for each, value in found],
    )
    told = ", ".join(f"{each.model} {formatted(value, '.1f')}" for each, value in found)
    metric = p.plain(f"metric_{name}")
    p.figure("published", bars, table, task=task, metric=metric, results=told)
    Table(table).show()
    p.say("reading")
    p.say("ours")
