"""How far do a few labels reach? Fine-tuning, a linear head and a prompt on the same examples.

Source: Schick & Schütze 2021; Gao, Fisch & Chen 2021.
"""

from collections.abc import Sequence
from typing import Any

from mlm_core.classification.few_labels import (
    SEEDS,
    TEMPLATES,
    WAYS,
    FewScore,
    FewSettings,
    FewSnapshot,
    leads,
    usual_settings,
    variant,
)
from mlm_core.figures.charts import lines_chart, log_axis
from mlm_core.figures.curves import Curve, Level
from pages.kit.caches import cache_finetuning
from pages.kit.part import LONGEST_TEXT, Part, part
from pages.kit.training import finetune_own_data, run_status
from pages.kit.training.runs import RunList
from pages.lessons.classification import computed

MINE = RunList(
    prefix="few_labels",
    begin=computed.compare_few_labels,
    settings_type=FewSettings,
    without_weights={},
)


@part(redraws_page=True, code=("classification.few_labels:by_blank",))
def show(p: Part) -> None:
    """Show the stored comparison or the learner's newest, and the settings of a new one."""
    p.say("lead")
    drawn, own = p.columns(5, 3, gap="large", of_run="curve")
    with drawn:
        run_status.watch(MINE, _watched, p)
    with own, p.place(border=True):
        _offer(p)
    with p.fold("measured", "straighten"):
        p.say("limits")


@part()
def _offer(p: Part) -> None:
    """Show what a comparison depends on, and the button that starts it."""
    settings, data = None, p.choice("few_data")
    try:
        settings = _settings(p, data == "own")
    except ValueError as error:
        p.refused(error)
    run_status.offer_start(p, MINE, settings, MINE.put_last, label="few_start")


def _settings(p: Part, is_own: bool) -> FewSettings | None:
    """Return what was chosen; None while there are no own examples. Raises ValueError."""
    usual = usual_settings(cache_finetuning.sentiment(p.slug), p.model_name)
    text, words = None, usual.words
    classes = cache_finetuning.dataset(usual.data).classes
    if is_own:
        text = finetune_own_data.as_read(p)
        if not text.strip() or finetune_own_data.waits(p, "own_classes", text):
            p.link_to(p.slug, "train", p.label("paste"), classification_set_data="own_classes")
            return None
        words = classes = cache_finetuning.dataset("own_classes", text).classes
    typed = p.text(f"few_words_{'own' if is_own else 'stored'}", ", ".join(words))
    p.caption("classes", classes=", ".join(classes))
    templates = "\n".join(TEMPLATES[p.language])
    lines = p.area("few_templates", templates, longest=LONGEST_TEXT, height=110).splitlines()
    return FewSettings(
        model=p.model_name,
        data="own_classes" if is_own else usual.data,
        own_data=text,
        templates=tuple(dict.fromkeys(filter(None, map(str.strip, lines)))),
        words=tuple(word.strip() for word in typed.split(",")),
    )


def _watched(p: Part) -> None:
    run_status.say_what_came_of_the_link(p, MINE)
    views = [(run, MINE.look(run)) for run in MINE.all()]  # looking keeps a run going
    if not views:
        settings = usual_settings(cache_finetuning.sentiment(p.slug))
        _draw(p, "stored", settings, computed.few_labels(settings.data))
        return
    run, view = views[-1]
    run_status.status(p, MINE, run, view, preparing=_preparing, say=lambda *_: None)
    if run.seen is not None and run.seen.scores:
        _draw(p, "own", run.settings, run.seen.scores)


def _preparing(p: Part, snapshot: FewSnapshot | None) -> str | None:
    share = 0.0 if snapshot is None else snapshot.proportion_read
    return p.label("reading", share=share) if share < 1 else None


def _draw(p: Part, name: str, settings: FewSettings, scores: Sequence[FewScore]) -> None:
    """Draw a line for each way, and say at each size whether one is shown to be the best."""
    n_test, sizes = len(scores[0].right), sorted({one.n for one in scores})
    reached = {way: [variant(scores, way, n) for n in sizes] for way in WAYS}
    curves = [
        Curve(
            name=p.plain(way),
            points=[(n, one.mean) for n, one in zip(sizes, of, strict=True)],
            errors=[one.margin(n_test) for one in of],
            pen=pen,
            dots=True,
        )
        for pen, (way, of) in enumerate(reached.items())
    ]
    majority = cache_finetuning.levels(settings.data, settings.own_data)["majority"][0]
    chart = lines_chart(
        curves,
        levels=[Level(name=p.plain("majority"), value=majority)],
        x_title=p.plain("x"),
        y_title=p.plain("y"),
        x_axis=log_axis(sizes),
        y_axis={"range": [0, 1]},
    )
    table = [
        {
            "classified_by": p.plain(one.way),
            "examples_a_class": one.n,
            "seed": one.seed,
            "proportion_right": one.right.count("1") / n_test,
            "chosen_on_dev": one.chosen,
        }
        for one in scores
    ]
    ends = " ".join(f"{c.name}: {p.plain('end', value=c.points[-1][1])}" for c in curves)
    about: dict[str, Any] = {
        "n_test": n_test,
        "model": settings.model,
        "n_seeds": len({one.seed for one in scores}),
        "ends": ends,
    }
    p.figure(name, chart, table, alt="alt", n=sizes[-1], **about)
    # A running comparison has some draws of a size: those say nothing of how far draws differ.
    whole = [n for n in sizes if sum(one.n == n for one in scores) >= len(SEEDS) * len(WAYS)]
    found = {n: leads(scores, n) for n in whole}
    is_open = [n for n, of in found.items() if not all(one.is_significant for one in of[:2])]
    if is_open:
        p.say("open", sizes=", ".join(map(str, is_open)))
    shown = []
    for n, one in [(n, one) for n, of in found.items() for one in of if one.is_significant]:
        names = {"best": p.plain(one.first.name), "other": p.plain(one.second.name)}
        shown.append(p.section("shown", n=n, lead=one.difference, margin=one.margin, **names))
    p.write("\n".join(shown))
