"""The opening: the book's Fig 11.3 as a machine that runs on the learner's sentence."""

import streamlit as st

from mlm_core.figures.prediction.losses import loss_arithmetic
from mlm_core.figures.prediction.predictions import MOST_CARDS, Column, machine_html
from mlm_core.number_format import formatted
from mlm_core.text.tokens import Token
from pages.parts.prediction_and_loss import marks, setting
from pages.parts.prediction_and_loss.setting import Setting
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page, safely
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

N_GUESSES = 3


# No fragment of its own: a click here changes what every part below is about.
def show(page: Page) -> None:
    """Draw the machine; a click on a token hides it, replaces it, keeps it or lets it go."""
    with safely():
        _show(page)


def _show(page: Page) -> None:
    words = page.words
    inputs.text(words.label("sentence"), words.plain("default_sentence"), key=setting.TEXT)
    text = setting.sentence(page)
    inputs.say_what_was_left_out(text)
    _show_buttons(page)
    now = setting.current(page)
    if now is None:
        if marks.may_be_chosen(text):  # the chips stay, so that something can be chosen again
            _draw(page, now, [_plain(token) for token in text.tokens])
        return
    _draw(page, now, [_column(page, now, i) for i in range(len(text.tokens))])
    predictions = now.predictions
    left, right = st.columns([3, 2], gap="large", vertical_alignment="center")
    with left:
        st.latex(loss_arithmetic(predictions.losses.tolist()))
    with right, st.container(horizontal=True):
        st.metric(words.label("loss"), formatted(predictions.loss, ".2f"))
        st.metric(words.label("perplexity"), formatted(predictions.perplexity, ",.0f"))
    if len(predictions.positions) > MOST_CARDS:
        st.caption(words.section("machine.more", n=len(predictions.positions), shown=MOST_CARDS))
    st.markdown(words.section("machine.notice", n=len(text.tokens) - len(predictions.positions)))
    if text.text == words.plain("default_sentence"):
        st.caption(words.section("machine.figure"))
    from mlm_core.prediction.masked_words import predict

    show_source(predict, key="prediction_and_loss_machine_code")


def _plain(token: Token) -> Column:
    return Column(token=token, kind="plain", original=token.text)


def _column(page: Page, now: Setting, position: int) -> Column:
    """Return what the machine shows at one position."""
    if position not in now.kinds:
        return _plain(now.text.tokens[position])
    from mlm_core.prediction.fillers import top_fillers

    place = now.predictions.positions.index(position)
    return Column(
        token=now.seen.tokens[position],
        kind=now.kinds[position],
        original=now.text.texts[position],
        guesses=[
            (setting.token_name(page, filler.id), filler.probability)
            for filler in top_fillers(now.predictions.logits[place], N_GUESSES)
        ],
        probability=now.predictions.true_probabilities[place],
        loss=now.predictions.losses[place].item(),
    )


def _draw(page: Page, now: Setting | None, columns: list[Column]) -> None:
    words = page.words

    def turn(value: str) -> None:
        if value.isdecimal() and int(value) < len(columns):
            chosen = setting.current_marks(page, setting.sentence(page))
            _set_marks(marks.turn(int(value), chosen, marks.next_draw()))

    show_drawing(
        machine_html(
            columns,
            encoder=words.plain("encoder", n=cache.model(page.model_name).n_layers),
            truth=words.plain("truth"),
            hidden=words.plain("was"),
            alt=words.plain("machine_alt", n=len(now.kinds) if now else 0, of=len(columns)),
        ),
        key="prediction_and_loss_machine",
        table=Table(
            {
                "position": range(len(columns)),
                "seen": [column.token.text for column in columns],
                "original": [column.original for column in columns],
                "what_happened": [column.kind for column in columns],
                "probability": [c.probability if c.guesses else None for c in columns],
                "loss": [c.loss if c.guesses else None for c in columns],
                "best_guess": [c.guesses[0][0] if c.guesses else None for c in columns],
            }
        ),
        source=words.label("machine_source", model=page.model_name),
        on_click=turn,
    )


# Buttons that choose places all at once.


def _show_buttons(page: Page) -> None:
    """Show the buttons that choose places for the learner: by chance, none, or the book's."""
    words = page.words
    inputs.drawn(words.label("marks"), None, key=marks.KEY)
    with st.container(horizontal=True):
        inputs.button(
            words.label("draw_marks"),
            changes=marks.KEY,
            on_click=_draw_marks,
            args=(page,),
            icon=":material/casino:",
            key="prediction_and_loss_draw",
        )
        inputs.button(
            words.label("clear_marks"),
            changes=marks.KEY,
            on_click=_set_marks,
            args=({},),
            key="prediction_and_loss_clear",
        )
        inputs.button(
            words.label("figure_marks"),
            changes=(marks.KEY, setting.TEXT),
            on_click=_back_to_figure,
            args=(page,),
            icon=":material/restart_alt:",
            key="prediction_and_loss_figure",
        )


def _set_marks(chosen: dict[int, str]) -> None:
    """Keep the marks, unless the link fixes them."""
    inputs.choose(marks.KEY, marks.write(chosen))


def _draw_marks(page: Page) -> None:
    text = setting.sentence(page)
    if marks.may_be_chosen(text):
        _set_marks(marks.drawn(text, marks.next_draw()))


def _back_to_figure(page: Page) -> None:
    st.session_state[setting.TEXT] = page.words.plain("default_sentence")
    inputs.reset(marks.KEY)
