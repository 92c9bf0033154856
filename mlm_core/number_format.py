"""How numbers are written and read: with the marks of English, or of the reader's language.

    formatted(16000, ",")              "16,000"
    with written_with(GERMAN): ...     "16 000", and formatted(0.25, ".2f") is "0,25"

The marks belong to the thread or task that asked for them, as decimal.localcontext does it: one
server draws pages for readers of several languages at once.
"""

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import SupportsFloat

NARROW_SPACE = "\u202f"  # doesn't break the line


@dataclass(frozen=True, kw_only=True)
class NumberMarks:
    """What separates the parts of a number."""

    decimal: str
    thousands: str


ENGLISH = NumberMarks(decimal=".", thousands=",")
GERMAN = NumberMarks(decimal=",", thousands=NARROW_SPACE)  # Source: DIN 5008

_marks: ContextVar[NumberMarks] = ContextVar("number_marks", default=ENGLISH)
_GROUPS = re.compile(r"[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*")


class AmbiguousNumberError(ValueError):
    """One mark with three digits behind it, which may be thousands or decimals."""


def marks_of(example: str) -> NumberMarks:
    """Return the marks of "1,234.5" as a language writes it.

    Raises ValueError if that is no such number.

    >>> marks_of("1.234,5")
    NumberMarks(decimal=',', thousands='.')
    """
    found = re.fullmatch(r"1(\D)234(\D)5", example)
    if found is None or found[1] == found[2]:
        raise ValueError(f"expected 1,234.5 with two marks, got {example!r}")
    return NumberMarks(decimal=found[2], thousands=found[1])


@contextmanager
def written_with(marks: NumberMarks) -> Iterator[None]:
    """Write and read numbers with these marks inside the with statement."""
    before = _marks.set(marks)
    try:
        yield
    finally:
        _marks.reset(before)


def current_marks() -> NumberMarks:
    """Return the marks that numbers are written with here."""
    return _marks.get()


def formatted(value: SupportsFloat, spec: str) -> str:
    """Return a number by a format of Python, with the marks of here and a true minus sign.

    >>> formatted(-1234.5, ",.2f"), formatted(0.25, ".0%")
    ('−1,234.50', '25%')
    >>> with written_with(GERMAN):
    ...     formatted(1234.5, ",.2f").replace(NARROW_SPACE, " "), formatted(3.25, "g")
    ('1 234,50', '3,25')
    """
    return with_marks(format(value, spec), _marks.get())


def grouped(whole: int) -> str:
    """Return a whole number with its thousands apart.

    >>> grouped(16000)
    '16,000'
    """
    return formatted(whole, ",")


def in_formula(value: SupportsFloat, spec: str) -> str:
    """Return a number for a formula in TeX, where a bare comma would leave a gap.

    >>> with written_with(GERMAN):
    ...     in_formula(0.25, ".2f")
    '0{,}25'
    """
    return as_tex(formatted(value, spec))


def as_tex(shown: str) -> str:
    r"""Return a number that is written already as TeX has to have it.

    >>> as_tex("−1.23e−05"), as_tex("1,000")
    ('-1.23 \\cdot 10^{-5}', '1{,}000')
    """
    shown, _, exponent = shown.replace("−", "-").partition("e")
    power = rf" \cdot 10^{{{int(exponent)}}}" if exponent else ""
    for mark, tex in (
        ("∞", r"\infty"),
        ("NaN", r"\text{NaN}"),
        (",", "{,}"),
        (NARROW_SPACE, r"\,"),
    ):
        shown = shown.replace(mark, tex)
    return shown + power


def power_of_ten(shown: str) -> str:
    """Return a number that is written already with its exponent as people write it.

    >>> power_of_ten("1.23e−05"), power_of_ten("1.5")
    ('1.23·10⁻⁵', '1.5')
    """
    shown, _, exponent = shown.partition("e")
    if not exponent:
        return shown
    power = str(int(exponent.replace("−", "-")))
    return f"{shown}·10{power.translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def with_marks(python: str, marks: NumberMarks) -> str:
    """Return a number that Python has written with other marks.

    >>> with_marks("1,234.5", NumberMarks(decimal=",", thousands="."))
    '1.234,5'
    """
    if marks != ENGLISH and python.endswith("%"):
        python = f"{python[:-1]}\u00a0%"
    return python.translate(str.maketrans({".": marks.decimal, ",": marks.thousands, "-": "−"}))


def read_number(text: str) -> float:
    """Return the number that somebody wrote, with the marks of here or others that are clear.

    Raises AmbiguousNumberError if a mark may stand for thousands or for decimals, ValueError for
    what is no finite number.

    >>> [read_number(text) for text in ("0.25", "0,25", "1,000", "1.234,5", "1 000", "−2e3")]
    [0.25, 0.25, 1000.0, 1234.5, 1000.0, -2000.0]
    >>> with written_with(GERMAN):
    ...     read_number("1,386"), read_number("23.440.896")
    (1.386, 23440896.0)
    """
    text = re.sub(r"(?<=\d)\s(?=\d{3}(?!\d))", "", text.strip().replace("−", "-"))
    number = float(_in_python(text))
    if not math.isfinite(number):
        raise ValueError(f"expected a finite number, got {text!r}: write one in digits")
    return number


def _in_python(text: str) -> str:
    """Return a number's text with "." before its decimals and no other mark."""
    marks, last = _marks.get(), max(text.rfind("."), text.rfind(","))
    both = "." in text and "," in text
    if last < 0:
        return text
    mark = text[last]
    if both:
        return text.replace("," if mark == "." else ".", "").replace(mark, ".", 1)
    groups = _GROUPS.fullmatch(text.lstrip("+-"))
    if groups and (text.count(mark) > 1 or mark == marks.thousands):
        return text.replace(mark, "")
    if groups and mark != marks.decimal:
        raise AmbiguousNumberError(f"{text!r}: thousands or decimals? Write {marks.decimal!r}")
    return text.replace(",", ".", 1)
