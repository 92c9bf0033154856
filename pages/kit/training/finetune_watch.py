"""Fine-tunings as they are trained: how one's own stands, its curves, a stored run beside them."""

from collections.abc import Iterable
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.kit.training import finetune_curves, finetune_runs, run_status
from pages.kit.training.finetune_panel import panel, reads_own
from pages.kit.training.finetune_runs import DEFAULT, MINE, stored_runs, stored_title, title_of
from pages.kit.training.run_curves import Shown
from pages.kit.training.run_status import Telling
from pages.server.caches import cache_finetuning
from pages.server.course.language import FIRST, read_on, reader
from pages.server.course.words import read_words
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part
from pages.server.frame.source import show_source

if TYPE_CHECKING:
    from mlm_core.finetuning.settings import Data
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

SURE = 2.0  # standard errors: 19 of 20 times


def _watch(page: Page, data: "tuple[Data, ...]", is_wide: bool) -> None:
    """Show the stored run of such data, or the learner's own with it, as often as it moves."""
    run_status.watch(MINE, partial(_draw, data=data, is_wide=is_wide), page)


def _draw(page: Page, *, data: "tuple[Data, ...]", is_wide: bool) -> None:
    slug = page.lesson.slug
    run_status.say_what_came_of_the_link(MINE)
    # Looking is what keeps a run going, so each is looked at, shown or not.
    views = {run.name: MINE.look(run) for run in MINE.all()}
    own = {run.name: run for run in MINE.all() if run.settings.data in data}
    usual = {f"{one}_{DEFAULT}" for one in data}
    stored = [name for name in stored_runs(data, with_weights=False) if name in usual]
    name = run_status.choose_shown(
        slug,
        {name: title_of(run, with_data=len(data) > 1) for name, run in own.items()},
        {name: stored_title(name) for name in stored},
    )
    shown = []
    if name in own:
        run = own[name]
        run_status.status(slug, MINE, run, views[name], _TELLING)
        if run.seen is not None and run.seen.tests:
            shown.append(Shown(title=title_of(run, with_data=False), snapshot=run.seen, pen=1))
        name = f"{run.settings.data}_{DEFAULT}"
    if name in stored:
        title = stored_title(name, with_data=False)
        shown.append(Shown(title=title, snapshot=cache_finetuning.stored(name), pen=0))
    if not shown:
        return
    finetune_runs.say_if_english(page, shown[-1].snapshot.settings.data)
    drawn, said = run_status.columns([3, 2]) if is_wide else (st.container(), st.container())
    with drawn:
        finetune_curves.show(page, shown[::-1], key=f"{slug}_curves")
    if not shown[0].snapshot.tests[-1].step:
        return
    with said:
        for sentence in _say(shown[0]):
            st.markdown(sentence)
        if (margin := _margin(shown[0].snapshot)) is not None:
            st.caption(margin)


def _preparing(snapshot: "FineTuneSnapshot | None") -> str | None:
    words = read_words("finetune_runs")
    if snapshot is None or snapshot.phase == "preparing":
        return words.label("status_preparing")
    if snapshot.phase == "reading":
        return words.label(
            "status_reading", percent=formatted(100 * snapshot.proportion_read, ".0f")
        )
    return None


def _notes(snapshot: "FineTuneSnapshot") -> Iterable[str]:
    """Yield what is worth saying about examples that the window was too small for."""
    words = read_words("finetune_runs")
    if snapshot.n_left_out:
        yield words.section("left_out", n=formatted(snapshot.n_left_out, ","))
    if snapshot.n_cut:
        name = "cut_tags" if snapshot.data.kind == "tags" else "cut"
        yield words.section(name, n=formatted(snapshot.n_cut, ","))


def _reached(snapshot: "FineTuneSnapshot") -> str:
    """Return what the run has reached at its last test, on one line."""
    if not snapshot.tests:
        return ""
    words, test, data = read_words("finetune_runs"), snapshot.tests[-1], snapshot.data
    share = formatted(100 * test.proportion_right, ".1f")
    told = (
        words.label(f"reached_share_{data.kind}", value=share),
        words.label(f"reached_f1_{data.kind}", value=formatted(test.f1, ".3f")),
        words.label("reached_loss", value=formatted(test.loss, ".3f")),
    )
    return f"{words.label(f'reached_on_{data.watched}')} {' · '.join(told)}"


_TELLING = Telling(preparing=_preparing, notes=_notes, reached=_reached)


def _say(run: Shown) -> Iterable[str]:
    """Yield in words how far the run came, and what needs no encoder."""
    words, snapshot = read_words("finetune_runs"), run.snapshot
    first, last, settings = snapshot.tests[0], snapshot.tests[-1], snapshot.settings
    kind = snapshot.data.kind
    values = {"run": run.title, "step": formatted(last.step, ",")}
    if kind == "tags":
        values |= {"first": formatted(first.f1, ".2f"), "last": formatted(last.f1, ".2f")}
        values["words"] = formatted(100 * last.proportion_right, ".1f")
    else:
        shares = {"first": first.proportion_right, "last": last.proportion_right}
        values |= {name: formatted(100 * share, ".1f") for name, share in shares.items()}
    if snapshot.data.dev:
        yield from _say_of_parts(run)
    else:
        yield words.section(f"said_{kind}", **values)
    levels = cache_finetuning.levels(settings.data, settings.own_data)
    shares = {name: formatted(100 * share, ".1f") for name, (share, _) in levels.items()}
    if "bag_of_words" in levels:
        bag = shares["bag_of_words"]
        yield words.section("said_bag_of_words", bag=bag, majority=shares["majority"])
    elif "by_rule" in levels:
        f1 = formatted(levels["by_rule"][1], ".2f")
        yield words.section("said_by_rule", share=shares["by_rule"], f1=f1)
    elif "majority" in levels:
        name = "said_majority_tags" if kind == "tags" else "said_majority"
        yield words.section(name, majority=shares["majority"])


def _say_of_parts(run: Shown) -> Iterable[str]:
    """Yield which step is kept by its F1 on dev, and how good it is on the test part."""
    words, snapshot = read_words("finetune_runs"), run.snapshot
    best = max(snapshot.tests, key=lambda test: test.f1)
    yield words.section(
        "said_dev",
        run=run.title,
        first=formatted(snapshot.tests[0].f1, ".2f"),
        best=formatted(best.f1, ".2f"),
        step=formatted(best.step, ","),
        n=formatted(len(snapshot.data.dev), ","),
    )
    if best.step < snapshot.tests[-1].step:
        yield words.section("said_overfitting")
    if snapshot.on_test is not None:
        yield words.section(
            "said_on_test_tags" if snapshot.data.kind == "tags" else "said_on_test",
            n=formatted(len(snapshot.data.test), ","),
            share=formatted(100 * snapshot.on_test.proportion_right, ".1f"),
            f1=formatted(snapshot.on_test.f1, ".2f"),
        )


def _margin(snapshot: "FineTuneSnapshot") -> str | None:
    """Return how much of the result may be the luck of so few test examples.

    It is None while the test part isn't measured.
    """
    if snapshot.data.dev and snapshot.on_test is None:
        return None
    words, n = read_words("finetune_runs"), len(snapshot.data.test)
    if snapshot.data.kind == "tags":
        return words.section("margin_tags", n=n)  # words of one sentence hang together
    share = snapshot.result.proportion_right
    margin = SURE * sqrt(share * (1 - share) / n)
    return words.section(
        "margin", n=n, share=formatted(100 * share, ".0f"), margin=formatted(100 * margin, ".0f")
    )


# The part in which a lesson's learners train their own, beside a stored run.


def show(page: Page, data: "tuple[Data, ...]") -> None:
    """Show the stored run, or the learner's own with it, and the settings of a new one.

    It is no fragment itself: what is polled and the settings are two, side by side; those of one's
    own examples come with tables of what was understood, and take the full width below.
    """
    st.markdown(page.words.section("train.lead"))
    is_wide = reads_own(page)
    watched, own = (st.container(), st.container()) if is_wide else run_status.columns([5, 3])
    with watched:
        _watch(page, data, is_wide)
    with own, st.container(border=True):
        panel(page, data, is_wide)
    _closing(page)


@part
def _closing(page: Page) -> None:
    from mlm_core.finetuning.task import loss_of
    from mlm_core.finetuning.upper_layers import UpperLayers

    st.markdown(page.words.section("train.notice"))
    _why_fewer(page)
    show_source(UpperLayers, loss_of, key=f"{page.lesson.slug}_train_code")


def _why_fewer(page: Page) -> None:
    """Say what four trained layers reach on dev, with all layers read and with the default's."""
    from mlm_core.finetuning.settings import READ
    from mlm_core.stored.finetune_choices import best_by_read
    from mlm_core.stored.finetunes import TASKS

    words, rows = read_words("finetune_runs"), cache_finetuning.choices()
    n_layers, told = max(row.n_read_layers for row in rows), []
    for task in TASKS:
        best = best_by_read(task, rows)
        scores = " → ".join(formatted(best[n], ".2f") for n in (n_layers, READ))
        told.append(f"{words.plain(f'data_{task}')} {scores}")
    with st.expander(words.label("why_fewer", n=READ, last=n_layers), icon=":material/layers:"):
        st.markdown(words.section("why_fewer", n=READ, told=", ".join(told)))
        if read_on(page.lesson.slug) != FIRST:
            st.markdown(words.section("why_fewer_taken", model=reader(page.lesson.slug)))
