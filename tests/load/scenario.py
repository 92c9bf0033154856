"""What the learners of a load test do, as data. `run.py` drives it.

A learner has one or more tabs. In each, every few seconds, one of the widgets whose keys fit
`moves` gets another value. A tab may begin with `settings` of its own and with a press on
`start`, and its page may say how far its run is.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, kw_only=True)
class Tab:
    """What one learner does in one tab."""

    page: str  # as in the address
    query: str = ""
    settings: tuple[str, ...] = ()  # keys (with * and ?) that get another value before the start
    start: str = ""  # key of the button that starts a run
    progress: str = ""  # regular expression; its first group is a number that must grow
    finished: str = ""  # regular expression that a finished run's page shows instead
    moves: tuple[str, ...] = ()  # keys that are moved again and again
    every_seconds: float = 3.0


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """What the whole class does; learner number i takes kinds[i % len(kinds)]."""

    kinds: tuple[tuple[Tab, ...], ...]  # each the tabs of one kind of learner
    n_learners: int = 30
    opening_seconds: float = 10.0  # over which the class arrives; not measured
    seconds: float = 20.0  # measured
    most_p95_ms: float | None = None  # from a widget's change to its finished rerun
    most_memory_mb: int | None = None  # of the server, at its highest


MASKING = Tab(
    page="masking",
    moves=("masking_seed", "masking_do_next", "masking_do_again", "masking_text"),
)

# The training lesson. A third of the class starts the run that everybody is offered, which is
# one job for all; a third each a run of their own. Meanwhile all work in a second tab.
_RUN = "train_an_encoder"
_PROGRESS, _FINISHED = r"Step (\d[\d,]*) of", "Finished: "
DEFAULT_RUN = Tab(page=_RUN, start=f"{_RUN}_start", progress=_PROGRESS, finished=_FINISHED)
OWN_RUN = Tab(
    page=_RUN,
    settings=(f"{_RUN}_set_seed",),
    start=f"{_RUN}_start",
    progress=_PROGRESS,
    finished=_FINISHED,
)

# Fine-tuning: for some the default run, which is one job again, for some a head of their own.
_FINE_TUNE = "classification"
DEFAULT_FINE_TUNING = Tab(
    page=_FINE_TUNE,
    query=f"{_FINE_TUNE}_part=train",
    start=f"{_FINE_TUNE}_start",
    progress=_PROGRESS,
    finished=_FINISHED,
)
OWN_FINE_TUNING = replace(
    DEFAULT_FINE_TUNING,
    query=f"{_FINE_TUNE}_part=train&{_FINE_TUNE}_set_trained=head",
    settings=(f"{_FINE_TUNE}_set_seed*",),
)

SCENARIOS = {
    "masking": Scenario(kinds=((MASKING,),)),
    "training": Scenario(
        kinds=(
            *((DEFAULT_RUN, MASKING), (OWN_RUN, MASKING)) * 2,
            (DEFAULT_FINE_TUNING, MASKING),
            (OWN_FINE_TUNING, MASKING),
        ),
        seconds=180.0,
        most_p95_ms=300.0,
        most_memory_mb=690,
    ),
}
