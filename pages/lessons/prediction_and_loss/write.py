"""Write by unmasking: blanks become a sentence in n steps, which plays as one drawing."""

from functools import partial

from mlm_core.figures.prediction.unmasking import Cell, UnmaskRow, unmasking_html
from mlm_core.prediction.fillers import find_blanks
from mlm_core.prediction.unmasking import KEEP_ORDERS, MOST_BLANKS, UnmaskStep
from mlm_core.text.tokens import Token, TokenizedText, role_token
from mlm_core.text.words import first_half
from pages.kit.part import Part, part
from pages.lessons.prediction_and_loss.computed import Writing
from pages.lessons.prediction_and_loss.setting import token_name
from pages.lessons.prediction_and_loss.write_perplexity import say_ours, show_curve, show_texts

MOST_AGAIN = 12  # words that are masked again


@part(code=("prediction.unmasking:unmask", "prediction.fillers:score_positions"))
def show(p: Part) -> None:
    """Write into the learner's blanks, and compare texts of fewer and of more steps."""
    p.say("lead")
    writing = _choose(p)
    if writing is None:
        return
    again = _again(p, writing)
    _film(p, writing, again)
    show_texts(p, writing, again)
    left, right = p.columns()
    with left:
        say_ours(p, writing)
    with right:
        p.say("notice")
    show_curve(p, writing)
    with p.fold("diffusion", "history_edu"):
        p.say("diffusion")


def _choose(p: Part) -> Writing | None:
    """Show the controls; return what they say, or None, and the reason, if there is no blank."""
    model, (left, right) = p.model, p.columns(2, 1)
    with left:
        typed = p.text("write_text", _begun(p.own_text("text")))
    with right:
        length = p.slider("write_length")
    mask = role_token(model.tokenizer, "[MASK]")
    whole = f"{typed}{' [MASK]' * length}." if length else typed
    text = p.tokens(whole.replace("[MASK]", mask))
    blanks = find_blanks(text, model.tokenizer)
    n, (left, right) = len(blanks), p.columns(2, 1)
    with left, p.row():
        order = p.choice("write_order", KEEP_ORDERS)
        with p.popover("details", "casino"):
            temperature = p.slider("write_temperature")
            seed = p.slider("write_seed", start=p.seed_start(1, 1, 100))
    with right:
        n_steps = p.slider("write_steps", highest=n, start=n) if 1 < n <= MOST_BLANKS else 1
    if not 1 <= n <= MOST_BLANKS:
        p.note("too_many" if n else "no_blank", icon="edit", n=n, most=MOST_BLANKS)
        return None
    return Writing(
        model_name=p.model_name,
        text=text,
        blanks=blanks,
        n_steps=n_steps,
        order=order,
        temperature=temperature,
        seed=seed,
    )


def _begun(own: str | None) -> str | None:
    """Return how a text begins that is the learner's own; None if it is too short for a half."""
    return first_half(own) if own and len(own.split()) > 2 else None


def _again(p: Part, writing: Writing) -> tuple[int, ...]:
    """Return the positions that were clicked, in this order; what else a link says is left out."""
    clicked = (p.drawn("write_again", "", longest=4 * MOST_AGAIN) or "").split()
    found = [int(one) for one in clicked if one.isdecimal()]
    again = tuple(one for one in found if one in writing.blanks)[:MOST_AGAIN]
    p.write_to_link("write_again", " ".join(map(str, again)))
    return again


def _film(p: Part, writing: Writing, again: tuple[int, ...]) -> None:
    """Draw a row for each step; a click on a word of the last row masks it again."""
    steps, _ = writing.written(writing.n_steps, again)
    rows = [_empty_row(p, writing), *(_row(p, writing, steps, k) for k in range(len(steps)))]
    tokens = writing.text.tokens[: writing.blanks[0]]
    end = max((token.stop for token in tokens if not token.is_special), default=0)
    given = f"{writing.text.text[:end]} …" if end else ""
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
    n, n_steps = len(writing.blanks), writing.n_steps
    p.figure("film", drawn, table, on_click=clicked, n=n, steps=n_steps)
    p.caption("click")
    if again:
        p.button("forget", p.reset, "write_again", icon="undo", changes=["write_again"])


def _empty_row(p: Part, writing: Writing) -> UnmaskRow:
    cells = [
        Cell(text=token.text, state="mask" if i in writing.blanks else "given")
        for i, token in _drawn_part(writing, writing.text)
    ]
    said = p.plain("said_start", n=len(writing.blanks), steps=writing.n_steps)
    return UnmaskRow(name="0", cells=cells, said=said)


def _row(p: Part, writing: Writing, steps: tuple[UnmaskStep, ...], k: int) -> UnmaskRow:
    """Return the row of one step; the last one's words can be clicked."""
    step, is_last = steps[k], k == len(steps) - 1
    proposed = {one.position: one for one in step.proposals}
    cells = []
    for i, token in _drawn_part(writing, step.after):
        one = proposed.get(i)
        state = "written" if i in writing.blanks else "given"
        if one is not None:
            state = "kept" if one.is_kept else "open"
        cells.append(
            Cell(
                text=token.text if one is None else token_name(p, one.id),
                state=state,
                probability=None if one is None else one.probability,
                value=str(i) if is_last and i in writing.blanks else None,
            )
        )
    kept = [one for one in step.proposals if one.is_kept]
    about = {"words": " … ".join(token_name(p, one.id) for one in kept), "left": step.masks_left}
    if k >= writing.n_steps:
        about["before"] = steps[k - 1].after.texts[kept[0].position]
        said = p.plain("said_again", probability=kept[0].probability, **about)
    else:
        said = p.plain("said_step", k=k + 1, steps=writing.n_steps, **about)
    return UnmaskRow(name=str(k + 1), cells=cells, said=said)


def _drawn_part(writing: Writing, text: TokenizedText) -> list[tuple[int, Token]]:
    """Return the tokens from the first blank to the last one, with their positions."""
    first, last = writing.blanks[0], writing.blanks[-1]
    return list(enumerate(text.tokens))[first : last + 1]
