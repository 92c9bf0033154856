"""Opening: contrastive training, live; what it learned is searched above."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.curves import Curve, curves_svg, nice_range
from mlm_core.number_format import current_marks, with_marks
from pages.kit.part import Part, part
from pages.kit.remember import read_words
from pages.kit.training import run_status
from pages.lessons.encoders_today import computed
from pages.lessons.encoders_today.search_ways import MINE
from pages.server.frame.page_frame import Page
from pages.server.link import whole_page

if TYPE_CHECKING:
    from mlm_core.search.run import ContrastiveSnapshot
    from mlm_core.search.settings import ContrastiveSettings

SLUG = "encoders_today"
REFUSED = f"{SLUG}_refused"  # session state: why the last run could not be started
TEMPERATURES = ("0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1")
MEASURE = "mean_reciprocal_rank"  # by which the best step is kept


def show(page: Page) -> None:
    """Show how the learner's run stands, and the settings of a new one.

    Two parts side by side and none around them: run_status.py has the reason.
    """
    own, watched = run_status.columns([3, 5])
    with own, st.container(border=True):
        _settings(page)
    with watched:
        run_status.watch(MINE, _watched, page)


# How a run stands.


def _watched(page: Page) -> None:
    p = Part(page, "search_run")
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
    run_status.status(SLUG, MINE, run, view, telling)
    if run.seen is not None and run.seen.tests:
        _draw(p, run.seen)
        if (language := run.settings.language) != p.language:
            told = {"model": run.settings.model}
            p.write_small(read_words("frame").section(f"reads_{language}", **told))


def _preparing(p: Part, snapshot: "ContrastiveSnapshot | None") -> str | None:
    if snapshot is None or snapshot.phase == "reading":
        share = 0.0 if snapshot is None else snapshot.proportion_read
        return p.label("reading", share=share)
    return None


def _no_notes(snapshot: "ContrastiveSnapshot") -> Iterable[str]:
    return ()


def _reached(p: Part, snapshot: "ContrastiveSnapshot") -> str:
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


def _draw(p: Part, snapshot: "ContrastiveSnapshot") -> None:
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
    from mlm_core.search.settings import default_settings

    p.say("lead")
    settings, marks = None, current_marks()
    temperature = p.choice("set_temperature", {one: with_marks(one, marks) for one in TEMPERATURES})
    with p.popover("details", "tune"):
        kind = p.choice("set_pairs")
        seed = p.slider("set_seed", persist_state="session")
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
    run_status.start_button(p.key("start"), _start, (settings,), is_ready=settings is not None)
    if REFUSED in st.session_state:
        p.refused(st.session_state[REFUSED])


def _layers(p: Part) -> dict[str, int]:
    """Return how many layers are read, and trained with labels and without."""
    from mlm_core.search.settings import default_settings

    n_layers = p.model.n_layers
    n_read, n_top = default_settings(p.model_name, "labelled").layers_of(n_layers)
    _, n_alone = default_settings(p.model_name, "unlabelled").layers_of(n_layers)
    return {"n_read": n_read, "n_top": n_top, "n_alone": n_alone}


def _start(settings: "ContrastiveSettings") -> None:
    """Start a run, or show the one that this learner has of the same settings."""
    st.session_state.pop(REFUSED, None)
    try:
        run = MINE.find_or_start(settings)
    except ValueError as error:
        st.session_state[REFUSED] = str(error)
        return
    MINE.put_last(run)
    whole_page.want()
