"""Several blanks: filled independently from one pass, or one after another."""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.chips import chip_row
from mlm_core.text.tokens import TokenizedText
from pages.parts.prediction_and_loss import setting, typed
from pages.parts.prediction_and_loss.disagreement import count_disagreements
from pages.parts.prediction_and_loss.word_pieces import show_word
from pages.shared.caches import cache, cache_predictions
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import keep, show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

WAYS = ("at_once", "left_to_right", "most_certain_first")


@part
def show(page: Page) -> None:
    """Fill the learner's blanks in three ways, and open the steps of one."""
    from mlm_core.prediction.fillers import MOST_BLANKS, fill_at_once, fill_in_turn, find_blanks

    words = page.words
    kinds = {name: words.label(f"blanks_kind_{name}") for name in ("words", "pieces")}
    kind = inputs.choice(words.label("blanks_kind"), kinds, key="prediction_and_loss_blanks_kind")
    if kind == "pieces":
        show_word(page)
        return
    st.markdown(words.section("blanks.lead"))
    text = typed.blank_sentence(
        page, "blanks_sentence", "blanks_default", key="prediction_and_loss_blanks"
    )
    n_blanks = len(find_blanks(text, cache.model(page.model_name).tokenizer))
    if n_blanks < 2:
        st.info(words.section("blanks.too_few", n=n_blanks), icon=":material/edit:")
    elif n_blanks > MOST_BLANKS:
        st.info(words.section("blanks.too_many", n=n_blanks, most=MOST_BLANKS))
    else:
        _three_ways(page, text)
        _open_steps(page, text)
    st.divider()
    count_disagreements(page)
    show_source(fill_at_once, fill_in_turn, key="prediction_and_loss_blanks_code")


def _steps(page: Page, text: TokenizedText, way: str) -> tuple:
    return cache_predictions.filled(page.model_name, text.text, None if way == "at_once" else way)


def _three_ways(page: Page, text: TokenizedText) -> None:
    """Show what each way writes into the blanks."""
    from mlm_core.prediction.masked_words import put_tokens

    words, rows = page.words, []
    for way in WAYS:
        steps = _steps(page, text, way)
        chosen = {step.position: step.chosen.id for step in steps}
        done = put_tokens(text, chosen, cache.model_tokenizer(page.model_name))
        st.markdown(words.section(f"blanks.{way}"))
        drawing(
            chip_row(done.tokens, selected=chosen, label=words.plain(f"way_{way}")),
            key=f"prediction_and_loss_filled_{way}",
        )
        rows += [
            {
                "way": way,
                "step": number,
                "position": step.position,
                "token": setting.token_name(page, step.chosen.id),
                "probability": step.chosen.probability,
            }
            for number, step in enumerate(steps, start=1)
        ]
    keep(
        "prediction_and_loss_filled",
        table=Table(rows),
        source=words.label("blanks_source", model=page.model_name),
    )
    at_once, in_turn = ([step.chosen.id for step in _steps(page, text, way)] for way in WAYS[:2])
    st.markdown(words.section("blanks.agree" if at_once == in_turn else "blanks.disagree"))


def _open_steps(page: Page, text: TokenizedText) -> None:
    """Show the guesses at the second blank before and after the first was filled."""
    words = page.words
    options = {way: words.label(f"way_{way}") for way in WAYS[1:]}
    way = inputs.choice(words.label("way"), options, key="prediction_and_loss_way")
    steps = _steps(page, text, way)
    number = int(
        inputs.choice(
            words.label("step"),
            {str(i): str(i) for i in range(1, len(steps) + 1)},
            key="prediction_and_loss_step",
            default="2",
        )
    )
    step = steps[number - 1]
    alone = next(s for s in _steps(page, text, "at_once") if s.position == step.position)
    longest = max(s.chosen.probability for s in (step, alone))
    drawing(
        chip_row(step.before.tokens, selected=[step.position], label=words.plain("before")),
        key="prediction_and_loss_before",
    )
    for name, shown, column in zip(
        ("alone", "in_turn"), (alone, step), st.columns(2, gap="medium"), strict=True
    ):
        tokens = [setting.token_name(page, guess.id) for guess in shown.guesses]
        probabilities = [guess.probability for guess in shown.guesses]
        with column:
            st.markdown(words.section(f"blanks.step_{name}"))
            show_drawing(
                bars_svg(tokens, probabilities, longest=longest, alt=words.plain(f"alt_{name}")),
                key=f"prediction_and_loss_step_{name}",
                table=Table({"token": tokens, "probability": probabilities}),
                source=words.label("step_source", model=page.model_name, position=step.position),
            )
