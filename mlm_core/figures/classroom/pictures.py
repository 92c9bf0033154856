"""Small pictures of what each lesson shows first, from stored numbers, as SVG texts.

tools/stored_pictures.py computes the numbers.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from mlm_core.figures.svg import element, hatching, path, rect, svg, text
from mlm_core.figures.theme import BLUE, GREEN, GREY, ORANGE, SKY, VERMILION, weight_label
from mlm_core.number_format import formatted

WIDTH, HEIGHT = 240, 92  # the drawing's units
LETTER = 6.6
SENSE_COLOURS = (BLUE, ORANGE, GREEN, VERMILION, SKY)


def lesson_picture(slug: str, numbers: Mapping, *, alt: str) -> str:
    """Return a lesson's picture; "" for a lesson that has none."""
    if slug not in _DRAWN:
        return ""
    return svg(
        "lesson-picture", _DRAWN[slug](numbers), WIDTH, HEIGHT, alt=alt, widest=4 * WIDTH, size=11
    )


def _chip(
    x: float, y: float, word: str, colour: str = "", gap: float = 4
) -> tuple[list[str], float]:
    """Return one chip and where the next one begins."""
    width = LETTER * len(word) + 10
    fill, shade = (colour, 0.3) if colour else (GREY, 0.14)
    look = {"fill": fill, "fill_opacity": shade, "stroke": fill, "stroke_opacity": 0.7}
    box = rect(x, y, width, 20, rx=5, **look)
    return [box, text(x + width / 2, y + 14, word, text_anchor="middle")], x + width + gap


def _chips(
    words: Sequence[str], colours: Sequence[str], x: float, y: float, gap: float = 4
) -> list[str]:
    """Return chips in rows that fit the width."""
    parts, start = [], x
    for word, colour in zip(words, colours, strict=True):
        if x + LETTER * len(word) + 10 > WIDTH:
            x, y = start, y + 27
        drawn, x = _chip(x, y, word, colour, gap)
        parts += drawn
    return parts


def _subwords(numbers: Mapping) -> list[str]:
    rows = {}
    for token, word in zip(numbers["tokens"], numbers["words"], strict=True):
        rows.setdefault(word, []).append(token)
    drawn = []
    for y, tokens in zip((8, 54), rows.values(), strict=False):
        whole = "".join(token.removeprefix("##") for token in tokens)
        drawn.append(text(2, y + 6, whole, opacity=0.8))
        drawn += _chips(tokens, [""] * len(tokens), 2, y + 12, 1)
    return drawn


def _attention(numbers: Mapping) -> list[str]:
    weights, tokens = numbers["weights"], numbers["tokens"]
    size, left = HEIGHT / len(weights), 66
    parts = [hatching()]
    for i, row in enumerate(weights):
        parts.append(text(left - 6, size * i + 8, tokens[i], text_anchor="end", font_size=9))
        for j, weight in enumerate(row):
            look = {"fill": "url(#hatch)"} if j > i else {"fill": BLUE, "fill_opacity": weight}
            parts.append(rect(left + 16 * j, size * i, 15, size - 1, **look))
    return parts


def _masking(numbers: Mapping) -> list[str]:
    shown, colours = [], []
    pairs = zip(numbers["tokens"], numbers["corrupted"], strict=True)
    for position, (before, after) in enumerate(pairs):
        if before in ("[CLS]", "[SEP]"):
            continue
        became = ORANGE if after == "[MASK]" else VERMILION if after != before else GREEN
        shown.append(after)
        colours.append(became if position in numbers["at"] else "")
    return _chips(shown, colours, 2, 8)


def _bars(names: Sequence[str], values: Sequence[float]) -> list[str]:
    parts, step = [], HEIGHT / len(names)
    for i, (name, value) in enumerate(zip(names, values, strict=True)):
        y = step * i + step / 2 - 7
        parts += [
            text(70, y + 11, name, text_anchor="end"),
            rect(76, y, 126, 14, rx=3, fill=GREY, fill_opacity=0.12),
            rect(76, y, 126 * value, 14, rx=3, fill=BLUE),
            text(208, y + 11, weight_label(value)),
        ]
    return parts


def _line(points: Sequence[Sequence[float]], box: Sequence[float], **look: str | None) -> str:
    """Return a curve; `box` is the lowest and highest x and y."""
    low_x, high_x, low_y, high_y = box
    places = (
        f"{6 + (WIDTH - 12) * (x - low_x) / (high_x - low_x):.1f}"
        f" {HEIGHT - 6 - (HEIGHT - 12) * (y - low_y) / (high_y - low_y):.1f}"
        for x, y in points
    )
    return path(f"M{'L'.join(places)}", stroke_width=2.5, **look)


_AXES = path(f"M4 4V{HEIGHT - 4}H{WIDTH - 4}", stroke=GREY, stroke_opacity=0.6)


def _training(numbers: Mapping) -> list[str]:
    points = list(zip(numbers["steps"], numbers["loss"], strict=True))
    box = (0, points[-1][0], 0, points[0][1])
    return [_AXES, _line(points, box, stroke=BLUE)]


def _classification(numbers: Mapping) -> list[str]:
    pens = ((BLUE, None), (VERMILION, "7 4"), (GREEN, "2 3"))
    return [
        _AXES,
        *(
            _line(points, (0, points[-1][0], 0, 1), stroke=colour, stroke_dasharray=dash)
            for points, (colour, dash) in zip(numbers.values(), pens, strict=True)
        ),
    ]


def _senses(numbers: Mapping) -> list[str]:
    xs, ys = zip(*numbers["points"], strict=True)
    low_x, low_y, wide, high = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    return [
        element(
            "circle",
            cx=6 + (WIDTH - 12) * (x - low_x) / wide,
            cy=6 + (HEIGHT - 12) * (y - low_y) / high,
            r=3.2,
            fill=SENSE_COLOURS[sense % len(SENSE_COLOURS)],
            fill_opacity=0.75,
        )
        for x, y, sense in zip(xs, ys, numbers["senses"], strict=True)
    ]


def _isotropy(numbers: Mapping) -> list[str]:
    counts, low, high = numbers["counts"], numbers["from"], numbers["to"]
    wide, most = (WIDTH - 8) / len(counts), max(counts)
    heights = [72 * n / most for n in counts]
    zero = 4 + (WIDTH - 8) * -low / (high - low)
    return [
        *(
            rect(4 + wide * i, 78 - height, wide - 1, height, fill=BLUE, fill_opacity=0.8)
            for i, height in enumerate(heights)
            if height
        ),
        path(f"M4 78H{WIDTH - 4}M{zero:.1f} 4V78", stroke=GREY),
        text(zero, 90, "0", text_anchor="middle"),
        text(WIDTH - 4, 90, f"{high:.0f}", text_anchor="end"),
    ]


def _tagging(numbers: Mapping) -> list[str]:
    parts, x, y = [], 2.0, 4
    for word, tag in zip(numbers["words"], numbers["tags"], strict=True):
        if x + LETTER * len(word) + 10 > WIDTH:
            x, y = 2.0, y + 44
        drawn, following = _chip(x, y, word, {"B": BLUE, "I": SKY}.get(tag[0], ""))
        middle = (x + following - 4) / 2
        parts += [*drawn, text(middle, y + 31, tag, text_anchor="middle", font_size=9)]
        x = max(following, x + 5.6 * len(tag) + 6)
    return parts


def _inside(numbers: Mapping) -> list[str]:
    ranks, last = numbers["ranks"], len(numbers["ranks"]) - 1
    longest = math.log(numbers["n_tokens"])
    points = [
        (60 + 100 * (1 - math.log(rank) / longest), 8 + 76 * i / last)
        for i, rank in enumerate(ranks)
    ]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    parts = [path(line, stroke=ORANGE, stroke_width=2)]
    for i in (0, last // 2, last):
        (x, y), word = points[i], numbers["words"][i]
        parts.append(element("circle", cx=x, cy=y, r=4, fill=ORANGE))
        parts.append(text(52, y + 4, formatted(ranks[i], ","), text_anchor="end"))
        parts.append(text(172, y + 4, word))
    return parts


_DRAWN: dict[str, Callable[[Mapping], list[str]]] = {
    "subword_tokens": _subwords,
    "attention_mask": _attention,
    "masking": _masking,
    "prediction_and_loss": lambda numbers: _bars(numbers["names"], numbers["values"]),
    "sentence_pairs": lambda numbers: _bars(numbers["names"], numbers["values"]),
    "train_an_encoder": _training,
    "word_senses": _senses,
    "isotropy": _isotropy,
    "classification": _classification,
    "bio_tagging": _tagging,
    "inside_a_prediction": _inside,
    "encoders_today": lambda numbers: _bars(numbers["names"], numbers["values"]),
}
