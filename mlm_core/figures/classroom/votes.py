"""A class's answers: bars for choices and words, dots for numbers; and a map of its progress.

Text is large in proportion, because a projector shows it to the back row and a phone in 360
pixels; so each option stands above its bars and not beside them.
"""

from collections.abc import Callable, Mapping, Sequence

from mlm_core.figures.svg import element, path, rect, svg, text
from mlm_core.figures.theme import BLUE, FONT, GREEN, GREY, ORANGE, escaped, significant
from mlm_core.number_format import formatted

WIDTH, LINE, BAR, GAP = 460, 24, 22, 10  # the drawing's units
COUNT, COUNT_AND_ROUND = 96, 160  # what a bar leaves for its number, and for the round's name
OPTION_LETTERS = 52
DOT = 7.0
RIGHT = "✓ "  # before the right answer
ROUNDS = (BLUE, ORANGE)  # the first vote, and the newest one; a round's number is beside its bar

STYLE = f"""
.class-map {{ font-family: {FONT}; }}
.class-map h4 {{ margin: .6rem 0 .2rem; font-size: 1rem; }}
.class-map ul {{ display: flex; flex-wrap: wrap; gap: .3rem; margin: 0; padding: 0;
  list-style: none; }}
.class-map li {{ border: 1px solid {GREY}; border-radius: .3rem; padding: .15rem .5rem; }}
"""


def votes_svg(
    rounds: Sequence[Mapping[str, int]],
    *,
    round_names: Sequence[str],
    alt: str,
    right: str | None = None,
) -> str:
    """Return for each option its bars, one a round, with count and per cent of the round.

    `rounds` are counts by option, in order; give at most two. The longest bar is all who voted.
    The `right` option has a mark.
    """
    totals = [max(1, sum(counts.values())) for counts in rounds]
    options = list(dict.fromkeys(option for counts in rounds for option in counts))
    parts, y = [], 0.0
    for option in options:
        mark, weight = (RIGHT, 700) if option == right else ("", None)
        parts.append(text(0, y + 18, mark + option, OPTION_LETTERS, font_weight=weight))
        y += LINE
        for number, (counts, total) in enumerate(zip(rounds, totals, strict=True)):
            parts += _bar(y, counts.get(option, 0), total, number, round_names)
            y += BAR + 4
        y += GAP
    return _box(parts, y, alt)


def dots_svg(
    rounds: Sequence[Sequence[float]],
    *,
    round_names: Sequence[str],
    alt: str,
    right: float | None = None,
    written: Callable[[float], str] = lambda number: significant(number, 3),
) -> str:
    """Return one dot a learner over an axis of numbers; equal numbers are stacked.

    A line stands at the `right` number. Numbers are `written` so.
    """
    everything = [number for numbers in rounds for number in numbers]
    if right is not None:
        everything.append(right)
    low, high = (min(everything), max(everything)) if everything else (0.0, 1.0)
    span = (high - low) or 1.0
    parts, y = [], 0.0
    for number, numbers in enumerate(rounds):
        stacks: dict[int, int] = {}
        places = []
        for value in numbers:
            column = round((value - low) / span * (WIDTH - 4 * DOT) / (2.4 * DOT))
            stacks[column] = stacks.get(column, 0) + 1
            places.append((2 * DOT + column * 2.4 * DOT, stacks[column]))
        base = y + 2.4 * DOT * max(stacks.values(), default=1) + (LINE if len(rounds) > 1 else 4)
        if len(rounds) > 1:
            parts.append(text(0, y + 16, round_names[number], font_size=14))
        parts += [
            element(
                "circle", cx=x, cy=base - (2 * k - 1) * 1.2 * DOT, r=DOT, fill=ROUNDS[number % 2]
            )
            for x, k in places
        ]
        y = base + LINE
        parts += [
            path(f"M0 {base:.0f}H{WIDTH}", stroke=GREY),
            text(0, y - 5, written(low), font_size=14),
            text(WIDTH, y - 5, written(high), font_size=14, text_anchor="end"),
        ]
        y += GAP
    if right is not None:
        x, middle = 2 * DOT + (right - low) / span * (WIDTH - 4 * DOT), WIDTH / 2
        anchor = "start" if x < middle else "end"
        look = {"font_weight": 700, "font_size": 14, "text_anchor": anchor}
        parts.append(path(f"M{x:.1f} 0V{y:.0f}", stroke=GREEN, stroke_width=3))
        parts.append(text(x, y + 14, f"{RIGHT}{written(right)}", **look))
        y += LINE
    return _box(parts, y, alt)


def _bar(y: float, n: int, total: int, number: int, round_names: Sequence[str]) -> list[str]:
    is_one = len(round_names) == 1
    longest = WIDTH - (COUNT if is_one else COUNT_AND_ROUND)
    per_cent = formatted(100 * n / total, ".0f")
    label = f"{formatted(n, ',')} · {per_cent} %"
    if not is_one:
        label = f"{round_names[number]}: {label}"
    return [
        rect(0, y, longest, BAR, rx=3, fill=GREY, fill_opacity=0.1),
        rect(0, y, longest * n / total, BAR, rx=3, fill=ROUNDS[number % 2]),
        text(longest + 8, y + 17, label),
    ]


def _box(parts: Sequence[str], height: float, alt: str) -> str:
    return svg("plain votes", parts, WIDTH, height, alt=alt, widest=736, size=17)


def map_html(
    lessons: Mapping[str, Sequence[tuple[str, int, int]]], *, help_name: str, alt: str
) -> str:
    """Return a lesson a row and a cell for each of its parts and exercises.

    A cell has a name, how many learners opened or solved it, and how many need help there; the
    fullest cell of all has the full shade of blue.
    """
    fullest = max((n for cells in lessons.values() for _, n, _ in cells), default=0) or 1
    rows = []
    for lesson, cells in lessons.items():
        drawn = "".join(_cell(*cell, fullest, help_name) for cell in cells)
        rows.append(f"<h4>{escaped(lesson)}</h4><ul>{drawn}</ul>")
    return f'<div class="class-map" role="group" aria-label="{escaped(alt)}">{"".join(rows)}</div>'


def _cell(name: str, n: int, n_need_help: int, fullest: int, help_name: str) -> str:
    shade = 0.55 * n / fullest  # at most: the page's own text stays readable on it
    needing = f" <b>! {n_need_help} {escaped(help_name)}</b>" if n_need_help else ""
    return (
        f'<li style="background:rgba(0,114,178,{shade:.2f})"><span>{escaped(name)}</span>'
        f" <b>{formatted(n, ',')}</b>{needing}</li>"
    )
