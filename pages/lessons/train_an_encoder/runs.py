"""The runs of this lesson: which one a part looks at, what each is called and has reached."""

from collections.abc import Mapping, Sequence

from mlm_core.encoder.cost import count_parameters
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.snapshot import Snapshot
from mlm_core.stored.runs import DEFAULT_RUN
from pages.kit.caches import cache_training
from pages.kit.part import Part, Table
from pages.kit.remember import read_words
from pages.kit.training import run_status
from pages.kit.training.runs import Run, RunList
from pages.lessons.train_an_encoder import computed

MINE = RunList(
    prefix="train_an_encoder",
    begin=computed.start_run,
    settings_type=SmallRunSettings,
    without_weights={"checkpoints": ()},
)
all_runs, newest, start, look, remove = MINE.all, MINE.newest, MINE.start, MINE.look, MINE.remove
RUNS, LINK = MINE.kept, MINE.link
STORED = ("default", "no_nsp", "mask_only", "next_word", "half_width", "random_heads")
SHARES = ("mask_rate", "random_rate", "keep_rate")
# A row in the page is no wider than the page; the file has every column.
TIMED = ("speed", "seconds")
IN_PAGE = ("run", "steps", "parameters", "loss", "perplexity", "accuracy", "by_kind", "pairs")
BY_KIND = ("at_masked", "at_random", "at_kept")  # in one column of the page
PERCENT = frozenset({"accuracy", "pairs"})
COUNTS = frozenset({"steps", "parameters", "speed", "seconds"})
NONE = "–"


def choose_snapshot(
    p: Part, stored: Sequence[str] = (DEFAULT_RUN,), *, folded: bool = False
) -> tuple[str, Snapshot] | None:
    """Let the learner choose one of their own runs or a stored one; return its title and all of it.

    Without a run of their own, a single stored one is taken. Says why, and returns None, if the
    chosen run has no model yet or no longer. The list is in a fold-out if `folded`.
    """
    runs = {run.name: run for run in all_runs()}
    titles = {name: title_of(p, run) for name, run in reversed(runs.items())}
    titles |= {name: stored_title(p, name) for name in stored}
    chosen = next(iter(titles))  # the newest own run, as soon as there is one
    if len(titles) > 1:
        with run_status.place_of_list(p, "which", folded=folded):
            chosen = p.choice("which", titles, start=chosen)
    if chosen in STORED:
        return titles[chosen], cache_training.stored_run(chosen)
    view = look(runs[chosen])
    if view is None or view.snapshot is None or not view.snapshot.checkpoints:
        run_status.say_no_model(p, view)
        return None
    return titles[chosen], view.snapshot


def title_of(p: Part, run: Run) -> str:
    """Return a run's name for readers."""
    what = differences(p, run.settings) or p.plain("differs_nothing")
    return read_words("runs").plain("run_title", n=run.number, what=what)


def differences(p: Part, settings: SmallRunSettings) -> str:
    """Return in a few words how settings differ from the start values."""
    start = SmallRunSettings()
    differing = [
        p.plain(f"differs_{name}", value=_shown(p, settings, name))
        for name in vars(start)
        # The tests come at even distances over the run: not a choice of its own.
        if name != "evaluate_every" and getattr(settings, name) != getattr(start, name)
    ]
    return ", ".join(dict.fromkeys(differing))


def stored_title(p: Part, name: str) -> str:
    """Return a stored run's name for readers; it says that it is stored."""
    return read_words("runs").plain("stored_title", what=p.plain(f"stored_{name}"))


def _shown(p: Part, settings: SmallRunSettings, name: str) -> object:
    """Return a setting's value for readers; the three shares are one."""
    if name in SHARES:
        return "/".join(formatted(100 * getattr(settings, share), ".0f") for share in SHARES)
    value = getattr(settings, name)
    return p.plain(f"set_objective_{value}") if name == "objective" else value


# All runs side by side, in a table.


def tested_runs(p: Part) -> tuple[dict[str, str], dict[str, Snapshot]]:
    """Return the titles of all runs, newest first, and what was seen of those that were tested."""
    titles, snapshots = {}, {}
    for run in reversed(all_runs()):
        look(run)
        titles[run.name] = title_of(p, run)
        if run.seen is not None and run.seen.held_out:
            snapshots[run.name] = run.seen
    for name in STORED:
        titles[name] = stored_title(p, name)
        snapshots[name] = cache_training.stored_run(name)
    return titles, snapshots


def show_table(p: Part, titles: Mapping[str, str], snapshots: Mapping[str, Snapshot]) -> None:
    """Show a row for each run that has been tested, and offer the file with all digits."""
    rows = [
        {"run": titles[name], **_reached(snapshot, is_stored=name in STORED)}
        for name, snapshot in snapshots.items()
    ]
    columns = [*IN_PAGE, *(name for name in TIMED if any(row[name] for row in rows))]
    heads = [p.plain(f"column_{name}") for name in columns]
    Table([[_entry(row, name) for name in columns] for row in rows], heads).show()
    p.download(
        "runs_csv",
        Table(rows).csv,
        "train_an_encoder_runs.csv",
        "text/csv",
        "save_csv",
        type="tertiary",
    )


def _reached(snapshot: Snapshot, *, is_stored: bool) -> dict[str, float | None]:
    """Return what the table says about a run, at its last test; speed only if it ran here."""
    point, facts = snapshot.held_out[-1], snapshot.facts
    assert facts is not None
    config = snapshot.settings.bert_config(facts.vocabulary_got)
    return {
        "steps": point.step,
        "parameters": sum(term.count for term in count_parameters(config)),
        "vocabulary": facts.vocabulary_got,
        "loss": point.loss,
        "perplexity": point.perplexity,
        "accuracy": point.accuracy,
        "at_masked": point.accuracy_at_masked,
        "at_random": point.accuracy_at_random,
        "at_kept": point.accuracy_at_kept,
        "pairs": point.next_sentence_accuracy,
        "speed": None if is_stored else snapshot.tokens_a_second,
        "seconds": None if is_stored else snapshot.seconds,
    }


def _entry(row: dict, name: str) -> str:
    """Return one entry of the table in the page."""
    if name == "by_kind":
        shares = [row[kind] for kind in BY_KIND]
        return NONE if None in shares else " · ".join(formatted(100 * one, ".0f") for one in shares)
    value = row[name]
    if value is None:
        return NONE
    if name in PERCENT:
        return f"{formatted(100 * value, '.1f')} %"
    if name in COUNTS:
        return formatted(value, ",.0f")
    return value if isinstance(value, str) else significant(value, 3)
