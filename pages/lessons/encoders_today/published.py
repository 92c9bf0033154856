"""How good are the real ones? Published results, each with its paper and table."""

import re

from mlm_core.evaluation.published import results
from mlm_core.number_format import formatted
from pages.kit.part import Part, Table, part


@part(code=("evaluation.published:results",))
def show(p: Part) -> None:
    """Let the learner choose a task; list its results and say how to read them."""
    p.say("lead")
    published = results()
    task = p.choice("published_task", list(dict.fromkeys(each.task for each in published)))
    rows = [each for each in published if each.task == task]
    name = re.split("[ -]", task)[0].lower()
    p.say(name)
    table = {
        "model": [each.model for each in rows],
        "per_cent": [
            p.plain("nothing") if each.value is None else formatted(each.value, ".1f")
            for each in rows
        ],
        "part": [each.part or "" for each in rows],
        "paper": [", ".join(filter(None, (each.paper, each.where))) for each in rows],
    }
    Table(table).show()
    p.numbers("published", table, metric=p.plain(f"metric_{name}"))
    p.say("reading")
    p.say("ours")
