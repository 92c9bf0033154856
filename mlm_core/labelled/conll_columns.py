"""Which column of a CoNLL file has the words, and which their tags.

The tag is in the last column that holds nothing but tags, the word in the first that doesn't count
the words. Of several columns of tags with the same types, as gold and predicted ones, it is the
first, which is a doubt.

    Sentence #,Word,POS,Tag         names of columns, and commas or semicolons between them:
    Sentence: 1,EU,NNP,B-org        a sentence begins where the first column names another one
    ,rejects,VBZ,O

    {"tokens": ["EU", "rejects"], "ner_tags": [3, 0]}    JSON: tags, or their places in a list:
    {"names": ["O", "B-PER", "I-PER", "B-ORG"]}          in another object, or round the records

Read before this: own_parts.py, ../tagging/bio_tags.py.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from mlm_core.labelled.json_records import is_json, json_objects, records_of
from mlm_core.labelled.own_parts import (
    FIRST_ROWS,
    Layout,
    LineNotes,
    Reason,
    Roles,
    Segment,
    segments_of,
)
from mlm_core.tagging.bio_tags import OUTSIDE

COLUMN_GAP = re.compile(r"[ \t]+")
TAG = re.compile(r"([BIESLUM])-(.+)")
LETTERS_ALONE = frozenset("BIESLUMO")
NO_TYPE = "_"
AS_OUTSIDE = ("o", "0")  # where there is no O
WORD_NAMES = frozenset("word words token tokens form wort".split())
TAG_NAMES = frozenset("tag tags ner ner_tag ner_tags label labels bio iob entity".split())
SENTENCE_NAMES = frozenset(("sentence #", *"sentence sentence_id sent_id sentence_idx".split()))
LISTS = re.compile(r'"(\w{1,40})"\s*:\s*(?:\{\s*"0"\s*:\s*)?\[')  # in JSON, by their names
LINE_GAP = re.compile(r"[\t\r\n]")
COUNT = re.compile(r"[0-9]{1,9}")
PREFIX = re.compile(r"[^\W\d_]{2,12}[:|_/](?=.)")  # of a word: "de:Klara"
ARE_TAGS = 0.9  # of a column's fields, where it is the tags'
FEWEST_ROWS = 8  # from which all rows say something of one


class Line(NamedTuple):
    """A line of a part, with its number in the whole text."""

    part: str | None
    number: int
    line: str
    fields: list[str]  # none for an empty line or the mark of a document


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The lines of a text in columns, and which column is what."""

    layout: Layout
    lines: tuple[Line, ...]
    words: tuple[Line, ...]  # of them: a word, its tag and all other columns

    def of(self, role: str) -> list[str]:
        """Return the fields of the words, or of their tags."""
        return [one.fields[self.layout.roles[role] - 1] for one in self.words]


def read_columns(text: str, notes: LineNotes) -> Columns | None:
    """Return how a text is understood, even if some lines can't be read; None without any line.

    Note the lines where all words are read otherwise than they stand there.
    """
    said, segments = segments_of(text)
    is_in_json = bool(segments) and is_json(line for _, line in segments[0].lines)
    if is_in_json:
        segments = _segments_in_json(segments)
    lines = [
        Line(segment.part, number, line, fields)
        for segment in segments
        for (_, line), (number, fields) in zip(segment.lines, fields_of(segment), strict=True)
    ]
    if not any(one.fields for one in lines):
        return None
    n_columns = _usual_size([one.fields for one in lines])
    rows = [one for one in lines if len(one.fields) == n_columns]
    header = next((one.fields for one in rows if are_names(one.fields)), None)
    roles, tags = _find_roles([one.fields for one in rows if not are_names(one.fields)], n_columns)
    header = header or _unforeseen_names([one.fields for one in rows], roles)
    roles |= _named_roles(header or ())
    roles |= {role: i for role, i in said.items() if role in roles and 1 <= i <= n_columns}
    rows = [one for one in rows if one.fields != header and not are_names(one.fields)]
    words = [one for one in rows if one.fields[0][:1] != "#"] or rows
    lines, moved = _gathered(lines, rows, roles.get("sentence", 0) - 1)
    changed: dict[Reason, Sequence[Line]] = {"gathered": moved}
    if _without_prefix(words, roles["word"] - 1):
        changed["prefix"] = words
    for reason, of in changed.items():
        for one in of:
            notes.set_aside(one.number, one.line, reason)
    layout = Layout(
        format="json" if is_in_json else "conll",
        names=tuple(header or (str(i + 1) for i in range(n_columns))),
        roles=roles,
        first=tuple(tuple(one.fields) for one in words[:FIRST_ROWS]),
        doubts={"tag": tuple(tags)} if len(tags) > 1 and not (header or "tag" in said) else {},
    )
    return Columns(layout=layout, lines=tuple(lines), words=tuple(words))


def are_tagged(text: str) -> bool:
    """Return whether JSON has lists of words and lists of tags."""
    names = {name.lower() for name in LISTS.findall(text)}
    return bool(names & WORD_NAMES and names & TAG_NAMES)


def _segments_in_json(segments: Sequence[Segment]) -> list[Segment]:
    """Return segments of JSON as lines of a word and its tag, numbered as their records are.

    Raises ValueError for records that can't be read, or numbers of tags without names.
    """
    notes = LineNotes()
    objects = [(one.part, json_objects(one, notes)) for one in segments]
    notes.raise_if_any()
    names = [found for _, of in objects for _, one in of for found in _tag_names(one)]
    return [
        Segment(part=part, lines=tuple(_lines_in_json(records_of(of), (names or [[]])[-1])))
        for part, of in objects
    ]


def _tag_names(value: dict) -> Iterator[list[str]]:
    """Yield lists of tags in an object: under "names" or "id2label", as libraries write them."""
    for name, one in value.items():
        of = list(one.values()) if name == "id2label" and isinstance(one, dict) else one
        if isinstance(of, list) and name.endswith(("names", "id2label")):
            found = [str(tag) for tag in of]
            yield from [found] if types_of(found) else []
        elif isinstance(one, dict):
            yield from _tag_names(one)


def _lines_in_json(
    records: Sequence[tuple[int, dict]], names: Sequence[str]
) -> Iterator[tuple[int, str]]:
    for number, record in records:
        lists = {name.lower(): one for name, one in record.items() if isinstance(one, list)}
        words, tags = (
            next((one for name, one in reversed(lists.items()) if name in of), [])
            for of in (WORD_NAMES, TAG_NAMES)
        )
        if len(words) != len(tags):
            raise ValueError(
                f"line {number}: read {len(words)} tokens and {len(tags)} tags: expected one tag"
                " for each token"
            )
        for word, tag in zip(words, tags, strict=True):
            if isinstance(tag, int):
                if not 0 <= tag < len(names):
                    raise ValueError(
                        f"line {number}: read {tag} as a tag, a number without a name: expected"
                        ' tags such as B-PER and O, or their list: {"names": ["O", "B-PER"]}'
                    )
                tag = names[tag]
            yield number, f"{LINE_GAP.sub(' ', str(word))}\t{tag}"
        yield number, ""


def layout_of_columns(text: str) -> Layout | None:
    """Return which column is what; None for a text without any line."""
    columns = read_columns(text, LineNotes())
    return None if columns is None else columns.layout


def _unforeseen_names(rows: Sequence[list[str]], roles: Roles) -> list[str] | None:
    """Return the first row if its tag alone is none, and neither a type nor a sign for O."""
    if len(rows) <= FEWEST_ROWS:
        return None
    (first, *rest), tag = rows, roles["tag"] - 1
    column = [fields[tag] for fields in rest]
    is_name = first[tag].isalpha() and first[tag] not in {*types_of(column), *AS_OUTSIDE, OUTSIDE}
    return first if is_name and share_of_tags(column) == 1 > share_of_tags(first[tag:]) else None


def _gathered(
    lines: list[Line], rows: Sequence[Line], column: int
) -> tuple[list[Line], list[Line]]:
    """Return each sentence's lines together, and those that stood among words of others.

    A number that comes back after a whole sentence is another document's.
    """
    ids = [(one.part, one.fields[column]) for one in rows] if column >= 0 else []
    runs = Counter(one for before, one in zip([None, *ids], ids, strict=False) if one != before)
    again = {one for one, n in runs.items() if n > 1 and one[1]}
    moved = [row for row, one in zip(rows, ids, strict=False) if one in again]
    if not all(name for _, name in ids) or len(moved) > 2 * sum(runs[one] for one in again):
        return lines, []
    order = {one: i for i, one in enumerate(runs)}
    there = {row.number for row in rows} if moved else ()
    others = [one for one in lines if one.number not in there]
    of_rows = sorted(rows, key=lambda row: order[row.part, row.fields[column]]) if moved else []
    return others + of_rows, moved


def _without_prefix(words: Sequence[Line], column: int) -> bool:
    """Take a prefix off that all words have, as the language in "de:Klara"; return if there is."""
    found = [PREFIX.match(one.fields[column]) for one in words]
    n_kinds = len({one[0] for one in found if one})
    if len(words) < FEWEST_ROWS or not all(found) or FEWEST_ROWS * n_kinds > len(words):
        return False
    for one in words:
        one.fields[column] = PREFIX.sub("", one.fields[column], count=1)
    return True


def are_names(fields: Sequence[str]) -> bool:
    """Return whether a line has names of columns that are known."""
    return {"word", "tag"} <= _named_roles(fields).keys()


def _named_roles(header: Sequence[str]) -> Roles:
    """Return the columns of words, tags and perhaps sentences, from 1, by their names."""
    of_role = {"word": WORD_NAMES, "tag": TAG_NAMES, "sentence": SENTENCE_NAMES}
    lower = [name.lower() for name in header]
    found = {
        role: [i for i, one in enumerate(lower, 1) if one in of_role[role]] for role in of_role
    }
    return {role: columns[-1] for role, columns in found.items() if columns}


def fields_of(segment: Segment) -> Iterator[tuple[int, list[str]]]:
    """Yield each line's number and fields, none for an empty line or the mark of a document."""
    plain = [line.strip() for _, line in segment.lines if line.strip() and line[0] != "#"]
    tabbed = 2 * sum("\t" in line for line in plain) > len(plain)
    mark = None if tabbed else _comma_of(plain)
    for number, line in segment.lines:
        if not line.strip():
            yield number, []
        elif mark is not None and line[0] != "#":
            try:
                fields = next(csv.reader([line], delimiter=mark))
            except csv.Error:  # a field of more than 131,072 characters
                fields = [line]
            yield number, [field.strip() for field in fields] if any(fields) else []
        else:
            # Not split(): a no-break space may stand inside a word, as in a number.
            fields = line.split("\t") if tabbed else COLUMN_GAP.split(line.strip(" \t"))
            fields = [field.strip(" ") for field in fields]
            is_mark = fields[0].partition(" ")[0] == "-DOCSTART-"
            yield number, [] if is_mark else [one for one in fields if one]


def _comma_of(lines: Sequence[str]) -> str | None:
    """Return what separates the columns where neither spaces nor tabs do: a comma, a semicolon."""
    n_whole = Counter(one for line in lines if not COLUMN_GAP.search(line) for one in {*line})
    return next((mark for mark in ",;" if 2 * n_whole[mark] > len(lines)), None)


def _usual_size(lines: Sequence[Sequence[str]]) -> int:
    """Return how many columns most lines have: at least two."""
    sizes = Counter(len(fields) for fields in lines if fields and fields[0][:1] != "#")
    sizes = sizes or Counter(map(len, filter(None, lines)))
    return max(2, sizes.most_common(1)[0][0])


def _find_roles(lines: Sequence[Sequence[str]], n_columns: int) -> tuple[Roles, list[int]]:
    """Return the columns of the words and of their tags, and all that may be the tags, from 1."""
    words = [fields for fields in lines if fields[0][:1] != "#"] or lines
    columns = [[fields[i] for fields in words] for i in range(n_columns)] if lines else []
    # With two columns, numbers are words: there is nothing else to be one.
    counting = {i for i, of in enumerate(columns) if n_columns > 2 and _counts_words(of)}
    left = [i for i in range(n_columns) if i not in counting]
    shares = {i: share_of_tags(columns[i]) for i in left if lines}
    tags = [i for i in shares if shares[i] >= ARE_TAGS]
    # Many wrong tags: the column that has most right ones, so that the wrong ones are named.
    largest = max(shares.values(), default=0.0)
    tags = tags or [i for i in shares if shares[i] == largest > 0]
    marked = [i for i in tags if set(columns[i]) != {OUTSIDE}]
    tag = (marked or tags or left or [n_columns - 1])[-1]
    # Gold and predicted tags, or two levels of entities: chunks have other types than entities.
    types = {i: types_of(columns[i]) for i in marked}
    alike = [i for i in marked if types[i] & types[tag]] or [tag]
    word = next((i for i in left if i != alike[0]), 0)
    return {"word": word + 1, "tag": alike[0] + 1}, [i + 1 for i in alike]


def meant_by(column: Sequence[str]) -> dict[str, str]:
    """Return what the tags of a column mean, by how they are written there: O, or B-PER.

    Where nearly all are letters alone, they are of one type; "o" and "0" are read as O where there
    are entities and no O.

    >>> meant_by(["B", "I"])["B"], meant_by(["B-PER", "o"])["o"], "o" in meant_by(["o"])
    ('B-_', 'O', False)
    """
    found = Counter(column)
    meant = {tag: tag for tag in found if TAG.fullmatch(tag)}
    n_letters = sum(found[letter] for letter in LETTERS_ALONE)
    if not meant and n_letters >= ARE_TAGS * len(column) and found.keys() & {*"BSU"}:
        meant = {letter: f"{letter}-{NO_TYPE}" for letter in LETTERS_ALONE}
    if meant and OUTSIDE not in found:
        meant |= dict.fromkeys(AS_OUTSIDE, OUTSIDE)
    return meant | {OUTSIDE: OUTSIDE}


def types_of(column: Sequence[str]) -> set[str]:
    """Return the types of a column's tags."""
    meant = meant_by(column)
    return {meant[tag][2:] for tag in {*column} & meant.keys()} - {""}


def share_of_tags(column: Sequence[str]) -> float:
    """Return the proportion of a column's fields that are tags."""
    meant = meant_by(column)
    return sum(one in meant for one in column) / len(column)


def _counts_words(column: Sequence[str]) -> bool:
    """Return whether a column counts: 1, 2, 3 and from the start again, or on through the file."""
    if not all(map(COUNT.fullmatch, column)):
        return False
    counts = [int(one) for one in column]
    jumps = sum(b not in (0, 1, a, a + 1) for a, b in pairwise(counts))
    return jumps <= max(1, (1 - ARE_TAGS) * len(counts))
