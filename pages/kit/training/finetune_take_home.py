"""A fine-tuned model as files: the zip, its README, the script in it, and how to load it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from pages.kit.training import finetune_runs
from pages.kit.training.finetune_record import record_of, settings_told
from pages.server.caches import cache, cache_finetuning
from pages.server.course.words import Words, read_words
from pages.server.figures.show import show_drawing
from pages.server.figures.table import Table
from pages.server.frame.page_frame import Page
from pages.server.frame.source import show_source
from pages.server.link import inputs
from pages.server.process.zip_button import zip_button
from pages.server.record import lesson_record

if TYPE_CHECKING:
    from mlm_core.finetuning.one_answer import OneAnswer
    from mlm_core.finetuning.settings import Data
    from mlm_core.finetuning.snapshot import FineTuneSnapshot


def take_home(
    page: Page,
    data: "tuple[Data, ...]",
    ask_for: Callable[["FineTuneSnapshot"], tuple[str, ...]],
    show_answer: Callable[[str, "FineTuneSnapshot", "OneAnswer"], None],
) -> None:
    """Let the learner choose a run, ask it, save it with its answer, and keep a record.

    `ask_for` shows the fields and returns what is asked, nothing while it isn't complete.
    """
    from mlm_core.finetuning.one_answer import ask
    from mlm_core.finetuning.take_home import pack_fine_tuned

    st.markdown(page.words.section("take_home.lead"))
    found = finetune_runs.choose(page, data, key="take_home_run")
    if found is None:
        return
    title, snapshot = found
    finetune_runs.say_if_english(page, snapshot.settings.data)
    words, slug = read_words("finetune_take_home"), page.lesson.slug
    st.markdown(words.section("ask"))
    asked = ask_for(snapshot)
    if not asked:
        st.info(words.section("empty"), icon=":material/edit:")
        return
    answer, read = cache_finetuning.one_answer(snapshot, asked)
    inputs.say_what_was_left_out(read)
    show_answer(title, snapshot, answer)
    show_files(page, title, snapshot, answer)
    lesson_record.show(record_of(page, title, snapshot, answer), slug=slug)
    show_source(ask, pack_fine_tuned, key=f"{slug}_take_home_code")


def show_drawn(
    page: Page, title: str, snapshot: "FineTuneSnapshot", drawing: str, table: Table
) -> None:
    """Show an answer as a drawing with its numbers, and the run that they come from."""
    settings, step = snapshot.settings, snapshot.step_of_weights
    show_drawing(
        drawing,
        key=f"{page.lesson.slug}_take_home_answer",
        table=table,
        source=read_words("finetune_take_home").label(
            "answer_source", run=title, model=settings.model, step=step
        ),
    )


def show_files(page: Page, title: str, snapshot: "FineTuneSnapshot", answer: "OneAnswer") -> None:
    """Offer the zip, which is made when it is asked for, and show the code that uses it."""
    from mlm_core.finetuning.cost import refuse_foreign
    from mlm_core.finetuning.fine_tuned import fine_tuned
    from mlm_core.finetuning.take_home import SCRIPT_OF_KIND, SCRIPTS, pack_fine_tuned

    words, slug = read_words("finetune_take_home"), page.lesson.slug
    sort = _sort(snapshot)
    script = SCRIPTS / SCRIPT_OF_KIND[answer.kind]
    st.subheader(words.label("files_title"), anchor=False)
    st.markdown(words.section("files"))
    about = readme(words, title, snapshot, sort)
    # Before the press: what runs then has no session, in which a learner's own encoder stands.
    encoder = refuse_foreign(cache.model(snapshot.settings.model))
    zip_button(
        words.label("save"),
        lambda: pack_fine_tuned(fine_tuned(snapshot, encoder), answer, about),
        file_name="my-model.zip",
        key=f"{slug}_take_home_save",
    )
    opened = st.expander(
        words.label("script", script=script.name),
        icon=":material/terminal:",
        key=f"{slug}_take_home_script",
        on_change="rerun",
    )
    if opened.open:
        with opened:
            st.markdown(words.section(f"use_{sort}"))
            st.code(script.read_text(encoding="utf-8"), language="python")


def _sort(snapshot: "FineTuneSnapshot") -> str:
    """Return which of transformers' classes reads it: as the sections are named."""
    kind = snapshot.data.kind
    return kind if kind != "classes" else f"classes_{snapshot.settings.pooling}"


def readme(words: Words, title: str, snapshot: "FineTuneSnapshot", sort: str) -> str:
    """Return what the zip says about the model and its use; `sort` names the section on that."""
    from mlm_core.finetuning.take_home import pins

    kind, test = snapshot.data.kind, snapshot.result
    values = {
        "title": title,
        "step": test.step,
        "n_steps": snapshot.n_steps,
        "share": words.plain(f"share_{kind}"),
        "proportion_right": f"{test.proportion_right:.3f}",
        "f1_name": words.plain(f"f1_{kind}"),
        "f1": f"{test.f1:.3f}",
        "use": words.section(f"use_{sort}"),
        "pins": pins(),
        "settings": "\n".join(
            f"- {name}: {value}" for name, value in settings_told(snapshot).items()
        ),
    }
    return words.file("readme", **values)
