"""A model's family tree: what each encoder after BERT changed, with its source."""

from mlm_core.evaluation.published import Fact, facts
from pages.shared.course.language import FIRST, current
from pages.shared.figures.table import Table
from pages.shared.kit.part import Part, part


@part(code=("evaluation.published:facts",))
def show(p: Part) -> None:
    """Let the learner choose a respect, and compare the models in it."""
    p.say("lead")
    name = p.choice("family_fact")
    p.say(name)
    rows = facts(name)
    Table(
        {
            "model": [f"{each.model} ({each.year})" for each in rows],
            p.label(f"fact_{name}"): [
                each.text.get(current(), each.text.get(FIRST)) or p.plain("nothing")
                for each in rows
            ],
            "paper": [_source(each) for each in rows],
        }
    ).show()
    p.caption("notice")


def _source(fact: Fact) -> str:
    """Return the paper and the place in it; a section has its sign."""
    if fact.paper is None or fact.where is None:
        return ""
    places = [f"§\u00a0{each}" if each[0].isdigit() else each for each in fact.where.split(", ")]
    return f"{fact.paper}, {', '.join(places)}"
