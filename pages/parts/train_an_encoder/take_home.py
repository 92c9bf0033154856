"""Use the trained encoder in the other lessons, and take it home as a zip."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.parts.train_an_encoder import runs
from pages.shared.caches import cache_training, own_models
from pages.shared.course.core_messages import translated
from pages.shared.course.words import as_text
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs, whole_page
from pages.shared.training.zip_button import zip_button

if TYPE_CHECKING:
    from mlm_core.prediction.fillers import FillStep
    from mlm_core.small_runs.held_out import HeldOutPoint
    from mlm_core.small_runs.snapshot import Snapshot

SLUG = "train_an_encoder"
N_GUESSES = 5
TAKEN = f"{SLUG}_taken"  # session state: an encoder of this visit was put to use


@part
def show(page: Page) -> None:
    """Choose a run; put its encoder into the picker, or pack it with a filling."""
    from mlm_core.classroom.take_home import pack_encoder

    words = page.words
    st.markdown(words.section("take_home.lead"))
    found = runs.choose_snapshot(page)
    if found is None:
        return
    title, snapshot = found
    at = snapshot.best_checkpoint
    _say_which(page, snapshot)
    st.subheader(words.label("take_home_use_title"), anchor=False)
    st.markdown(words.section("take_home.use"))
    st.button(
        words.label("take_home_use"),
        on_click=_use,
        args=(snapshot,),
        icon=":material/swap_horiz:",
        key=f"{SLUG}_use",
    )
    if TAKEN in st.session_state:
        st.success(words.section("take_home.used"), icon=":material/check:")
    st.subheader(words.label("take_home_zip_title"), anchor=False)
    st.markdown(words.section("take_home.zip"))
    sentence = inputs.text(
        words.label("take_home_sentence"),
        words.label("take_home_default"),
        key=f"{SLUG}_take_home_text",
    )
    try:
        shown = cache_training.blank_guesses(snapshot, sentence, N_GUESSES, at)
    except ValueError as error:
        st.info(
            words.section("take_home.no_blank", reason=translated(str(error))),
            icon=":material/edit:",
        )
        return
    inputs.say_what_was_left_out(shown.before)
    _show_filling(page, title, snapshot, shown)
    model, about = cache_training.model_at(snapshot, at), _about(page, title, snapshot)
    zip_button(
        words.label("take_home_save"),
        lambda: pack_encoder(model, shown, snapshot.settings.objective, about),
        file_name="my-encoder.zip",
        key=f"{SLUG}_save",
    )
    st.caption(words.section(f"take_home.script_{_script(snapshot)}"))
    show_source(pack_encoder, key=f"{SLUG}_take_home_code")


def _say_which(page: Page, snapshot: "Snapshot") -> None:
    """Say which step's weights are used, where they are not the last ones."""
    best = _best_test(snapshot)
    if best is None or best.step == snapshot.checkpoints[-1].step:
        return
    last = snapshot.held_out[-1]
    st.info(
        page.words.section(
            "take_home.best",
            step=formatted(best.step, ","),
            loss=formatted(best.loss, ".3f"),
            last=formatted(last.step, ","),
            last_loss=formatted(last.loss, ".3f"),
        ),
        icon=":material/trending_down:",
    )


def _best_test(snapshot: "Snapshot") -> "HeldOutPoint | None":
    """Return the test of the weights that are used and packed; None before the first test."""
    step = snapshot.checkpoints[snapshot.best_checkpoint].step
    return next((point for point in snapshot.held_out if point.step == step), None)


def _use(snapshot: "Snapshot") -> None:
    from mlm_core.small_runs.snapshot import model_at

    # One of its own: the cached one is shared, and this one gets a name.
    st.session_state["model"] = own_models.keep(model_at(snapshot, snapshot.best_checkpoint))
    st.session_state[TAKEN] = True
    whole_page.want()  # the picker stands outside this part


def _show_filling(page: Page, title: str, snapshot: "Snapshot", shown: "FillStep") -> None:
    names = [snapshot.tokenizer.id_to_token(guess.id) for guess in shown.guesses]
    values = [guess.probability for guess in shown.guesses]
    show_drawing(
        bars_svg(names, values, longest=1.0, alt=page.words.plain("filling_alt", word=names[0])),
        key=f"{SLUG}_filling",
        table=Table({"token": names, "probability": values}),
        source=title,
    )


def _script(snapshot: "Snapshot") -> str:
    return "next_word" if snapshot.settings.objective == "next_word" else "fill"


def _about(page: Page, title: str, snapshot: "Snapshot") -> str:
    """Return the README of the zip: what was trained, how, and how well."""
    settings = "\n".join(
        f"- {name}: {value}"
        for name, value in vars(snapshot.settings).items()
        if name != "own_text"  # the learner's own; they have it
    )
    best = _best_test(snapshot)
    return page.words.section(
        "take_home.readme",
        title=title,
        step=snapshot.checkpoints[snapshot.best_checkpoint].step,
        n_steps=snapshot.n_steps,
        loss="" if best is None else formatted(best.loss, ".3f"),
        accuracy="" if best is None else formatted(100 * best.accuracy, ".1f"),
        settings="{{settings}}",
    ).replace(as_text("{{settings}}"), settings)
