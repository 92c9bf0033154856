"""Tokens as chips; all figures draw tokens in this way.

A chip is a rounded box in a fixed-width font; subwords of one word touch;
continuation marks ("##", "▁", "</w>") are dimmed; special tokens are outlined and empty.
"""

import re
from collections.abc import Collection, Sequence

from mlm_core.figures.theme import BLUE, GREEN, GREY, ORANGE, TOKEN_FONT, VERMILION, escaped
from mlm_core.text.tokens import Token

LONGEST_LABEL = 24  # characters on a chip; the rest is in its title

STYLE = f"""
.chips {{ display: flex; flex-wrap: wrap; row-gap: .45rem; align-items: center;
  font-family: {TOKEN_FONT}; font-size: .95rem; line-height: 1.5; }}
.chip {{ display: inline-block; box-sizing: border-box; padding: .1rem .45rem; margin: 0 0 0 .35rem;
  border: 1.5px solid rgba(127,136,150,.45); border-radius: .5rem; color: inherit;
  background: rgba(127,136,150,.12); font: inherit; white-space: pre; max-width: 100%;
  overflow: hidden; text-overflow: ellipsis; }}
.chip.joined {{ margin-left: 1px; }}
.chips > .chip:first-child {{ margin-left: 0; }}
.chip.special {{ background: transparent; border-style: dashed; border-color: {GREY}; }}
.chip.mask {{ background: color-mix(in srgb, {ORANGE} 30%, transparent); border-color: {ORANGE}; }}
.chip.unknown {{ border: 1.5px dashed {VERMILION}; }}
.chip.selected {{ outline: 3px solid {BLUE}; outline-offset: 1px; }}
.chip.blocked {{ border-color: transparent; opacity: .8; background: repeating-linear-gradient(
  45deg, rgba(127,136,150,.35) 0 2px, transparent 2px 6px); }}
.chip .mark {{ opacity: .75; }}
.chip:is(.blocked, .gone) .mark {{ opacity: 1; }}
button.chip {{ cursor: pointer; min-height: 2rem; min-width: 1.5rem; }}
.chips.sentence {{ font-size: clamp(1.2rem, 2.2vw, 1.6rem); gap: .4rem .1rem; }}
.chips.sentence .mask {{ min-width: 4.5rem; text-align: center; }}
.chips.sentence .sent {{ color: transparent; border-color: {ORANGE};
  background: color-mix(in srgb, {ORANGE} 30%, transparent); }}
.chips.sentence .sent.mask {{ border-color: {GREY}; background: transparent; }}
.chips.sentence .wanted {{ animation: wanted 1.6s ease-in-out 3; }}
@keyframes wanted {{ 50% {{ background: color-mix(in srgb, {ORANGE} 65%, transparent); }} }}
@media (prefers-reduced-motion: reduce) {{ .chips.sentence .wanted {{ animation: none; }} }}
.chips.sentence button.chip {{ min-height: 2.5rem; }}
.chips.sentence > span:not(.chip) {{ margin-left: .2rem; }}
button.chip:hover {{ border-color: {BLUE}; }}
button.chip:focus-visible {{ outline: 3px solid {GREEN}; outline-offset: 1px; }}
"""

_MARKS = re.compile(r"^(##|▁|Ġ)|(</w>)$")


def chip_row(
    tokens: Sequence[Token],
    *,
    first: int = 0,
    selected: Collection[int] = (),
    blocked: Collection[int] = (),
    clickable: bool | Collection[int] = False,
    label: str = "tokens",
) -> str:
    """Return a row of chips as HTML; `clickable` ones are buttons with their position.

    Clickable are all chips, none, or those at some positions.
    `selected` positions are ringed, `blocked` ones hatched.
    `first` is the position of the first chip, for a row that is part of a text.
    `label` names the row for screen readers.
    """
    role = "group" if clickable else "list"
    of_all = range(first, first + len(tokens)) if clickable else ()
    buttons = of_all if isinstance(clickable, bool) else clickable
    chips = "".join(
        _chip(token, i, before, i in selected, i in blocked, i in buttons, role)
        for i, (before, token) in enumerate(zip((None, *tokens), tokens, strict=False), first)
    )
    return f'<div class="chips" role="{role}" aria-label="{escaped(label)}">{chips}</div>'


def _chip(
    token: Token,
    position: int,
    before: Token | None,
    is_selected: bool,
    is_blocked: bool,
    clickable: bool,
    role_of_row: str,
) -> str:
    names = ["chip"]
    if before and token.word is not None and before.word == token.word:
        names += ["joined"] * (before.segment == token.segment)
    if token.is_special:
        names.append("special")
    if token.text in ("[MASK]", "<mask>"):
        names.append("mask")
    if token.text in ("[UNK]", "<unk>"):
        names.append("unknown")
    if is_selected:
        names.append("selected")
    if is_blocked:
        names.append("blocked")
    title = f"{escaped(token.text)}, id {token.id}, position {position}"
    attributes = f'class="{" ".join(names)}" title="{title}"'
    text = _dim_marks(token.text)
    if clickable:
        pressed = str(is_selected).lower()
        return (
            f'<button type="button" {attributes} aria-pressed="{pressed}"'
            f' data-value="{position}">{text}</button>'
        )
    role = ' role="listitem"' if role_of_row == "list" else ""
    return f"<span{role} {attributes}>{text}</span>"


def _dim_marks(text: str) -> str:
    """Return the chip's label with the vocabulary's own marks dimmed."""
    if _MARKS.sub("", text) == "":
        return escaped(text, LONGEST_LABEL)
    parts = _MARKS.split(text)
    return "".join(
        f'<span class="mark">{escaped(part)}</span>'
        if _MARKS.fullmatch(part)
        else escaped(part, LONGEST_LABEL)
        for part in parts
        if part
    )
