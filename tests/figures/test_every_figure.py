"""What a reader notices of every drawing and chart, with the sample that its folder has of it.

The samples are in `samples.py` of the folder here that has the name of the figure's folder.
"""

import html
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from mlm_core import figures
from mlm_core.figures.theme import printable
from mlm_core.number_format import ENGLISH, GERMAN, NumberMarks, with_marks, written_with
from pages.server.figures import clickable
from tests.figures.sample import Sample, T

HERE = Path(__file__).parent
SMALLEST = 9  # pixels of a letter that can be read
MODULES = [
    importlib.import_module(one.name)
    for one in pkgutil.walk_packages(figures.__path__, f"{figures.__name__}.")
]
FIGURES = {
    f"{module.__name__.removeprefix('mlm_core.figures.')}.{name}": value
    for module in MODULES
    for name, value in vars(module).items()
    if inspect.isfunction(value) and value.__module__ == module.__name__ and name[0] != "_"
}
SAMPLES = {
    ".".join([*folder, name]): found if isinstance(found, list) else [found]
    for file in sorted(HERE.rglob("samples.py"))
    for folder in [file.parent.relative_to(HERE).parts]
    for name, found in importlib.import_module(
        ".".join(["tests.figures", *folder, "samples"])
    ).SAMPLES.items()
}
every_figure = pytest.mark.parametrize(
    ("of", "sample"),
    [
        pytest.param(FIGURES[name], sample, id=name)
        for name in sorted(SAMPLES.keys() & FIGURES.keys())
        for sample in SAMPLES[name]
    ],
)
WRITTEN = {"name", "text", "ticktext"}  # of a chart: what stands in it as text
MEASURES = [
    *(rf' {name}="([\d.]+)"' for name in ("width", "height", "fill-opacity")),
    *(r"\bheight:([\d.]+)px", r"\bwidth:([\d.]+)%", r"background-size:([\d.]+)%"),
    *(r"v-([\d.]+)h", r"rgba\(0,114,178,([\d.]+)\)"),
]
NUMBERS = {"x", "y", "width", "height", "cx", "cy", "r", "x1", "x2", "y1", "y2"}


def draw(of: Callable, sample: Sample, changed: Mapping[str, Any] | None = None) -> Any:
    """Return the figure of a sample; what of its texts the sample doesn't give is T."""
    parameters = inspect.signature(of).parameters.values()
    texts = {
        one.name: T for one in parameters if one.annotation is str and one.default is one.empty
    }
    figure = of(**(texts | dict(sample.given) | dict(changed or {})))
    return "".join(figure) if isinstance(figure, tuple) else figure


def drawings(of: Callable, sample: Sample) -> Iterator[ElementTree.Element]:
    """Yield the sample, the empty sample and the odd ones, where they are drawings."""
    empty = {key: [] for key, value in sample.given.items() if isinstance(value, list)}
    for changed in ({}, *([empty] if sample.can_be_empty else []), *sample.odd):
        figure = draw(of, sample, changed)
        if isinstance(figure, str):
            yield tree(figure)


def tree(drawing: str) -> ElementTree.Element:
    """Return a drawing's elements; it fails if a text opened or closed one."""
    return ElementTree.fromstring(f"<div>{drawing}</div>".replace("&nbsp;", "\u00a0"))


def texts_in(element: ElementTree.Element) -> Iterator[str]:
    """Yield what stands in a drawing as text and what its titles say, in order."""
    yield from (element.get("title", ""), element.text or "")
    for child in element:
        yield from texts_in(child)
        yield child.tail or ""


def strings_in(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield all strings of a chart, each with its key."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        yield from (found for name, one in value.items() for found in strings_in(one, name))
    elif isinstance(value, list | tuple):
        yield from (found for one in value for found in strings_in(one, key))


def read(figure: Any) -> list[str]:
    """Return what a reader finds written in a figure."""
    if isinstance(figure, str):
        return [text for text in texts_in(tree(figure)) if text]
    return [html.unescape(text) for key, text in strings_in(chart_of(figure)) if key in WRITTEN]


def chart_of(figure: Any) -> dict[str, Any]:
    found = figure.to_dict()
    found["layout"].pop("template")
    return found


def in_proportion(sizes: Sequence[float], values: Sequence[float]) -> bool:
    """Return whether sizes in proportion to all values follow each other among `sizes`."""
    for unit in (size / values[0] for size in sizes):
        left, most = iter(sizes), 0.006 * abs(unit) * max(map(abs, values))
        if unit and all(any(abs(one - unit * value) <= most for one in left) for value in values):
            return True
    return False


def corners(element: ElementTree.Element, left: float, top: float) -> Iterator[tuple[float, float]]:
    """Yield the coordinates in what an SVG element holds, but for what is turned."""
    for child in element:
        name, moved = child.tag.rpartition("}")[2], child.get("transform", "")
        if name in ("svg", "defs", "pattern") or "rotate" in moved:
            continue
        by = re.search(r"translate\(([\d.]+) ([\d.]+)\)", moved)
        x, y = (left + float(by[1]), top + float(by[2])) if by else (left, top)
        of = dict.fromkeys(NUMBERS, 0.0)
        of |= {key: float(text) for key, text in child.items() if key in NUMBERS if text != "100%"}
        for sign in (0, 1):
            yield x + of["x"] + sign * of["width"], y + of["y"] + sign * of["height"]
            yield x + of["cx"] + (2 * sign - 1) * of["r"], y + of["cy"] + (2 * sign - 1) * of["r"]
            yield x + of["x2" if sign else "x1"], y + of["y2" if sign else "y1"]
        line = re.findall(r"(-?[\d.]+),(-?[\d.]+)", child.get("points", ""))
        line += re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", child.get("d", ""))
        yield from ((x + float(across), y + float(down)) for across, down in line)
        yield from corners(child, x, y)


def test_every_figure_has_a_sample_and_every_sample_its_figure():
    drawn = {
        name
        for name, value in FIGURES.items()
        if name.endswith(("_svg", "_html", "_chart"))
        or {"alt", "label"} & set(inspect.signature(value).parameters)
    }
    assert len(drawn) > 40
    missing, gone = sorted(drawn - set(SAMPLES)), sorted(set(SAMPLES) - set(FIGURES))
    assert not missing, (
        f"give them a sample in samples.py of their folder of tests/figures: {missing}"
    )
    assert not gone, f"samples of figures that are in no module: {gone}"


def a_learners_text_is_readable_and_never_becomes_markup(of: Callable, sample: Sample):
    figure = draw(of, sample)
    written = "".join(read(figure))  # fails where a drawing is not well-formed
    assert not sample.has_words or printable(T) in written
    assert not re.search("&(lt|gt|amp|quot|#x27);", written)  # escaped twice
    if not isinstance(figure, str):
        assert not [text for _, text in strings_in(chart_of(figure)) if T[:4] in text]


def a_drawing_has_its_alt_text_and_none_in_it_lacks_one(of: Callable, sample: Sample):
    if not {"alt", "label"} & set(inspect.signature(of).parameters):
        return
    whole = next(one for one in tree(draw(of, sample)).iter() if one.get("role"))
    assert whole.get("role") in ("img", "group", "list")
    assert whole.get("aria-label", "").startswith(printable(T))
    svgs = [one for one in tree(draw(of, sample)).iter() if one.tag.endswith("svg")]
    assert all(one.get("aria-label") or one.get("aria-hidden") for one in svgs)


def values_stand_in_order_in_german(of: Callable, sample: Sample):
    values_stand_in_order_as_the_reader_writes_numbers(of, sample, GERMAN)


def values_stand_in_order_as_the_reader_writes_numbers(
    of: Callable, sample: Sample, marks: NumberMarks = ENGLISH
):
    with written_with(marks):
        written, at = " | ".join(read(draw(of, sample))), 0
    for part in sample.says.split():
        own = re.sub(r"\d+(?:[.,]\d+)*%?", lambda found: with_marks(found[0], marks), part)
        found = re.compile(rf"(?<!\w){re.escape(own)}(?!\w|[.,]\d)").search(written, at)
        assert found, f"{own} not in {written[at:]}"
        at = found.end()
    assert marks == ENGLISH or not re.search(r"\d\.\d", written)


def what_stands_for_values_is_in_proportion_to_them(of: Callable, sample: Sample):
    figure = draw(of, sample)
    if isinstance(figure, str):
        found = [[float(size) for size in re.findall(one, figure)] for one in MEASURES]
    else:
        found = [list(line or ()) for trace in figure.data for line in (trace.x, trace.y)]
    assert not sample.sized or any(in_proportion(sizes, sample.sized) for sizes in found)


def what_is_clicked_or_reached_with_keys_reports_its_place(of: Callable, sample: Sample):
    figure, values = draw(of, sample), sample.clicks.split()
    if not isinstance(figure, str):
        assert [str(x) for trace in figure.data for x in trace.customdata or ()] == values
        return
    targets = [one for one in tree(figure).iter() if one.get("data-value")]
    buttons = [one for one in targets if one.tag == "button" or one.get("role") == "button"]
    for found in (targets, buttons):
        assert list(dict.fromkeys(one.get("data-value") for one in found)) == values
    assert all(clickable._has(figure, value) for value in values)
    assert not buttons or any(one.tag == "button" or one.get("tabindex") == "0" for one in buttons)
    pressed = [one.get("data-value") for one in buttons if one.get("aria-pressed") == "true"]
    assert pressed == sample.pressed.split()


def nothing_stands_outside_its_drawing_or_where_no_number_is(of: Callable, sample: Sample):
    for drawing in drawings(of, sample):
        for one in drawing.iter():
            looks = " ".join(
                text for key, text in one.items() if key not in ("title", "aria-label")
            )
            assert not re.search(r"\b(nan|inf)", looks), looks
            assert not re.search(r"(^|:)-", f"{one.get('width', '')}:{one.get('height', '')}")
        for svg in (one for one in drawing.iter() if one.tag.endswith("svg")):
            left, top, width, height = map(float, svg.get("viewBox", "").split())
            for x, y in corners(svg, 0.0, 0.0):  # half a line's width may stand out
                assert left - 4 <= x <= left + width + 4, (x, y)
                assert top - 4 <= y <= top + height + 4, (x, y)


def letters_can_be_read_where_a_drawing_is_smallest(of: Callable, sample: Sample):
    for svg in (one for drawn in drawings(of, sample) for one in drawn.iter()):
        least = re.search(r"min-width:([\d.]+)px", svg.get("style", ""))
        if least is not None:
            scale = float(least[1]) / float(svg.get("viewBox", "").split()[2])
            texts = (one for one in svg.iter() if one.tag.endswith("text"))
            sizes = [float(one.get("font-size") or svg.get("font-size", 0)) for one in texts]
            assert scale * min(sizes, default=SMALLEST / scale) >= 0.98 * SMALLEST


@every_figure
def test_a_figure(of: Callable, sample: Sample):
    for holds in (
        a_learners_text_is_readable_and_never_becomes_markup,
        a_drawing_has_its_alt_text_and_none_in_it_lacks_one,
        values_stand_in_order_as_the_reader_writes_numbers,
        values_stand_in_order_in_german,
        what_stands_for_values_is_in_proportion_to_them,
        what_is_clicked_or_reached_with_keys_reports_its_place,
        nothing_stands_outside_its_drawing_or_where_no_number_is,
        letters_can_be_read_where_a_drawing_is_smallest,
    ):
        holds(of, sample)
