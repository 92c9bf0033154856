"""Break it: switch heads and layers off, or round the weights, and see what the blank loses."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import log

from mlm_core.encoder.model_list import UnknownHeadsError
from mlm_core.figures.bars import bars_svg
from mlm_core.figures.inside.heads_in_turn import Gone, heads_in_turn_html
from mlm_core.figures.inside.heads_off import BoardNames, Switch, board_svg
from mlm_core.figures.theme import significant
from mlm_core.inside.switches import Head, heads_of
from mlm_core.number_format import formatted
from pages.kit.part import Part, part
from pages.kit.remember import model
from pages.lessons.inside_a_prediction import computed, off
from pages.lessons.inside_a_prediction.setting import blank_sentence

N_WORDS = 5
SMALL = 0.05  # nats: a change that the words hardly show
PATIENCE_SECONDS = 0.5  # before a bar of progress shows
MEASURED = "heads_measured"  # the model whose heads are measured, and the sentence with the blank
IN_TURN = "heads_in_turn"  # the model whose heads go
FULL, BITS = "32", ("32", "8", "6", "4", "3", "2")


@dataclass(frozen=True, kw_only=True)
class _Setting:
    """The sentence, and what is switched off."""

    model_name: str
    text: str
    word: int  # the whole model's word at the blank
    sentences: tuple[str, ...]
    n_layers: int
    n_heads: int
    off: tuple[Head, ...]  # head 0 is the whole layer
    bits: int

    def blank(self, off: tuple[Head, ...] = (), bits: int = 32) -> computed.AtBlank:
        """Return the prediction of a model without some heads, with so many bits a weight."""
        return computed.blank_without(self.model_name, self.text, self.word, off, bits, N_WORDS)

    def loss(self, off: tuple[Head, ...] = (), bits: int = 32) -> float:
        """Return the loss of such a model on the ten sentences."""
        return computed.loss_without(self.model_name, self.sentences, off, bits)

    @property
    def is_whole(self) -> bool:
        """Return whether nothing is off or rounded."""
        return not self.off and self.bits == int(FULL)

    @property
    def heads(self) -> tuple[Head, ...]:
        """Return all heads, layer by layer."""
        return heads_of(model(self.model_name))


@part(code=("inside.switches:switch_off", "inside.quantized:quantize_matrix"))
def show(p: Part) -> None:
    """Draw the board of switches beside what the blank and ten sentences make of them."""
    p.say("lead")
    setting = _setting(p)
    if setting is None:
        return
    left, right = p.columns(2, 1)
    with left:
        board, buttons = p.place(), p.row("top")
        kind = p.choice("measured")
    with buttons:
        asked = (p.model_name, setting.text)
        p.button("measure", p.state.update, {MEASURED: asked}, icon="speed")
        off.show_buttons(p, is_any_off=bool(setting.off))
    measured = None
    try:
        with right:
            _words(p, setting)
        _numbers(p, setting)
        if _is_asked(p, setting, kind):
            with left:
                measured = _measured(p, setting, kind)
    except UnknownHeadsError:  # the page says it; the board leads back
        p.state.pop(MEASURED, None)
        with board:
            _board(p, setting, None, kind)
        raise
    with board:
        _board(p, setting, measured, kind)
    p.say("notice")
    _in_turn(p, setting)


def _setting(p: Part) -> _Setting | None:
    """Show the sentence and the bits; return them with what is off. None, and why, without one."""
    left, right = p.columns(2, 1)
    with left:
        found = blank_sentence(p, "sentence")
    if found is None:
        return None
    if not p.model.n_heads:
        p.note("no_heads", icon="block", model=p.model_name)
        return None
    with right:
        names = {bits: p.label("bits_32") if bits == FULL else bits for bits in BITS}
        bits = int(p.choice("bits", names))
    text = found[0].text
    return _Setting(
        model_name=p.model_name,
        text=text,
        word=computed.answer(p.model_name, text).id,
        sentences=tuple(p.examples.section("break_it.sentences").splitlines()),
        n_layers=p.model.n_layers,
        n_heads=p.model.n_heads,
        off=off.read(p, p.model.n_layers, p.model.n_heads),
        bits=bits,
    )


def _is_asked(p: Part, setting: _Setting, kind: str) -> bool:
    """Return whether the heads are to be measured: for a blank, with this very sentence."""
    model_name, text = p.state.get(MEASURED, ("", ""))
    return model_name == setting.model_name and (kind == "loss" or text == setting.text)


# The board, and what follows from it.


def _board(p: Part, setting: _Setting, changes: Mapping[Head, float] | None, kind: str) -> None:
    """Draw a switch for each head, with what was measured."""
    of = p.plain(f"measured_{kind}")
    switches = [[] for _ in range(setting.n_layers)]
    rows = []
    for one in setting.heads:
        change = None if changes is None else changes[one]
        name = p.plain("head_name", layer=one.layer, head=one.head)
        if change is not None:
            name = p.plain("head_change", layer=one.layer, head=one.head, change=change)
        is_off = one in setting.off or (one.layer, 0) in setting.off
        switches[one.layer - 1].append(Switch(name=name, is_off=one in setting.off, change=change))
        rows.append({"layer": one.layer, "head": one.head, "off": is_off, "change": change})
    layers_off = [(layer, 0) in setting.off for layer in range(1, setting.n_layers + 1)]
    p.figure(
        "board",
        partial(board_svg, switches, layers_off, _board_names(p)),
        rows,
        on_click=partial(off.click, p, setting.off),
        n=sum(bool(row["off"]) for row in rows),
        of=len(rows),
        measured="" if changes is None else p.plain("board_measured", of=of),
    )
    if changes is None:
        p.caption("click")
    else:
        n = sum(abs(one) < SMALL for one in changes.values())
        p.caption(f"shades_{kind}", n=n, of=len(changes))


def _board_names(p: Part) -> BoardNames:
    return BoardNames(layer=p.plain("layer_word"), head=p.plain("head_word"))


def _words(p: Part, setting: _Setting) -> None:
    """Draw the likeliest words at the blank, with all on and as it is now."""
    shown = {"whole": setting.blank(), "now": setting.blank(setting.off, setting.bits)}
    longest = max(one.top[0][1] for one in shown.values())
    for name, one in shown.items():
        if name == "now" and setting.is_whole:
            p.caption("untouched")
            return
        p.say(name)
        tokens, probabilities = zip(*one.top, strict=True)
        p.figure(
            f"words_{name}",
            partial(bars_svg, tokens, probabilities, longest=longest),
            {"token": tokens, "probability": probabilities},
            off=off.written(setting.off) or "–",
            bits=setting.bits,
        )


def _numbers(p: Part, setting: _Setting) -> None:
    """Show what became of the blank's word, of the loss and of the size."""
    whole, now = setting.blank(), setting.blank(setting.off, setting.bits)
    bits = (int(FULL), setting.bits)
    values = {
        p.label("probability", word=whole.top[0][0]): [
            significant(one.probability, 3) for one in (whole, now)
        ],
        p.label("rank"): [formatted(one.rank, ",") for one in (whole, now)],
        p.label("loss"): [
            formatted(loss, ".2f")
            for loss in (setting.loss(), setting.loss(setting.off, setting.bits))
        ],
        p.label("size"): [
            formatted(computed.model_bytes(setting.model_name, each) / 1e6, ".1f") for each in bits
        ],
    }
    p.metrics({name: " → ".join(dict.fromkeys(both)) for name, both in values.items()})


# Each head alone, and one after another.


def _measured(p: Part, setting: _Setting, kind: str) -> dict[Head, float]:
    """Return by how much the loss of the ten sentences, or of the blank, rises without a head."""
    changes = {}
    for head in p.progress("measuring", setting.heads, patience=PATIENCE_SECONDS):
        if kind == "loss":
            changes[head] = setting.loss((head,)) - setting.loss()
        else:
            changes[head] = _surprise(setting, (head,)) - _surprise(setting, ())
    return changes


def _surprise(setting: _Setting, off: tuple[Head, ...]) -> float:
    """Return -log P of the word that the whole model predicts."""
    return -log(max(setting.blank(off).probability, 1e-300))


def _in_turn(p: Part, setting: _Setting) -> None:
    """Switch the heads off, the least important one first, as a film with the loss as a curve."""
    p.button("in_turn", p.state.update, {IN_TURN: p.model_name}, icon="trending_up")
    if p.state.get(IN_TURN) != p.model_name:
        return
    changes = _measured(p, setting, "loss")
    order = sorted(changes, key=changes.__getitem__)
    gone, gone_heads = [], ()
    for n, head in enumerate(p.progress("switching", order, patience=PATIENCE_SECONDS), 1):
        gone_heads += (head,)
        loss = setting.loss(tuple(sorted(gone_heads)))
        said = p.plain("said", n=n, layer=head.layer, head=head.head, loss=loss)
        gone.append(Gone(layer=head.layer - 1, head=head.head - 1, loss=loss, said=said))
    all_on = setting.loss()
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
            setting.n_layers,
            setting.n_heads,
            all_on,
            p.film_names,
            said=p.plain("said_start", loss=all_on),
            board=_board_names(p),
            x_title=p.plain("film_x"),
            y_title=p.plain("film_y"),
        ),
        rows,
        n=len(gone),
        first=all_on,
        last=gone[-1].loss,
    )
    p.say("in_turn", n=free, of=len(gone), loss=all_on)
