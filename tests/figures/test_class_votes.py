"""A class's answers and the QR code of its room."""

import re
from xml.etree import ElementTree

import pytest

from mlm_core.figures.classroom.qr_code import LONGEST_LINK, QUIET_ZONE, qr_svg
from mlm_core.figures.classroom.votes import dots_svg, map_html, votes_svg

LINK = "https://school.example/mlm/?room=BCDFGH"


def bars(svg: str) -> list[float]:
    """Return the lengths of the coloured bars."""
    return [float(x) for x in re.findall(r'width="([\d.]+)" height="22" rx="3" fill="#(?!7F)', svg)]


def test_a_bar_is_as_long_as_the_options_share_of_all_who_voted():
    short, none, long = bars(votes_svg([{"a": 1, "b": 0, "c": 3}], round_names=["1"], alt="x"))
    assert none == 0 and long == pytest.approx(3 * short)


def test_each_option_has_a_bar_for_each_round_with_its_count_and_per_cent():
    svg = votes_svg([{"a": 1, "b": 1}, {"a": 0, "b": 5}], round_names=["Vote 1", "Vote 2"], alt="x")
    assert len(bars(svg)) == 4
    for label in ("Vote 1: 1 · 50 %", "Vote 2: 0 · 0 %", "Vote 2: 5 · 100 %"):
        assert label in svg


def test_nobody_has_voted_yet_and_the_drawing_stands():
    for svg in (
        votes_svg([{"a": 0, "b": 0}], round_names=["1"], alt="x"),
        votes_svg([{}], round_names=["1"], alt="x"),
        dots_svg([()], round_names=["1"], alt="x"),
    ):
        ElementTree.fromstring(svg)
        assert "nan" not in svg


def test_each_learner_is_one_dot_and_equal_numbers_are_stacked():
    svg = dots_svg([(2.0, 2.0, 5.0)], round_names=["1"], alt="x")
    dots = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', svg)
    assert len(dots) == 3 and len(set(dots)) == 3
    assert dots[0][0] == dots[1][0] != dots[2][0]
    assert "<circle" in dots_svg([(3.0,)], round_names=["1"], alt="x")


def test_a_learners_words_stay_text_in_each_drawing():
    evil = "<script>'\"&"
    drawn = (
        votes_svg([{evil: 1}, {evil: 2}], round_names=[evil, evil], alt=evil),
        dots_svg([(1.0,), (2.0,)], round_names=[evil, evil], alt=evil),
        map_html({evil: [(evil, 3, 1)]}, help_name=evil, alt=evil),
        qr_svg(LINK, alt=evil),
    )
    for svg in drawn:
        assert "<script>" not in svg
        ElementTree.fromstring(svg)


def test_the_fullest_cell_of_the_map_is_the_darkest():
    svg = map_html({"A": [("x", 1, 0), ("y", 4, 2)]}, help_name="need help", alt="x")
    shades = [float(x) for x in re.findall(r"114,178,([\d.]+)", svg)]
    assert shades[1] == max(shades) > shades[0] > 0 and "2 need help" in svg


def test_a_qr_code_is_black_on_white_with_its_quiet_zone():
    root = ElementTree.fromstring(qr_svg(LINK, alt="the room's link"))[0]
    size = int(root.get("viewBox").split()[2])
    assert (size - 2 * QUIET_ZONE - 17) % 4 == 0  # a QR code's versions are 21, 25, 29, ... wide
    assert {path.get("fill") or path.get("stroke") for path in root} == {"#fff", "#000"}
    assert root.get("aria-label") == "the room's link"


def test_a_link_too_long_for_the_back_row_is_refused():
    with pytest.raises(ValueError, match="shorten it"):
        qr_svg("x" * (LONGEST_LINK + 1), alt="")
