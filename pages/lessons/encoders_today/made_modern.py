"""BERT made modern: its recipe with one change each, stored; with any of them, live; its reach."""

from collections.abc import Sequence
from functools import partial
from statistics import fmean, stdev

from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.figures.curves import Curve, curves_svg, nice_range
from mlm_core.number_format import formatted
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.snapshot import Snapshot
from mlm_core.stored.made_modern import (
    BASELINE,
    CONTROLS,
    MEASURES,
    N_PAIRS,
    N_STEPS,
    SEEDS,
    SWITCHES,
    TEST_EVERY,
    WAYS,
    ModernMeasure,
    recipe_settings,
    switches_of,
)
from pages.kit.part import Part, part
from pages.kit.training import run_status
from pages.lessons.encoders_today import modern_runs, reach
from pages.lessons.encoders_today.modern_runs import MINE

BETTER_IF_HIGHER: tuple[ModernMeasure, ...] = ("blanks", "pairs")
REACH_OPEN = "reach_open"  # state: whether a link asked for what is in the fold


@part(redraws_page=True)
def show(p: Part) -> None:
    """Show what each change does, a run of one's own beside the stored one, and the reach."""
    p.say("lead", n_seeds=len(SEEDS), n_steps=N_STEPS)
    _show_effects(p)
    drawn, own = p.columns(5, 3, gap="large")
    with drawn:
        run_status.watch(MINE, _watched, p)
    with own, p.place(border=True):
        _offer(p)
    # A link to one of its pictures opens it, and it stays open.
    p.state[REACH_OPEN] = p.state.get(REACH_OPEN, False) or p.is_asked("reach_way")
    with p.fold("reach", "straighten", is_open=p.state[REACH_OPEN]):
        reach.show(p)


# What each change does, in stored runs.


@part(
    code=(
        "encoder.modern:geglu",
        "encoder.modern:ModernBlock",
        "small_runs.schedules:falling_rate",
        "evaluation.seeds:seed_mean",
    )
)
def _show_effects(p: Part) -> None:
    """Draw each change's difference from BERT's recipe, and say which are clear."""
    stored, measure = modern_runs.results(), p.choice("modern_measure")
    effects = {switch: stored.effect(switch, measure) for switch in SWITCHES}
    ends = [0.0, *(one.mean + k * one.margin for one in effects.values() for k in (-1, 1))]
    rows = [DotRow(name=p.plain(f"way_{BASELINE}"), values=(0.0,))]
    rows += [
        DotRow(name=p.plain(f"way_{switch}"), values=(one.mean,), errors=(one.margin,))
        for switch, one in effects.items()
    ]
    title = p.plain(f"difference_{measure}")
    p.figure(
        "effects",
        dots_chart(rows, [title], low=min(ends), high=max(ends), x_title=title),
        lambda: _numbers(p),
        n_seeds=len(SEEDS),
        measure=title,
    )
    found: dict[str, list[str]] = {"better": [], "worse": [], "unclear": []}
    for switch, one in effects.items():
        is_better = (one.mean > 0) == (measure in BETTER_IF_HIGHER)
        kind = "unclear" if not one.is_clear else "better" if is_better else "worse"
        about = f"{formatted(one.mean, '+.3f')} ± {formatted(one.margin, '.3f')}"
        found[kind].append(f"{p.plain(f'way_{switch}')} ({about})")
    p.write(" ".join(p.section(f"found_{k}", names="; ".join(v)) for k, v in found.items() if v))
    p.say(f"about_{measure}", n_pairs=N_PAIRS)
    fall = stored.effect("falling_masks", "loss", over="constant_masks")
    ways = (BASELINE, "falling_masks", *CONTROLS)
    ends = {way: fmean(stored.values(way, "loss")) for way in ways}
    p.say("notice", lead=fall.mean, margin=fall.margin, **ends)


def _numbers(p: Part) -> list[dict[str, object]]:
    """Return each way's mean and spread, and its difference with the interval."""
    stored, rows = modern_runs.results(), []
    for measure in MEASURES:
        for way in (*WAYS, *CONTROLS):
            values = stored.values(way, measure)
            effect = None if way == BASELINE else stored.effect(way, measure)
            rows.append(
                {
                    "run": p.plain(f"way_{way}"),
                    "measure": p.plain(f"modern_measure_{measure}"),
                    "mean": fmean(values),
                    "standard_deviation": stdev(values),
                    "difference": effect and effect.mean,
                    "lowest": effect and effect.mean - effect.margin,
                    "highest": effect and effect.mean + effect.margin,
                }
            )
    return rows


# A run of one's own, beside the stored run of BERT's recipe.


@part()
def _offer(p: Part) -> None:
    """Show which changes a run has, and the button that starts it."""
    options: dict[str, str] = {switch: p.plain(f"way_{switch}") for switch in SWITCHES}
    most = len(SWITCHES)
    chosen = p.several("modern_switches", options, start=["rotary", "pre_norm"], most=most)
    seed = p.slider("modern_seed")
    settings = recipe_settings(chosen, int(seed), modern_runs.results().rate)
    run_status.offer_start(p, MINE, settings, MINE.put_last, label="start_own")
    p.caption("own", n_steps=N_STEPS, rate=settings.peak_learning_rate)


def _watched(p: Part) -> None:
    """Draw the newest run's loss, or that of the stored recipe alone."""
    run_status.say_what_came_of_the_link(p, MINE)
    views = [(run, MINE.look(run)) for run in MINE.all()]  # looking keeps a run going
    if not views:
        _draw_curves(p, SEEDS[0], None)
        return
    run, view = views[-1]
    run_status.status(p, MINE, run, view, preparing=_preparing, say=_say_reached)
    _draw_curves(p, run.settings.seed, run.seen)


def _preparing(p: Part, snapshot: Snapshot | None) -> str | None:
    is_new = snapshot is None or snapshot.phase == "preparing"
    return p.label("preparing") if is_new else None


def _say_reached(p: Part, snapshot: Snapshot) -> None:
    if snapshot.held_out:
        last = snapshot.held_out[-1]
        p.write(p.label("reached", step=last.step, loss=last.loss, right=last.accuracy_at_masked))


def _draw_curves(p: Part, seed: int, seen: Snapshot | None) -> None:
    """Draw the stored recipe of the same seed, or else of the first, and the learner's run."""
    at = seed if seed in SEEDS else SEEDS[0]
    usual = next(one for one in modern_runs.results().runs if (one.way, one.seed) == (BASELINE, at))
    name = p.plain("stored", seed=at)
    lines = {name: [(TEST_EVERY * k, loss) for k, loss in enumerate(usual.losses)]}
    if seen is not None and seen.held_out:
        own = p.plain("own_line", what=_what(p, seen.settings), seed=seed)
        lines[own] = [(point.step, point.loss) for point in seen.held_out]
    last = {title: points[-1][1] for title, points in lines.items()}
    told = "; ".join(p.plain("told", run=title, loss=loss) for title, loss in last.items())
    p.figure(
        "curves",
        partial(
            curves_svg,
            [
                Curve(name=title, points=points, pen=pen, dots=True)
                for pen, (title, points) in enumerate(lines.items())
            ],
            last_step=N_STEPS,
            y_range=nice_range([0.0, *(loss for points in lines.values() for _, loss in points)]),
            x_title=p.plain("steps"),
            y_title=p.plain("loss"),
        ),
        [
            {"run": title, "step": step, "loss": loss}
            for title, points in lines.items()
            for step, loss in points
        ],
        runs=told,
    )


def _what(p: Part, settings: SmallRunSettings) -> str:
    names: Sequence[str] = switches_of(settings)
    return " + ".join(p.plain(f"way_{one}") for one in names or WAYS[:1])
