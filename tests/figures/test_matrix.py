"""The matrix drawing: its scales, blocked cells, keys, and what a wide one leaves out."""

import math
import xml.etree.ElementTree as ElementTree

import pytest

from mlm_core.figures.matrix import MOST_WITH_NUMBERS, matrix_svg, wrapped_row_svg

SVG = "{http://www.w3.org/2000/svg}"


def drawing(*arguments, **options) -> ElementTree.Element:
    return ElementTree.fromstring(matrix_svg(*arguments, **({"alt": "a matrix"} | options)))[0]


def cells(svg: ElementTree.Element) -> list[ElementTree.Element]:
    return [rect for rect in svg.iter(f"{SVG}rect") if rect.get("class") == "hit"]


def titles(svg: ElementTree.Element) -> list[str]:
    return [group.findtext(f"{SVG}title") for group in svg.findall(f"{SVG}g")]


def numbers(svg: ElementTree.Element) -> list[str]:
    return [group.findtext(f"{SVG}text") for group in svg.findall(f"{SVG}g")]


def test_the_scale_of_weights_does_not_move_with_the_numbers():
    svg = drawing([[0.1, 0.2]], ["a"], ["x", "y"])
    assert [cell.get("fill-opacity") for cell in cells(svg)] == ["0.100", "0.200"]


def test_the_signed_scale_reaches_to_the_largest_number_of_either_sign():
    svg = drawing([[1.0, -4.0, 0.0, -math.inf]], ["a"], list("wxyz"), scale="signed")
    one, four, zero, infinite = cells(svg)
    assert [cell.get("fill-opacity") for cell in (one, four, zero)] == ["0.250", "1.000", "0.000"]
    assert one.get("fill") != four.get("fill")
    assert infinite.get("fill-opacity") == "0.000"
    assert numbers(svg)[3] == "−∞"


def test_blocked_cells_are_hatched_and_say_so():
    svg = drawing([[0.0, 1.0]], ["a"], ["x", "y"], blocked=[[True, False]])
    blocked, open_ = cells(svg)
    assert blocked.get("fill") == "url(#hatch)" and open_.get("fill") != "url(#hatch)"
    assert titles(svg)[0] == "a → x: ✕ 0"


def heads(svg) -> list:
    """Return the names that stand for a row or a column."""
    return [one for one in svg.iter(f"{SVG}g") if one.get("class") == "head"]


@pytest.mark.parametrize(("selected", "stop"), [(None, "0,0"), ((1, 0), "1,0")])
def test_clickable_cells_have_one_stop_for_the_tab_key(selected, stop):
    svg = drawing(
        [[0.5, 0.5], [0.1, 0.9]], ["a", "b"], ["x", "y"], clickable="cells", selected_cell=selected
    )
    groups = svg.findall(f"{SVG}g")
    assert [g.get("data-value") for g in groups] == ["0,0", "0,1", "1,0", "1,1"]
    assert [g.get("data-value") for g in groups if g.get("tabindex") == "0"] == [stop]


def test_names_of_a_matrix_to_paint_stand_for_their_row_or_column_and_the_arrows_reach_them():
    svg = drawing([[0.5, 0.5], [0.1, 0.9]], ["a", "b"], ["x", "y"], clickable="paint")
    assert [one.get("data-value") for one in heads(svg)] == ["-1,0", "-1,1", "0,-1", "1,-1"]
    for one in heads(svg):
        assert one.get("data-value") == f"{one.get('data-row')},{one.get('data-column')}"
        assert (one.get("tabindex"), one.get("role")) == ("-1", "button")


def test_a_wide_matrix_leaves_its_numbers_to_the_table_but_keeps_every_cell():
    n = MOST_WITH_NUMBERS + 3
    values = [[0.5] * n, [0.1] * n]
    svg = drawing(values, ["a", "b"], ["x"] * n, blocked=[[True] + [False] * (n - 1)] * 2)
    rects = [rect for rect in svg.findall(f"{SVG}rect")]
    assert len(rects) == 2 * n
    assert [rect.get("fill") for rect in rects].count("url(#hatch)") == 2
    assert numbers(svg) == []


def test_a_wrapped_row_of_thirteen_columns_fits_a_phone_in_two_rows_and_has_all_numbers():
    values, names = (
        [j / 13 for j in range(13)],
        ["embedding", *(f"layer {i}" for i in range(1, 13))],
    )
    page = ElementTree.fromstring(wrapped_row_svg(values, "cosine", names, alt="a row"))
    wide, narrow = page
    assert [len(cells(form)) for form in (wide, narrow)] == [13, 13]
    assert [len(cells(svg)) for svg in narrow.iter(f"{SVG}svg")] == [7, 6]
    for svg in narrow.iter(f"{SVG}svg"):
        assert float(svg.get("viewBox").split()[2]) <= 328  # a phone of 360 pixels
