"""Labelled texts and questions in a table, one example a row: TSV or CSV.

    label <tab> text                              sentiment
    label <tab> text <tab> second text            entailment
    split, passage, question, answer, start       questions (stored data only)

A CSV has commas or semicolons (as a German Excel writes it) between its columns; a field in quotes
may hold them, and line breaks. Rows that begin with # are comments; a first row of column names is
left out. An uploaded file is divided into a training and a test part, each class in the same
proportion.

Read before this: examples.py.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import torch

from mlm_core.labelled.examples import Dataset, LabelledText, Question
from mlm_core.number_format import grouped

FOLDER = Path(__file__).parents[1] / "data" / "classification"
LINE_END = re.compile(r"\r\n|\r|\n")
# The delimiter behind the first column: a class in quotes, or one without commas and semicolons.
# csv.Sniffer counts characters instead, and takes the commas of German sentences for delimiters.
FIRST_COLUMN = re.compile(r'(?:\s*"(?:[^"]|"")*"\s*|[^",;]*)([,;])')
STORED_CLASSES = ("sentiment", "entailment")
TEST_PROPORTION = 0.25  # of a single file
MOST_CLASSES = 20
LONGEST_LABEL = 40  # characters
LONGEST_TEXT = 20_000  # characters of one example
FEWEST, MOST = 6, 2_000  # examples of an uploaded file


def stored_classes(name: str) -> Dataset:
    """Return the stored data "sentiment" or "entailment".

    Raises ValueError if there is none of that name.
    """
    if name not in STORED_CLASSES:
        raise ValueError(f"no stored data {name!r}: choose one of {', '.join(STORED_CLASSES)}")
    parts = {
        part: tuple(read_labelled((FOLDER / f"{name}_{part}.tsv").read_text(encoding="utf-8")))
        for part in ("train", "dev", "test")
    }
    classes = tuple(sorted({example.label for example in parts["train"]}))
    return Dataset(kind="classes", classes=classes, **parts)


def stored_questions() -> Dataset:
    """Return the stored questions with their passages."""
    parts: dict[str, list[Question]] = {"train": [], "dev": [], "test": []}
    text = (FOLDER / "passages.tsv").read_text(encoding="utf-8")
    for _, (split, passage, question, answer, start) in _rows(text):
        if split not in parts:
            continue  # the line of column names
        stop = int(start) + len(answer)
        parts[split].append(
            Question(question=question, passage=passage, start=int(start), stop=stop)
        )
    as_tuples = {split: tuple(questions) for split, questions in parts.items()}
    return Dataset(kind="answers", classes=(), **as_tuples)


def own_classes(text: str) -> Dataset:
    """Return the examples of a text, every fourth of each class kept for the test.

    Raises ValueError, with the line where there is one, if the text is no such table, has one
    class only, or too few or too many examples.
    """
    examples = list(dict.fromkeys(read_labelled(text)))
    if not FEWEST <= len(examples) <= MOST:
        raise ValueError(
            f"{len(examples)} different examples: give {FEWEST} to {grouped(MOST)}, one a line, its"
            " class, a tab, its text"
        )
    by_class: dict[str, list[LabelledText]] = {}
    for example in examples:
        by_class.setdefault(example.label, []).append(example)
    if len(by_class) > MOST_CLASSES:
        raise ValueError(
            f"{len(by_class)} classes, and {MOST_CLASSES} are allowed: is the class really in the"
            f" first column? The first is {examples[0].label!r}"
        )
    lonely = [label for label, members in by_class.items() if len(members) < 2]
    if lonely:
        raise ValueError(
            f"class {lonely[0]!r} has a single example: give each class at least two, one to"
            " learn from and one to be tested on"
        )
    train, test = split_train_test(examples, [example.label for example in examples])
    return Dataset(kind="classes", classes=tuple(sorted(by_class)), train=train, test=test)


def split_train_test(examples: Sequence, labels: Sequence[str]) -> tuple[tuple, tuple]:
    """Return a training and a test part, each label in the same proportion.

    Files are often sorted, so the test examples are drawn at random, with a fixed seed.

    >>> [len(part) for part in split_train_test("wxyz", ["a", "a", "b", "b"])]
    [2, 2]
    """
    order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(1)).tolist()
    members: dict[str, list[int]] = {}
    for i in order:
        members.setdefault(labels[i], []).append(i)
    test = {i for of in members.values() for i in of[: max(1, round(TEST_PROPORTION * len(of)))]}
    train = tuple(one for i, one in enumerate(examples) if i not in test)
    return train, tuple(examples[i] for i in sorted(test))


def read_labelled(text: str) -> list[LabelledText]:
    """Return the examples of a table.

    Raises ValueError with the line if one has a column too few or too many, or an empty one.
    """
    found: list[LabelledText] = []
    n_columns = None
    for number, row in _rows(text):
        row = [field.strip() for field in row]
        if n_columns is None:
            n_columns = len(row)
            if row[0].lower() in ("label", "class", "labels", "classes", "category"):
                continue
        if len(row) != n_columns or n_columns not in (2, 3):
            raise ValueError(
                f"line {number} has {len(row)} columns: give a class and a text, or a class and"
                " two texts, the same on all lines, with a tab, a comma or a semicolon between them"
            )
        _refuse_fields(number, row)
        pair = row[2] if n_columns == 3 else None
        found.append(LabelledText(label=row[0], text=row[1], pair=pair))
    return found


def lines_of(text: str) -> list[str]:
    r"""Return a file's lines, without the byte order mark.

    Not splitlines(), which also cuts at rarer characters that are no line ends in editors.

    >>> lines_of("\ufeffa\r\nb\u2028c")
    ['a', 'b\u2028c']
    """
    return LINE_END.split(text.removeprefix("\ufeff"))


def _refuse_fields(number: int, row: Sequence[str]) -> None:
    empty = [i for i, field in enumerate(row, start=1) if not field]
    if empty:
        raise ValueError(f"line {number}: column {empty[0]} is empty: fill it or drop the line")
    if len(row[0]) > LONGEST_LABEL:
        raise ValueError(
            f"line {number}: a class of {len(row[0])} characters: the class stands in the first"
            f" column and has at most {LONGEST_LABEL}"
        )
    longest = max(len(field) for field in row)
    if longest > LONGEST_TEXT:
        raise ValueError(
            f"line {number}: a text of {grouped(longest)} characters, and {grouped(LONGEST_TEXT)}"
            " are allowed"
        )


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is no comment: its first line's number, its columns.

    Raises ValueError if a quoted field isn't closed.
    """
    lines = enumerate(lines_of(text), start=1)
    delimiter = None
    for number, line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        delimiter = delimiter or _delimiter(line)
        if delimiter == "\t":
            # A tab can't be in a text, so quotes mean nothing here.
            yield number, line.split("\t")
            continue
        # The reader takes further lines only where a field in quotes goes on.
        further = (f"{line}\n" for _, line in lines)
        rows = csv.reader(
            chain([f"{line}\n"], further), delimiter=delimiter, strict=True, skipinitialspace=True
        )
        try:
            # A space for a line break, as the model reads it.
            row = [field.replace("\n", " ") for field in next(rows)]
        except csv.Error as error:
            raise ValueError(
                f"line {number} is no CSV ({error}): close its quotes, or put tabs between the"
                " columns"
            ) from error
        yield number, row


def _delimiter(line: str) -> str:
    """Return the delimiter of a table from its first row.

    >>> [_delimiter(row) for row in ("a;b, c", '"a, b";c', "a, b; c")]
    [';', ';', ',']
    """
    if "\t" in line:
        return "\t"
    found = FIRST_COLUMN.match(line)
    return found[1] if found else ","
