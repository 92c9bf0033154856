"""What the learners of a load test do, as data. `run.py` drives it.

A learner has one or more tabs. In each, every few seconds, one of the widgets whose keys fit
`moves` gets another value. A tab may begin with `settings` of its own, with texts that are typed
and with a press on `start`, and its page may say how far its run is. A tab that `walks` goes
through all lessons instead (walk.py), each learner from another one on.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, kw_only=True)
class Tab:
    """What one learner does in one tab."""

    page: str = ""  # as in the address; of ANY_LESSON each learner opens another
    query: str = ""
    settings: tuple[str, ...] = ()  # keys (with * and ?) that get another value before the start
    typed: tuple[tuple[str, str], ...] = ()  # key and text; {learner} is the learner's number
    start: str = ""  # key of the button that starts a run
    progress: str = ""  # regular expression; its first group is a number that must grow
    finished: str = ""  # regular expression that a finished run's page shows instead
    shows: str = ""  # regular expression for what must have stood there once
    walks: bool = False
    moves: tuple[str, ...] = ()  # keys that are moved again and again
    every_seconds: float = 3.0


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """What the whole class does; learner number i takes kinds[i % len(kinds)]."""

    kinds: tuple[tuple[Tab, ...], ...]  # each the tabs of one kind of learner
    n_learners: int = 30
    opening_seconds: float = 10.0  # over which the class arrives; not measured
    seconds: float = 20.0  # measured
    seconds_a_lesson: float | None = None  # of who walks; none: all lessons in the time there is
    most_p95_ms: float | None = None  # from a widget's change to its finished rerun
    most_memory_mb: int | None = None  # of the server, at its highest
    is_warm: bool = False  # one visitor opens every lesson before the class comes
    after_seconds: float = 0.0  # from the last one's leaving to a last look at the memory
    most_left_share: float | None = None  # of that memory to the one before the class
    n_processes: int = 1  # more: behind nginx, as deploy/serve.sh starts them
    attacks: tuple[str, ...] = ()  # what one more visitor does meanwhile: attacker.py


ANY_LESSON = "*"

MASKING = Tab(
    page="masking",
    moves=("masking_seed", "masking_do_all", "masking_do_again", "masking_text"),
)

# The training lesson. A third of the class starts the run that everybody is offered, which is
# one job for all; a third each a run of their own. Meanwhile all work in a second tab.
_RUN = "train_an_encoder"
# A fine-tuning reads all texts through its frozen layers before its first step.
_PROGRESS, _FINISHED = r"(?:Step|once:) (\d[\d,\\]*)\s(?:of|%)", "Finished: "
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

# UMAP of sentences of one's own: one fit, which is then kept.
_OWN = "word_senses_own"
OWN_SENTENCES = "\n".join(
    f"Learner {{learner}} saw {n} {what} by the bank of the {where}."
    for n in range(2, 8)
    for what in ("boats", "herons", "old men")
    for where in ("river", "canal")
)
OWN_MAP = Tab(
    page="word_senses",
    query=f"word_senses_part=own&{_OWN}_word=bank&{_OWN}_from=paste&{_OWN}_kind=umap",
    typed=((f"{_OWN}_text", OWN_SENTENCES),),
    shows=r"UMAP by .{1,40}, fitted now",  # .{1,40}: what Markdown needs is escaped
    moves=(f"{_OWN}_kind",),
    every_seconds=20.0,
)

WALK = Tab(page=ANY_LESSON, walks=True)
OPENING = Tab(page=ANY_LESSON)

# Of fifteen who walk through all lessons, two train and two fine-tune beside it, one fits a map.
CLASS = (
    (WALK, DEFAULT_RUN),
    (WALK,),
    (WALK, OWN_RUN),
    (WALK,),
    (WALK, DEFAULT_FINE_TUNING),
    (WALK,),
    (WALK, OWN_FINE_TUNING),
    (WALK,),
    (WALK, OWN_MAP),
    *((WALK,),) * 6,
)

# What one visitor does against a class, all at once.
ATTACKS = ("messages", "texts", "files", "runs")

# What a release has to bear; nineteen minutes.
SCENARIOS = {
    "class": Scenario(
        kinds=CLASS,
        opening_seconds=20.0,
        seconds=300.0,
        most_p95_ms=300.0,
        most_memory_mb=1_000,
        is_warm=True,
        after_seconds=300.0,
        most_left_share=1.1,
    ),
    "openings": Scenario(
        kinds=((OPENING,),),
        n_learners=100,
        opening_seconds=60.0,
        seconds=5.0,
        most_memory_mb=690,
    ),
    "nginx": Scenario(kinds=CLASS, opening_seconds=20.0, seconds=90.0, n_processes=2),
    "attack": Scenario(
        kinds=CLASS,
        n_learners=15,
        seconds=120.0,
        most_p95_ms=500.0,
        is_warm=True,
        attacks=ATTACKS,
    ),
}
