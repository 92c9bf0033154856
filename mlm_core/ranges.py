"""Ranges of settings: values outside them are refused when settings are made.

Read before this: README.md.
"""

import os
from collections.abc import Mapping, Sequence

from mlm_core.number_format import grouped


def refuse_choices(settings: object, choices: Mapping[str, Sequence[str]]) -> None:
    """Raise ValueError if a setting is none of its choices."""
    for name, allowed in choices.items():
        value = getattr(settings, name)
        if value not in allowed:
            raise ValueError(f"{name} {value!r}: choose one of {', '.join(allowed)}")


def refuse_counts(settings: object, ranges: Mapping[str, tuple[int, int]]) -> None:
    """Raise ValueError if a setting is no whole number in its range, ends included."""
    for name, (least, most) in ranges.items():
        value = getattr(settings, name)
        if type(value) is not int or not least <= value <= most:
            raise ValueError(
                f"{name} is {value!r}: choose a whole number from {grouped(least)} to"
                f" {grouped(most)}"
            )


def refuse_rates(settings: object, *names: str, zero: bool = True, one: bool = True) -> None:
    """Raise ValueError if a setting is no number from 0 to 1.

    The ends are allowed if `zero` and if `one`.
    """
    for name in names:
        value = getattr(settings, name)
        if (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and (0 < value < 1 or (zero and value == 0) or (one and value == 1))
        ):
            continue
        if not zero:
            raise ValueError(f"{name} is {value!r}: choose a number above 0, at most 1")
        if not one:
            raise ValueError(f"{name} is {value!r}: choose a number from 0 to below 1")
        raise ValueError(f"{name} is {value!r}: choose a number from 0 to 1")


def host_number(
    name: str, usual: int, least: int, most: int, environment: Mapping[str, str] = os.environ
) -> int:
    """Return a limit that the app's host set by an environment variable, else the usual one.

    Raises ValueError if it is no whole number in its range, ends included.

    >>> host_number("MLM_TRAINER_MB", 300, 50, 100_000, {"MLM_TRAINER_MB": "600"})
    600
    """
    given = environment.get(name, "").strip()
    if not given:
        return usual
    if not (given.isascii() and given.isdecimal() and len(given) < 12):
        raise ValueError(f"{name} is {given[:40]!r}: give a whole number")
    if not least <= int(given) <= most:
        raise ValueError(
            f"{name} is {given}: give a whole number from {grouped(least)} to {grouped(most)}"
        )
    return int(given)
