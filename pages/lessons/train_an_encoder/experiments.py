"""One setting changed: a guess, the result in stored runs, and all runs side by side."""

from collections.abc import Sequence
from functools import partial
from math import hypot
from statistics import stdev

from mlm_core.evaluation.bootstrap import paired_lead
from mlm_core.evaluation.seeds import standard_error
from mlm_core.small_runs.snapshot import Snapshot
from mlm_core.stored.runs import read_right
from pages.kit.caches import cache_training
from pages.kit.part import Part, part
from pages.kit.training.run_curves import Shown
from pages.lessons.train_an_encoder import curves, nsp, runs, several_seeds

OUTCOMES = ("lower", "same", "higher")
# Judged where the test shows the word itself: at a tenth of its tokens, as in 80/10/10.
AT_KEPT = "mask_only"
MOST_CURVES = 4
NSP = "no_nsp"
OF_SEVERAL_SEEDS = {
    "static_masking": several_seeds.reveal_masking,
    "mask_rates": several_seeds.reveal_rates,
}


@part()
def show(p: Part) -> None:
    """Ask for a guess about one change, then show both runs and whether the guess was right."""
    p.say("lead")
    name = p.choice("experiment")
    p.say(name)
    guess = p.guess("experiment", OUTCOMES, key=f"guess_{name}")
    reveal = OF_SEVERAL_SEEDS.get(name)
    if reveal is not None:
        if guess is not None:
            reveal(p, partial(_say_verdict, p, guess))
    else:
        if guess is None:
            _show_runs(p, ("default",))  # what is known already
        else:
            _reveal(p, name, guess)
            _show_runs(p, ("default", name))
            p.say(f"{name}_why")
        p.button("experiment_train", _start, p, name, icon="play_arrow")
    if name == NSP and guess is not None:
        with p.fold("pairs", "link"):
            nsp.judge_pairs(p)
        with p.fold("other_tasks", "compare"):
            nsp.show_other_tasks(p)


def _start(p: Part, name: str) -> None:
    try:
        runs.start(cache_training.stored_run(name).settings)
    except ValueError as error:
        p.toast("no_room", reason=p.translated(error))
    else:
        p.draw_whole_page()  # the opening shows the run


def _reveal(p: Part, name: str, guess: str) -> None:
    """Compare the changed run with the usual one, and say if the difference may be chance."""
    usual, changed = cache_training.stored_run("default"), cache_training.stored_run(name)
    lasts = [run.held_out[-1] for run in (usual, changed)]
    at_kept = name == AT_KEPT
    before, after = (one.accuracy_at_kept if at_kept else one.accuracy for one in lasts)
    assert before is not None and after is not None
    right = [read_right(one, at_kept=at_kept) for one in (name, "default")]
    if all(right):
        lead = paired_lead(*right)
        interval = {"difference": lead.value, "low": lead.low, "high": lead.high}
        direction, apart = lead.direction, p.section("found_paired", **interval)
    else:
        assert usual.baselines is not None and changed.baselines is not None
        n = usual.baselines.n_predictions, changed.baselines.n_predictions
        margin = 2 * hypot(*map(standard_error, (before, after), n))
        direction = (abs(after - before) > margin) * (1 if after > before else -1)
        apart = p.section("found_apart", margin=margin)
    _say_verdict(p, guess, OUTCOMES[1 + direction])
    p.write(f"{p.section('found', before=before, after=after)} {apart}")


def _say_verdict(p: Part, guess: str, outcome: str) -> None:
    p.tell_right("experiment", outcome)
    p.say("right" if guess == outcome else "wrong", outcome=p.plain(f"experiment_guess_{outcome}"))


# All runs, own ones too: their curves on the same axes, and their last tests as a table.


def _show_runs(p: Part, stored: Sequence[str]) -> None:
    """Show the curves of up to four runs; `stored` and the newest own ones to begin with."""
    titles, snapshots = runs.tested_runs(p)
    own = [name for name in snapshots if name not in runs.STORED]
    start = [*own[: MOST_CURVES - len(stored)], *stored]
    options = {name: titles[name] for name in snapshots}
    with (controls := p.row()), p.popover("compared", "checklist", most=MOST_CURVES):
        chosen = p.several("compared", options, start=start, most=MOST_CURVES)
    if chosen:
        shown = [
            Shown(title=titles[name], snapshot=snapshots[name], pen=pen)
            for pen, name in enumerate(chosen)
        ]
        curves.show(p, "compare", shown, controls=controls)
        _warn(p, [run.snapshot for run in shown])
    else:
        p.note("none", icon="checklist")
    with p.fold("table", "table_rows"):
        runs.show_table(p, titles, snapshots)
        if waiting := [title for name, title in titles.items() if name not in snapshots]:
            p.caption("waiting", runs=", ".join(waiting))
        _buttons(p)
        last = [run.held_out[-1] for run in cache_training.masking_runs() if run.way == "anew"]
        p.say("seeds", n=len(last), deviation=stdev(last), range=max(last) - min(last))


def _buttons(p: Part) -> None:
    """Show what can be done with the table: look again, and take an own run off it."""
    own = runs.all_runs()
    if not own:
        return
    with p.row("top"):
        p.button("refresh", icon="refresh")
        for run in reversed(own):
            p.button(
                f"remove_{run.number}",
                _remove,
                p,
                run,
                icon="delete",
                label="remove",
                about={"n": run.number},
                help=runs.title_of(p, run),
            )


def _remove(p: Part, run: runs.Run) -> None:
    runs.remove(run)
    p.draw_whole_page()  # the opening shows the run too


def _warn(p: Part, chosen: list[Snapshot]) -> None:
    """Say which numbers of the chosen runs can't be compared."""
    if len({snapshot.settings.objective == "next_word" for snapshot in chosen}) > 1:
        p.warn("other_task", icon="balance")
    if len({snapshot.settings.own_text for snapshot in chosen}) > 1:
        p.warn("other_text", icon="balance")
    elif len({snapshot.facts and snapshot.facts.vocabulary_got for snapshot in chosen}) > 1:
        p.warn("other_vocabulary", icon="balance")
