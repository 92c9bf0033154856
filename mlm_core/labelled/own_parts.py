"""A learner's own examples, in parts: from one file, from several, or by a column of the table.

    # part: dev          a line like this begins a part; one that begins with no such line is `None`
    # columns: text 2    the first line may say which column is what (counted from 1, 0: none)

What has no part of its own is drawn: a quarter of each class for the test, 15 % for dev.

Read before this: examples.py.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Literal

import torch

from mlm_core.labelled.examples import Dataset, Example, LabelledText, OneKind, TaggedSentence
from mlm_core.number_format import grouped
from mlm_core.short_repr import short_repr
from mlm_core.text.plain_text import LINE_END, Decoded, composed

PART_LINE = re.compile(r"#[ ]?part:[ ]?(train|dev|test)[ ]?")
COLUMNS_LINE = "# columns:"
ROLE_IN_LINE = re.compile(r"([a-z]{1,10}) ([0-9]{1,3})")
PARTS = ("train", "dev", "test")
PART_OF = {
    **{"train": "train", "training": "train", "test": "test", "testing": "test"},
    **dict.fromkeys("dev validation valid val development eval".split(), "dev"),
}
TEST_PROPORTION = 0.25  # of each class
DEV_PROPORTION = 0.15  # of each class, where it has four examples to learn from
MOST = 2_000  # examples
LONGEST_SHOWN = 60  # characters of a line in an error
FIRST_ROWS = 5  # that are shown
MOST_FAULTS = 3  # lines that an error names
Format = Literal["tabs", "commas", "semicolons", "pipes", "spaces", "json", "conll"]
# Of "label", "text", "pair", "part", "word", "tag", "sentence", "header": a column or 0.
Roles = dict[str, int]
# Why a line is no example: a remark, names of columns, a mark of the format ("sep=;", -DOCSTART-),
# "outside": a tag that was taken for O. "fields": it has more than are read. "rejected": by who
# labelled it.
# "hidden": a label that a benchmark keeps back. "gathered": words that stood among those of other
# sentences. "prefix": words without what all of them begin with.
Reason = Literal[
    "comment", "names", "mark", "outside", "fields", "rejected", "hidden", "gathered", "prefix"
]


@dataclass(frozen=True, kw_only=True)
class Segment:
    """The lines of one part, numbered as in the whole text."""

    part: str | None
    lines: tuple[tuple[int, str], ...]


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How a text was understood: its format, its columns, and which is what."""

    format: Format
    names: tuple[str, ...]  # of the columns, "1", "2", ... where the text names none
    roles: Roles  # columns count from 1; 0: there is none
    first: tuple[tuple[str, ...], ...]  # rows as they were read
    # Of a role whose column is a guess: the columns that it may be, the guess first.
    doubts: dict[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class OddLines:
    """Lines that are no examples, or were read otherwise than they stand there."""

    reason: Reason
    numbers: tuple[int, ...]
    first: str  # as it stands there


@short_repr()
@dataclass(frozen=True, kw_only=True)
class OwnData:
    """A learner's own examples, and how their text was understood."""

    dataset: Dataset
    layout: Layout
    n_lines: int  # of the whole text
    n_read: int  # examples
    odd_lines: tuple[OddLines, ...]
    n_duplicates: int  # dropped
    n_left_out: int  # beyond the largest number
    given: tuple[str, ...]  # parts that the text has; the others were drawn


def lines_of(text: str) -> list[str]:
    r"""Return a file's lines, in composed characters.

    Not splitlines(), which also cuts at rarer characters that are no line ends in editors.

    >>> lines_of("\ufeffa\r\nb\u2028c")
    ['a', 'b\u2028c']
    """
    return LINE_END.split(composed(text))


def segments_of(text: str) -> tuple[Roles, list[Segment]]:
    r"""Return the roles of the columns as far as the text says them, and the text's parts.

    The line of roles has no number of its own: it was put before the text.

    >>> segments_of("# columns: text 2, label 1\na\n# part: dev\nb")[0]
    {'text': 2, 'label': 1}
    """
    lines, roles = lines_of(text), {}
    if lines[0].startswith(COLUMNS_LINE):
        roles = {name: int(column) for name, column in ROLE_IN_LINE.findall(lines.pop(0)[:200])}
    found: list[tuple[str | None, list[tuple[int, str]]]] = [(None, [])]
    for number, line in enumerate(lines, start=1):
        if part := PART_LINE.fullmatch(line):
            found.append((part[1], []))
        else:
            found[-1][1].append((number, line))
    segments = [Segment(part=part, lines=tuple(lines)) for part, lines in found]
    return roles, [one for one in segments if any(line.strip() for _, line in one.lines)]


def is_comment(line: str) -> bool:
    """Return whether a line is empty or a comment: "#" alone or with a space behind it."""
    return not line.strip() or line.startswith("# ") or line.strip() == "#"


def shown(line: str) -> str:
    """Return the beginning of a line, for an error."""
    return repr(line if len(line) <= LONGEST_SHOWN else line[: LONGEST_SHOWN - 1] + "…")


def n_lines_of(text: str) -> int:
    """Return how many lines a learner's text has, without the line of roles before it."""
    lines = lines_of(text)
    return len(lines) - (not lines[-1]) - lines[0].startswith(COLUMNS_LINE)


def with_roles(text: str, roles: Roles) -> str:
    """Return a text with a line before it that says which column is what."""
    said = ", ".join(f"{name} {column}" for name, column in roles.items())
    return f"{COLUMNS_LINE} {said}\n{text}" if roles else text


def join_files(files: Sequence[tuple[str, str]]) -> str:
    r"""Return one text from several files, by the part that each one's name says.

    Raises ValueError if there are several and a name says none.

    >>> join_files([("my_dev.tsv", "a"), ("train.tsv", "b")])
    '# part: dev\na\n# part: train\nb'
    """
    if len(files) == 1:
        return files[0][1]
    texts = []
    for name, text in files:
        words = re.split(r"[^a-z]+", name.lower()[:200])
        parts = [PART_OF[word] for word in words if word in PART_OF]
        if not parts:
            raise ValueError(
                f"{name[:80]!r} doesn't say which part it is: with several files, name them train,"
                " dev and test"
            )
        texts.append(f"# part: {parts[-1]}\n{text}")
    return "\n".join(texts)


def without_cut_line(decoded: Decoded) -> tuple[Decoded, str]:
    r"""Return a file without a last line that ends inside a character, and that line.

    >>> without_cut_line(Decoded(text="a\tgood\nb\tsch", is_cut=True))[1]
    'b\tsch'
    """
    if not decoded.is_cut:
        return decoded, ""
    lines = lines_of(decoded.text)
    whole = decoded.text[: len(decoded.text) - len(lines[-1])]
    broken = tuple(number for number in decoded.broken_lines if number < len(lines))
    return replace(decoded, text=whole, broken_lines=broken), lines[-1]


def thin_text(text: str, longest: int) -> str:
    r"""Return a text of at most `longest` characters: examples drawn from a longer one.

    An example is a line, with those that its quotes reach over, or the lines up to an empty one.
    Raises ValueError if its examples are longer than that.

    >>> len(thin_text("names\na\nb\nc\nd\ne", 9).split("\n"))
    3
    """
    if len(text) <= longest:
        return text
    lines = lines_of(text)
    if lines[0].startswith("{"):  # JSON, one object a line
        units = lines
    else:
        units = _units(lines, are_blocks=sum(not line for line in lines) > len(lines) / 100)
    order = list(range(1, len(units)))
    Random(1).shuffle(order)  # every second line may be of one class
    n_left, kept = longest - len(units[0]), [0]
    for i in order:
        n_left -= len(units[i]) + 1
        if n_left < 0:
            break
        kept.append(i)
    if len(kept) > 1:
        return "\n".join(units[i] for i in sorted(kept))
    raise ValueError(
        f"the text has {grouped(len(text))} characters, and {grouped(longest)} are allowed:"
        " shorten it"
    )


def _units(lines: Sequence[str], *, are_blocks: bool) -> list[str]:
    """Return lines with those that belong to them: up to an empty one, or to the end of quotes."""
    units: list[list[str]] = []
    goes_on = False
    for line in lines:
        units += [] if goes_on else [[]]
        units[-1].append(line)
        is_open = line.count('"') % 2 == 1 and "\t" not in line
        goes_on = bool(line.strip()) if are_blocks else goes_on ^ is_open
    return ["\n".join(unit) for unit in units]


class LineNotes:
    """What can't be read: the first lines by their sentences, the others counted; what is odd."""

    def __init__(self) -> None:
        self._first: list[str] = []
        self._n = 0
        self._causes: Counter[str] = Counter()
        self._odd: dict[Reason, dict[int, str]] = {}

    def add(self, error: ValueError, cause: str = "") -> None:
        """Note the error of one line, and what is likely to be its cause."""
        self._n += 1
        self._causes[cause] += 1
        self._first += [str(error)][: MOST_FAULTS - len(self._first)]

    def set_aside(self, number: int, line: str, reason: Reason) -> None:
        """Note a line that is no example."""
        self._odd.setdefault(reason, {})[number] = line

    def odd_lines(self) -> tuple[OddLines, ...]:
        """Return the lines that are no examples, by the reason."""
        return tuple(
            OddLines(reason=reason, numbers=tuple(lines), first=next(iter(lines.values())))
            for reason, lines in self._odd.items()
        )

    def raise_if_any(self) -> None:
        """Raise ValueError if lines can't be read, one sentence a line.

        First the cause that most of them share, then the first lines.
        """
        if not self._n:
            return
        (cause, n), *_ = self._causes.most_common(1)
        said = [cause] if cause and 2 * n > self._n else []
        n_further = self._n - len(self._first)
        further = [f"and {grouped(n_further)} more such lines"] if n_further else []
        raise ValueError("\n".join([*said, *self._first, *further]))


def stratified(labels: Sequence[str], count: Callable[[int], int]) -> set[int]:
    """Return `count(n)` indices of each label that occurs n times, drawn at random.

    Files are often sorted, so the examples are drawn; the seed is fixed. These few lines stand in
    for scikit-learn's train_test_split, which would cost the server 146 MB.
    """
    order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(1)).tolist()
    members: dict[str, list[int]] = {}
    for i in order:
        members.setdefault(labels[i], []).append(i)
    return {i for of in members.values() for i in of[: count(len(of))]}


def n_test(n: int) -> int:
    """Return how many of a class's examples are for the test."""
    return max(1, round(TEST_PROPORTION * n))


def n_dev(n: int) -> int:
    """Return how many of a class's training examples are for dev: 15 % of all before the test."""
    return max(1, round(DEV_PROPORTION / (1 - TEST_PROPORTION) * n)) if n >= 4 else 0


def divide(
    found: Sequence[tuple[str | None, OneKind]], label_of: Callable[[OneKind], str]
) -> tuple[dict[str, tuple], dict[str, Any]]:
    """Return the three parts, and what OwnData has counted of them.

    An example that is in two parts, but for capitals, stays in the later one, so that no test
    example is learnt. A text with dev and no test is tested on its dev part.
    """
    parts: dict[str, dict] = {part: {} for part in PARTS}
    for part, example in found:
        parts[part or "train"][example] = _folded(example)
    for earlier, later in (("dev", "test"), ("train", "dev"), ("train", "test")):
        known = set(parts[later].values())
        parts[earlier] = {one: key for one, key in parts[earlier].items() if key not in known}
    n_different = sum(map(len, parts.values()))
    kept = {part: _thinned(tuple(of), n_different) for part, of in parts.items()}
    n_kept = sum(map(len, kept.values()))
    given = tuple(part for part in PARTS if kept[part] and any(p == part for p, _ in found))
    if not kept["test"] and kept["dev"]:
        kept["test"], kept["dev"] = kept["dev"], ()
    for part, count in (("test", n_test), ("dev", n_dev)):
        if not kept[part]:
            train = kept["train"]
            drawn = stratified([label_of(one) for one in train], count)
            kept[part] = tuple(train[i] for i in sorted(drawn))
            kept["train"] = tuple(one for i, one in enumerate(train) if i not in drawn)
    counts = {"n_duplicates": len(found) - n_different, "n_left_out": n_different - n_kept}
    return kept, {"n_read": len(found), "given": given, **counts}


def _folded(example: Example) -> tuple:
    """Return what is the same of two examples that differ in capitals or blanks only."""
    if isinstance(example, LabelledText):
        return _plain(example.text), _plain(example.pair or ""), example.label
    if isinstance(example, TaggedSentence):
        return _plain(" ".join(example.words)), example.spans
    return (example,)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _thinned(examples: tuple, n_all: int) -> tuple:
    """Return drawn examples, so many that all parts together have at most MOST."""
    n = len(examples) * MOST // max(n_all, MOST)
    return tuple(examples[i] for i in sorted(Random(1).sample(range(len(examples)), n)))
