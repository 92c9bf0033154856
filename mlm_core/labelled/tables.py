"""Labelled texts and questions in a table, one example a row, in any common format.

    label <tab> text                              sentiment, in English and in German
    label <tab> text <tab> second text            entailment
    split, topic, label, text, second text        paraphrase (stored data only)
    split, passage, question, answer, start       questions (stored data only)

The columns of a learner's own table may stand in any order, and a file without parts is divided
into three, each class in the same proportion.

Read before this: examples.py, own_parts.py, table_columns.py, table_formats.py.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mlm_core.labelled.examples import Dataset, LabelledText, Question
from mlm_core.labelled.file_kinds import refuse_other_kinds
from mlm_core.labelled.own_parts import (
    FIRST_ROWS,
    MOST,
    PART_OF,
    PARTS,
    Layout,
    LineNotes,
    OwnData,
    Roles,
    divide,
    lines_of,
    n_lines_of,
    segments_of,
    shown,
)
from mlm_core.labelled.table_columns import (
    KNOWN,
    MOST_LABELS,
    Row,
    Table,
    find_doubts,
    find_roles,
    rejected_rows,
)
from mlm_core.labelled.table_formats import FASTTEXT, read_rows
from mlm_core.number_format import grouped
from mlm_core.text.corpora import name_in

FOLDER = Path(__file__).parents[1] / "data" / "classification"
STORED_CLASSES = ("sentiment", "sentiment_de", "entailment", "paraphrase")
LONGEST_LABEL = 40  # characters
LONGEST_TEXT = 20_000  # characters of one example
FEWEST = 6  # examples of an uploaded file
HIDDEN = {"-1", "-1.0", "-", "?"}  # as benchmarks write a label that they keep back
NO_VALUE = ("nan", "NaN", "NULL", "#N/A", "<NA>")  # as programs write a class that is missing


@dataclass(frozen=True, kw_only=True)
class GradedPair:
    """Two sentences and how near they are in meaning: same, related or unrelated."""

    part: str  # train, dev or test
    topic: str  # of daily life; each is in one part only
    pair: LabelledText  # its label is the grade


def stored_classes(name: str) -> Dataset:
    """Return the stored data of a name in STORED_CLASSES.

    Raises ValueError if there is none of that name.
    """
    if name not in STORED_CLASSES:
        raise ValueError(f"no stored data {name!r}: choose one of {', '.join(STORED_CLASSES)}")
    if name == "paraphrase":
        return paraphrase_classes()
    files = {part: FOLDER / f"{name}_{part}.tsv" for part in PARTS}
    return _of_classes(
        {
            part: tuple(read_labelled(file.read_text(encoding="utf-8")))
            for part, file in files.items()
        }
    )


def paraphrase_classes(language: str = "en") -> Dataset[LabelledText]:
    """Return our own pairs of sentences, of which a model learns the grade."""
    pairs = stored_paraphrases(language)
    return _of_classes(
        {part: tuple(one.pair for one in pairs if one.part == part) for part in PARTS}
    )


def _of_classes(parts: dict[str, tuple[LabelledText, ...]]) -> Dataset[LabelledText]:
    classes = tuple(sorted({example.label for example in parts["train"]}))
    return Dataset(kind="classes", classes=classes, **parts)


def stored_paraphrases(language: str = "en") -> tuple[GradedPair, ...]:
    """Return our own pairs of sentences in three grades, with their topics.

    Three pairs in a row have the same first sentence, one pair of each grade.
    """
    rows = _stored_rows(f"{name_in(language, 'paraphrase')}.tsv")
    return tuple(
        GradedPair(part=part, topic=topic, pair=LabelledText(text=text, pair=second, label=grade))
        for part, topic, grade, text, second in rows
    )


def stored_questions() -> Dataset[Question]:
    """Return the stored questions with their passages."""
    parts: dict[str, list[Question]] = {"train": [], "dev": [], "test": []}
    for split, passage, question, answer, start in _stored_rows("passages.tsv"):
        span = {"start": int(start), "stop": int(start) + len(answer)}
        parts[split].append(Question(question=question, passage=passage, **span))
    as_tuples = {split: tuple(questions) for split, questions in parts.items()}
    return Dataset(kind="answers", classes=(), **as_tuples)


def _stored_rows(name: str) -> Iterator[list[str]]:
    """Yield the fields of each row, without comments and the line of column names."""
    for line in lines_of((FOLDER / name).read_text(encoding="utf-8")):
        if line and not line.startswith(("#", "split\t")):
            yield line.split("\t")


def own_classes(text: str) -> Dataset:
    """Return the examples of a text; see `read_own_classes`."""
    return read_own_classes(text).dataset


def read_own_classes(text: str) -> OwnData:
    """Return the examples of a text in their parts, and how the text was understood.

    Raises ValueError, with the first lines that can't be read, if the text is no table of labels
    and texts, has one class only, or too few examples.
    """
    refuse_other_kinds(text, "classes")
    notes = LineNotes()
    table, roles, found = _read(text, notes)
    found = _without_hidden(found, notes)
    parts, counts = divide(found, lambda one: one.label)
    n_different = len(found) - counts["n_duplicates"]
    if table is None or n_different < FEWEST:
        raise ValueError(
            f"{n_different} different examples: give {FEWEST} to {grouped(MOST)}, one"
            " a line, its class, a tab, its text"
        )
    examples, column = [one for _, one in found], table.names[roles["label"] - 1]
    _refuse_classes(examples, parts, column, counts["n_duplicates"])
    classes = tuple(sorted({one.label for one in parts["train"]}))
    return OwnData(
        dataset=Dataset(kind="classes", classes=classes, **parts),
        layout=_layout(table, roles, segments_of(text)[0]),
        n_lines=n_lines_of(text),
        odd_lines=notes.odd_lines(),
        **counts,
    )


def _without_hidden(
    found: Sequence[tuple[Row, str | None, LabelledText]], notes: LineNotes
) -> list[tuple[str | None, LabelledText]]:
    """Return examples without those whose label a benchmark keeps back; note the others' lines.

    Such a label is all of a part, and in no other; or -1 next to 0, 1, 2; or any next to words.

    Raises ValueError if all labels are hidden.
    """
    of_part: dict[str | None, set[str]] = {}
    for _, part, one in found:
        of_part.setdefault(part, set()).add(one.label)
    n_parts = Counter(label for labels in of_part.values() for label in labels)
    others = n_parts.keys() - HIDDEN
    are_words = bool(others) and all(any(map(str.isalpha, one)) for one in others)
    are_counts = len(others) > 2 and all(one.removesuffix(".0").isdecimal() for one in others)
    signs = HIDDEN if are_words else HIDDEN - {"-", "?"} if are_counts else set()
    kept = []
    for row, part, one in found:
        is_all = of_part[part] == {one.label} and n_parts[one.label] == 1
        if one.label in signs or (one.label in HIDDEN and is_all):
            notes.set_aside(row[0], " | ".join(row[1]), "hidden")
        else:
            kept.append((part, one))
    if found and not kept:
        raise ValueError(
            f"each class is {found[0][2].label}: such labels are hidden, as in the test file of a"
            " benchmark; take its training file"
        )
    return kept


def named_rows(text: str, is_table: bool = False) -> list[tuple[str, str]] | None:
    """Return the label, "" without one, and the text of each row; None for a text of lines.

    A table that isn't known to be one is JSON, or has names of columns in its first line.
    """
    kind = refuse_other_kinds(text, "lines")
    if not (is_table or kind in ("json", "tokens", "table")):
        return None
    said, segments = segments_of(text)
    table = read_rows(segments[0], said, LineNotes()) if segments else None
    roles = find_roles(table) if table and table.rows else {}
    of_text = roles.get("text") or roles.get("label")
    if not table or not of_text:
        return None
    label = roles["label"]
    is_named = KNOWN.get(table.names[label - 1].lower()) == "label" or not table.has_names
    label = label if is_named and label != of_text else 0
    return [(row[label - 1] if label else "", row[of_text - 1]) for _, row in table.rows]


def texts_of(text: str) -> tuple[str, ...]:
    r"""Return the texts of a file without their labels, one a line or a row of a table, each once.

    >>> texts_of("bad\tIt rained.\nbad\tIt rained."), texts_of("It rained.")
    (('It rained.',), ('It rained.',))
    """
    lines = [line for line in lines_of(text) if line.strip()]
    rows = named_rows(text, is_table=bool(lines) and all("\t" in line for line in lines))
    texts = lines if rows is None else [row for _, row in rows]
    return tuple(dict.fromkeys(filter(None, map(str.strip, texts))))


def layout_of_table(text: str) -> Layout | None:
    """Return how a text is understood, even if some lines can't be read; None without any row."""
    said, segments = segments_of(text)
    for segment in segments:
        table = read_rows(segment, said, LineNotes())
        if table.rows:
            return _layout(table, _within(find_roles(table) | said, table.names), said)
    return None


def _layout(table: Table, roles: Roles, said: Roles) -> Layout:
    doubts = find_doubts(table, roles)
    return Layout(
        format=table.format,
        names=table.names,
        roles=roles | {"header": int(table.has_names)},
        first=tuple(tuple(row) for _, row in table.rows[:FIRST_ROWS]),
        doubts={role: columns for role, columns in doubts.items() if role not in said},
    )


def read_labelled(text: str) -> list[LabelledText]:
    """Return the examples of a table, one after the other.

    Raises ValueError with the first lines that can't be read.
    """
    return [example for _, _, example in _read(text, LineNotes())[2]]


def _read(
    text: str, notes: LineNotes
) -> tuple[Table | None, Roles, list[tuple[Row, str | None, LabelledText]]]:
    """Return the first table and its roles, and all rows with their part and example.

    Raises ValueError with the first lines that can't be read.
    """
    said, segments = segments_of(text)
    table, roles, found = None, {}, []
    for segment in segments:
        part = read_rows(segment, said, notes)
        if not part.rows:
            continue
        if table is None or part.names != table.names:
            roles = _complete(find_roles(part) | said, part.names)
        table = table or part
        rejected = rejected_rows(part, roles)
        for row in part.rows:
            if row[0] in rejected:
                notes.set_aside(row[0], " | ".join(row[1]), "rejected")
                continue
            try:
                found.append((row, *_example(row, roles, segment.part, part.names)))
            except ValueError as error:
                notes.add(error)
    notes.raise_if_any()
    return table, roles, found


def _complete(roles: Roles, names: Sequence[str]) -> Roles:
    """Return roles whose columns are there. Raises ValueError without a class or a text."""
    known = _within(roles, names)
    label, text = known["label"], known["text"]
    if not label or not text or label in (text, known["pair"]):
        raise ValueError(
            f"the columns are {', '.join(names[:9])}: one has to be the class and another one the"
            " text, and an index is neither"
        )
    return known


def _within(roles: Roles, names: Sequence[str]) -> Roles:
    """Return roles without columns that aren't there, as somebody may write them."""
    return {role: i if i <= len(names) else 0 for role, i in roles.items()}


def _example(
    row: Row, roles: Roles, part: str | None, names: Sequence[str]
) -> tuple[str | None, LabelledText]:
    number, fields = row
    for role in ("label", "text", "pair"):
        i = roles[role]
        if i and (not fields[i - 1] or (role == "label" and fields[i - 1] in NO_VALUE)):
            raise ValueError(
                f"line {number}: read {shown(' | '.join(fields[:9]))}, column {names[i - 1]} is"
                " empty: expected a class and a text, fill it or drop the line"
            )
    label, text = fields[roles["label"] - 1], fields[roles["text"] - 1]
    if label[0] + label[-1] in ("[]", "{}") and ("," in label or ":" in label):
        raise ValueError(
            f"line {number}: read {shown(label)} as a class: expected one class for each text, keep"
            " one of them or drop the line"
        )
    if len(label) > LONGEST_LABEL:
        raise ValueError(
            f"line {number}: read {shown(label)} as a class, {len(label)} characters: expected at"
            f" most {LONGEST_LABEL}, choose another column or shorten it"
        )
    pair = fields[roles["pair"] - 1] if roles["pair"] else None
    if FASTTEXT in f"{text} {pair}":
        raise ValueError(
            f"line {number}: read {shown(' | '.join(fields[:9]))}, a text with {FASTTEXT} in it:"
            " expected one class for each text, before it"
        )
    longest = max(len(text), len(pair or ""))
    if longest > LONGEST_TEXT:
        raise ValueError(
            f"line {number}: a text of {grouped(longest)} characters, and {grouped(LONGEST_TEXT)}"
            " are allowed"
        )
    if part is None and roles["part"]:
        part = _part(number, fields[roles["part"] - 1])
    return part, LabelledText(label=label, text=text, pair=pair)


def _part(number: int, name: str) -> str:
    if name.lower() not in PART_OF:
        raise ValueError(
            f"line {number}: read {shown(name)} as a part: expected train, dev (or validation) or"
            " test"
        )
    return PART_OF[name.lower()]


def _refuse_classes(
    examples: Sequence[LabelledText], parts: dict[str, tuple], column: str, n_duplicates: int
) -> None:
    """Raise ValueError for classes that can't be learnt or tested."""
    counts = Counter(one.label for one in dict.fromkeys(examples))
    if len(counts) > MOST_LABELS:
        raise ValueError(
            f"{len(counts)} classes, and {MOST_LABELS} are allowed: is the class really in column"
            f" {column}? The first is {shown(examples[0].label)}"
        )
    lonely = [label for label, n in counts.items() if n < 2]
    if lonely:
        raise ValueError(
            f"class {lonely[0]!r} has a single example: give each class at least two, one to"
            " learn from and one to be tested on"
        )
    learnt = {one.label for one in parts["train"]}
    unlearnt = [one for part in ("dev", "test") for one in parts[part] if one.label not in learnt]
    if unlearnt and n_duplicates:
        raise ValueError(
            f"{grouped(n_duplicates)} duplicates, and class {unlearnt[0].label!r} has no other"
            " example to learn from: its training texts are in the dev or test part too, perhaps"
            " with other capitals, take them out of one part"
        )
    if unlearnt:
        raise ValueError(
            f"class {unlearnt[0].label!r} has no example to learn from: give each class at least"
            " one in the training part"
        )
