"""The matrix drawing: its cells, marks and titles, and that no label becomes markup."""

import math
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.figures.matrix import MOST_WITH_NUMBERS, matrix_svg

SVG = "{http://www.w3.org/2000/svg}"
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)


def drawing(*arguments, **options) -> ElementTree.Element:
    """Return the drawing's element; parsing fails if anything opened a tag of its own."""
    return ElementTree.fromstring(matrix_svg(*arguments, **({"alt": "a matrix"} | options)))[0]


def cells(svg: ElementTree.Element) -> list[ElementTree.Element]:
    return [rect for rect in svg.iter(f"{SVG}rect") if rect.get("class") == "cell"]


def titles(svg: ElementTree.Element) -> list[str]:
    return [group.findtext(f"{SVG}title") for group in svg.findall(f"{SVG}g")]


def numbers(svg: ElementTree.Element) -> list[str]:
    return [group.findtext(f"{SVG}text") for group in svg.findall(f"{SVG}g")]


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_whatever_a_label_says_it_never_becomes_markup(row, column, alt):
    svg = drawing([[0.5]], [row], [column], alt=alt, clickable="rows")
    assert {element.tag.removeprefix(SVG) for element in svg.iter()} == {
        "svg", "defs", "pattern", "rect", "line", "text", "title", "g",
    }  # fmt: skip


def test_each_cell_says_its_row_column_and_value():
    svg = drawing([[0.25, 0.0, 0.75], [1.0, 0.0, 0.0]], ["a", "b"], ["x", "y", "z"])
    assert titles(svg) == [
        "a → x: 0.2500",
        "a → y: 0",
        "a → z: 0.7500",
        "b → x: 1.000",
        "b → y: 0",
        "b → z: 0",
    ]
    assert numbers(svg) == ["0.25", "0", "0.75", "1.00", "0", "0"]
    assert svg.get("aria-label") == "a matrix"


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


def test_rows_are_buttons_for_the_keyboard_and_cells_for_the_pointer():
    svg = drawing([[0.5, 0.5], [0.1, 0.9]], ["a", "b"], ["x", "y"], clickable="rows")
    buttons = heads(svg)
    assert [(b.get("data-value"), b.get("tabindex")) for b in buttons] == [("0", "0"), ("1", "0")]
    assert [g.get("data-value") for g in svg.findall(f"{SVG}g")] == ["0"] * 3 + ["1"] * 3


@pytest.mark.parametrize(("selected", "stop"), [(None, "0,0"), ((1, 0), "1,0")])
def test_clickable_cells_have_one_stop_for_the_tab_key(selected, stop):
    svg = drawing(
        [[0.5, 0.5], [0.1, 0.9]],
        ["a", "b"],
        ["x", "y"],
        clickable="cells",
        selected_cell=selected,
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


def test_cells_of_a_wide_matrix_can_still_be_clicked():
    n = MOST_WITH_NUMBERS + 1
    svg = drawing([[0.5] * n], ["a"], ["x"] * n, clickable="cells")
    assert len(svg.findall(f"{SVG}g")) == n


def test_the_chosen_row_is_framed():
    plain = drawing([[0.5], [0.5]], ["a", "b"], ["x"])
    chosen = drawing([[0.5], [0.5]], ["a", "b"], ["x"], selected_row=1)
    frames = [r for r in chosen.findall(f"{SVG}rect") if r.get("pointer-events") == "none"]
    assert len(frames) == 1 and not plain.findall(f"{SVG}rect")


def test_a_matrix_of_nothing_and_numbers_that_are_none_are_no_error():
    assert cells(drawing([], [], [])) == []
    assert numbers(drawing([[math.nan, math.inf]], ["a"], ["x", "y"])) == ["NaN", "∞"]
    assert len(cells(drawing([[0.0]], ["a"], ["x"], scale="signed"))) == 1
