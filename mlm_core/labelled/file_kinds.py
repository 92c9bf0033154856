r"""What a file is, looked at as a whole before its lines are read.

    {"text": "Mira", ...}           JSON; also what this course saves: a plan, a record
    {"tokens": [...], "tags": ...}  JSON with words and their tags
    Mira B-PER                      words with tags in columns (CoNLL), or letters with tags
    1  Mira  mira  PROPN  ...       CoNLL-U without a column of tags
    Mira/PER sells/O                words with tags in one
    Mira sells<tab>B-PER O          a sentence and all its tags
    T1<tab>PER 0 4<tab>Mira         marks beside a text (brat), marks in it: <PER>Mira</PER>
    1 3:0.5 7:1                     numbers of features (LIBSVM)
    id,sense,sentence               a table whose columns have names
    MLM1.Q4IQ47WS.PDNI              receipts of exercises
    | Mira | good |, @relation r    a table in Markdown or ARFF
    <!DOCTYPE html>, [(, {\rtf1     a page, Python, a document

A reader of another kind would count columns in it, and name a cause that isn't the cause.

Read before this: json_records.py, conll_columns.py, table_columns.py.
"""

import json
import re
from collections.abc import Callable, Sequence

import regex

from mlm_core.labelled.conll_columns import (
    are_tagged,
    read_columns,
    share_of_tags,
    types_of,
)
from mlm_core.labelled.json_records import is_json
from mlm_core.labelled.own_parts import LineNotes, is_comment, lines_of
from mlm_core.labelled.table_columns import KNOWN

# What is looked at: a field asks again with each click, and 100,000 characters may take 3 ms.
LONGEST, MOST_LINES, LONGEST_LINE, MOST_WORDS = 20_000, 300, 1_000, 1_000
MOST = 0.8  # of the lines, or of the words, that have a form
BEGINNINGS = {
    **{"mlm1.": "receipts", "{\\rtf": "document", "[(": "python", "train_data": "python"},
    "@relation": "arff",
    **dict.fromkeys(("<!doctype", "<html", "<?xml"), "page"),
}
TAG_AT_ALL = re.compile(r"""(?<![^\s,;"])(?:[BIESLUM]-\S|[BIESLUMO](?![^\s,;"]))""")
JOINED = regex.compile(r"(?<!\S)\S+(?:/[^\s/]+|[|_\\](?:[A-Z]+(?:-[A-Z]+)?|[.,:]))")
LETTER = regex.compile(r"(?!\p{Han}|\p{Hiragana}|\p{Katakana})\P{M}\p{M}*+")  # an alphabet's
MOST_ODD = 30  # words in a row that may have one letter each
FORMS = {  # of lines
    "conllu": regex.compile(r"^\d+(?:[-.]\d+)?(?:\t[^\t]*){9}$"),  # ten columns
    "parallel": regex.compile(r"""[\t,;]"?(?:(?:O|[BIESLUM]-[^\s,;"]+) )+[BIESLUMO][^\s,;"]*"?$"""),
    "standoff": regex.compile(r"^(?:T\d+\t\S+ \d+ \d+|[REAMN#]\d+\t\S+ (?:\S+:)?[TE]\d)"),
    "inline": regex.compile(r"<(\w{1,30})>[^<>]+</\1>"),
    "vectors": regex.compile(r"^\S++(?: \d++:-?[\d.]++(?:e-?\d++)?)++ ?$"),
}
KINDS = {
    "plan": "a lesson plan of this course",
    "record": "a course record of this course",
    "run": "the record of one run of this course",
    "json": "a file in JSON",
    "tokens": "JSON with words and their tags",
    "tagged": "words with their tags, one a line",
    "letters": "letters with their tags, one a line",
    "conllu": "CoNLL-U without a column of tags, which may be among features as in NER=B-PER",
    "joined": "words with their tags in one, as in Mira/PER",
    "parallel": "a sentence and all its tags on one line",
    "standoff": "marks of another file's characters, as brat writes them",
    "inline": "text with marks in angle brackets, as in <PER>Mira</PER>",
    "vectors": "numbers of features, as in LIBSVM",
    "python": "Python source",
    "table": "a table whose columns have names",
    "markdown": "a table in Markdown",
    "arff": "a table in ARFF, as Weka writes it",
    "receipts": "receipts of exercises of this course",
    "page": "a page in HTML or XML",
    "document": "a document in RTF",
}
EXPECTED = {  # by door: what it reads, and in words
    "classes": (
        {"json", "tokens", "table", "text", "inline"},
        "a table with a class and a text in each row, or JSON with both",
    ),
    "tags": (
        {"tagged", "tokens", "text"},
        "one word a line, a space or tab, and its tag, such as Mira B-PER, with an empty line"
        " behind each sentence, or JSON with tokens and tags",
    ),
    "lines": (
        {"json", "tokens", "table", "text", "inline"},
        "one text a line, or a table with a column of texts",
    ),
    "text": ({"text", "inline"}, "sentences as plain text"),
}
FORMATS = {"mlm-lesson-plan": "plan", "masked language models: course record": "record"}


def refuse_other_kinds(text: str, door: str) -> str:
    """Return what a text is. Raise ValueError, with what is read, if a door reads no such texts."""
    readable, expected = EXPECTED[door]
    kind = kind_of(text)
    if kind not in readable:
        raise ValueError(f"this is no text for here but {KINDS[kind]}: expected {expected}")
    return kind


def kind_of(text: str) -> str:
    """Return what a text is: one of KINDS, or "text".

    >>> kind_of("Mira/PER sells/O"), kind_of('{"a": 1}'), kind_of("Mira sells pears.")
    ('joined', 'json', 'text')
    """
    beginning = lines_of(text[:LONGEST])[:MOST_LINES]
    lines = [one[:LONGEST_LINE] for one in beginning if not is_comment(one)]
    plain = (line for line in lines if line[0] != "%")  # a comment in ARFF
    first = next(plain, "").lstrip()[:20].lower()
    if kind := next((kind for begin, kind in BEGINNINGS.items() if first.startswith(begin)), None):
        return kind
    if is_json(lines):
        if are_tagged(text):
            return "tokens"
        try:
            return kind_of_json(json.loads(text))
        except (ValueError, RecursionError):
            return "json"
    below_names = any(not one.strip("|:- \t") and "-" in one for one in lines)  # Markdown's
    if below_names and _are(lambda line: "|" in line, lines):
        return "markdown"
    if 3 * sum(map(bool, map(TAG_AT_ALL.search, lines))) > len(lines):
        kind = _kind_of_columns(lines)
        if kind != "text":
            return kind
    words = [word for line in lines for word in line.split()][:MOST_WORDS]
    if len(words) > len(lines) and _are(JOINED.fullmatch, words):
        return "joined"
    if kind := next((kind for kind, form in FORMS.items() if _are(form.search, lines)), ""):
        return kind
    return "table" if lines and has_names(lines[0]) else "text"


def has_names(line: str) -> bool:
    """Return whether a line has names of columns, and one of them is a text's."""
    names = [name.strip(' "').lower() for name in regex.split(r"[\t,;|]", line)]
    are_short = len(names) > 1 and all(len(name.split()) < 3 for name in names)
    return are_short and any(KNOWN.get(name) == "text" for name in names)


def _are(form: Callable[[str], object], found: Sequence[str]) -> bool:
    """Return whether most of some lines or words have a form."""
    return bool(found) and sum(map(bool, map(form, found))) >= MOST * len(found)


def kind_of_json(value: object) -> str:
    """Return what is in a file in JSON: one of KINDS."""
    found = value if isinstance(value, dict) else {}
    if {"lesson", "question", "settings", "tables"} <= found.keys():
        return "run"
    return FORMATS.get(str(found.get("format")), "json")


def _kind_of_columns(lines: Sequence[str]) -> str:
    """Return whether lines are words, or letters, with their tags; or else just text."""
    columns = read_columns("\n".join(lines), LineNotes())
    if columns is None:
        return "text"
    tags, words = columns.of("tag"), columns.of("word")
    is_tagged = 2 * len(words) > len(lines) and not any(" " in one for one in words)
    if not (is_tagged and types_of(tags) and share_of_tags(tags) >= MOST):
        return "text"
    return "letters" if len(words) > MOST_ODD and _are(LETTER.fullmatch, words) else "tagged"
