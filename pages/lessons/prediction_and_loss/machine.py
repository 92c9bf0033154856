"""The opening: the book's Fig 11.3 as a machine that runs on the learner's sentence."""

from functools import partial

from mlm_core.figures.prediction.losses import loss_arithmetic
from mlm_core.figures.prediction.predictions import MOST_CARDS, Column, machine_html
from mlm_core.number_format import formatted
from mlm_core.prediction.fillers import top_fillers
from mlm_core.prediction.masked_words import predict
from mlm_core.text.tokens import Token
from pages.kit.part import Part, part
from pages.lessons.prediction_and_loss import marks, setting
from pages.lessons.prediction_and_loss.setting import Setting

N_GUESSES = 3


@part(redraws_page=True)
def show(p: Part) -> None:
    """Draw the machine; a click on a token hides it, replaces it, keeps it or lets it go."""
    figures = p.place()
    with p.row():
        p.text("text")
        _show_buttons(p)
    text = setting.sentence(p)
    p.say_what_was_left_out(text)
    now = setting.current(p)
    if now is None:
        if marks.may_be_chosen(text):  # the chips stay, so that something can be chosen again
            with figures:
                _draw(p, now, [_plain(token) for token in text.tokens])
        return
    with figures:
        _show_prediction(p, now)
    if len(now.kinds) > MOST_CARDS:
        p.caption("more", n=len(now.kinds), shown=MOST_CARDS)
    p.say("notice", n=len(text.tokens) - len(now.kinds))
    if text.text == p.examples.plain("default_text"):
        p.caption(_figure(p))
    p.code("machine", predict)


def _show_prediction(p: Part, now: Setting) -> None:
    """Draw the machine, with the loss next to it and written out below."""
    predictions = now.predictions
    figure, numbers = p.columns(9, 1, gap="small", align="center")
    with figure:
        _draw(p, now, [_column(p, now, i) for i in range(len(now.text.tokens))])
    with numbers, p.row("top"):  # a row where they are below the machine
        p.metric("loss", formatted(predictions.loss, ".2f"), width="content")
        perplexity = formatted(predictions.perplexity, ",.0f")
        p.metric("perplexity", perplexity, width="content")
    p.formula(loss_arithmetic(predictions.losses.tolist()), width="content")


def _plain(token: Token) -> Column:
    return Column(token=token, kind="plain", original=token.text)


def _column(p: Part, now: Setting, position: int) -> Column:
    """Return what the machine shows at one position."""
    if position not in now.kinds:
        return _plain(now.text.tokens[position])
    place = now.predictions.positions.index(position)
    return Column(
        token=now.seen.tokens[position],
        kind=now.kinds[position],
        original=now.text.texts[position],
        guesses=[
            (setting.token_name(p, filler.id), filler.probability)
            for filler in top_fillers(now.predictions.logits[place], N_GUESSES)
        ],
        probability=now.predictions.true_probabilities[place],
        loss=now.predictions.losses[place].item(),
    )


def _draw(p: Part, now: Setting | None, columns: list[Column]) -> None:
    def turn(value: str) -> None:
        if value.isdecimal() and int(value) < len(columns):
            chosen = setting.current_marks(p, setting.sentence(p))
            _set_marks(p, marks.turn(int(value), chosen, marks.next_draw(p)))

    losses = [f"{c.original} {formatted(c.loss, '.2f')}" for c in columns if c.guesses]
    p.figure(
        "machine",
        partial(
            machine_html,
            columns,
            encoder=p.plain("encoder", n=p.model.n_layers),
            truth=p.plain("truth"),
            hidden=p.plain("was"),
        ),
        {
            "position": range(len(columns)),
            "seen": [column.token.text for column in columns],
            "original": [column.original for column in columns],
            "what_happened": [column.kind for column in columns],
            "probability": [c.probability if c.guesses else None for c in columns],
            "loss": [c.loss if c.guesses else None for c in columns],
            "best_guess": [c.guesses[0][0] if c.guesses else None for c in columns],
        },
        on_click=turn,
        n=len(now.kinds) if now else 0,
        of=len(columns),
        losses="; ".join(losses) or "–",
    )


# Buttons that choose positions all at once.


def _show_buttons(p: Part) -> None:
    """Show the buttons that choose positions: at random, none, or those of the textbook."""
    p.drawn("marks", None)
    p.button("draw", _draw_marks, p, icon="casino", changes=("marks",))
    p.button("clear", _set_marks, p, {}, icon="backspace", changes=("marks",))
    p.button(_figure(p), _back_to_figure, p, icon="restart_alt", changes=("marks", "text"))


def _set_marks(p: Part, chosen: dict[int, str]) -> None:
    """Keep the marks, unless the link fixes them."""
    p.choose("marks", marks.write(chosen))


def _draw_marks(p: Part) -> None:
    text = setting.sentence(p)
    if marks.may_be_chosen(text):
        _set_marks(p, marks.drawn(text, marks.next_draw(p)))


def _figure(p: Part) -> str:
    """Return the name of the example: the textbook's, or our own in another language."""
    return "figure" if p.reads_first else "figure_own"


def _back_to_figure(p: Part) -> None:
    p.state["text"] = p.examples.plain("default_text")
    p.reset("marks")
