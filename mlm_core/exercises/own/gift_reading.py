"""Read questions in GIFT (gift.py has the format); what isn't read is named by its line.

Read before this: gift.py.
"""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlm_core.exercises.own.gift import without_controls
from mlm_core.exercises.own.own_question import OwnQuestion

MARKS = "~=#{}:\\\n"  # while a text is read, the escaped ones are the characters 0 to 7
_ESCAPED = re.compile(r"\\([~=#{}:\\n])")
_FORMAT = re.compile(r"\[(html|markdown|moodle|plain)\]")
_WEIGHT = re.compile(r"%(-?\d{1,3}(?:\.\d{0,9})?)%")
_TEX = re.compile(r"\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?")
_TAG = re.compile(r"\[tag:(order|labels)\]")


@dataclass(frozen=True, kw_only=True)
class Refused:
    """A question of a file that isn't read."""

    line: int  # its first one, from 1
    reason: str


@dataclass(frozen=True, kw_only=True)
class _Answer:
    mark: str  # = or ~
    weight: float | None  # in per cent, if it is written
    text: str
    feedback: str


def read_gift(
    text: str, true_false: tuple[str, str] = ("True", "False")
) -> tuple[list[OwnQuestion], list[Refused]]:
    r"""Return the questions of a GIFT file, and what isn't read. The options are `true_false`'s.

    >>> read_gift("1 \\= 1 {T}\n\nWhy? {}")[1]
    [Refused(line=3, reason='it has no answer (essay): only what can be judged is read')]
    """
    questions, refused = [], []
    for line, block in _blocks(text.removeprefix("\ufeff")):
        try:
            questions += _read(block, true_false)
        except ValueError as error:
            refused.append(Refused(line=line, reason=str(error)))
    return questions, refused


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Give the lines between empty ones, with the number of the first."""
    block: list[str] = []
    lines = [*without_controls(text).split("\n"), ""]
    for number, line in enumerate(lines, 1):
        if line.strip():
            block.append(line.strip())
        elif block:
            yield number - len(block), block
            block = []


def _read(block: Sequence[str], true_false: tuple[str, str]) -> list[OwnQuestion]:
    """Return the question of a block, if it has one."""
    tags = [tag[1] for line in block if line.startswith("//") for tag in _TAG.finditer(line)]
    lines = [line for line in block if not line.startswith(("//", "$CATEGORY:"))]
    text = _ESCAPED.sub(
        lambda found: chr(MARKS.index(found[1].replace("n", "\n"))), "\n".join(lines)
    )
    if text.startswith("::") and "::" in text[2:]:
        text = text[2:].partition("::")[2]
    if not text:
        return []
    before, _, rest = text.partition("{")
    inside, closed, after = rest.partition("}")
    if not {"{", "}"} & set(text):
        raise ValueError("it has no answers in braces, so it is a text and no question")
    if text.count("{") != text.count("}"):
        raise ValueError(
            "its braces are not closed: leave no blank line inside them,"
            " and write \\ before a brace of its text"
        )
    if not closed or {"{", "}"} & set(before + inside + after):
        raise ValueError(
            "a question has one pair of braces; others are written with \\ before them"
        )
    text_format, asked = _format(before + ("_____" + after if after else ""), "moodle")
    answers, _, general = inside.partition("####")
    fields = _fields(answers.strip(), text_format, tags, true_false)
    explanation = [_plain(general, text_format), fields.pop("explanation", "")]
    return [
        OwnQuestion(
            text=asked, explanation="\n\n".join(one for one in explanation if one), **fields
        )
    ]


def _fields(answers: str, text_format: str, tags: list[str], true_false: tuple[str, str]) -> dict:
    """Return the fields of a question that its answers say."""
    head = answers.partition("#")[0].strip()
    if not answers:
        raise ValueError("it has no answer (essay): only what can be judged is read")
    if answers.startswith("#"):
        return _number(answers[1:].strip(), text_format)
    if head in ("T", "TRUE", "F", "FALSE"):
        right = 0 if head.startswith("T") else 1
        names = (true_false[1 - right], true_false[right])  # the wrong answer's feedback is first
        said = [_plain(one, text_format) for one in answers.split("#")[1:]]
        said = [f"{name}: {one}" for name, one in zip(names, said, strict=False) if one]
        return {
            "kind": "choice",
            "options": true_false,
            "right": (right,),
            "explanation": "\n\n".join(said),
        }
    if "~" not in answers and "->" not in answers:
        raise ValueError("its answer is to be typed in words: only numbers are read")
    found = list(_answers(answers, text_format if "~" in answers else None))
    if "~" in answers:
        return _choice(found)
    return _match(found, text_format, tags)


def _answers(written: str, text_format: str | None) -> Iterator[_Answer]:
    """Give the answers that begin with = or ~; without a format their texts as they are."""
    if written[0] not in "=~":
        raise ValueError("its first answer begins with neither = nor ~")
    for found in re.finditer(r"([=~])([^=~]*)", written):
        text = found[2].strip()
        weight = _WEIGHT.match(text)
        if weight is None and re.match("%[^%\n]*%", text):
            raise ValueError(f"{text[:20]!r} begins with no weight such as %50% or %-33.333%")
        text, _, feedback = text[weight.end() if weight else 0 :].partition("#")
        yield _Answer(
            mark=found[1],
            weight=float(weight[1]) if weight else None,
            text=text.strip() if text_format is None else _plain(text, text_format),
            feedback=_plain(feedback, text_format or "moodle"),
        )


def _choice(answers: Sequence[_Answer]) -> dict:
    right = [at for at, one in enumerate(answers) if one.mark == "="]
    part = [at for at, one in enumerate(answers) if one.mark == "~" and (one.weight or 0) > 0]
    whole = sum(answers[at].weight or 0 for at in part) or 100
    is_in_part = any(answers[at].weight not in (None, 100) for at in right) or abs(whole - 100) > 1
    if len(right) > 1 or (right and part) or is_in_part:
        raise ValueError("several of its answers are right alone, or one is right in part")
    said = [f"{one.text}: {one.feedback}" for one in answers if one.feedback]
    return {
        "kind": "choice",
        "options": tuple(one.text for one in answers),
        "right": tuple(right or part),
        "explanation": "\n\n".join(said),
    }


def _match(answers: Sequence[_Answer], text_format: str, tags: list[str]) -> dict:
    sides = [one.text.partition("->")[::2] for one in answers]
    lefts = tuple(_plain(left, text_format) for left, _ in sides)
    rights = tuple(_unescaped(right).strip() for _, right in sides)
    if not all(lefts) or not all(rights):
        raise ValueError("one of its pairs has a side without words")
    if "order" in tags:
        return {"kind": "order", "options": rights}
    if "labels" in tags:
        tokens = tuple(left.partition(" ")[2] for left in lefts)
        return {"kind": "labels", "options": tokens, "partners": rights}
    return {"kind": "match", "options": lefts, "partners": rights}


def _number(written: str, text_format: str) -> dict:
    if written.startswith(("=", "~")):
        found = list(_answers(written, None))
        right = [one for one in found if one.mark == "="]
        is_in_part = any((one.weight or 0) > 0 for one in found if one.mark == "~")
        if len(right) != 1 or right[0].weight not in (None, 100) or is_in_part:
            raise ValueError("several of its numbers are right, or one is right in part")
        number, said = right[0].text, [one.feedback for one in found if one.feedback]
    else:
        number, _, feedback = written.partition("#")
        said = [_plain(feedback, text_format)]
    low, dots, high = number.partition("..")
    middle, colon, width = number.partition(":")
    numbers = [one.strip() for one in ((low, high) if dots else (middle, width if colon else "0"))]
    if not all(map(_NUMBER.fullmatch, numbers)):
        raise ValueError(f"{number.strip()[:40]!r} is no number, number:tolerance or low..high")
    first, second = map(float, numbers)
    if dots and second < first:
        raise ValueError("its range goes down: write the lower number first")
    if dots:
        first, second = (first + second) / 2, (second - first) / 2
    explanation = "\n\n".join(filter(None, said))
    return {"kind": "number", "number": first, "tolerance": second, "explanation": explanation}


def _unescaped(text: str) -> str:
    return text.translate(dict(enumerate(MARKS)))


def _plain(text: str, usual: str) -> str:
    return _format(text, usual)[1]


def _format(text: str, usual: str) -> tuple[str, str]:
    """Return a text's format, and the text; HTML becomes its words."""
    text = text.strip()
    found = _FORMAT.match(text)
    text_format, text = (found[1], text[found.end() :]) if found else (usual, text)
    text = _unescaped(text)
    if text_format == "html":
        if re.search(r"<(img|audio|video|svg|math|iframe)\b", text, re.IGNORECASE):
            raise ValueError("it has an image or another thing that is no text")
        text = re.sub(r"<br\s*/?>|</(?:p|div|li|h\d)>", "\n", text, flags=re.IGNORECASE)
        text = html.unescape(re.sub(r"<[^<>]*>", "", text))
    if text_format != "markdown":  # other formats have formulas as MathJax reads them
        text = _TEX.sub(lambda tex: f"${tex[1]}$" if tex[1] else f"$${tex[2]}$$", text)
    return text_format, without_controls(text).strip()
