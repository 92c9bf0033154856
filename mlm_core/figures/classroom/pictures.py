"""Small pictures of what each lesson shows first, from stored numbers, as SVG texts.

tools/stored_pictures.py computes the numbers.
"""

from collections.abc import Callable, Mapping, Sequence

from mlm_core.figures.theme import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    SKY,
    TOKEN_FONT,
    VERMILION,
    escaped,
    weight_label,
)

WIDTH, HEIGHT = 240, 92  # the drawing's units
LETTER = 6.6
SENSE_COLOURS = (BLUE, ORANGE, GREEN, VERMILION, SKY)

STYLE = f"""
.lesson-picture svg {{ display: block; width: 100%; height: auto; }}
.lesson-picture text {{ font-family: {TOKEN_FONT}; font-size: 11px; fill: currentColor; }}
"""


def lesson_picture(slug: str, numbers: Mapping, *, alt: str) -> str:
    """Return a lesson's picture; "" for a lesson that has none."""
    if slug not in _DRAWN:
        return ""
    return (
        f'<div class="lesson-picture"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {WIDTH} {HEIGHT}">{_DRAWN[slug](numbers)}'
        "</svg></div>"
    )


def _chip(x: float, y: float, text: str, colour: str = "", gap: float = 4) -> tuple[str, float]:
    """Return one chip and where the next one begins."""
    width = LETTER * len(text) + 10
    fill, shade = (colour, ".3") if colour else (GREY, ".14")
    drawn = (
        f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="20" rx="5" fill="{fill}"'
        f' fill-opacity="{shade}" stroke="{fill}" stroke-opacity=".7"/>'
        f'<text x="{x + width / 2:.0f}" y="{y + 14}" text-anchor="middle">{escaped(text)}</text>'
    )
    return drawn, x + width + gap


def _chips(texts: Sequence[str], colours: Sequence[str], x: float, y: float, gap: float = 4) -> str:
    """Return chips in rows that fit the width."""
    parts, start = [], x
    for text, colour in zip(texts, colours, strict=True):
        if x + LETTER * len(text) + 10 > WIDTH:
            x, y = start, y + 27
        drawn, x = _chip(x, y, text, colour, gap)
        parts.append(drawn)
    return "".join(parts)


def _subwords(numbers: Mapping) -> str:
    rows = {}
    for token, word in zip(numbers["tokens"], numbers["words"], strict=True):
        rows.setdefault(word, []).append(token)
    drawn = []
    for y, tokens in zip((8, 54), rows.values(), strict=False):
        whole = "".join(token.removeprefix("##") for token in tokens)
        drawn.append(f'<text x="2" y="{y + 6}" fill-opacity=".8">{escaped(whole)}</text>')
        drawn.append(_chips(tokens, [""] * len(tokens), 2, y + 12, 1))
    return "".join(drawn)


def _attention(numbers: Mapping) -> str:
    weights, tokens = numbers["weights"], numbers["tokens"]
    size, left = HEIGHT / len(weights), 66
    cells = [
        '<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><rect width="2" height="5" fill="{GREY}"'
        ' fill-opacity=".35"/></pattern>'
    ]
    for i, row in enumerate(weights):
        cells.append(
            f'<text x="{left - 6}" y="{size * i + 8:.0f}" text-anchor="end"'
            f' style="font-size:9px">{escaped(tokens[i])}</text>'
        )
        for j, weight in enumerate(row):
            fill = "url(#hatch)" if j > i else BLUE
            shade = "" if j > i else f' fill-opacity="{weight:.2f}"'
            cells.append(
                f'<rect x="{left + 16 * j}" y="{size * i:.1f}" width="15" height="{size - 1:.1f}"'
                f' fill="{fill}"{shade}/>'
            )
    return "".join(cells)


def _masking(numbers: Mapping) -> str:
    shown, colours = [], []
    pairs = zip(numbers["tokens"], numbers["corrupted"], strict=True)
    for position, (before, after) in enumerate(pairs):
        if before in ("[CLS]", "[SEP]"):
            continue
        became = ORANGE if after == "[MASK]" else VERMILION if after != before else GREEN
        shown.append(after)
        colours.append(became if position in numbers["at"] else "")
    return _chips(shown, colours, 2, 8)


def _bars(names: Sequence[str], values: Sequence[float]) -> str:
    parts, step = [], HEIGHT / len(names)
    for i, (name, value) in enumerate(zip(names, values, strict=True)):
        y = step * i + step / 2 - 7
        parts.append(
            f'<text x="70" y="{y + 11:.0f}" text-anchor="end">{escaped(name)}</text>'
            f'<rect x="76" y="{y:.0f}" width="126" height="14" rx="3" fill="{GREY}"'
            f' fill-opacity=".12"/><rect x="76" y="{y:.0f}" width="{126 * value:.1f}" height="14"'
            f' rx="3" fill="{BLUE}"/>'
            f'<text x="208" y="{y + 11:.0f}">{escaped(weight_label(value))}</text>'
        )
    return "".join(parts)


def _line(points: Sequence[Sequence[float]], box: Sequence[float], colour: str, dash: str) -> str:
    """Return a curve; `box` is the lowest and highest x and y."""
    low_x, high_x, low_y, high_y = box
    drawn = " ".join(
        f"{6 + (WIDTH - 12) * (x - low_x) / (high_x - low_x):.1f},"
        f"{HEIGHT - 6 - (HEIGHT - 12) * (y - low_y) / (high_y - low_y):.1f}"
        for x, y in points
    )
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="2.5"{dashed}/>'


_AXES = f'<path d="M4 4V{HEIGHT - 4}H{WIDTH - 4}" fill="none" stroke="{GREY}" stroke-opacity=".6"/>'


def _training(numbers: Mapping) -> str:
    points = list(zip(numbers["steps"], numbers["loss"], strict=True))
    box = (0, points[-1][0], 0, points[0][1])
    return _AXES + _line(points, box, BLUE, "")


def _classification(numbers: Mapping) -> str:
    pens = ((BLUE, ""), (VERMILION, "7 4"), (GREEN, "2 3"))
    return _AXES + "".join(
        _line(points, (0, points[-1][0], 0, 1), *pen)
        for points, pen in zip(numbers.values(), pens, strict=True)
    )


def _senses(numbers: Mapping) -> str:
    xs, ys = zip(*numbers["points"], strict=True)
    low_x, low_y, wide, high = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    return "".join(
        f'<circle cx="{6 + (WIDTH - 12) * (x - low_x) / wide:.1f}"'
        f' cy="{6 + (HEIGHT - 12) * (y - low_y) / high:.1f}" r="3.2"'
        f' fill="{SENSE_COLOURS[sense % len(SENSE_COLOURS)]}" fill-opacity=".75"/>'
        for x, y, sense in zip(xs, ys, numbers["senses"], strict=True)
    )


def _isotropy(numbers: Mapping) -> str:
    counts, low, high = numbers["counts"], numbers["from"], numbers["to"]
    wide, most = (WIDTH - 8) / len(counts), max(counts)
    bars = "".join(
        f'<rect x="{4 + wide * i:.1f}" y="{78 - 72 * n / most:.1f}" width="{wide - 1:.1f}"'
        f' height="{72 * n / most:.1f}" fill="{BLUE}" fill-opacity=".8"/>'
        for i, n in enumerate(counts)
        if n
    )
    zero = 4 + (WIDTH - 8) * -low / (high - low)
    return (
        f'{bars}<path d="M4 78H{WIDTH - 4}M{zero:.1f} 4V78" stroke="{GREY}"/>'
        f'<text x="{zero:.1f}" y="90" text-anchor="middle">0</text>'
        f'<text x="{WIDTH - 4}" y="90" text-anchor="end">{high:.0f}</text>'
    )


def _tagging(numbers: Mapping) -> str:
    parts, x, y = [], 2.0, 4
    for word, tag in zip(numbers["words"], numbers["tags"], strict=True):
        if x + LETTER * len(word) + 10 > WIDTH:
            x, y = 2.0, y + 44
        colour = {"B": BLUE, "I": SKY}.get(tag[0], "")
        drawn, following = _chip(x, y, word, colour)
        parts.append(drawn)
        parts.append(
            f'<text x="{(x + following - 4) / 2:.0f}" y="{y + 31}" text-anchor="middle"'
            f' style="font-size:9px">{escaped(tag)}</text>'
        )
        x = max(following, x + 5.6 * len(tag) + 6)
    return "".join(parts)


_DRAWN: dict[str, Callable[[Mapping], str]] = {
    "subword_tokens": _subwords,
    "attention_mask": _attention,
    "masking": _masking,
    "prediction_and_loss": lambda numbers: _bars(numbers["names"], numbers["values"]),
    "sentence_pairs": lambda numbers: _bars(("B next", "B random"), numbers["values"]),
    "train_an_encoder": _training,
    "word_senses": _senses,
    "isotropy": _isotropy,
    "classification": _classification,
    "bio_tagging": _tagging,
}
