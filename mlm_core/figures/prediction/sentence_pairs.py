"""Drawings of sentence pairs: chips by segment, a scored batch, the head's arithmetic.

Read before this: ../chips.py, ../matrix.py.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from mlm_core.figures.chips import chip_row
from mlm_core.figures.theme import (
    BLUE,
    FONT,
    GREEN,
    GREY,
    PURPLE,
    SKY,
    TOKEN_FONT,
    VERMILION,
    as_ink,
    escaped,
    significant,
    tex,
    weight_label,
)
from mlm_core.text.tokens import Token

HeadStage = Literal["pooled", "logits", "probabilities", "loss"]
HEAD_STAGES: tuple[HeadStage, ...] = ("pooled", "logits", "probabilities", "loss")
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
.batch svg {{ display: block; width: 100%; height: auto; }}
.batch text {{ font-family: {TOKEN_FONT}; font-size: 14px; fill: currentColor; }}
.batch [data-value] {{ cursor: pointer; }}
.batch [data-value]:hover rect.row, .batch [data-value]:focus-visible rect.row {{
  stroke: {GREEN}; stroke-width: 2; }}
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
        f'<text x="{COLUMNS[column]}" y="18" font-size="14" opacity=".75">{escaped(text)}</text>'
        for column, text in zip(("label", "bar", "loss"), headings, strict=True)
    ]
    for i, row in enumerate(rows):
        y = ROW * (i + 1) + 4
        frame = f'stroke="{BLUE}" stroke-width="2.5"' if i == selected else 'stroke="none"'
        mark, colour = ("✓", GREEN) if row.is_right else ("✗", VERMILION)
        shown = (
            f'<rect class="row" x="2" y="{y}" width="{WIDTH - 4}" height="{ROW - 2}" rx="4"'
            f' fill="{GREY}" fill-opacity=".05" {frame}/>'
            + _text(COLUMNS["number"] - 4, y, str(i), "end")
            + _text(COLUMNS["label"], y, row.label)
            + f'<rect x="{COLUMNS["bar"]}" y="{y + 5}" width="{TRACK}" height="{ROW - 12}"'
            f' rx="3" fill="{GREY}" fill-opacity=".15"/>'
            f'<rect x="{COLUMNS["bar"]}" y="{y + 5}" width="{TRACK * row.p_true:.1f}"'
            f' height="{ROW - 12}" rx="3" fill="{BLUE}"/>'
            + _text(COLUMNS["p"], y, weight_label(row.p_true))
            + _text(COLUMNS["loss"], y, significant(row.loss, 3))
            + f'<text x="{COLUMNS["mark"]}" y="{y + 21}" font-size="16" text-anchor="middle"'
            f' style="fill:{as_ink(colour)}">{mark}</text>'
        )
        parts.append(
            f'<g data-value="{i}" tabindex="0" role="button" aria-pressed="'
            f'{str(i == selected).lower()}" aria-label="{i}: {escaped(row.label)},'
            f' {weight_label(row.p_true)} {mark}">{shown}</g>'
        )
    middle = COLUMNS["bar"] + TRACK / 2
    parts.append(
        f'<line x1="{middle}" x2="{middle}" y1="{ROW}" y2="{height - 4}" stroke="{VERMILION}"'
        ' stroke-width="1.5" stroke-dasharray="4 4" pointer-events="none"/>'
    )
    return (
        '<div class="batch"><svg xmlns="http://www.w3.org/2000/svg" role="group"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {WIDTH} {height}"'
        f' style="max-width:{WIDTH + 60}px">{"".join(parts)}</svg></div>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return (
        f'<text x="{x}" y="{y + 21}" font-size="14" text-anchor="{anchor}">{escaped(text)}</text>'
    )


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
