"""One blank through the training: a slider over the kept steps, and the guesses at each."""

import re
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.shared.caches import cache_training
from pages.shared.course.core_messages import translated
from pages.shared.course.words import as_text
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs
from pages.shared.link.film import Film
from pages.shared.training.run_curves import Shown

if TYPE_CHECKING:
    from mlm_core.prediction.fillers import FillStep

TEXT, AT = "train_an_encoder_sentence", "train_an_encoder_at"
LAST = "train_an_encoder_last"  # session state: run and step that the slider's end stood for
FILM = Film("train_an_encoder", AT, seconds=0.7)
N_GUESSES = 5
MOST_NAMED = 5  # words that are said to be cut
_TYPED_BLANK = re.compile(r"\[mask\]|_{2,}", re.IGNORECASE)


def show(page: Page, run: Shown) -> int | None:
    """Show a sentence's blank at the step of the slider; return that step, None without one."""
    words, snapshot = page.words, run.snapshot
    typed = inputs.text(words.label("blank"), words.label("blank_default"), key=TEXT)
    if not snapshot.checkpoints:
        return None
    step = _slider(page, run)
    sentence = _TYPED_BLANK.sub("[MASK]", typed)
    if "[MASK]" not in sentence:
        st.info(words.section("run.no_blank"), icon=":material/edit:")
        return step
    place = [checkpoint.step for checkpoint in snapshot.checkpoints].index(step)
    try:
        first, fill = (
            cache_training.blank_guesses(snapshot, sentence, N_GUESSES, k) for k in (0, place)
        )
    except ValueError as error:  # the blank lies beyond the window
        st.info(as_text(translated(str(error))), icon=":material/edit:")
        return step
    name_of = snapshot.tokenizer.id_to_token
    guesses = [(name_of(guess.id), guess.probability) for guess in fill.guesses]
    values = {
        "step": formatted(step, ","),
        "word": guesses[0][0],
        "p": formatted(guesses[0][1], ".2f"),
    }
    bars, said = st.columns([3, 2], vertical_alignment="center")
    with bars:
        show_drawing(
            bars_svg(
                [word for word, _ in guesses],
                [p for _, p in guesses],
                longest=1.0,
                alt=words.plain("blank_alt", **values),
            ),
            key="train_an_encoder_guesses",
            table=lambda: _table(run, sentence),
            source=words.label("blank_source", run=run.title, step=formatted(step, ",")),
        )
    with said:
        _say(page, run, step, (values, fill), first)
    return step


def _slider(page: Page, run: Shown) -> int:
    """Show the kept steps along a slider; who stands at its end moves on with the run."""
    steps = [checkpoint.step for checkpoint in run.snapshot.checkpoints]
    end = (run.title, str(steps[-1]))
    before = st.session_state.get(LAST, end)
    if before[0] != end[0] or st.session_state.get(AT) == before[1]:
        inputs.choose(AT, end[1])
    st.session_state[LAST] = end
    if len(steps) == 1:
        return steps[0]
    options = {str(step): formatted(step, ",") for step in steps}
    FILM.go_on(list(options))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        step = int(inputs.step(page.words.label("at"), options, key=AT, default=end[1]))
        FILM.button(page.words, list(options))
    return step


def _say(
    page: Page, run: Shown, step: int, now: "tuple[dict, FillStep]", first: "FillStep"
) -> None:
    """Say what the bars show, what it was before training, and which words were not known."""
    words, (values, fill) = page.words, now
    tokenizer = run.snapshot.tokenizer
    untrained = {
        "first": tokenizer.id_to_token(first.guesses[0].id),
        "q": formatted(first.guesses[0].probability, ".3f"),
    }
    name = "run.says" if step > run.snapshot.checkpoints[0].step else "run.says_untrained"
    st.markdown(
        words.section(name, **values, **untrained, n=formatted(tokenizer.get_vocab_size(), ","))
    )
    if run.snapshot.settings.objective == "next_word":
        st.caption(words.section("run.from_the_left"))
    inputs.say_what_was_left_out(fill.before)
    cut = [word.text for word in fill.before.words if len(word.positions) > 1]
    tokens = fill.before.tokens
    unknown = [tokens[i].text == "[UNK]" for i in range(len(tokens))]
    lost = [w.text for w in fill.before.words if any(unknown[i] for i in w.positions)]
    for name, found in (("cut_words", cut), ("unknown_words", lost)):
        if found:
            listed = ", ".join(dict.fromkeys(found[:MOST_NAMED])) + ", …" * (
                len(found) > MOST_NAMED
            )
            st.caption(words.section(f"run.{name}", words=listed))


def _table(run: Shown, sentence: str) -> Table:
    """Return the guesses at every kept step."""
    snapshot, rows = run.snapshot, []
    for place, checkpoint in enumerate(snapshot.checkpoints):
        fill = cache_training.blank_guesses(snapshot, sentence, N_GUESSES, place)
        rows += [
            {
                "step": checkpoint.step,
                "rank": rank,
                "word": snapshot.tokenizer.id_to_token(guess.id),
                "probability": guess.probability,
            }
            for rank, guess in enumerate(fill.guesses, start=1)
        ]
    return Table(rows)
