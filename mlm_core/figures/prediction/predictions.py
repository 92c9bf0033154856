"""SLP3's Fig 11.3: tokens, the encoder, and the predictions at chosen positions.

A column is a token: the corrupted token at the bottom and, at a chosen position, the predictions at
the top. On a narrow screen the same elements wrap.

Source: the layout of SLP3 Fig 11.3.

Read before this: ../chips.py. Read next: losses.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mlm_core.figures.chips import chip_row
from mlm_core.figures.theme import (
    BLUE,
    GREEN,
    GREY,
    TOKEN_FONT,
    VERMILION,
    escaped,
    significant,
    tint,
    weight_label,
)
from mlm_core.number_format import formatted
from mlm_core.text.tokens import Token

Kind = Literal["plain", "mask", "random", "keep"]
MOST_CARDS = 12
CARD, CHIP = 7.4, 3.9  # rem that a chosen and another column need at least
WIDEST = 51  # rem of the page beside an open sidebar


STYLE = f"""
.machine {{ container-type: inline-size; font-size: .85rem; }}
.machine .grid {{ display: grid; column-gap: .3rem; overflow-x: auto; padding: 3px; }}
.machine .grid.wrapped {{ display: flex; flex-wrap: wrap; row-gap: .5rem; }}
.machine .card {{ grid-row: 1; align-self: end; border: 1.5px solid {tint(GREY, 55)};
  border-radius: .5rem; padding: .3rem .4rem; min-width: 0; }}
.machine .wrapped .card {{ flex: 1 1 9rem; max-width: 16rem; align-self: stretch; }}
.machine .encoder {{ box-sizing: border-box; grid-row: 3; grid-column: 1 / -1; flex: 0 0 100%;
  text-align: center;
  border-radius: .5rem; padding: .45rem; background: {tint(BLUE, 14)};
  border: 1.5px solid {tint(BLUE, 45)}; }}
.machine .arrow {{ text-align: center; line-height: 1.2; opacity: .75; }}
.machine .wrapped .arrow {{ display: none; }}
.machine .slot {{ grid-row: 5; text-align: center; min-width: 0; }}
.machine .chips {{ justify-content: center; font-size: .85rem; }}
.machine .chip {{ min-height: 2rem; line-height: 1.7; margin: 0; }}
.machine .was {{ display: block; font-size: .75rem; opacity: .75; min-height: 1.1rem;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }}
.machine :is(.was, .small) {{ word-spacing: .15em; }}
.machine .slot.chosen .chip {{ outline: 2.5px solid {BLUE}; outline-offset: 1px; }}
.machine .slot.random .chip {{ background: {tint(VERMILION, 28)};
  border: 2px dotted {VERMILION}; }}
.machine .slot.keep .chip {{ background: {tint(GREEN, 24)}; border: 2px double {GREEN}; }}
.machine .true {{ font-family: {TOKEN_FONT}; font-weight: 700; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap; }}
.machine .small {{ font-size: .75rem; opacity: .75; }}
.machine .guess {{ display: flex; justify-content: space-between; gap: .3rem; border-radius: 3px;
  font-family: {TOKEN_FONT}; font-size: .78rem; line-height: 1.45; padding: 0 .15rem; margin: 1px 0;
  white-space: nowrap; background: {tint(GREY, 8)} linear-gradient({tint(BLUE, 50)},
  {tint(BLUE, 50)}) no-repeat; }}
.machine .guess span {{ overflow: hidden; text-overflow: ellipsis; }}
.machine .guess.right span {{ font-weight: 700; text-decoration: underline 2px {GREEN}; }}
.machine .number {{ display: flex; flex-wrap: wrap; justify-content: space-between;
  font-size: .8rem; }}
.machine .number b {{ font-family: {TOKEN_FONT}; }}
@container (max-width: 700px) {{
  .machine .grid {{ display: flex; flex-wrap: wrap; row-gap: .5rem; }}
  .machine .card {{ flex: 1 1 8.5rem; align-self: stretch; }}
  .machine .arrow {{ display: none; }}
}}
"""


@dataclass(frozen=True, kw_only=True)
class Column:
    """One token: the corrupted token, and the predictions if it was chosen."""

    token: Token  # as the encoder sees it
    kind: Kind
    original: str  # the token that stood there
    guesses: Sequence[tuple[str, float]] = ()  # likeliest first
    probability: float = 0.0  # of the original
    loss: float = 0.0

    @property
    def can_be_chosen(self) -> bool:
        """Return whether a click may choose it; [CLS] and [SEP] can't be chosen."""
        return self.kind != "plain" or not self.token.is_special


def machine_html(
    columns: Sequence[Column], *, encoder: str, truth: str, hidden: str, alt: str
) -> str:
    """Return the drawing; each token that may be chosen is a button.

    `encoder`, `truth` ("true word:") and `hidden` ("was") are the names of its elements.
    """
    chosen = [i for i, column in enumerate(columns) if column.kind != "plain"]
    width = CARD * len(chosen) + CHIP * (len(columns) - len(chosen))
    tracks = " ".join(
        "minmax(0, 1fr)" if c.kind == "plain" else f"minmax({CARD}rem, 1.9fr)" for c in columns
    )
    wide = width <= WIDEST
    style = f'style="grid-template-columns:{tracks}"' if wide else ""
    parts = [_card(columns[i], i, truth) for i in chosen[:MOST_CARDS]]
    parts += [_arrow(i, 2) for i in chosen] if wide else []
    parts.append(f'<div class="encoder">{escaped(encoder)}</div>')
    for i, column in enumerate(columns):
        row = chip_row(
            [column.token],
            first=i,
            clickable=column.can_be_chosen,
            label=f"{column.original}: {column.kind}",
        )
        was = f"{hidden} {column.original}" if column.token.text != column.original else ""
        names = "slot" if column.kind == "plain" else f"slot chosen {column.kind}"
        parts += [_arrow(i, 4)] * wide
        parts.append(
            f'<div class="{names}" style="grid-column:{i + 1}">{row}'
            f'<span class="was">{escaped(was)}</span></div>'
        )
    return (
        f'<div class="machine" role="group" aria-label="{escaped(alt)}">'
        f'<div class="grid{"" if wide else " wrapped"}" {style}>{"".join(parts)}</div></div>'
    )


def _arrow(position: int, row: int) -> str:
    return (
        f'<div class="arrow" aria-hidden="true" style="grid-column:{position + 1};'
        f'grid-row:{row}">↑</div>'
    )


def _card(column: Column, position: int, truth: str) -> str:
    guesses = "".join(
        f'<div class="guess{" right" if name == column.original else ""}"'
        f' style="background-size:{100 * probability:.1f}% 100%">'
        f'<span title="{escaped(name)}">{escaped(name, 14)}</span>'
        f"<span>{weight_label(probability)}</span></div>"
        for name, probability in column.guesses
    )
    return (
        f'<div class="card" style="grid-column:{position + 1}">'
        f'<div class="small">{escaped(truth)}</div>'
        f'<div class="true" title="{escaped(column.original)}">{escaped(column.original)}</div>'
        f'{guesses}<div class="number"><span>P</span>'
        f"<b>{significant(column.probability, 3)}</b></div>"
        f'<div class="number"><span>−log P</span><b>{formatted(column.loss, ".2f")}</b></div></div>'
    )
