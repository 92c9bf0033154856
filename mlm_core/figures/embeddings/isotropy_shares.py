"""The largest dimensions' proportions of the mean cosine, with their running sum.

Each bar is a button with the value "0,rank"; the arrow keys go from bar to bar. The last bar is the
sum of all other dimensions and is no button. Those that are dropped are grey.

Read before this: ../theme.py.
"""

from collections.abc import Callable, Sequence

from mlm_core.figures.svg import cell_button, element, path, rect, svg, text, title
from mlm_core.figures.theme import BLUE, GREY, ORANGE
from mlm_core.number_format import formatted

LEFT, RIGHT, TOP, BARS, BOTTOM = 46, 10, 10, 190, 62  # the drawing's units
STEP = 24  # from bar to bar
Place = Callable[[int, float], tuple[float, float]]  # (rank, proportion) to (x, y)

STYLE = """
.dimension-shares .bar { outline: none; }
.dimension-shares .bar:is(:hover, :focus-visible) .back { fill-opacity: .18; }
"""


def shares_svg(
    names: Sequence[str],
    proportions: Sequence[float],
    *,
    rest: tuple[str, float],
    n_dropped: int,
    x_title: str,
    sum_title: str,
    alt: str,
) -> str:
    """Return a bar for each dimension, largest first, and one for the `rest`.

    Raises ValueError if names and shares differ in number.
    """
    if len(names) != len(proportions):
        raise ValueError(f"{len(names)} names for {len(proportions)} shares: give one name a share")
    running, total = [], 0.0
    for proportion in (*proportions, rest[1]):
        total += proportion
        running.append(total)
    # A dimension can lower the mean cosine, so that those before it sum to more than 1.
    highest = max(1.0, *running, *proportions)
    width = LEFT + STEP * (len(proportions) + 2) + RIGHT

    def place(rank: int, proportion: float) -> tuple[float, float]:
        return LEFT + STEP * (rank + 0.5), TOP + BARS * (1 - max(proportion, 0.0) / highest)

    parts = [*_grid(width, place)]
    for rank, (name, proportion) in enumerate(zip(names, proportions, strict=True)):
        parts.append(_bar(rank, name, proportion, place, n_dropped))
    parts.append(_rest(len(proportions), rest, place))
    places = (place(i, proportion) for i, proportion in enumerate(running))
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dashed = {"stroke_width": 2.5, "stroke_dasharray": "7 4", "pointer_events": "none"}
    parts.append(path(line, stroke=ORANGE, **dashed))
    x, y = place(len(proportions) - 3, running[max(0, len(proportions) - 3)])
    y += 22 if y < TOP + 40 else -10
    parts += [
        text(x, y, sum_title, text_anchor="middle"),
        text(width / 2, TOP + BARS + BOTTOM - 4, x_title, text_anchor="middle"),
    ]
    return svg(
        "plain dimension-shares",
        parts,
        width,
        TOP + BARS + BOTTOM,
        alt=alt,
        widest=1.1 * width,
        narrowest=0.85 * width,
        size=13,
        role="group",
    )


def _grid(width: float, place: Place) -> list[str]:
    parts = []
    for quarter in range(5):
        y = place(0, quarter / 4)[1]
        parts += [
            path(f"M{LEFT} {y:.1f}H{width - RIGHT}", stroke=GREY, opacity=0.25),
            text(LEFT - 6, y + 4, f"{25 * quarter} %", text_anchor="end"),
        ]
    return parts


def _bar(rank: int, name: str, proportion: float, place: Place, n_dropped: int) -> str:
    x, y = place(rank, proportion)
    base = TOP + BARS
    said = f"{name}: {formatted(100 * proportion, '.1f')} %"
    is_dropped, is_last = rank < n_dropped, rank == max(0, n_dropped - 1)
    outline = {"stroke": "currentColor", "stroke_width": 1.5} if is_dropped else {}
    back = {"fill": BLUE, "fill_opacity": 0, "class_": "back", **outline}
    pressed = {"aria_pressed": str(is_dropped).lower(), "class_": "bar"}
    click = cell_button(0, rank, is_stop=is_last, aria_label=said, **pressed)
    turned = f"translate({x + 4:.1f} {base + 30}) rotate(-90)"
    return element(
        "g",
        title(said),
        rect(x - STEP / 2 + 1, TOP, STEP - 2, BARS + 34, rx=3, **back),
        rect(x - STEP / 2 + 4, y, STEP - 8, base - y, fill=GREY if is_dropped else BLUE),
        text(None, None, name, 5, transform=turned),
        **click,
    )


def _rest(rank: int, rest: tuple[str, float], place: Place) -> str:
    x, y = place(rank, rest[1])
    x += STEP / 2
    return element(
        "g",
        title(f"{rest[0]}: {formatted(100 * rest[1], '.1f')} %"),
        rect(x - STEP / 2 + 2, y, STEP - 4, TOP + BARS - y, fill=GREY, fill_opacity=0.6),
        text(x + STEP / 2, y - 7, rest[0], text_anchor="end"),
    )
