"""A class's answers and the QR code of its room."""

import re
from xml.etree import ElementTree

import pytest

from mlm_core.figures.classroom.qr_code import LONGEST_LINK, QUIET_ZONE, qr_svg
from mlm_core.figures.classroom.votes import dots_svg

LINK = "https://school.example/mlm/?room=BCDFGH"


def test_each_learner_is_one_dot_and_equal_numbers_are_stacked():
    svg = dots_svg([(2.0, 2.0, 5.0)], round_names=["1"], alt="x")
    dots = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', svg)
    assert len(dots) == 3 and len(set(dots)) == 3
    assert dots[0][0] == dots[1][0] != dots[2][0]
    assert "<circle" in dots_svg([(3.0,)], round_names=["1"], alt="x")


def test_a_qr_code_is_black_on_white_with_its_quiet_zone():
    root = ElementTree.fromstring(qr_svg(LINK, alt="the room's link"))[0]
    size = int(root.get("viewBox").split()[2])
    assert (size - 2 * QUIET_ZONE - 17) % 4 == 0  # a QR code's versions are 21, 25, 29, ... wide
    assert {path.get("fill") or path.get("stroke") for path in root} == {"#fff", "#000"}
    assert root.get("aria-label") == "the room's link"


def test_a_link_too_long_for_the_back_row_is_refused():
    with pytest.raises(ValueError, match="shorten it"):
        qr_svg("x" * (LONGEST_LINK + 1), alt="")
