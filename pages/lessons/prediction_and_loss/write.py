"""Write by unmasking: blanks become a sentence in n steps, which plays as one drawing."""

from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

from mlm_core.figures.charts import lines_chart, log_axis
from mlm_core.figures.curves import Curve
from mlm_core.figures.prediction.unmasking import Cell, UnmaskRow, unmasking_html
from mlm_core.prediction.fillers import find_blanks
from mlm_core.prediction.unmasking import KEEP_ORDERS, MOST_BLANKS
from mlm_core.text.tokens import Token, TokenizedText, role_token, tokenize
from pages.kit.part import Part, part
from pages.lessons.prediction_and_loss import computed
from pages.lessons.prediction_and_loss.setting import PATIENCE_SECONDS, token_name
from pages.server.link import inputs

if TYPE_CHECKING:
    from mlm_core.prediction.unmasking import KeepOrder, UnmaskStep

N_SEEDS = 3  # texts of one setting of the curve, where words are drawn at random
MOST_AGAIN = 12  # words that are masked again
COMPARED = "prediction_and_loss_write_compared"  # session state: whether the curve is drawn


@dataclass(frozen=True, kw_only=True)
class _Setting:
    """The text with its blanks, and how they are filled."""

    model_name: str
    text: TokenizedText
    blanks: tuple[int, ...]
    n_steps: int
    order: "KeepOrder"
    temperature: float
    seed: int

    def written(
        self,
        n_steps: int,
        again: tuple[int, ...] = (),
        *,
        order: "KeepOrder | None" = None,
        seed: int | None = None,
    ) -> tuple[tuple["UnmaskStep", ...], float]:
        """Return the steps that write in so many steps, and the pseudo-perplexity of the words."""
        order, seed = order or self.order, seed or self.seed
        about = (self.model_name, self.text.text, n_steps, order)
        return computed.unmasked(*about, self.temperature, seed, again)

    def several(self, n_steps: int, order: "KeepOrder") -> list[float]:
        """Return the pseudo-perplexity by seed; a single one where nothing is drawn at random."""
        is_drawn = self.temperature > 0 or order == "random"
        all_seeds = range(self.seed, self.seed + (N_SEEDS if is_drawn else 1))
        return [self.written(n_steps, order=order, seed=seed)[1] for seed in all_seeds]


@part(code=("prediction.unmasking:unmask", "prediction.fillers:score_positions"))
def show(p: Part) -> None:
    """Write into the learner's blanks, and compare texts of fewer and of more steps."""
    p.say("lead")
    setting = _setting(p)
    if setting is None:
        return
    again = _again(p, setting)
    _film(p, setting, again)
    _compare(p, setting, again)
    p.say("notice")
    _curve(p, setting)
    p.say("diffusion")


def _setting(p: Part) -> _Setting | None:
    """Show the controls; return what they say, or None, and the reason, if there is no blank."""
    model, (left, right) = p.model, p.columns(2, 1)
    with left:
        typed = p.text("write_text")
    with right:
        length = p.slider("write_length")
    mask = role_token(model.tokenizer, "[MASK]")
    whole = f"{typed}{' [MASK]' * length}." if length else typed
    text = tokenize(model.tokenizer, whole.replace("[MASK]", mask), max_tokens=model.max_tokens)
    p.say_what_was_left_out(text)
    blanks = find_blanks(text, model.tokenizer)
    n, (left, right) = len(blanks), p.columns(2, 1)
    with left:
        order = p.choice("write_order", KEEP_ORDERS)
    with right:
        n_steps = p.slider("write_steps", highest=n, start=n) if 1 < n <= MOST_BLANKS else 1
    with p.fold("details", "casino"):
        left, right = p.columns()
        with left:
            temperature = p.slider("write_temperature")
        with right:
            seed = p.slider("write_seed", start=p.seed_start(1, 1, 100))
    if not 1 <= n <= MOST_BLANKS:
        p.note("too_many" if n else "no_blank", icon="edit", n=n, most=MOST_BLANKS)
        return None
    return _Setting(
        model_name=p.model_name,
        text=text,
        blanks=blanks,
        n_steps=n_steps,
        order=order,
        temperature=temperature,
        seed=seed,
    )


# The film.


def _again(p: Part, setting: _Setting) -> tuple[int, ...]:
    """Return the positions that were clicked, in this order; what else a link says is left out."""
    clicked = (p.drawn("write_again", "", longest=4 * MOST_AGAIN) or "").split()
    found = [int(one) for one in clicked if one.isdecimal()]
    again = tuple(one for one in found if one in setting.blanks)[:MOST_AGAIN]
    p.write_to_link("write_again", " ".join(map(str, again)))
    return again


def _film(p: Part, setting: _Setting, again: tuple[int, ...]) -> None:
    """Draw a row for each step; a click on a word of the last row masks it again."""
    steps, _ = setting.written(setting.n_steps, again)
    rows = [_empty_row(p, setting), *(_row(p, setting, steps, k) for k in range(len(steps)))]
    tokens = setting.text.tokens[: setting.blanks[0]]
    end = max((token.stop for token in tokens if not token.is_special), default=0)
    given = f"{setting.text.text[:end]} …" if end else ""
    drawn = partial(
        unmasking_html,
        rows,
        given,
        p.film_names,
        press=p.plain("press"),
        begins=len(rows) - 1 if again else 0,
    )

    def clicked(value: str) -> None:
        if len(again) < MOST_AGAIN:
            p.choose("write_again", " ".join(map(str, (*again, value))))

    table = [
        {
            "step": k + 1,
            "position": one.position,
            "token": token_name(p, one.id),
            "probability": one.probability,
            "kept": one.is_kept,
        }
        for k, step in enumerate(steps)
        for one in step.proposals
    ]
    n, n_steps = len(setting.blanks), setting.n_steps
    p.figure("film", drawn, table, on_click=clicked, n=n, steps=n_steps)
    p.caption("click")
    if again:
        p.button("forget", inputs.reset, p.key("write_again"), icon="undo", changes=["write_again"])


def _empty_row(p: Part, setting: _Setting) -> UnmaskRow:
    cells = [
        Cell(text=token.text, state="mask" if i in setting.blanks else "given")
        for i, token in _drawn_part(setting, setting.text)
    ]
    said = p.plain("said_start", n=len(setting.blanks), steps=setting.n_steps)
    return UnmaskRow(name="0", cells=cells, said=said)


def _row(p: Part, setting: _Setting, steps: tuple["UnmaskStep", ...], k: int) -> UnmaskRow:
    """Return the row of one step; the last one's words can be clicked."""
    step, is_last = steps[k], k == len(steps) - 1
    proposed = {one.position: one for one in step.proposals}
    cells = []
    for i, token in _drawn_part(setting, step.after):
        one = proposed.get(i)
        state = "written" if i in setting.blanks else "given"
        if one is not None:
            state = "kept" if one.is_kept else "open"
        cells.append(
            Cell(
                text=token.text if one is None else token_name(p, one.id),
                state=state,
                probability=None if one is None else one.probability,
                value=str(i) if is_last and i in setting.blanks else None,
            )
        )
    kept = [one for one in step.proposals if one.is_kept]
    about = {"words": " … ".join(token_name(p, one.id) for one in kept), "left": step.masks_left}
    if k >= setting.n_steps:
        about["before"] = steps[k - 1].after.texts[kept[0].position]
        said = p.plain("said_again", probability=kept[0].probability, **about)
    else:
        said = p.plain("said_step", k=k + 1, steps=setting.n_steps, **about)
    return UnmaskRow(name=str(k + 1), cells=cells, said=said)


def _drawn_part(setting: _Setting, text: TokenizedText) -> list[tuple[int, Token]]:
    """Return the tokens from the first blank to the last one, with their positions."""
    first, last = setting.blanks[0], setting.blanks[-1]
    return list(enumerate(text.tokens))[first : last + 1]


# The number: pseudo-perplexity.


def _compare(p: Part, setting: _Setting, again: tuple[int, ...]) -> None:
    """Show the text of one step and the present one, each with its pseudo-perplexity."""
    shown = {"one_step": (1, ())}
    if setting.n_steps > 1:
        shown["n_steps"] = (setting.n_steps, ())
    if again:
        shown["after"] = (setting.n_steps, again)
    tokenizer = p.tokenizer
    columns = p.columns(*[1] * len(shown))
    for column, (name, (n_steps, clicks)) in zip(columns, shown.items(), strict=True):
        steps, perplexity = setting.written(n_steps, clicks)
        text = tokenizer.decode(steps[-1].after.ids)
        about = {"text": text, "perplexity": perplexity, "n": n_steps, "clicks": len(clicks)}
        with column:
            p.say(name, **about)


def _curve(p: Part, setting: _Setting) -> None:
    """Draw the pseudo-perplexity by number of steps, with another order beside it."""
    p.button("compare", p.state.update, {"write_compared": True}, icon="show_chart")
    if not p.state.get("write_compared"):
        return
    n = len(setting.blanks)
    counts = sorted({n, *(2**k for k in range(n.bit_length()))})
    beside = "most_certain_first" if setting.order == "left_to_right" else "left_to_right"
    jobs = [(order, n_steps) for order in (setting.order, beside) for n_steps in counts]
    found = {
        (order, n_steps): setting.several(n_steps, order)
        for order, n_steps in p.progress("comparing", jobs, patience=PATIENCE_SECONDS)
    }
    curves = []
    for pen, order in enumerate((setting.order, beside)):
        of_order = {n_steps: found[order, n_steps] for n_steps in counts}
        name = p.plain(f"way_{order}")
        points = [(n_steps, median(values)) for n_steps, values in of_order.items()]
        curves.append(Curve(name=name, points=points, pen=pen, dots=True))
        if len(of_order[n]) > 1:
            for side in (min, max):
                points = [(n_steps, side(values)) for n_steps, values in of_order.items()]
                name = p.plain(f"by_steps_{side.__name__}", n=N_SEEDS)
                curves.append(Curve(name=name, points=points, pen=pen, faint=True))
    rows = [
        {
            "order": p.plain(f"way_{order}"),
            "steps": n_steps,
            "seed": setting.seed + i,
            "pseudo-perplexity": perplexity,
        }
        for (order, n_steps), values in found.items()
        for i, perplexity in enumerate(values)
    ]
    drawn = lines_chart(
        curves,
        x_title=p.plain("by_steps_x"),
        y_title=p.plain("by_steps_y"),
        x_axis=log_axis(counts),
        y_axis=log_axis([10**k for k in range(7)]),
    )
    best, worst = min(found[setting.order, n]), max(found[setting.order, 1])
    p.figure(
        "by_steps", drawn, rows, n=n, lowest=best, highest=worst, temperature=setting.temperature
    )
    p.say("curve")
