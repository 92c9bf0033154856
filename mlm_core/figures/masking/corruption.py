"""A corruption: each token with its chips, its random numbers and its label.

A column is a token: original token, both random numbers, corrupted token, label. The second random
number is a mark on the line from 0 to 1 with the zones [MASK] (M), random (R) and kept (K).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.figures.svg import element, path, rect, text
from mlm_core.figures.theme import BLUE, GREEN, GREY, ORANGE, TOKEN_FONT, VERMILION, escaped, tint
from mlm_core.masking.noising import Noised, NoisedToken
from mlm_core.masking.rule import Branch, CorruptionRule
from mlm_core.masking.steps import Corruption, PlayState
from mlm_core.number_format import formatted

BRANCH_COLOURS: dict[Branch, str] = {"mask": ORANGE, "random": VERMILION, "keep": GREEN}
BRANCH_LETTERS: dict[Branch, str] = {"mask": "M", "random": "R", "keep": "K"}
KINDS: dict[Branch, str] = {"mask": "mask", "random": "random", "keep": "kept"}  # of chips
LONGEST_LABEL = 16  # characters on a chip
DIE_WIDTH, WIDE_DIE = 64, 400


STYLE = f"""
.play {{ display: flex; flex-wrap: wrap; gap: 1rem .15rem; font-family: {TOKEN_FONT};
  font-size: .9rem; position: relative; padding-left: 5.7rem; }}
.play :is(.column, .names) {{ display: grid; align-items: center;
  grid-template-rows: 1.1rem 2.1rem 1.6rem 2.6rem 2.1rem 1.7rem; }}
.play .column {{ justify-items: center; min-width: 4.3rem; padding: 0 .1rem; }}
.play .names {{ position: absolute; left: 0; width: 5.6rem; font-size: .8rem;
  background: var(--st-background-color);
  color: color-mix(in srgb, currentColor 75%, transparent); }}
@media (max-width: 640px) {{
  .play {{ gap: .5rem .05rem; font-size: .8rem; padding-left: 3.7rem; }}
  .play :is(.column, .names) {{ grid-template-rows: .9rem 2rem 1.2rem 2.1rem 2rem 1.2rem; }}
  .play .column {{ min-width: 3.5rem; padding: 0 .02rem; }}
  .play .chip {{ padding: .05rem .3rem; }}
  .play .names {{ width: 3.6rem; font-size: .7rem; line-height: 1; }}
  .play .number, .play .draw, .play .label {{ font-size: .7rem; }}
}}
.play .column.at {{ background: {tint(GREY, 16)}; border-radius: .5rem; }}
.play .number, .play .draw, .play .label {{ font-size: .78rem; white-space: nowrap; }}
.play .number, .play .faint {{ opacity: .75; }}
.play .label b, .play .draw b {{ font-weight: 700; }}
.play .chip {{ margin: 0; min-height: 1.8rem; max-width: 9rem; }}
.chip.chosen {{ outline: 2.5px solid {BLUE}; outline-offset: 1px; }}
.chip.random {{ background: {tint(VERMILION, 28)}; border: 2px dotted {VERMILION}; }}
.chip.kept {{ background: {tint(GREEN, 24)}; border: 2px double {GREEN}; }}
.chip.sentinel {{ background: {tint(BLUE, 20)}; border: 1.5px solid {BLUE}; }}
.chip.gone {{ text-decoration: line-through; opacity: .8; }}
.passes table {{ border-collapse: collapse; font-family: {TOKEN_FONT}; font-size: .82rem; }}
.passes :is(th, td) {{ padding: .1rem .25rem; text-align: center; font-weight: 400; }}
.passes :is(th:first-child) {{ text-align: right; white-space: nowrap; opacity: .75; }}
.passes .chip {{ margin: 0; padding: 0 .3rem; }}
.die text {{ font-family: {TOKEN_FONT}; fill: currentColor; }}
.die svg {{ display: block; height: auto; max-width: 100%; }}
"""


@dataclass(frozen=True, kw_only=True)
class PlayNames:
    """The names of the drawing's rows, in the reader's language."""

    token: str
    draw: str
    die: str
    seen: str
    label: str


def play_html(
    corruption: Corruption,
    state: PlayState,
    rule: CorruptionRule,
    *,
    names: PlayNames,
    at: int | None,
    alt: str,
    clickable: bool = True,
) -> str:
    """Return a column for each token processed so far; `at` is the selected one.

    Each column brings the names, which stand at the left edge in its line: where tokens are
    wrapped, every line has them.
    """
    rows = (names.token, names.draw, names.die, names.seen, names.label)
    spans = "".join(f"<span>{escaped(name)}</span>" for name in ("", *rows))
    drawn = "".join(
        f'<div class="column{" at" * (i == at)}">'
        f'<div class="names" aria-hidden="true">{spans}</div>'
        f"{_column(corruption, state, rule, i, i == at, clickable)}</div>"
        for i in range(len(corruption.tokens))
    )
    return f'<div class="play" role="group" aria-label="{escaped(alt)}">{drawn}</div>'


def _column(
    corruption: Corruption,
    state: PlayState,
    rule: CorruptionRule,
    i: int,
    is_at: bool,
    clickable: bool,
) -> str:
    token, candidate = corruption.tokens[i], corruption.choice.candidates[i]
    new = corruption.replacements[i]
    shown = state.is_chosen and candidate.is_chosen
    kind = "special" * token.is_special + " chosen" * shown
    draw, label = "", '<span class="faint">·</span>'
    if candidate.excluded:
        draw = '<span class="faint">–</span>'
    elif state.is_chosen and candidate.draw is not None:
        number = thousandths(candidate.draw)
        draw = f"<b>{number}</b>" if shown else f'<span class="faint">{number}</span>'
    elif shown and candidate.span is not None:
        draw = f"<b>{candidate.span + 1}</b>"
    if state.is_chosen:
        label = f"<b>{escaped(token.text, LONGEST_LABEL)}</b>" if shown else _ignored()
    die = die_svg(rule, new.die) if shown and new and i in state.rolled else ""
    seen = token.text, "special" * token.is_special
    if new and i in state.replaced:
        seen = new.text, KINDS[new.branch]
    return (
        f'<span class="number">{i}</span>'
        f"{_chip(token.text, kind, i if clickable else None, is_at)}"
        f'<span class="draw">{draw}</span><span>{die}</span>'
        f'{_chip(*seen)}<span class="label">{label}</span>'
    )


def die_svg(rule: CorruptionRule, die: float | None, *, wide: bool = False) -> str:
    """Return the line from 0 to 1 with its zones, and a mark at the random number."""
    width, height = (WIDE_DIE, 30) if wide else (DIE_WIDTH, 15)
    side = 20 if wide else 3
    edges = (0.0, rule.mask_rate, rule.mask_rate + rule.random_rate, 1.0)
    parts = []
    for (branch, colour), start, stop in zip(
        BRANCH_COLOURS.items(), edges, edges[1:], strict=False
    ):
        if stop - start < 1e-9:
            continue
        x, extent = side + start * width, (stop - start) * width
        look = {"fill": colour, "fill_opacity": 0.45, "stroke": colour}
        parts.append(rect(x, 2, extent, height, **look))
        if extent > 11:
            middle = {"font_size": 11, "text_anchor": "middle"}
            parts.append(text(x + extent / 2, height / 2 + 6, BRANCH_LETTERS[branch], **middle))
    number = {"font_size": 12, "text_anchor": "middle"}
    if wide:
        parts += [
            text(side + edge * width, height + 17, formatted(edge, ".2f"), **number)
            for k, edge in enumerate(edges)
            # A mark that would stand on its neighbour's is left out.
            if k in (0, 3) or (edge - edges[k - 1] > 0.07 and 1 - edge > 0.07)
        ]
    if die is not None:
        line = f"M{side + die * width:.1f} 0V{height + 4}"
        parts.append(path(line, stroke="currentColor", stroke_width=3 if wide else 2))
        if not wide:
            parts.append(text(side + width / 2, height + 15, thousandths(die), **number))
    total = width + 2 * side
    drawing = element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        aria_label="" if die is None else thousandths(die),
        viewBox=f"0 0 {total} {height + (24 if wide else 18)}",
        width=total,
    )
    return element("span", drawing, class_="die")


def thousandths(number: float) -> str:
    """Return a random number with three decimals, truncated.

    >>> thousandths(0.79999)  # which is below 0.8, and must not look like it
    '0.799'
    """
    return formatted(int(number * 1000) / 1000, ".3f")


def passes_html(
    corruptions: Sequence[Corruption], names: Sequence[str], *, token: str, alt: str
) -> str:
    """Return a row for each time a text is read: what stands at the chosen positions then.

    `names` are those of the rows, `token` that of the row with the text itself.
    """
    tokens = corruptions[0].tokens if corruptions else ()
    rows = [(token, [_chip(each.text, "special" * each.is_special) for each in tokens])]
    for name, corruption in zip(names, corruptions, strict=True):
        seen = [
            _chip(new.text, KINDS[new.branch]) if new else '<span class="faint">·</span>'
            for new in corruption.replacements
        ]
        rows.append((name, seen))
    drawn = "".join(
        f'<tr><th scope="row">{escaped(name)}</th>'
        f"{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        for name, cells in rows
    )
    named = f'class="passes scrolls" role="group" aria-label="{escaped(alt)}"'
    return f"<div {named}><table>{drawn}</table></div>"


def noised_rows(noised: Noised) -> tuple[str, str, str]:
    """Return three rows of chips: the original, the corrupted text and the target."""
    changed = set(noised.changed)
    original = "".join(
        _chip(token.text, "chosen" if i in changed else "", joined=_joins(noised, i, i - 1))
        for i, token in enumerate(noised.original)
    )
    return (
        f'<div class="chips">{original}</div>',
        _noised_chips(noised.corrupted, noised),
        _noised_chips(noised.target, noised),
    )


def _noised_chips(tokens: Sequence[NoisedToken], noised: Noised) -> str:
    chips, before = [], None
    for token in tokens:
        kind = "" if token.change == "same" else token.change
        chips.append(_chip(token.text, kind, joined=_joins(noised, token.origin, before)))
        before = token.origin
    return f'<div class="chips">{"".join(chips)}</div>'


def _joins(noised: Noised, i: int | None, before: int | None) -> bool:
    if i is None or before is None or before < 0 or i != before + 1:
        return False
    one, other = noised.original[before], noised.original[i]
    return one.word is not None and one.word == other.word and one.segment == other.segment


def _chip(
    text: str, kind: str, value: int | None = None, is_at: bool = False, *, joined: bool = False
) -> str:
    names = " ".join(["chip", *kind.split(), *["joined"] * joined])
    shown, title = escaped(text, LONGEST_LABEL), escaped(text)
    if value is None:
        return f'<span class="{names}" title="{title}">{shown}</span>'
    return (
        f'<button type="button" class="{names}" title="{title}"'
        f' aria-pressed="{str(is_at).lower()}" data-value="{value}">{shown}</button>'
    )


def _ignored() -> str:
    return '<span class="faint">−100</span>'
