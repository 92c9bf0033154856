"""A teacher's own question as data: what is asked, what is right, and how an answer is judged.

    kind      options            partners          right
    choice    what is offered    none              positions of the right ones
    number    none               none              none: `number` and `tolerance` say it
    order     in the right order none              none
    match     the left sides     the right sides   none: each option's partner is its own
    labels    tokens             a label for each  none

Options and partners are shown in `shown_order`, so that the right answer can't be read off. An
answer is always a text: a typed number; else one position for each place, counted from 0 in the
lists above and divided by spaces ("2", "0 3", "1 0 2"); for labels the labels themselves.

Read before this: ../exercise.py.
"""

import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Literal, get_args

from mlm_core.exercises.exercise import UnreadableAnswerError, read_number

Kind = Literal["choice", "number", "order", "match", "labels"]

LONGEST_TEXT, LONGEST_OPTION, LONGEST_LABEL = 2_000, 200, 20  # characters
MOST_OPTIONS = {"choice": 8, "number": 0, "order": 8, "match": 8, "labels": 40}
LEAST_OPTIONS = {"choice": 2, "number": 0, "order": 2, "match": 2, "labels": 1}


@dataclass(frozen=True, kw_only=True)
class OwnQuestion:
    """One question. Raises ValueError, with what was expected, for one that can't be asked."""

    kind: Kind
    text: str  # Markdown
    options: tuple[str, ...] = ()
    partners: tuple[str, ...] = ()
    right: tuple[int, ...] = ()
    number: float = 0.0
    tolerance: float = 0.0  # the largest difference from `number` that is still right
    explanation: str = ""  # Markdown, shown with the right answer

    def __post_init__(self) -> None:
        """Check that the question can be asked and judged."""
        if not self.text.strip():
            raise ValueError("the question has no words: write what is asked")
        if max(len(self.text), len(self.explanation)) > LONGEST_TEXT:
            raise ValueError(f"a question or explanation has at most {LONGEST_TEXT} characters")
        if not math.isfinite(self.number) or not 0 <= self.tolerance < math.inf:
            raise ValueError("the right answer and its tolerance must be finite numbers")
        self._check_options()

    def _check_options(self) -> None:
        least, most, n = LEAST_OPTIONS[self.kind], MOST_OPTIONS[self.kind], len(self.options)
        if not least <= n <= most:
            raise ValueError(f"the question has {n} answers to choose from, not {least} to {most}")
        texts = (*self.options, *self.partners)
        if not all(text.strip() and len(text) <= LONGEST_OPTION for text in texts):
            raise ValueError(f"each answer needs 1 to {LONGEST_OPTION} characters")
        if self.kind != "labels" and len(set(self.options)) < n:
            raise ValueError("two answers have the same words")
        if len(self.partners) != (n if self.kind in ("match", "labels") else 0):
            raise ValueError("each left side needs one right side, and each token one label")
        if self.kind == "match" and len(set(self.partners)) < n:
            raise ValueError("two right sides have the same words")
        if self.kind == "labels" and any(
            len(label) > LONGEST_LABEL or label.split() != [label] for label in self.partners
        ):
            raise ValueError(f"a label is one word of at most {LONGEST_LABEL} characters")
        if self.kind != "choice":
            if self.right:
                raise ValueError("only a choice names the positions of its right answers")
        elif sorted(set(self.right)) != list(self.right) or not self.right:
            raise ValueError("a choice needs its right answers: one or more, in their order")
        elif not 0 <= self.right[0] <= self.right[-1] < n:
            raise ValueError("a right answer is none of the answers")

    @property
    def takes_several(self) -> bool:
        """Return whether a choice has more than one right answer."""
        return len(self.right) > 1

    @property
    def right_answer(self) -> str:
        """Return the right answer as an answer is written; a number in full."""
        if self.kind == "number":
            return repr(self.number)
        if self.kind == "labels":
            return " ".join(self.partners)
        return " ".join(str(at) for at in self.right or range(len(self.options)))

    def is_right(self, answer: str) -> bool:
        """Return whether an answer is right. Raises UnreadableAnswerError if it is none.

        >>> question = OwnQuestion(kind="order", text="Which first?", options=("cut", "attend"))
        >>> question.is_right("0 1"), question.is_right("1 0")
        (True, False)
        """
        if self.kind == "number":
            # The last digit of a tolerance must not depend on how binary fractions round.
            width = self.tolerance * (1 + 1e-9) + 1e-12
            return abs(read_number(answer) - self.number) <= width
        given = answer.split()
        if self.kind == "labels":
            allowed, places = set(self.partners), len(self.options)
        else:
            allowed = {str(at) for at in range(len(self.options))}
            places = len(self.options) if self.kind != "choice" else len(set(given))
        if not given or len(given) != places or not allowed.issuperset(given):
            raise UnreadableAnswerError("no_choice")
        if self.kind == "choice":
            return sorted(given) == self.right_answer.split()
        return given == self.right_answer.split()

    def shown_order(self) -> tuple[int, ...]:
        """Return the order in which options (of `match`: partners) are shown; never the right one.

        A choice and tokens are shown as they were written.
        """
        order = list(range(len(self.options)))
        if self.kind in ("order", "match"):
            rng = Random(self.text)
            while order == sorted(order):
                rng.shuffle(order)
        return tuple(order)

    def as_json(self) -> dict[str, object]:
        """Return the question for a JSON file, without the fields that are as they begin."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
            if value not in ((), "", 0.0)
        }


def read_question(found: object) -> OwnQuestion:
    """Return the question of a JSON value. Raises ValueError, with what was expected.

    >>> read_question({"kind": "number", "text": "1 + 1?", "number": 2}).right_answer
    '2.0'
    """
    if not isinstance(found, Mapping) or not isinstance(found.get("text"), str):
        raise ValueError("a question is an object with `kind` and `text`")
    if found.get("kind") not in get_args(Kind):
        raise ValueError(f"there is no kind of question called {found.get('kind')!r}")
    lists: dict[str, type] = {"options": str, "partners": str, "right": int}
    numbers = ("number", "tolerance")
    for name, value in found.items():
        if name in lists:
            # True is an int to Python, and no position.
            is_good = isinstance(value, list) and all(type(one) is lists[name] for one in value)
        elif name in numbers:
            # A whole number of JSON can be larger than any float.
            is_good = type(value) in (int, float) and not abs(value) > sys.float_info.max
        else:
            is_good = name in ("kind", "text", "explanation") and isinstance(value, str)
        if not is_good:
            raise ValueError(f"the question's field {name!r} can't be read")
    fields: dict[str, Any] = {
        name: tuple(one) if name in lists else float(one) if name in numbers else one
        for name, one in found.items()
    }
    if found["kind"] == "labels":
        fields["partners"] = tuple(one.strip() for one in fields.get("partners", ()))
    return OwnQuestion(**fields)
