"""A model's family tree: what each encoder after BERT changed, with its source."""

from mlm_core.evaluation.published import Fact, facts
from pages.kit.part import Part, Table, part

ENGLISH = "en"  # every fact is written in it


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
                each.text.get(p.words_language) or each.text.get(ENGLISH) or p.plain("nothing")
                for each in rows
            ],
            "paper": [_source(p, each) for each in rows],
        }
    ).show()
    p.caption("notice")


def _source(p: Part, fact: Fact) -> str:
    """Return the paper and the place in it; a section has its sign."""
    if fact.paper is None or fact.where is None:
        return ""
    places = [_place(p, each) for each in fact.where.split(", ")]
    return f"{fact.paper}, {', '.join(places)}"


def _place(p: Part, place: str) -> str:
    kind, _, number = place.partition(" ")
    if kind in ("Table", "Figure", "Abstract"):
        return f"{p.plain(f'place_{kind.lower()}')}\u00a0{number}".strip()
    return f"§\u00a0{place}" if place[0].isdigit() else place
