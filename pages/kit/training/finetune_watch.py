"""Fine-tunings during training: the learner's run, its curves, and a stored run next to them."""

from collections.abc import Sequence
from functools import partial
from math import sqrt

from mlm_core.finetuning.settings import READ, Data
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.finetuning.task import loss_of
from mlm_core.finetuning.upper_layers import UpperLayers
from mlm_core.number_format import formatted
from mlm_core.stored.finetune_choices import best_by_read
from mlm_core.stored.finetunes import TASKS
from pages.kit.part import Part, part
from pages.kit.remember import reader
from pages.kit.training import finetune_curves, finetune_runs, run_status
from pages.kit.training.finetune_panel import panel, reads_own
from pages.kit.training.finetune_runs import (
    DEFAULT,
    MINE,
    WORDS,
    stored_runs,
    stored_title,
    title_of,
)
from pages.kit.training.run_curves import Shown
from pages.server.caches import cache_finetuning

SURE = 2.0  # standard errors: 19 of 20 times


def show(p: Part, data: Sequence[Data]) -> None:
    """Show the stored run, or the learner's own with it, and the settings of a new one.

    It is no fragment itself: what is polled and the settings are two, side by side; those of one's
    own examples come with tables of what was understood, and take the full width below.
    """
    p.say("lead")
    is_wide = reads_own(p)
    watched, own = (
        (p.place(), p.place()) if is_wide else p.columns(5, 3, gap="large", of_run="curve")
    )
    with watched:
        run_status.watch(MINE, partial(_draw, data=data, is_wide=is_wide), p)
    with own, p.place(border=True):
        panel(p, data, is_wide)
    _closing(p)


def _draw(p: Part, *, data: Sequence[Data], is_wide: bool) -> None:
    """Show the stored run of such data, or the learner's own with it, as often as it moves."""
    p = p.with_words(WORDS)
    run_status.say_what_came_of_the_link(p, MINE)
    # Looking is what keeps a run going, so each is looked at, shown or not.
    views = {run.name: MINE.look(run) for run in MINE.all()}
    own = {run.name: run for run in MINE.all() if run.settings.data in data}
    usual = {f"{one}_{DEFAULT}" for one in data}
    stored = [name for name in stored_runs(data, with_weights=False) if name in usual]
    with (controls := p.row()):
        name = run_status.choose_shown(
            p,
            {name: title_of(run, with_data=len(data) > 1) for name, run in own.items()},
            {name: stored_title(name) for name in stored},
        )
    shown = []
    if name in own:
        run = own[name]
        run_status.status(p, MINE, run, views[name], preparing=_preparing, say=_say_reached)
        if run.seen is not None and run.seen.tests:
            shown.append(Shown(title=title_of(run, with_data=False), snapshot=run.seen, pen=1))
        name = f"{run.settings.data}_{DEFAULT}"
    if name in stored:
        title = stored_title(name, with_data=False)
        shown.append(Shown(title=title, snapshot=cache_finetuning.stored(name), pen=0))
    if not shown:
        return
    finetune_runs.say_if_english(p, shown[-1].snapshot.settings.data)
    drawn, said = (
        p.columns(3, 2, gap="large", of_run="curve") if is_wide else (p.place(), p.place())
    )
    with drawn:
        finetune_curves.show(p, shown[::-1], controls)
    if shown[0].snapshot.tests[-1].step:
        with said:
            _say(p, shown[0])
            _say_margin(p, shown[0].snapshot)


def _preparing(p: Part, snapshot: FineTuneSnapshot | None) -> str | None:
    if snapshot is None or snapshot.phase == "preparing":
        return p.label("status_preparing")
    if snapshot.phase == "reading":
        return p.label("status_reading", share=snapshot.proportion_read)
    return None


def _say_reached(p: Part, snapshot: FineTuneSnapshot) -> None:
    """Say for which examples the window was too small, and what the last test reached."""
    if snapshot.n_left_out:
        p.caption("left_out", n=snapshot.n_left_out)
    if snapshot.n_cut:
        p.caption("cut_tags" if snapshot.data.kind == "tags" else "cut", n=snapshot.n_cut)
    if not snapshot.tests:
        return
    test, data = snapshot.tests[-1], snapshot.data
    said = (
        p.label(f"reached_share_{data.kind}", value=test.proportion_right),
        p.label(f"reached_f1_{data.kind}", value=test.f1),
        p.label("reached_loss", value=test.loss),
    )
    p.write(f"{p.label(f'reached_on_{data.watched}')} {' · '.join(said)}")


def _say(p: Part, run: Shown) -> None:
    """Say in words how far the run came, and what needs no encoder."""
    snapshot = run.snapshot
    first, last, settings = snapshot.tests[0], snapshot.tests[-1], snapshot.settings
    kind = snapshot.data.kind
    if snapshot.data.dev:
        _say_of_parts(p, run)
    elif kind == "tags":
        scores = {"first": first.f1, "last": last.f1, "words": last.proportion_right}
        p.say("said_tags", run=run.title, step=last.step, **scores)
    else:
        shares = {"first": first.proportion_right, "last": last.proportion_right}
        p.say(f"said_{kind}", run=run.title, step=last.step, **shares)
    levels = cache_finetuning.levels(settings.data, settings.own_data)
    shares = {name: share for name, (share, _) in levels.items()}
    if "bag_of_words" in levels:
        p.say("said_bag_of_words", bag=shares["bag_of_words"], majority=shares["majority"])
    elif "by_rule" in levels:
        p.say("said_by_rule", share=shares["by_rule"], f1=levels["by_rule"][1])
    elif "majority" in levels:
        name = "said_majority_tags" if kind == "tags" else "said_majority"
        p.say(name, majority=shares["majority"])


def _say_of_parts(p: Part, run: Shown) -> None:
    """Say which step is kept by its F1 on dev, and how good it is on the test part."""
    snapshot = run.snapshot
    best = max(snapshot.tests, key=lambda test: test.f1)
    scores = {"first": snapshot.tests[0].f1, "best": best.f1}
    p.say("said_dev", run=run.title, step=best.step, n=len(snapshot.data.dev), **scores)
    if best.step < snapshot.tests[-1].step:
        p.say("said_overfitting")
    if snapshot.on_test is not None:
        p.say(
            "said_on_test_tags" if snapshot.data.kind == "tags" else "said_on_test",
            n=len(snapshot.data.test),
            share=snapshot.on_test.proportion_right,
            f1=snapshot.on_test.f1,
        )


def _say_margin(p: Part, snapshot: FineTuneSnapshot) -> None:
    """Say how much of the result may be random with so few test examples, once it is measured."""
    if snapshot.data.dev and snapshot.on_test is None:
        return
    n = len(snapshot.data.test)
    if snapshot.data.kind == "tags":
        p.caption("margin_tags", n=n)  # words of one sentence hang together
        return
    share = snapshot.result.proportion_right
    p.caption("margin", n=n, share=share, margin=SURE * sqrt(share * (1 - share) / n))


@part(words=(WORDS,))
def _closing(p: Part) -> None:
    p.say("notice")
    _why_fewer(p)
    p.code(p.name, UpperLayers, loss_of)


def _why_fewer(p: Part) -> None:
    """Say what four trained layers reach on dev, with all layers read and with the default's."""
    rows = cache_finetuning.choices()
    n_layers, said = max(row.n_read_layers for row in rows), []
    for task in TASKS:
        best = best_by_read(task, rows)
        scores = " → ".join(formatted(best[n], ".2f") for n in (n_layers, READ))
        said.append(f"{p.plain(f'data_{task}')} {scores}")
    with p.fold("why_fewer", "layers", n=READ, last=n_layers):
        p.say("why_fewer", n=READ, told=", ".join(said))
        if not p.reads_first:
            p.say("why_fewer_taken", model=reader(p.slug))
