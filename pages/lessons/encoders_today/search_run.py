"""Opening: contrastive training, live; what it learned is searched above."""

from collections.abc import Iterable
from functools import partial

from mlm_core.figures.curves import Curve, curves_svg, nice_range
from mlm_core.number_format import current_marks, with_marks
from mlm_core.search.run import ContrastiveSnapshot
from mlm_core.search.settings import ContrastiveSettings, default_settings
from pages.kit.part import Part, part
from pages.kit.training import run_status
from pages.lessons.encoders_today import computed
from pages.lessons.encoders_today.search_ways import MINE

REFUSED = "refused"  # state: why the last run could not be started
TEMPERATURES = ("0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1")
MEASURE = "mean_reciprocal_rank"  # by which the best step is kept


@part(redraws_page=True)
def show(p: Part) -> None:
    """Show how the learner's run stands, and the settings of a new one.

    Two parts side by side and none around them: run_status.py has the reason.
    """
    own, watched = run_status.columns([3, 5])
    with own, p.place(border=True):
        _settings(p.page)
    with watched:
        # With a new `Part` at each look the evidence card has only what is drawn last.
        run_status.watch(MINE, lambda page: _watched(Part(page, p.name)), p.page)


# The progress of a run.


def _watched(p: Part) -> None:
    run_status.say_what_came_of_the_link(MINE)
    # Looking is what keeps a run going.
    views = [(run, MINE.look(run)) for run in MINE.all()]
    if not views:
        p.say("idea")
        return
    run, view = views[-1]
    telling = run_status.Telling(
        preparing=partial(_preparing, p), notes=_no_notes, reached=partial(_reached, p)
    )
    run_status.status(p.slug, MINE, run, view, telling)
    if run.seen is not None and run.seen.tests:
        _draw(p, run.seen)
        if (language := run.settings.language) != p.language:
            p.caption(f"reads_{language}", model=run.settings.model)


def _preparing(p: Part, snapshot: ContrastiveSnapshot | None) -> str | None:
    if snapshot is None or snapshot.phase == "reading":
        share = 0.0 if snapshot is None else snapshot.proportion_read
        return p.label("reading", share=share)
    return None


def _no_notes(snapshot: ContrastiveSnapshot) -> Iterable[str]:
    return ()


def _reached(p: Part, snapshot: ContrastiveSnapshot) -> str:
    """Return what the kept step reaches on dev, on one line; "" before the first test."""
    if not snapshot.tests:
        return ""
    best = max(snapshot.tests, key=lambda test: test.measures[MEASURE])
    return p.label(
        "reached",
        first=snapshot.tests[0].measures[MEASURE],
        best=best.measures[MEASURE],
        step=best.step,
    )


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


@part(code=("search.info_nce:info_nce",))
def _settings(p: Part) -> None:
    """Show what the loss depends on, and the button that starts."""
    p.say("lead")
    settings, marks = None, current_marks()
    temperature = p.choice("set_temperature", {one: with_marks(one, marks) for one in TEMPERATURES})
    with p.popover("details", "tune"):
        kind = p.choice("set_pairs")
        seed = p.slider("set_seed")
        p.caption("more", **_layers(p))
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
    run_status.start_button(
        p.key("start"), partial(_start, p), (settings,), is_ready=settings is not None
    )
    if REFUSED in p.state:
        p.refused(p.state[REFUSED])


def _layers(p: Part) -> dict[str, int]:
    """Return how many layers are read, and trained with labels and without."""
    n_layers = p.model.n_layers
    n_read, n_top = default_settings(p.model_name, "labelled").layers_of(n_layers)
    _, n_alone = default_settings(p.model_name, "unlabelled").layers_of(n_layers)
    return {"n_read": n_read, "n_top": n_top, "n_alone": n_alone}


def _start(p: Part, settings: ContrastiveSettings) -> None:
    """Start a run, or show the one that this learner has of the same settings."""
    p.state.pop(REFUSED, None)
    try:
        run = MINE.find_or_start(settings)
    except ValueError as error:
        p.state[REFUSED] = str(error)
        return
    MINE.put_last(run)
    p.draw_whole_page()
