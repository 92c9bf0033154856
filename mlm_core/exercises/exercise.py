"""An exercise: it draws its numbers for each learner and checks an answer.

    learner  ->  exercise.draw(learner)  ->  a task  ->  check_answer(task, answer)  ->  a verdict

An answer is always a text: a number as it was typed, the name of an option, the learner's own
words (two texts with a line break between), or a mask as ../encoder/drawn_masks.py writes it.
The core has no texts for readers: a verdict names a hint, whose text is in
pages/text/<language>/exercises/.

Random numbers depend on the learner's seed and the exercise's id: learners get different numbers,
and one seed gives the same numbers everywhere.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from tokenizers import Tokenizer

from mlm_core import number_format
from mlm_core.number_format import formatted

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import MaskedLanguageModel

Kind = Literal["number", "choice", "text", "pair", "mask"]
Outcome = Literal["right", "wrong", "unreadable"]

MOST_DRAWS = 50  # of one task
LONGEST_NUMBER = 40  # characters
LONGEST_ANSWER = 300  # characters, in each of the two texts of a pair


def make_anew(name: str, make: Callable[[], Any]) -> Any:
    """Return the result of `make`. An app may cache it under the name."""
    return make()


@dataclass(frozen=True, kw_only=True)
class Learner:
    """The input of an exercise: the seed, the text and the model of a learner."""

    seed: int
    text: str = ""  # the learner's own sentence
    language: str = "en"  # that the lesson reads
    printed: str = ""  # the English sentences of the lesson's page, which are no answers
    tokenizer: Callable[[], Tokenizer]
    model: "Callable[[], MaskedLanguageModel]"  # loads it, which may raise ModelUnavailableError
    # Takes a name and a function; may return what the function made earlier under that name.
    remember: Callable[[str, Callable[[], Any]], Any] = make_anew


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The result of checking an answer."""

    outcome: Outcome
    hint: str | None = None  # the section that says what went wrong; None: the next hint in order
    values: Mapping[str, object] = field(default_factory=dict)  # to fill into the words

    @classmethod
    def right(cls, **values: object) -> "Verdict":
        """Return that an answer is right."""
        return cls(outcome="right", values=values)

    @classmethod
    def wrong(cls, hint: str | None, **values: object) -> "Verdict":
        """Return that an answer is wrong, with the section that says why."""
        return cls(outcome="wrong", hint=hint, values=values)


@dataclass(frozen=True, kw_only=True)
class Task:
    """An exercise with its numbers drawn."""

    values: Mapping[str, object] = field(default_factory=dict)  # to fill into the words
    judge: Callable[[str], Verdict]  # may raise UnreadableAnswerError
    variant: str | None = None  # which of several questions and explanations
    options: tuple[str, ...] = ()  # of a choice, by name
    tokens: tuple[str, ...] = ()  # rows and columns of a mask
    answer: str | None = None  # the one right answer; None where many are
    accepted: tuple[float, float] | None = None  # the lowest and the highest right number
    mistakes: Mapping[str, float] = field(default_factory=dict)  # wrong numbers, by their hints


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """One exercise of a lesson. `id` names its words."""

    id: str
    kind: Kind
    ask: Callable[[Learner, Random], Task]  # may raise NeedsTextError or NeedsModelError
    uses_text: bool = False  # asks about the learner's own sentence

    def draw(self, learner: Learner) -> Task:
        """Return the task with this learner's random numbers; no known mistake is right in it."""
        rng = Random(f"{learner.seed} {self.id}")
        for _ in range(MOST_DRAWS):
            task = self.ask(learner, rng)
            lowest, highest = task.accepted or (math.inf, -math.inf)
            if not any(lowest <= wrong <= highest for wrong in task.mistakes.values()):
                break
        return task


class UnreadableAnswerError(ValueError):
    """An answer that is neither right nor wrong; `args[0]` names the section that says why."""

    def __init__(self, section: str, **values: object) -> None:
        super().__init__(section)
        self.values = values  # to fill into the section


class NeedsTextError(ValueError):
    """The learner's sentence is too short for this exercise; `args[0]` tokens are needed."""


class NeedsModelError(ValueError):
    """The model lacks a part that the exercise needs; `args[0]` names a section."""


def check_answer(task: Task, answer: str) -> Verdict:
    """Return the verdict on an answer, which may be any text.

    >>> task = number_task(right=3, tolerance=0, mistakes={"one_less": 2})
    >>> [check_answer(task, text).outcome for text in ("3", "2", "three")]
    ['right', 'wrong', 'unreadable']
    """
    if not answer.strip():
        return Verdict(outcome="unreadable", hint="empty")
    try:
        return task.judge(answer)
    except UnreadableAnswerError as error:
        return Verdict(outcome="unreadable", hint=str(error), values=error.values)


def number_task(
    *,
    right: float,
    tolerance: float,
    mistakes: Mapping[str, float] | None = None,
    values: Mapping[str, object] | None = None,
    variant: str | None = None,
    answer: str | None = None,
    in_percent: bool = False,
) -> Task:
    """Return a task whose answer is a number.

    `mistakes` are the results of known errors, each with its hint.
    `in_percent`: right, tolerance and mistakes are per cent, and "25 %" is 25.
    """
    # The last digit of a tolerance must not depend on how binary fractions round.
    width = tolerance * (1 + 1e-9) + 1e-12
    known = mistakes or {}

    def judge(typed: str) -> Verdict:
        number = read_number(typed.strip().removesuffix("%") if in_percent else typed)
        given = significant(number)
        if abs(number - right) <= width:
            return Verdict.right(given=given)
        for name, wrong in known.items():
            if abs(number - wrong) <= width:
                return Verdict.wrong(name, given=given)
        return Verdict.wrong(None, given=given)

    return Task(
        values=values or {},
        judge=judge,
        variant=variant,
        answer=answer or significant(right),
        accepted=(right - width, right + width),
        mistakes=known,
    )


def choice_task(
    options: tuple[str, ...],
    *,
    right: str,
    values: Mapping[str, object] | None = None,
    variant: str | None = None,
    hint_for: Callable[[str], str] = "not_{}".format,
) -> Task:
    """Return a task whose answer is one of `options`; each wrong one has a hint.

    The hint for a wrong option is the section `not_<option>`, or `<variant>_not_<option>`, unless
    `hint_for` names another.
    """

    def judge(name: str) -> Verdict:
        if name not in options:
            raise UnreadableAnswerError("no_choice")
        return Verdict.right() if name == right else Verdict.wrong(hint_for(name))

    return Task(values=values or {}, judge=judge, variant=variant, options=options, answer=right)


def read_number(text: str) -> float:
    """Return the number in a typed answer; several notations are allowed.

    Its marks are those of the reader's language: "1,386" is 1386 in English, 1.386 in German.
    Raises UnreadableAnswerError for what is no finite number.

    >>> [read_number(text) for text in ("0.25", "0,25", "1/4", "25 %", "1,000", "1e3", "−2")]
    [0.25, 0.25, 0.25, 0.25, 1000.0, 1000.0, -2.0]
    """
    text = text.strip()
    if len(text) > LONGEST_NUMBER:
        raise UnreadableAnswerError("too_long")
    if text.endswith("%"):
        return read_number(text[:-1]) / 100
    if text.count("/") == 1:
        above, below = (_plain_number(part) for part in text.split("/"))
        if below == 0 or math.isinf(above / below):
            raise UnreadableAnswerError("no_number")
        return above / below
    return _plain_number(text)


def read_words(text: str) -> str:
    """Return the learner's own text. Raises UnreadableAnswerError if it is too long."""
    if len(text) > LONGEST_ANSWER:
        raise UnreadableAnswerError("too_long")
    return text.strip()


def read_pair(answer: str) -> tuple[str, str]:
    """Return the two texts of an answer. Raises UnreadableAnswerError if one is missing."""
    first, _, second = (part.strip() for part in answer.partition("\n"))
    if not first or not second:
        raise UnreadableAnswerError("one_is_empty")
    return read_words(first), read_words(second)


def significant(number: float) -> str:
    """Return a number as an answer shows it.

    >>> [significant(x) for x in (3.0, 0.25, 1 / 3, 23440896.0)]
    ['3', '0.25', '0.3333', '23,440,896']
    """
    if number == int(number) and abs(number) < 1e15:
        return formatted(int(number), ",")
    return formatted(number, ".4g" if abs(number) < 1000 else ",.2f")


def _plain_number(text: str) -> float:
    try:
        return number_format.read_number(text)
    except number_format.AmbiguousNumberError:
        raise UnreadableAnswerError("ambiguous") from None
    except ValueError:
        raise UnreadableAnswerError("no_number") from None
