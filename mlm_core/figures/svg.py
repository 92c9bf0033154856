"""What our drawings are made of: elements with escaped text and short numbers, in one frame.

    svg("bars", [rect(0, 4, 12.5, 20, fill=BLUE), text(20, 19, "a word")], 200, 28, alt="...")

What an element is given by name is its attribute: `fill_opacity=0.3` is fill-opacity=".3", and one
that is None is left out. A `class_` "hit" has a ring under the pointer and in the focus.

A drawing that doesn't fit a phone is made twice: `two_widths(wide, narrow)`.

Read before this: theme.py.
"""

from collections.abc import Iterable

from mlm_core.figures.theme import FONT, GREEN, GREY, TOKEN_FONT, escaped

# What scrolls sideways fades at its right edge until its end is in view, in browsers that know it.
MORE_FOLLOWS = "animation: more-follows 1ms linear; animation-timeline: scroll(self inline);"
FADE = """@keyframes more-follows {
  0%, 98% { mask: linear-gradient(to left, transparent, #000 2.5rem); } 100% { mask: none; } }"""

# Below what a figure says of itself, wherever that stands. A reader's wider spacing
# (WCAG 1.4.12) would cut the words of an SVG, whose places are fixed: it stops there.
STYLE = f"""
:where(.drawn) > svg {{ display: block; width: 100%; height: auto;
  max-height: var(--figure-room, none); }}
:where(.drawn) text {{ font-family: {TOKEN_FONT}; fill: currentColor; }}
:where(.drawn.plain) text, .drawn text.plain {{ font-family: {FONT}; }}
:where(.drawn) [data-value] {{ cursor: pointer; }}
.drawn [data-value]:is(:hover, :focus-visible) .hit {{ stroke: {GREEN}; stroke-width: 2.5;
  stroke-opacity: 1; }}
.scrolls {{ overflow-x: auto; {MORE_FOLLOWS} }}
{FADE}
.two-widths {{ container-type: inline-size; }}
.two-widths .narrow {{ display: none; }}
@container (max-width: 560px) {{
  .two-widths .wide {{ display: none; }} .two-widths .narrow {{ display: block; }}
}}
svg {{ letter-spacing: normal; word-spacing: normal; }}
"""


def element(tag: str, *inside: str, **attributes: str | float | None) -> str:
    """Return an element; what is `inside` is markup, and escaped where it comes from a text.

    >>> element("rect", x=1.50001, rx=3, fill_opacity=0.25, class_="hit", stroke=None)
    '<rect x="1.5" rx="3" fill-opacity="0.25" class="hit"/>'
    """
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_written(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{named}>{''.join(inside)}</{tag}>" if inside else f"<{tag}{named}/>"


def rect(x: float, y: float, width: float, height: float, **look: str | float | None) -> str:
    """Return a box."""
    return element("rect", x=x, y=y, width=width, height=height, **look)


def path(d: str, **look: str | float | None) -> str:
    """Return a line; its `fill` is none if none is named."""
    return element("path", d=d, **{"fill": None if "fill" in look else "none", **look})


def text(
    x: float | None,
    y: float | None,
    words: str,
    longest: int | None = None,
    /,
    **look: str | float | None,
) -> str:
    """Return a text; the whole of one that is longer than `longest` letters is its title."""
    whole = (title(words),) if longest is not None else ()
    return element("text", *whole, escaped(words, longest), x=x, y=y, **look)


def title(words: str) -> str:
    """Return what is said of the element that this stands in."""
    return f"<title>{escaped(words)}</title>"


def button(value: str, **attributes: str | float | None) -> dict[str, str | float | None]:
    """Return the attributes of an element that is clicked and reports `value`."""
    return {"data_value": value, "tabindex": 0, "role": "button", **attributes}


def cell_button(
    row: int, column: int, value: str = "", *, is_stop: bool = False, **attributes: str | None
) -> dict[str, str | float | None]:
    """Return the attributes of a cell that is clicked, and that the arrow keys find.

    It reports `value`, or "row,column". One cell of a drawing is the stop of the tab key.
    """
    place = {"data_row": row, "data_column": column, "tabindex": 0 if is_stop else -1}
    return button(value or f"{row},{column}", **attributes) | place


def two_widths(wide: str, narrow: str) -> str:
    """Return a drawing that is made twice; the style shows the one that fits."""
    forms = (element("div", one, class_=name) for name, one in (("wide", wide), ("narrow", narrow)))
    return element("div", *forms, class_="two-widths")


def svg(
    kind: str,
    parts: Iterable[str],
    width: float,
    height: float,
    *,
    alt: str,
    widest: float | None = None,
    narrowest: float | None = None,
    size: float = 14,
    role: str = "img",
    drag: str | None = None,
) -> str:
    """Return a drawing in a box whose class is its `kind`.

    It is as wide as the page has room for: at most `widest` pixels and at least `narrowest`, below
    which the box scrolls. `role` is "group" for a drawing whose parts are clicked; `drag`
    is "" where the pointer is drawn over several.
    """
    style = f"max-width:{widest or width:.0f}px"
    if narrowest is not None:
        style += f";min-width:{narrowest:.0f}px"
    drawing = element(
        "svg",
        *parts,
        "",
        xmlns="http://www.w3.org/2000/svg",
        role=role,
        aria_label=alt,
        viewBox=f"0 0 {width:.0f} {max(1, height):.0f}",
        font_size=size,
        style=style,
    )
    scrolls = "" if narrowest is None else " scrolls"
    return element("div", drawing, class_=f"drawn {kind}{scrolls}", data_drag=drag)


def hatching(name: str = "hatch") -> str:
    """Return the pattern of what is blocked, for `fill="url(#hatch)"`.

    Of two drawings that stand for each other each needs one by a name of its own: a pattern in the
    one that isn't shown is none.
    """
    stripe = path("M0 0V6", stroke=GREY, stroke_width=2, stroke_opacity=0.55)
    return element(
        "defs",
        element(
            "pattern",
            rect(0, 0, 6, 6, fill=GREY, fill_opacity=0.12),
            stripe,
            id=name,
            width=6,
            height=6,
            patternUnits="userSpaceOnUse",
            patternTransform="rotate(45)",
        ),
    )


def _written(value: str | float) -> str:
    if isinstance(value, str):
        return escaped(value)
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
