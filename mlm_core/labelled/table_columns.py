"""Which column of a table is what: class, text, second text, part, index.

A column is known by its name in a first row of names, else by its values: labels repeat, texts are
long, an index counts, a part is "train", "dev" or "test". Where several columns may be the class,
or the text, that is a doubt. What may be a class too is no second text: it could give the answer.

Read before this: own_parts.py.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mlm_core.labelled.own_parts import PART_OF, Format, Roles

ROLE_NAMES = {
    "label": "gold_label label class labels classes category target sentiment klasse kategorie"
    " sense bedeutung",
    "text": "sentence1 text1 premise question1 sentence text question content review tweet satz",
    "pair": "sentence2 text2 hypothesis question2 pair",
    "part": "split part partition set",
    "index": "index idx id pairid promptid row",
}
# Names that are a class's as often as something else's: such a class is a doubt.
WEAK_LABELS = "score rating stars polarity emotion intent topic annotation toxic spam gold"
KNOWN = {name: role for role, names in ROLE_NAMES.items() for name in names.split()}
WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")  # of a name such as ProductId or tweet_text
MOST_LABELS = 20
ACCEPTED = set("accept accepted ok approved valid".split())
REJECTED = set("reject rejected ignore ignored skip skipped invalid".split())
MOST_WORDS = 3  # of a class's name
SENTENCE_ENDS = ".!?…。！？"
LONGEST_NAME = 40  # characters
Row = tuple[int, list[str]]  # the number of its first line, its fields


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows, all with as many fields as there are names."""

    format: Format
    names: tuple[str, ...]  # "1", "2", ... where the table has none
    has_names: bool
    rows: tuple[Row, ...]

    @cached_property
    def columns(self) -> list[list[str]]:
        """Return the fields of each column."""
        return [[row[i] for _, row in self.rows] for i in range(len(self.names))]


def find_roles(table: Table) -> Roles:
    """Return the column of "label", "text", "pair" and "part", from 1; 0 where there is none."""
    said: dict[str, list[int]] = {}
    hinted: dict[str, list[int]] = {}  # "tweet_text" and "ProductId" say it with their last word
    for i, name in enumerate(table.names if table.has_names else ()):
        found = said if name.lower() in KNOWN else hinted
        found.setdefault(KNOWN.get(name.lower(), KNOWN.get(_last_word(name), "")), []).append(i)
    of_index = {i for i, of in enumerate(table.columns) if is_index(of)}
    of_index |= {*said.get("index", ()), *hinted.get("index", ())}
    label, part = _first_named(table, said, "label"), _first_named(table, said, "part")
    texts = said.get("text", [])
    texts = [i for i in texts if i == texts[0] or _is_second_text(table.columns[i])]
    texts = texts + said.get("pair", []) or hinted.get("text", [])[:1]
    left = [i for i in range(len(table.names)) if i not in of_index | {label, part} | set(texts)]
    if part is None:
        part = next((i for i in left if _is_part(table.columns[i])), None)
        left = [i for i in left if i != part]
    if label is None:
        likely = hinted.get("label", []) + _weakly_named(table)
        label = next((i for i in likely if i in left), None)
        if label is None:
            label = _label_column(table, left or sorted(of_index - {part}))
        left = [i for i in left if i != label]
    if not texts:
        texts = _text_columns(table, left)
    pair = texts[1] if len(texts) > 1 else None
    found = {"label": label, "text": texts[0] if texts else None, "pair": pair, "part": part}
    return {role: 0 if i is None else i + 1 for role, i in found.items()}


def find_doubts(table: Table, roles: Roles) -> dict[str, tuple[int, ...]]:
    """Return the columns, from 1, that may as well be the class or the text; the found one first.

    A column that is named "label" is the class, and where there are two columns, one is the other.
    Of three columns without names the third may be a second text, or a class that gives the answer.
    """
    taken, doubts = {roles["text"], roles["pair"], roles["part"]}, {}
    filled = [i for i, of in enumerate(table.columns, 1) if any(of) and not is_index(of)]
    left = [i for i in filled if i not in taken]
    label, text = roles["label"], roles["text"]
    others = {i: table.columns[i - 1] for i in left if i != label}
    rivals = [i for i, of in others.items() if _may_be_label(of) or _is_of_few_values(of)]
    roles_said = [KNOWN.get(name.lower()) for name in table.names]
    if table.has_names and label and roles_said[label - 1] == "label":
        is_guess = any(roles_said[i - 1] == "label" for i in rivals)
    else:
        is_guess = bool(rivals) or (table.has_names and len(left) > 1)
    if label and is_guess:
        doubts["label"] = (label, *rivals)
    if not table.has_names and not roles["pair"] and len(others) == len(rivals) == 1:
        doubts["pair"] = (0, *rivals)
    if text and table.has_names and roles_said[text - 1] != "text":
        length = sum(map(len, table.columns[text - 1]))
        longer = [i for i in left if 2 * sum(map(len, table.columns[i - 1])) > length]
        if longer := [i for i in longer if i != label]:
            doubts["text"] = (text, *longer)
    return doubts


def rejected_rows(table: Table, roles: Roles) -> set[int]:
    """Return the numbers of rows whose label somebody rejected, as in Prodigy's "answer"."""
    left = [i for i in range(len(table.names)) if i + 1 not in roles.values()]
    found = {i: {one.lower() for one in table.columns[i]} for i in left}
    verdicts = [i for i in left if found[i] <= ACCEPTED | REJECTED and found[i] & ACCEPTED]
    return {
        number for number, row in table.rows if any(row[i].lower() in REJECTED for i in verdicts)
    }


def _may_be_label(column: Sequence[str]) -> bool:
    """Return whether a column has a few values, and each of them often."""
    return all(column) and 1 < len(set(column)) <= min(MOST_LABELS, len(column) / 2)


def _text_columns(table: Table, left: Sequence[int]) -> list[int]:
    """Return the text's column: the longest one; of two without names both, if both are texts."""
    of = table.columns
    by_length = sorted(left, key=lambda i: (_is_of_few_values(of[i]), -sum(map(len, of[i]))))
    are_two = len(left) == 2 and not table.has_names and _is_second_text(of[by_length[1]])
    return sorted(by_length[: 1 + are_two])


def _is_second_text(column: Sequence[str]) -> bool:
    """Return whether a column has letters, and neither one value nor few."""
    has_letters = any(letter.isalpha() for one in column for letter in one)
    return has_letters and len(set(column)) > 1 and not _is_of_few_values(column)


def _is_of_few_values(column: Sequence[str]) -> bool:
    """Return whether values come up again and again: names twice on average, sentences 4 times.

    A text that has a pair with each of two or three others is no class.
    """
    filled = [one for one in column if one]
    are_names = all(
        len(one) <= LONGEST_NAME and len(one.split()) <= MOST_WORDS and one[-1] not in SENTENCE_ENDS
        for one in filled
    )
    most = len(filled) / 2 if are_names else min(MOST_LABELS, len(filled) / 4)
    return 1 < len(set(filled)) <= most


def _last_word(name: str) -> str:
    return WORDS.findall(name)[-1].lower() if WORDS.search(name) else ""


def _weakly_named(table: Table) -> list[int]:
    weak = WEAK_LABELS.split() if table.has_names else []
    return [
        i
        for i, name in enumerate(table.names)
        if _last_word(name) in weak and _may_be_label(table.columns[i])
    ]


def is_index(column: Sequence[str]) -> bool:
    """Return whether a column counts its rows.

    >>> is_index(["7", "8", "9"]), is_index(["0", "1", "0"]), is_index(["3"])
    (True, False, False)
    """
    if len(column) < 3 or not all(one.isdecimal() and len(one) < 10 for one in column):
        return False
    numbers = [int(one) for one in column]
    return len(set(numbers)) == len(numbers) and numbers == sorted(numbers)


def _first_named(table: Table, said: Mapping[str, Sequence[int]], role: str) -> int | None:
    """Return the column with the most telling name of a role."""
    order = ROLE_NAMES[role].split()
    found = said.get(role, ())
    return min(found, key=lambda i: order.index(table.names[i].lower()), default=None)


def _is_part(column: Sequence[str]) -> bool:
    return len(column) > 1 and {one.lower() for one in column} <= PART_OF.keys()


def _label_column(table: Table, columns: Sequence[int]) -> int | None:
    """Return the column whose values repeat most, the shorter and the first of equal ones."""
    filled = [i for i in columns if all(table.columns[i])] or columns
    counts = {i: len(set(table.columns[i])) for i in filled}
    repeating = [i for i in filled if 1 < counts[i] <= min(MOST_LABELS, len(table.rows) / 2)]
    # Of fewer than four rows the lengths say nothing.
    lengths = {i: sum(map(len, table.columns[i])) * (len(table.rows) > 3) for i in filled}
    return min(repeating or filled, key=lambda i: (counts[i], lengths[i], i), default=None)


def has_names(table: Table) -> bool:
    """Return whether the first row names the columns."""
    if not table.rows:
        return False
    first = [name.strip() for name in table.rows[0][1]]
    if any(len(name) > LONGEST_NAME for name in first):
        return False
    known = [i for i, name in enumerate(first) if name.lower() in KNOWN]
    n_first = sum(row == table.rows[0][1] for _, row in table.rows)  # of files put together
    if any(Counter(table.columns[i])[table.rows[0][1][i]] == n_first for i in known):
        return True
    # Names that nobody foresaw: every label below stands there again, this one doesn't.
    rest = replace(table, rows=table.rows[1:])
    label = find_roles(rest)["label"]
    if not label or len(rest.rows) < 6:
        return False
    counts = Counter(rest.columns[label - 1])
    seldom = first[label - 1] not in counts and min(counts.values()) > 1
    return seldom and len(counts) <= min(MOST_LABELS, len(rest.rows) / 2)
