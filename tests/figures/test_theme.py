"""Numbers, colours and texts as every figure shows them."""

import html
import math
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mlm_core.figures import theme
from mlm_core.figures.text.tokens import BORDER, TINTS
from mlm_core.figures.theme import escaped, printable, significant, weight_label

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)  # half surrogates too


@given(ANY_TEXT)
def test_an_escaped_text_holds_no_markup_and_reads_as_the_printable_text(text):
    safe = escaped(text)
    assert not set("<>\"'") & set(safe)
    assert html.unescape(safe) == printable(text)


@given(ANY_TEXT, st.integers(1, 12))
def test_a_printable_text_can_be_encoded_and_is_no_longer_than_asked_for(text, longest):
    shown = printable(text, longest)
    shown.encode("utf-8")
    assert len(shown) <= longest
    assert not any(ord(character) < 0x20 for character in shown)
    assert len(printable(text)) == len(text)


def test_control_characters_and_cuts_by_hand():
    assert printable("a\x00\x1f\x7f\x85\ud800\ufffe") == "a␀␟\ufffd\ufffd\ufffd\ufffd"
    assert printable("four", 4) == "four"
    assert printable("fours", 4) == "fou…"
    # What is cut is cut before it is escaped, so no entity is cut in two.
    assert escaped("<<<<<", 3) == "&lt;&lt;…"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (0.21194, "0.21"),
        (-0.0344, "−0.034"),
        (0.996, "1.0"),
        (123.4, "120"),
        (99_999.0, "100000"),
        (100_000.0, "1.0e+05"),
        (0.000999, "1.0e−03"),
        (-1e9, "−1.0e+09"),
        (math.inf, "∞"),
        (math.nan, "NaN"),
    ],
)
def test_two_significant_digits_by_hand(value, shown):
    assert significant(value) == shown


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 5))
def test_what_is_shown_is_the_value_to_the_digits_asked_for(value, digits):
    # Denormal numbers lose digits themselves, and the largest ones round up to infinity.
    assume(value == 0 or 1e-300 < abs(value) < 1e300)
    shown = significant(value, digits)
    assert "-" not in shown
    read_back = float(shown.replace("−", "-"))
    # Half a unit in the last of `digits` digits, relative to a first digit of 1.
    assert read_back == pytest.approx(value, rel=0.5 * 10 ** (1 - digits) * (1 + 1e-9))


def test_weights_with_two_decimals_by_hand():
    shown = [weight_label(weight) for weight in (0.0, 0.0049, 0.005, 0.0051, 0.21194, 0.999, 1.0)]
    assert shown == ["0", "<.01", "0.01", "0.01", "0.21", "1.00", "1.00"]


def test_no_two_meanings_share_a_colour():
    colours = [value for name, value in vars(theme).items() if name.isupper() and "#" in value]
    assert len(set(colours)) == len(colours) >= 7


def test_marks_that_turn_the_direction_of_the_rest_are_shown_as_unprintable():
    assert printable("abc\u202edef\u2067") == "abc\ufffddef\ufffd"
    assert printable("\u05e9\u05dc\u05d5\u05dd") == "\u05e9\u05dc\u05d5\u05dd"


CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"
THEMES = tomllib.loads(CONFIG.read_text("utf-8"))["theme"]
READABLE = 4.5  # contrast that WCAG 2 asks of small text at level AA


def channels(colour: str) -> list[int]:
    if len(colour) == 4:
        colour = "#" + "".join(2 * digit for digit in colour[1:])
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def mixed(colour: str, share: float, under: str) -> list[float]:
    pairs = zip(channels(colour), channels(under), strict=True)
    return [share * a + (1 - share) * b for a, b in pairs]


def contrast(first: list[float], second: list[float]) -> float:
    """Return WCAG 2's contrast of two colours: 1 for equal ones, 21 for black and white."""

    def luminance(colour: list[float]) -> float:
        parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("is_negative", [False, True])
def test_a_number_reads_on_every_shade_in_both_themes(name: str, is_negative: bool):
    page, text = THEMES[name]["backgroundColor"], THEMES[name]["textColor"]
    for percent in range(101):
        look = theme.on_shade(percent / 100, is_negative=is_negative)
        inks = re.findall(r"#[0-9a-f]{3}", look or "") or [text]
        ink = inks[-1 if name == "dark" else 0]  # light-dark(...) names the light theme's first
        cell = mixed(theme.VERMILION if is_negative else theme.BLUE, percent / 100, page)
        assert contrast(channels(ink), cell) >= READABLE, f"{percent} %: {look}"


@pytest.mark.parametrize("name", ["light", "dark"])
def test_our_colours_as_ink_read_on_the_page_and_on_a_chip_in_both_themes(name: str):
    page, text = THEMES[name]["backgroundColor"], THEMES[name]["textColor"]
    chip = mixed(theme.GREY, 0.12, page)
    for colour in (theme.BLUE, theme.GREEN, theme.VERMILION, theme.GREY):
        share = int(re.search(r"(\d+)%", theme.as_ink(colour))[1]) / 100
        ink = mixed(colour, share, text)
        assert contrast(ink, channels(page)) >= READABLE
        assert contrast(ink, chip) >= READABLE


# Linear RGB as a protanope, a deuteranope and a tritanope see it: Machado et al. 2009, severity 1.
AS_SEEN = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def lab(colour: list[float], eyes: str) -> np.ndarray:
    """Return a colour's CIELAB coordinates as these eyes see it."""
    parts = np.array(colour) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(AS_SEEN[eyes]) @ linear, 0, 1)
    to_xyz = [(0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0178, 0.1095, 0.8727)]
    x, y, z = np.cbrt(np.maximum(np.array(to_xyz) @ seen, 0.008856))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("eyes", AS_SEEN)
def test_a_subword_and_the_next_and_a_pairs_sentences_differ_for_all_eyes(name: str, eyes: str):
    page = THEMES[name]["backgroundColor"]
    borders = [mixed(colour, BORDER, page) for colour, _ in TINTS]
    sides = [mixed(colour, 1, page) for colour in (theme.SKY, theme.PURPLE)]
    for one, other in (borders, sides):
        # Two patches that differ by 10 are told apart at a glance.
        assert np.linalg.norm(lab(one, eyes) - lab(other, eyes)) > 10


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_reads_on_every_tint_of_subwords_and_sentences_in_both_themes(name: str):
    page, text = THEMES[name]["backgroundColor"], channels(THEMES[name]["textColor"])
    tints = [*TINTS, (theme.SKY, 0.22), (theme.PURPLE, 0.22), (theme.BLUE, 0.4)]
    for colour, share in tints:
        assert contrast(text, mixed(colour, share, page)) >= READABLE
