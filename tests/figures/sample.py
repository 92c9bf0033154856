"""One figure as it is tested: what it is given, and what a reader finds in it.

Each folder's figures have theirs in its `samples.py`, by "module.function"; what only one of them
has to hold, such as a scale or an order, is tested in the files beside it. They are no part of
mlm_core, since they say what a test expects and are full of hostile text.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mlm_core.figures.film import FilmNames
from mlm_core.text.tokens import Token

T = "<b>'\"&\x07"  # a learner's text, wherever one may stand
NAN, INFINITY = float("nan"), float("inf")
FILM_NAMES = FilmNames(first="a", back="a", play="b", pause="c", next="d", moment="m", speed="s")


@dataclass(frozen=True, kw_only=True)
class Sample:
    """What a figure is given and what of it is seen; every text that is left out is T."""

    given: Mapping[str, Any]
    says: str = ""  # parts of what is written, in order; numbers as English writes them
    sized: Sequence[float] = ()  # lengths, heights or shades are in proportion to these, in order
    clicks: str = ""  # the values that can be clicked
    pressed: str = ""  # those of them that are chosen
    odd: Sequence[Mapping[str, Any]] = ()  # given in place of the sample's: one or no number, ...
    can_be_empty: bool = True
    has_words: bool = True  # apart from the alt text


def token(text: str, word: int | None = 0, at: int = 0) -> Token:
    stop, is_special = at + len(text), word is None
    return Token(text=text, id=17, start=at, stop=stop, word=word, segment=0, is_special=is_special)
