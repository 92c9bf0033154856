"""Freeze or tune? A head alone and four trained layers, from ten labelled sentences to all."""

from typing import Any

from mlm_core.evaluation.seeds import Variant, compare
from mlm_core.figures.charts import lines_chart, log_axis
from mlm_core.figures.curves import Curve
from mlm_core.finetuning.settings import USUAL_LAYERS
from mlm_core.stored.finetunes import FROZEN_OR_NOT
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part, part
from pages.lessons.classification import computed

WAYS = ("head", "top")  # as the stored figures name them


@part(code=("evaluation.seeds:compare",))
def show(p: Part) -> None:
    """Draw what both ways reach by the number of labels, and say where they differ."""
    task = cache_finetuning.sentiment(p.slug)
    data = cache_finetuning.dataset(task)
    n_test, numbers = len(data.test), (*FROZEN_OR_NOT, None)
    sizes = [number or len(data.train) for number in numbers]
    reached = {way: [computed.variant(task, way, number) for number in numbers] for way in WAYS}
    p.say("lead", layers=USUAL_LAYERS)
    _draw(p, sizes, reached, n_test)
    for n, head, top in zip(sizes, *reached.values(), strict=True):
        found = compare(top, head, n_test)
        kind = {1: "tuned", 0: "alike", -1: "head"}[found.direction]
        told = {"difference": found.difference, "margin": found.margin}
        p.say(kind, n=n, head=head.mean, top=top.mean, **told)
    rates = "chosen" if p.reads_first else "taken"
    p.write(f"{p.section('notice')} {p.section(rates)}")


def _draw(p: Part, sizes: list[int], reached: dict[str, list[Variant]], n_test: int) -> None:
    curves = [
        Curve(
            name=p.plain(way),
            points=[(n, one.mean) for n, one in zip(sizes, variants, strict=True)],
            errors=[one.standard_error(n_test) for one in variants],
            pen=pen,
            dots=True,
        )
        for pen, (way, variants) in enumerate(reached.items())
    ]
    chart = lines_chart(
        curves,
        x_title=p.plain("x"),
        y_title=p.plain("accuracy"),
        x_axis=log_axis(sizes),
        y_axis={"range": [0, 1]},
    )
    table = [
        {
            "trained": p.plain(way),
            "examples": n,
            "proportion_right": one.mean,
            "standard_error": one.standard_error(n_test),
            "lowest": min(one.proportions),
            "highest": max(one.proportions),
            "seeds": len(one.proportions),
        }
        for way, variants in reached.items()
        for n, one in zip(sizes, variants, strict=True)
    ]
    about: dict[str, Any] = {"n_test": n_test, "n_seeds": len(reached["head"][0].proportions)}
    for way, variants in reached.items():
        about |= {f"{way}_few": variants[0].mean, f"{way}_all": variants[-1].mean}
    p.figure("freeze", chart, table, **about)
