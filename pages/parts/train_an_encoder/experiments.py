"""Ready experiments: one setting changed, a guess, then what came of it in stored runs."""

from math import sqrt
from typing import TYPE_CHECKING, Any

import streamlit as st

from mlm_core.figures.charts import lines_chart
from mlm_core.figures.curves import Curve
from pages.parts.train_an_encoder import curves, runs
from pages.shared.caches import cache_training
from pages.shared.course.core_messages import translated
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.kit.part import Part, part
from pages.shared.link import whole_page
from pages.shared.training.run_curves import Shown

if TYPE_CHECKING:
    from mlm_core.stored.static_masking import MaskingRun

OUTCOMES = ("lower", "same", "higher")
# Judged where the test shows the word itself: at a tenth of its tokens, as in 80/10/10.
AT_KEPT, SHARE_KEPT = "mask_only", 0.1
MASKING = "static_masking"  # several runs of each way of masking
WAYS = ("once", "ten", "anew")


@part()
def show(p: Part) -> None:
    """Ask for a guess about one change, then show both runs and whether the guess was right."""
    p.say("lead")
    name = p.choice("experiment")
    st.markdown(f"**{p.section(name)}**")
    guess = ask_for_guess(p.page, "experiment", OUTCOMES, key=p.key(f"guess_{name}"))
    if name == MASKING:
        if guess is not None:
            _reveal_masking(p, guess)
        return
    if guess is not None:
        _reveal(p, name, guess)
    p.button("experiment_train", _start, p, name, icon="play_arrow")


def _start(p: Part, name: str) -> None:
    try:
        runs.start(cache_training.stored_run(name).settings)
    except ValueError as error:
        st.toast(p.section("no_room", reason=translated(str(error))))
    else:
        whole_page.want()  # the opening shows the run


def _reveal(p: Part, name: str, guess: str) -> None:
    """Say how the changed run did beside the usual one, and draw both."""
    usual, changed = cache_training.stored_run("default"), cache_training.stored_run(name)
    both = {runs.stored_title(p, "default"): usual, runs.stored_title(p, name): changed}
    lasts = [run.held_out[-1] for run in (usual, changed)]
    at_kept = name == AT_KEPT
    before, after = (one.accuracy_at_kept if at_kept else one.accuracy for one in lasts)
    assert before is not None and after is not None and usual.baselines is not None
    n = round(usual.baselines.n_predictions * (SHARE_KEPT if at_kept else 1))
    margin = 2 * sqrt((before * (1 - before) + after * (1 - after)) / max(1, n))
    outcome = "same" if abs(after - before) <= margin else "lower" if after < before else "higher"
    values = {"before": before, "after": after, "margin": margin}
    values["outcome"] = p.plain(f"experiment_guess_{outcome}")
    p.say("right" if guess == outcome else "wrong", **values)
    p.say(f"{name}_why")
    shown = [
        Shown(title=title, snapshot=run, pen=pen) for pen, (title, run) in enumerate(both.items())
    ]
    curves.show(p, "experiment_curves", shown)
    table = Table(
        [
            {
                "run": title,
                "loss": last.loss,
                "accuracy": last.accuracy,
                "at [MASK]": last.accuracy_at_masked,
                "at a random word": last.accuracy_at_random,
                "at the word itself": last.accuracy_at_kept,
                "NSP accuracy": last.next_sentence_accuracy,
            }
            for title, last in zip(both, lasts, strict=True)
        ]
    )
    Table([[_short(entry) for entry in row] for row in table.rows], table.columns).show()
    p.numbers("experiment", table)


def _short(entry: object) -> object:
    return float(f"{entry:.3g}") if isinstance(entry, float) else entry


def _reveal_masking(p: Part, guess: str) -> None:
    """Say which way of masking has the higher held-out loss, and draw the curves of all."""
    from mlm_core.evaluation.seeds import seed_mean
    from mlm_core.small_runs.static_masking import RepeatedTask

    found = cache_training.masking_runs()
    seeds = sorted({run.seed for run in found})
    last = {(run.way, run.seed): run.held_out[-1] for run in found}
    once, ten = (
        seed_mean([last[way, seed] - last["anew", seed] for seed in seeds])
        for way in ("once", "ten")
    )
    outcome = "same" if not once.is_clear else "higher" if once.mean > 0 else "lower"
    told: dict[str, Any] = {"n": len(seeds), "outcome": p.plain(f"experiment_guess_{outcome}")}
    for way, one in (("once", once), ("ten", ten)):
        low, high = one.mean - one.margin, one.mean + one.margin
        told |= {f"{way}_mean": one.mean, f"{way}_low": low, f"{way}_high": high}
    p.say("masking_right" if guess == outcome else "masking_wrong", **told)
    _draw_masking(p, found, len(seeds))
    p.say("masking_ten_clear" if ten.is_clear else "masking_ten_unclear", **told)
    p.say("static_masking_why")
    p.code("masking", RepeatedTask, seed_mean)


def _draw_masking(p: Part, found: "tuple[MaskingRun, ...]", n_seeds: int) -> None:
    names = {way: p.plain(f"masking_{way}") for way in WAYS}
    means = {way: _mean_curve(found, way) for way in WAYS}
    lines = [
        Curve(
            name=names[way],
            points=[(step, loss) for step, loss, _ in points],
            errors=[margin for _, _, margin in points],
            pen=pen,
            dots=True,
        )
        for pen, (way, points) in enumerate(means.items())
    ]
    ends: dict[str, Any] = {way: points[-1][1] for way, points in means.items()}
    titles: dict[str, Any] = {"x_title": p.plain("curve_steps"), "y_title": p.plain("masking_axis")}
    p.figure(
        "masking_curves",
        lines_chart(lines, y_axis={"rangemode": "tozero"}, **titles),
        lambda: [
            {"run": names[run.way], "seed": run.seed, "step": step, "loss": loss, "training": t}
            for run in found
            for step, loss, t in zip(run.steps, run.held_out, run.training, strict=True)
        ],
        n=n_seeds,
        **ends,
    )


def _mean_curve(found: "tuple[MaskingRun, ...]", way: str) -> list[tuple[int, float, float]]:
    """Return step, mean held-out loss over the seeds, half of its interval."""
    from mlm_core.evaluation.seeds import seed_mean

    own = [run for run in found if run.way == way]
    means = [seed_mean(losses) for losses in zip(*(run.held_out for run in own), strict=True)]
    return [(step, one.mean, one.margin) for step, one in zip(own[0].steps, means, strict=True)]
