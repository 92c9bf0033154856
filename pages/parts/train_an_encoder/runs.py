"""The runs of this lesson: which one a part looks at, and what each is called."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.shared.caches import cache_training
from pages.shared.course.words import read_words
from pages.shared.kit.part import Part
from pages.shared.training.runs import Run, RunList

if TYPE_CHECKING:
    from mlm_core.small_runs.settings import SmallRunSettings
    from mlm_core.small_runs.snapshot import Snapshot

MINE = RunList(
    prefix="train_an_encoder",
    begin=cache_training.start_run,
    settings_type="SmallRunSettings",
    without_weights={"checkpoints": ()},
)
all_runs, newest, start, look, remove = MINE.all, MINE.newest, MINE.start, MINE.look, MINE.remove
RUNS, LINK = MINE.kept, MINE.link
STORED = ("default", "no_nsp", "mask_only", "next_word", "half_width")
SHARES = ("mask_rate", "random_rate", "keep_rate")


def choose_snapshot(p: Part) -> "tuple[str, Snapshot] | None":
    """Let the learner choose a run, their own or a stored one; return its title and all of it.

    Says why, and returns None, if that run has no model yet or no longer.
    """
    words = read_words("runs")
    runs = {run.name: run for run in all_runs()}
    titles = {name: title_of(p, run) for name, run in reversed(runs.items())}
    titles |= {name: stored_title(p, name) for name in STORED}
    # The newest run of one's own, as soon as there is one.
    chosen = p.choice("which", titles, start=next(iter(titles)))
    if chosen in STORED:
        return titles[chosen], cache_training.stored_run(chosen)
    view = look(runs[chosen])
    if view is None:
        st.info(words.section("gone"), icon=":material/history:")
        return None
    if view.snapshot is None or not view.snapshot.checkpoints:
        st.info(words.section("not_ready"), icon=":material/hourglass_top:")
        return None
    return titles[chosen], view.snapshot


def title_of(p: Part, run: Run) -> str:
    """Return a run's name for readers: in a few words, how it differs from the start values."""
    from mlm_core.small_runs.settings import SmallRunSettings

    start = SmallRunSettings()
    differing = [
        p.plain(f"differs_{name}", value=_shown(p, run.settings, name))
        for name in vars(start)
        # The tests come at even distances over the run: not a choice of its own.
        if name != "evaluate_every" and getattr(run.settings, name) != getattr(start, name)
    ]
    what = ", ".join(dict.fromkeys(differing)) or p.plain("differs_nothing")
    return read_words("runs").plain("run_title", n=run.number, what=what)


def stored_title(p: Part, name: str) -> str:
    """Return a stored run's name for readers; it says that it is stored."""
    return read_words("runs").plain("stored_title", what=p.plain(f"stored_{name}"))


def _shown(p: Part, settings: "SmallRunSettings", name: str) -> object:
    """Return a setting's value for readers; the three shares are one."""
    if name in SHARES:
        return "/".join(formatted(100 * getattr(settings, share), ".0f") for share in SHARES)
    value = getattr(settings, name)
    return p.plain(f"set_objective_{value}") if name == "objective" else value
