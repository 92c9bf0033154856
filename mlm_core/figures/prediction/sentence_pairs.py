"""Drawings of sentence pairs: chips by segment, a scored batch, the head's arithmetic.

Read before this: ../chips.py, ../matrix.py.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from mlm_core.figures.chips import chip_row
from mlm_core.figures.svg import button, element, path, rect, svg, text
from mlm_core.figures.theme import (
    BLUE,
    FONT,
    GREEN,
    GREY,
    PURPLE,
    SKY,
    VERMILION,
    as_ink,
    escaped,
    significant,
    tex,
    tint,
    weight_label,
)
from mlm_core.text.tokens import Token

HeadStage = Literal["pooled", "logits", "probabilities", "loss"]
MOST_TERMS = 2  # of a sum in the arithmetic, before "..."

ROW, WIDTH, TRACK = 34, 416, 130  # of the batch, in the drawing's units
COLUMNS = {"number": 26, "label": 34, "bar": 126, "p": 264, "loss": 318, "mark": 400}

STYLE = f"""
.pair {{ display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: flex-start; }}
.pair .side {{ border-left: 4px solid {SKY}; padding: .1rem 0 .25rem .6rem; max-width: 100%;
  box-sizing: border-box; }}
.pair .side.b {{ border-left: 4px double {PURPLE}; }}
.pair .name {{ font-family: {FONT}; font-size: .85rem; font-weight: 600; margin-bottom: .25rem; }}
.pair .side.a .chip:not(.special):not(.blocked) {{
  background: color-mix(in srgb, {SKY} 22%, transparent); }}
.pair .side.b .chip:not(.special):not(.blocked) {{
  background: color-mix(in srgb, {PURPLE} 22%, transparent); }}
.pair.scored {{ max-width: 600px; display: grid; grid-template-columns: 1fr 2.6rem; gap: .4rem; }}
.pair.scored .side {{ min-height: 34px; padding: .3rem .6rem; border-radius: 0 .4rem .4rem 0; }}
.pair.scored .a {{ grid-column: 1; background: {tint(SKY, 22)}; }}
.pair.scored .b {{ grid-column: 1; background: linear-gradient({tint(BLUE, 40)} 0 0) no-repeat left,
  {tint(PURPLE, 16)}; }}
.pair.scored .p {{ align-self: center; font-weight: 600; }}
.pair.scored .name {{ display: inline; margin-right: .4rem; }}
"""


def pair_html(
    tokens: Sequence[Token],
    names: tuple[str, str],
    *,
    blocked: Collection[int] = (),
    n_first: int | None = None,
    label: str,
) -> str:
    """Return a pair as chips; each segment has a name, a colour and a line.

    `names` are the titles of the two segments, `blocked` positions are hatched. The second
    segment begins with the first token of segment 1, or behind `n_first` tokens.
    """
    if n_first is None:
        second = (i for i, token in enumerate(tokens) if token.segment == 1)
        n_first = next(second, len(tokens))
    sides = []
    for side, first, stop in (("a", 0, n_first), ("b", n_first, len(tokens))):
        name = names[side == "b"]
        chips = chip_row(tokens[first:stop], first=first, blocked=blocked, label=name)
        sides.append(
            f'<div class="side {side}"><div class="name">{escaped(name)}</div>{chips}</div>'
        )
    return f'<div class="pair" role="group" aria-label="{escaped(label)}">{"".join(sides)}</div>'


def scored_html(first: str, seconds: Sequence[tuple[str, str, float]], *, alt: str) -> str:
    """Return A, and below it each B, named, on a bar as long as P(B follows A)."""
    rows = [_scored("a", "A", first, "")]
    for name, second, p_follows in seconds:
        rows += [
            _scored("b", name, second, f"background-size:{100 * p_follows:.1f}% 100%,auto"),
            element("div", weight_label(p_follows), class_="p"),
        ]
    return element("div", *rows, class_="pair scored", role="group", aria_label=alt)


def _scored(side: str, name: str, words: str, style: str) -> str:
    named = element("span", escaped(name), class_="name")
    return element("div", named, escaped(words), class_=f"side {side}", style=style or None)


@dataclass(frozen=True, kw_only=True)
class BatchRow:
    """One scored pair of a batch, as it is drawn."""

    label: str  # the truth, in words
    p_true: float  # the probability of the true class
    loss: float
    is_right: bool


def batch_svg(rows: Sequence[BatchRow], *, headings: Sequence[str], selected: int, alt: str) -> str:
    """Return a line for each pair: truth, P(true class) as a bar, loss, tick or cross.

    `headings` stand over the truth, the probability and the loss. A line is a button with its
    number from 0. A bar that ends left of the dashed line at 0.5 is an error.
    """
    height = ROW * (len(rows) + 1) + 6
    parts = [
        text(COLUMNS[column], 18, heading, opacity=0.75)
        for column, heading in zip(("label", "bar", "loss"), headings, strict=True)
    ]
    for i, row in enumerate(rows):
        y = ROW * (i + 1) + 4
        mark, colour = ("✓", GREEN) if row.is_right else ("✗", VERMILION)
        frame = {"stroke": BLUE if i == selected else "none", "stroke_width": 2.5}
        drawn = [
            rect(
                2, y, WIDTH - 4, ROW - 2, rx=4, fill=GREY, fill_opacity=0.05, class_="hit", **frame
            ),
            text(COLUMNS["number"] - 4, y + 21, str(i), text_anchor="end"),
            text(COLUMNS["label"], y + 21, row.label),
            rect(COLUMNS["bar"], y + 5, TRACK, ROW - 12, rx=3, fill=GREY, fill_opacity=0.15),
            rect(COLUMNS["bar"], y + 5, TRACK * row.p_true, ROW - 12, rx=3, fill=BLUE),
            text(COLUMNS["p"], y + 21, weight_label(row.p_true)),
            text(COLUMNS["loss"], y + 21, significant(row.loss, 3)),
            text(
                COLUMNS["mark"],
                y + 21,
                mark,
                font_size=16,
                text_anchor="middle",
                style=f"fill:{as_ink(colour)}",
            ),
        ]
        said = f"{i}: {row.label}, {weight_label(row.p_true)} {mark}"
        click = button(str(i), aria_pressed=str(i == selected).lower(), aria_label=said)
        parts.append(element("g", *drawn, **click))
    half = {"stroke": VERMILION, "stroke_width": 1.5, "stroke_dasharray": "4 4"}
    line = f"M{COLUMNS['bar'] + TRACK / 2} {ROW}V{height - 4}"
    parts.append(path(line, pointer_events="none", **half))
    return svg("batch", parts, WIDTH, height, alt=alt, widest=WIDTH + 60, role="group")


def head_arithmetic(
    stage: HeadStage,
    index: int,
    *,
    inputs: Sequence[float],
    weights: Sequence[float] = (),
    bias: float = 0.0,
    value: float,
) -> str:
    """Return the LaTeX line for one number of the next-sentence head, with numbers only.

    pooled and logits: `weights` is the column of W that makes this number from `inputs`.
    probabilities: `inputs` are the two logits. loss: `inputs` is the true class's probability.
    """
    if stage == "loss":
        return rf"-\ln({tex(inputs[0])}) = {tex(value)}"
    if stage == "probabilities":
        terms = [rf"e^{{{tex(logit)}}}" for logit in inputs]
        return rf"\frac{{{terms[index]}}}{{{' + '.join(terms)}}} = {tex(value)}"
    terms = [rf"({tex(x)})({tex(w)})" for x, w in zip(inputs, weights, strict=True)]
    shown = " + ".join(terms[:MOST_TERMS])
    if len(terms) > MOST_TERMS:
        shown += rf" + \underbrace{{\cdots}}_{{{len(terms) - MOST_TERMS}}}"
    total = rf"{shown} + ({tex(bias)})"
    if stage == "pooled":
        return rf"\tanh\left({total}\right) = {tex(value)}"
    return rf"{total} = {tex(value)}"
