"""The output of anybody's masking generator, one text a line, read with trust in nothing.

Either of two forms, the same text in both; -100 or null marks a position without a loss:

    {"tokens": ["[CLS]", "cats", "sleep", "[SEP]"], "inputs": ["[CLS]", "[MASK]", "sleep", "[SEP]"],
     "labels": [-100, "cats", -100, -100]}                    (on one line)
    [CLS] cats sleep [SEP] <tab> [CLS] [MASK] sleep [SEP] <tab> -100 cats -100 -100

A line that can't be read is left out with a reason; the others count.

Source: the manual's exercise 1 (bert-manual, section 9) asks for such a generator.

Read before this: steps.py. Read next: generator_labels.py.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.masking.steps import Corruption

FIELDS = ("tokens", "inputs", "labels")
MOST_LEFT_OUT = 5  # lines that can't be read and are described; a file may have a million


@dataclass(frozen=True, kw_only=True)
class Example:
    """One text as a generator wrote it."""

    line: int  # its number in the file, from 1
    tokens: tuple[str, ...]  # before the corruption
    inputs: tuple[str, ...]  # what the encoder sees
    labels: tuple[str | None, ...]  # None: without a loss


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A line that can't be read; `values` are what a sentence about it names."""

    line: int
    reason: str
    values: Mapping[str, object] = field(default_factory=dict)


class _UnreadableError(ValueError):
    def __init__(self, reason: str, **values: object) -> None:
        super().__init__(reason)
        self.reason, self.values = reason, values


def read_output(text: str) -> tuple[tuple[Example, ...], tuple[LeftOut, ...], int]:
    r"""Return the texts of a file, the first lines that can't be read, and how many can't.

    Empty lines don't count.

    >>> examples, left_out, n_left_out = read_output("[CLS] a\t[CLS] [MASK]\t-100 a\n{")
    >>> examples[0].labels, left_out[0].reason, n_left_out
    ((None, 'a'), 'broken_json', 1)
    """
    examples, left_out, n_left_out = [], [], 0
    for number, entry in enumerate(_entries(text), 1):
        if entry == "":
            continue
        try:
            examples.append(_example(number, entry))
        except _UnreadableError as error:
            n_left_out += 1
            if n_left_out <= MOST_LEFT_OUT:
                left_out.append(LeftOut(line=number, reason=error.reason, values=error.values))
    return tuple(examples), tuple(left_out), n_left_out


def write_output(corruptions: Iterable[Corruption], *, only_at_mask: bool = False) -> str:
    """Return corrupted texts as JSON lines, with their labels as tokens.

    `only_at_mask` makes a common mistake: random and kept tokens get no label.
    """
    return "".join(
        json.dumps(
            {
                "tokens": [token.text for token in one.tokens],
                "inputs": one.texts,
                "labels": [
                    token.text
                    if new and (new.branch == "mask" or not only_at_mask)
                    else IGNORED_LABEL
                    for token, new in zip(one.tokens, one.replacements, strict=True)
                ],
            },
            ensure_ascii=False,
        )
        + "\n"
        for one in corruptions
    )


def _entries(text: str) -> Iterable[object]:
    """Return the lines, or the entries of a file that is one JSON list of objects."""
    start = text.lstrip().removeprefix("[").lstrip()
    if text.lstrip().startswith("[") and start.startswith("{"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass  # then each line says what is wrong with it
    lines = [line.strip(" \r") for line in text.split("\n")]
    if lines and lines[0].split("\t") == [*FIELDS]:
        lines[0] = ""  # the names of the columns
    return lines


def _example(number: int, entry: object) -> Example:
    if isinstance(entry, str):
        columns = _from_json(_parsed(entry)) if _is_json(entry) else _from_tabs(entry)
    else:
        columns = _from_json(entry)
    tokens, inputs, labels = columns
    if not len(tokens) == len(inputs) == len(labels):
        lengths = zip(("n_tokens", "n_inputs", "n_labels"), map(len, columns), strict=True)
        raise _UnreadableError("other_lengths", **dict(lengths))
    if not tokens:
        raise _UnreadableError("no_tokens")
    return Example(
        line=number,
        tokens=tuple(map(_token, tokens)),
        inputs=tuple(map(_token, inputs)),
        labels=tuple(None if _is_ignored(label) else _token(label) for label in labels),
    )


def _is_json(line: str) -> bool:
    return line.startswith("{") and line.count("\t") != len(FIELDS) - 1  # "{" may be a token


def _parsed(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):  # also a number or nesting without end
        raise _UnreadableError("broken_json") from None


def _from_json(entry: object) -> list[list]:
    if not isinstance(entry, dict):
        raise _UnreadableError("no_object")
    for name in FIELDS:
        if not isinstance(entry.get(name), list):
            raise _UnreadableError("no_list", name=name)
    return [entry[name] for name in FIELDS]


def _from_tabs(line: str) -> list[list[str]]:
    columns = line.split("\t")
    if len(columns) != len(FIELDS):
        raise _UnreadableError("other_columns", n=len(columns))
    return [column.split() for column in columns]


def _is_ignored(label: object) -> bool:
    return label is None or label == IGNORED_LABEL or label == str(IGNORED_LABEL)


def _token(entry: object) -> str:
    if isinstance(entry, int | float):
        raise _UnreadableError("ids")
    if not isinstance(entry, str):
        raise _UnreadableError("no_text")
    return entry
