r"""Questions in GIFT, the text format for questions that Moodle and other systems read and write.

    What is asked? {=right ~wrong}          choice; several: {~%50%right ~%50%right ~%-100%wrong}
    It is so. {T}                           true or false: a choice of two
    How many? {#3.5:0.5} or {#3..4}         number with a tolerance, or a range
    What is what? {=left -> right =...}     match
    ... {=right ~wrong ####Because.}        an explanation; one answer's own begins with #

Questions are divided by empty lines. A line that begins with // is a comment, with $CATEGORY: a
category; ::name:: may be before a question, [markdown] or [html] before a text. A \ before one of
~ = # { } : \ makes it part of a text, and \n is a new line.

GIFT has no order and no labels. They are written as a match with the number of each place, with
the tag of their kind in a comment, by which `read_gift` knows them again.

Departs: a left side can't have "->" in it, so it gets an arrow. What is right in part isn't read.

Source: Moodle, question/format/gift/format.php, and its documentation of the format.
Read before this: own_question.py. Then gift_reading.py.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from mlm_core.exercises.own.own_question import OwnQuestion

_NO_TEXT = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def write_gift(categories: Mapping[str, Sequence[OwnQuestion]]) -> str:
    """Return the questions of each category as a GIFT file."""
    blocks = []
    for category, questions in categories.items():
        blocks.append(f"$CATEGORY: {' '.join(category.split())}")
        blocks += map(_written, questions)
    return "\n\n".join(blocks) + "\n"


def plain_number(number: float) -> str:
    """Return a number in digits alone, as importers read it.

    >>> plain_number(1e-05), plain_number(3.0)
    ('0.00001', '3')
    """
    return format(Decimal(repr(number)), "f").removesuffix(".0")


def pairs_of(question: OwnQuestion) -> list[tuple[str, str]]:
    """Return the pairs of a match; for an order or labels those with the number of each place."""
    if question.kind == "match":
        return list(zip(question.options, question.partners, strict=True))
    if question.kind == "order":
        return [(str(number), option) for number, option in enumerate(question.options, 1)]
    tokens = (f"{number} {token}" for number, token in enumerate(question.options, 1))
    return list(zip(tokens, question.partners, strict=True))


def without_controls(text: str) -> str:
    """Return a text without what no file of text can have, its lines ended by one character."""
    return _NO_TEXT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _written(question: OwnQuestion) -> str:
    if question.kind == "number":
        width = f":{plain_number(question.tolerance)}" if question.tolerance else ""
        lines = [f"#{plain_number(question.number)}{width}"]
    elif question.kind == "choice":
        share = f"{100 / len(question.right):.5f}".rstrip("0").rstrip(".")
        right, wrong = (f"~%{share}%", "~%-100%") if question.takes_several else ("=", "~")
        lines = [
            (right if at in question.right else wrong) + _formatted(option)
            for at, option in enumerate(question.options)
        ]
    else:
        pairs = [(left.replace("->", "→"), right) for left, right in pairs_of(question)]
        lines = [f"={_formatted(left)} -> {_escaped(right)}" for left, right in pairs]
    if question.explanation:
        lines.append(f"####{_escaped(question.explanation)}")
    tag = f"// [tag:{question.kind}]\n" if question.kind in ("order", "labels") else ""
    return "\n".join([f"{tag}[markdown]{_escaped(question.text)} {{", *lines, "}"])


def _escaped(text: str) -> str:
    return re.sub(r"([~=#{}:\\])", r"\\\1", without_controls(text).strip()).replace("\n", r"\n")


def _formatted(text: str) -> str:
    """Return an answer; one that begins like a format or a weight has its format before it."""
    return ("[markdown]" if text.lstrip()[:1] in ("[", "%") else "") + _escaped(text)
