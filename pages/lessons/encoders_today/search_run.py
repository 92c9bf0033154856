"""Opening: contrastive training, live, and what starts it; what it learned is searched above."""

from functools import partial

from mlm_core.figures.curves import Curve, curves_svg, nice_range
from mlm_core.search.run import ContrastiveSnapshot
from mlm_core.search.settings import default_settings
from pages.kit.part import Part, part
from pages.kit.training import run_status
from pages.kit.training.runs import Run
from pages.lessons.encoders_today import computed
from pages.lessons.encoders_today.search_ways import MINE

MEASURE = "mean_reciprocal_rank"  # by which the best step is kept
WATCHED = "encoders_today_watched"  # where a run is watched
STARTED = "run_started"  # state: whether a run was just started


@part(redraws_page=True, code=("search.info_nce:info_nce",))
def show(p: Part) -> None:
    """Show the state of the learner's run; lead there once it was started."""
    with p.place(css=WATCHED):
        run_status.watch(MINE, _watched, p)
    if p.state.pop(STARTED, False):
        p.scroll_to(WATCHED)


# The progress of a run.


def _watched(p: Part) -> None:
    run_status.say_what_came_of_the_link(p, MINE)
    # Looking is what keeps a run going.
    views = [(run, MINE.look(run)) for run in MINE.all()]
    if not views:
        p.say("lead")
        p.say("idea")
        return
    run, view = views[-1]
    left, right = p.columns(3, 5, gap="large", of_run="curve")
    with left:
        run_status.status(p, MINE, run, view, preparing=_preparing, say=_say_reached)
        p.say("lead")
    with right:
        if run.seen is not None and run.seen.tests:
            _draw(p, run.seen)
            if (language := run.settings.language) != p.language:
                p.caption(f"reads_{language}", model=run.settings.model)


def _preparing(p: Part, snapshot: ContrastiveSnapshot | None) -> str | None:
    if snapshot is None or snapshot.phase == "reading":
        share = 0.0 if snapshot is None else snapshot.proportion_read
        return p.label("reading", share=share)
    return None


def _say_reached(p: Part, snapshot: ContrastiveSnapshot) -> None:
    """Say what the kept step reaches on dev, on one line, after the first test."""
    if snapshot.tests:
        best = max(snapshot.tests, key=lambda test: test.measures[MEASURE])
        scores = {"first": snapshot.tests[0].measures[MEASURE], "best": best.measures[MEASURE]}
        p.write(p.label("reached", step=best.step, **scores))


def _draw(p: Part, snapshot: ContrastiveSnapshot) -> None:
    """Draw the dev part's mean reciprocal rank, or the loss of each step."""
    shown = "dev"
    ranks = [(test.step, test.measures[MEASURE]) for test in snapshot.tests]
    losses = [(point.step, point.loss) for point in snapshot.losses]
    if losses:
        shown = p.choice("curve")
    points, measure = (ranks, MEASURE) if shown == "dev" else (losses, "loss")
    values = [value for _, value in points]
    (_, first), (step, last) = points[0], points[-1]
    p.figure(
        shown,
        partial(
            curves_svg,
            [Curve(name=p.plain(shown), points=points, pen=0, dots=shown == "dev")],
            last_step=snapshot.n_steps,
            y_range=(0.0, 1.0) if shown == "dev" else nice_range(values),
            x_title=p.plain("steps"),
            y_title=p.plain(shown),
        ),
        {"step": [step for step, _ in points], measure: values},
        model=snapshot.settings.model,
        first=first,
        last=last,
        step=step,
    )
    if shown == "dev":
        p.caption("dev_note", n=computed.task("dev", snapshot.settings.language).n_queries)


# The settings of a new run.


def offer_run(p: Part) -> None:
    """Show what a run depends on, folded, and the button that starts it."""
    settings, row = None, p.row()
    with row, p.popover("details", "tune"):
        kind, temperature = p.choice("set_pairs"), p.choice("set_temperature")
        seed = p.slider("set_seed")
        p.caption("run_more", **_layers(p))
    if p.model.bert is None:
        p.note("no_bert", icon="block", name=p.model_name)
    else:
        settings = default_settings(
            p.model_name,
            kind,
            language=p.language,
            temperature=float(temperature),
            seed=int(seed),
        )
    with row:
        run_status.offer_start(p, MINE, settings, partial(_show_run, p), label="train")


def _show_run(p: Part, run: Run) -> None:
    MINE.put_last(run)
    p.state[STARTED] = True


def _layers(p: Part) -> dict[str, int]:
    """Return how many layers are read, and trained with labels and without."""
    n_layers = p.model.n_layers
    n_read, n_top = default_settings(p.model_name, "labelled").layers_of(n_layers)
    _, n_alone = default_settings(p.model_name, "unlabelled").layers_of(n_layers)
    return {"n_read": n_read, "n_top": n_top, "n_alone": n_alone}
