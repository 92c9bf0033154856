"""Runs side by side: what differs, what each reached, and their curves on the same axes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from pages.parts.train_an_encoder import curves, runs
from pages.shared.caches import cache_training
from pages.shared.course.words import read_words
from pages.shared.figures.table import Table
from pages.shared.kit.part import Part, part
from pages.shared.link import whole_page
from pages.shared.training.run_curves import Shown

if TYPE_CHECKING:
    from mlm_core.small_runs.snapshot import Snapshot

MOST_CURVES = 4
START = ("default", "no_nsp")  # laid over each other before anyone chooses
# A row in the page is no wider than the page; the file has every column.
TIMED = ("speed", "seconds")
IN_PAGE = ("run", "steps", "parameters", "loss", "perplexity", "accuracy", "by_kind", "pairs")
BY_KIND = ("at_masked", "at_random", "at_kept")  # in one column of the page
SHARES = frozenset({"accuracy", "pairs"})
COUNTS = frozenset({"steps", "parameters", "speed", "seconds"})
NONE = "–"


@part(code=("small_runs.held_out:HeldOutTest",))
def show(p: Part) -> None:
    """Show the table of all runs, then the curves of up to four."""
    p.say("lead")
    titles, snapshots = _all(p)
    _table(p, titles, snapshots)
    if waiting := [title for name, title in titles.items() if name not in snapshots]:
        p.caption("waiting", runs=", ".join(waiting))
    _buttons(p)
    own = [name for name in snapshots if name not in runs.STORED]
    start = list(dict.fromkeys([*own[:2], *START]))
    options = {name: titles[name] for name in snapshots}
    chosen = p.several("compared", options, start=start, most=MOST_CURVES)
    if not chosen:
        p.note("none", icon="checklist")
    else:
        shown = [
            Shown(title=titles[name], snapshot=snapshots[name], pen=pen)
            for pen, name in enumerate(chosen)
        ]
        curves.show(p, "compare", shown)
        _warn(p, [run.snapshot for run in shown])
    p.say("notice")


def _all(p: Part) -> "tuple[dict[str, str], dict[str, Snapshot]]":
    """Return the titles of all runs, newest first, and what was seen of those that have begun."""
    titles, snapshots = {}, {}
    for run in reversed(runs.all_runs()):
        runs.look(run)
        titles[run.name] = runs.title_of(p, run)
        if run.seen is not None and run.seen.held_out:
            snapshots[run.name] = run.seen
    for name in runs.STORED:
        titles[name] = runs.stored_title(p, name)
        snapshots[name] = cache_training.stored_run(name)
    return titles, snapshots


def _table(p: Part, titles: Mapping[str, str], snapshots: "Mapping[str, Snapshot]") -> None:
    """Show a row for each run that has been tested, and offer the file with all digits."""
    rows = [
        {"run": titles[name], **_reached(snapshot, is_stored=name in runs.STORED)}
        for name, snapshot in snapshots.items()
    ]
    columns = [*IN_PAGE, *(name for name in TIMED if any(row[name] for row in rows))]
    heads = [p.plain(f"column_{name}") for name in columns]
    Table([[_entry(row, name) for name in columns] for row in rows], heads).show()
    st.download_button(
        read_words("frame").label("save_csv"),
        Table(rows).csv,
        file_name="train_an_encoder_runs.csv",
        mime="text/csv",
        key=p.key("runs_csv"),
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
    )


def _reached(snapshot: "Snapshot", *, is_stored: bool) -> dict[str, float | None]:
    """Return what the table says about a run, at its last test; speed only if it ran here."""
    from mlm_core.encoder.cost import count_parameters

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
    if name in SHARES:
        return f"{formatted(100 * value, '.1f')} %"
    if name in COUNTS:
        return formatted(value, ",.0f")
    return value if isinstance(value, str) else significant(value, 3)


def _buttons(p: Part) -> None:
    """Show what can be done with the table: look again, and take a run of one's own off it."""
    own = runs.all_runs()
    if not own:
        return
    with st.container(horizontal=True):
        st.button(p.label("refresh"), icon=":material/refresh:", key=p.key("refresh"))
        for run in reversed(own):
            st.button(
                p.label("remove", n=run.number),
                icon=":material/delete:",
                key=p.key(f"remove_{run.number}"),
                help=runs.title_of(p, run),
                on_click=_remove,
                args=(run,),
            )


def _remove(run: runs.Run) -> None:
    runs.remove(run)
    whole_page.want()  # the opening shows the run too


def _warn(p: Part, chosen: "list[Snapshot]") -> None:
    """Say which numbers of the chosen runs can't be compared."""
    if len({snapshot.settings.objective == "next_word" for snapshot in chosen}) > 1:
        p.warn("next_word", icon="balance")
    if len({snapshot.settings.own_text for snapshot in chosen}) > 1:
        p.warn("other_text", icon="balance")
    elif len({snapshot.facts and snapshot.facts.vocabulary_got for snapshot in chosen}) > 1:
        p.warn("other_vocabulary", icon="balance")
