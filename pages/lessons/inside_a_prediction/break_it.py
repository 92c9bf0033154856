"""Break it: switch heads and layers off, or round the weights, and see what the blank loses.

At the end the heads go off one after another, as a film.
"""

from collections.abc import Mapping
from functools import partial

from mlm_core.encoder.model_list import UnknownHeadsError, UnknownLayersError
from mlm_core.figures.bars import bars_svg
from mlm_core.figures.inside.heads_in_turn import Gone, heads_in_turn_html
from mlm_core.figures.inside.heads_off import Switch, board_svg
from mlm_core.figures.theme import significant
from mlm_core.inside.quantized import FULL_BITS
from mlm_core.inside.switches import Head
from mlm_core.number_format import formatted
from pages.kit.part import Part, part
from pages.lessons.inside_a_prediction import computed, off
from pages.lessons.inside_a_prediction.broken import (
    PATIENCE_SECONDS,
    Broken,
    board_names,
    rise_without_each_head,
)
from pages.lessons.inside_a_prediction.setting import blank_sentence

IN_TURN = "heads_in_turn"  # state: the model whose heads are switched off

SMALL = 0.05  # nats: a change that the words hardly show
# Heads of a model that are measured without a press: of the bundled ones in 1.1 s, or stored.
MOST_UNASKED = 48
# State: the model whose heads are measured, and the sentence with the blank.
MEASURED = "heads_measured"
BITS = ("32", "8", "6", "4", "3", "2")


@part(code=("inside.switches:switch_off", "inside.quantized:quantize_matrix"))
def show(p: Part) -> None:
    """Draw the board of switches next to their effect on the blank and on ten sentences."""
    p.say("lead")
    broken = _read(p)
    if broken is None:
        return
    left, right = p.columns(2, 1)
    with left:
        kind = p.choice("measured")
        board, buttons = p.place(), p.row("top")
    with buttons:
        is_asked = _is_asked(p, broken, kind)
        off.show_buttons(p, is_any_off=bool(broken.off))
    try:
        with right:
            _words(p, broken)
        _numbers(p, broken)
        with board:
            measured = rise_without_each_head(p, broken, kind) if is_asked else None
    except (UnknownHeadsError, UnknownLayersError):
        # The page says so; the board lets the learner undo it.
        p.state.pop(MEASURED, None)
        with board:
            _board(p, broken, None, kind)
        raise
    with board:
        _board(p, broken, measured, kind)
    p.say("notice")
    _show_heads_in_turn(p, broken)


def _read(p: Part) -> Broken | None:
    """Show the sentence and the bits; return them with what is off, or None with a note."""
    left, right = p.columns(2, 1)
    with left:
        found = blank_sentence(p, "sentence")
    if found is None:
        return None
    if not p.model.n_heads:
        p.note("no_heads", icon="block", model=p.model_name)
        return None
    with right:
        names = {bits: p.label("bits_32") if int(bits) == FULL_BITS else bits for bits in BITS}
        bits = int(p.choice("bits", names))
    text = found[0].text
    return Broken(
        model_name=p.model_name,
        text=text,
        word=computed.answer(p.model_name, text).id,
        sentences=tuple(p.examples.section("break_it.sentences").splitlines()),
        n_layers=p.model.n_layers,
        n_heads=p.model.n_heads,
        off=off.read(p, p.model.n_layers, p.model.n_heads),
        bits=bits,
    )


def _is_asked(p: Part, broken: Broken, kind: str) -> bool:
    """Return whether to measure the heads: many only after a press, for a blank of this text."""
    model_name, text = p.state.get(MEASURED, ("", ""))
    was_asked = model_name == broken.model_name and (kind == "loss" or text == broken.text)
    if was_asked or len(broken.heads) <= MOST_UNASKED:
        return True
    asked = (p.model_name, broken.text)
    p.button("measure", p.state.update, {MEASURED: asked}, icon="speed")
    return False


# The board, and what follows from it.


def _board(p: Part, broken: Broken, changes: Mapping[Head, float] | None, kind: str) -> None:
    """Draw a switch for each head, with what was measured."""
    of = p.plain(f"measured_{kind}")
    switches = [[] for _ in range(broken.n_layers)]
    rows = []
    for one in broken.heads:
        change = None if changes is None else changes[one]
        name = p.plain("head_name", layer=one.layer, head=one.head)
        if change is not None:
            name = p.plain("head_change", layer=one.layer, head=one.head, change=change)
        is_off = one in broken.off or (one.layer, 0) in broken.off
        switches[one.layer - 1].append(Switch(name=name, is_off=one in broken.off, change=change))
        rows.append({"layer": one.layer, "head": one.head, "off": is_off, "change": change})
    layers_off = [(layer, 0) in broken.off for layer in range(1, broken.n_layers + 1)]
    p.figure(
        "board",
        partial(board_svg, switches, layers_off, board_names(p)),
        rows,
        on_click=partial(off.click, p, broken.off),
        n=sum(bool(row["off"]) for row in rows),
        of=len(rows),
        measured="" if changes is None else p.plain("board_measured", of=of),
    )
    if changes is None:
        p.caption("click")
    else:
        n = sum(abs(one) < SMALL for one in changes.values())
        p.caption(f"shades_{kind}", n=n, of=len(changes))


def _words(p: Part, broken: Broken) -> None:
    """Draw the likeliest words at the blank, with all on and as it is now."""
    shown = {"whole": broken.blank(), "now": broken.blank(broken.off, broken.bits)}
    longest = max(one.top[0][1] for one in shown.values())
    for name, one in shown.items():
        if name == "now" and broken.is_whole:
            p.caption("untouched")
            return
        p.say(name)
        tokens, probabilities = zip(*one.top, strict=True)
        p.figure(
            f"words_{name}",
            partial(bars_svg, tokens, probabilities, longest=longest),
            {"token": tokens, "probability": probabilities},
            off=off.written(broken.off) or "–",
            bits=broken.bits,
        )


def _numbers(p: Part, broken: Broken) -> None:
    """Show the word's probability and rank, the loss and the size, with all on and now."""
    whole, now = broken.blank(), broken.blank(broken.off, broken.bits)
    bits = (FULL_BITS, broken.bits)
    values = {
        p.label("probability", word=whole.top[0][0]): [
            significant(one.probability, 3) for one in (whole, now)
        ],
        p.label("rank"): [formatted(one.rank, ",") for one in (whole, now)],
        p.label("loss"): [
            formatted(loss, ".2f") for loss in (broken.loss(), broken.loss(broken.off, broken.bits))
        ],
        p.label("size"): [
            formatted(computed.model_bytes(broken.model_name, each) / 1e6, ".1f") for each in bits
        ],
    }
    p.metrics({name: " → ".join(dict.fromkeys(both)) for name, both in values.items()})


def _show_heads_in_turn(p: Part, broken: Broken) -> None:
    """Switch the heads off, the least important one first, as a film with the loss as a curve."""
    p.button("in_turn", p.state.update, {IN_TURN: p.model_name}, icon="trending_up")
    if p.state.get(IN_TURN) != p.model_name:
        return
    changes = rise_without_each_head(p, broken, "loss")
    order = sorted(changes, key=changes.__getitem__)
    gone, gone_heads = [], ()
    for n, head in enumerate(p.progress("switching", order, patience=PATIENCE_SECONDS), 1):
        gone_heads += (head,)
        loss = broken.loss(tuple(sorted(gone_heads)))
        said = p.plain("said", n=n, layer=head.layer, head=head.head, loss=loss)
        gone.append(Gone(layer=head.layer - 1, head=head.head - 1, loss=loss, said=said))
    all_on = broken.loss()
    rows = [
        {"heads off": n, "layer": one.layer + 1, "head": one.head + 1, "loss": one.loss}
        for n, one in enumerate(gone, 1)
    ]
    free = max((n for n, one in enumerate(gone, 1) if one.loss <= all_on + 0.1), default=0)
    p.figure(
        "film",
        partial(
            heads_in_turn_html,
            gone,
            broken.n_layers,
            broken.n_heads,
            all_on,
            p.film_names,
            said=p.plain("said_start", loss=all_on),
            board=board_names(p),
            x_title=p.plain("film_x"),
            y_title=p.plain("film_y"),
        ),
        rows,
        n=len(gone),
        first=all_on,
        last=gone[-1].loss,
    )
    p.say("in_turn", n=free, of=len(gone), loss=all_on)
