"""Read and write tagged words in columns, the format of the CoNLL shared tasks.

    -DOCSTART- -X- O O

    EU       NNP  I-NP  B-ORG       word and tag; other columns are left out
    rejects  VBZ  I-VP  O
                                    an empty line ends the sentence

The tag is in the last column that holds nothing but tags, or in the last one of CoNLL-U as
NER=B-ORG; the word is in the first column that doesn't count the words. Of several columns of tags
with the same types, as gold and predicted ones, it is the first, which is a doubt. A line that
begins with # is a comment unless it has a word's columns.

    Sentence #,Word,POS,Tag         names of columns, and commas or semicolons between them:
    Sentence: 1,EU,NNP,B-org        a sentence begins where the first column names another one
    ,rejects,VBZ,O

The scheme is recognized by its tags: in IOB1 a B stands only where two entities of one type touch;
in IOB2 (BIO) every entity begins with B; only BIOES has E and S. BILOU and BMES are read as BIOES.
B, I and O without a type are tags of one type, which is called _ as in seqeval. Tags become spans
in conlleval's reading, so a tag that breaks its scheme still counts. A written file has two
columns, the word and its tag.

Source: Tjong Kim Sang & De Meulder 2003 (the format of CoNLL-2003); Ramshaw & Marcus 1995 and
Tjong Kim Sang & Veenstra 1999 (IOB1, IOB2).

Read before this: own_parts.py, ../tagging/bio_tags.py.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

from mlm_core.labelled.examples import Dataset, TaggedSentence
from mlm_core.labelled.own_parts import (
    FIRST_ROWS,
    MOST,
    Layout,
    LineNotes,
    OddLines,
    OwnData,
    Reason,
    Roles,
    Segment,
    divide,
    n_lines_of,
    segments_of,
)
from mlm_core.labelled.table_formats import shown
from mlm_core.number_format import grouped
from mlm_core.tagging.bio_tags import OUTSIDE, Scheme, Span, decode, encode

FOLDER = Path(__file__).parents[1] / "data" / "entities"
COLUMN_GAP = re.compile(r"[ \t]+")
TAG = re.compile(r"([BIESLUM])-(.+)")
LETTERS = str.maketrans("LUM", "ESI")  # BILOU's last and single tag, and the middle one of BMES
LETTERS_ALONE = frozenset("BIESLUMO")
NO_TYPE = "_"
AS_OUTSIDE = ("o", "0")  # where there is no O
LIKE_O = "o0\u041e\u043e\u039f\u03bf"  # and Cyrillic and Greek letters
WORD_NAMES = frozenset("word words token tokens form wort".split())
TAG_NAMES = frozenset("tag tags ner ner_tag ner_tags label labels bio iob entity".split())
SENTENCE_NAMES = frozenset(("sentence #", *"sentence sentence_id sent_id sentence_idx".split()))
FileScheme = Literal["IOB1", "IOB2", "IO", "BIOES"]
MOST_TYPES = 20
LONGEST_TYPE = 30  # characters
LONGEST_WORD = 200  # characters
LONGEST_SENTENCE = 6_000  # words; what goes beyond a model's window is cut off and counted
FEWEST = 4  # sentences of an uploaded file
COUNT = re.compile(r"([0-9]{1,9})([-.][0-9]{1,9})?")  # 4-5 is two words as one, 4.1 an added one
TAG_IN_FEATURES = re.compile(r"(?:NER|NE|Entity)=([^|]{1,100})")  # a column of CoNLL-U
ARE_TAGS = 0.9  # of a column's fields, where it is the tags'


@dataclass(frozen=True, kw_only=True)
class ConllFile:
    """The content of a file."""

    scheme: FileScheme
    types: tuple[str, ...]
    sentences: tuple[TaggedSentence, ...]
    parts: tuple[str | None, ...]  # of each sentence
    layout: Layout
    odd_lines: tuple[OddLines, ...]


def stored_entities() -> Dataset[TaggedSentence]:
    """Return the stored sentences with their entities."""
    train, dev, test = (
        read_conll((FOLDER / f"{part}.conll").read_text(encoding="utf-8"))
        for part in ("train", "dev", "test")
    )
    parts = {"train": train.sentences, "dev": dev.sentences, "test": test.sentences}
    return Dataset(kind="tags", classes=train.types, **parts)


def own_entities(text: str) -> Dataset:
    """Return the sentences of a text; see `read_own_entities`."""
    return read_own_entities(text).dataset


def read_own_entities(text: str) -> OwnData:
    """Return the sentences of a text in their parts, and how the text was understood.

    Raises ValueError, with the first lines that can't be read, if the text is no such file, has no
    entity, or too few sentences.
    """
    file = read_conll(text)
    found = list(zip(file.parts, file.sentences, strict=True))
    parts, n_duplicates, n_left_out, given = divide(
        found, lambda sentence: "entity" if sentence.spans else "none"
    )
    if len(found) - n_duplicates < FEWEST:
        raise ValueError(
            f"{len(found) - n_duplicates} different sentences: give {FEWEST} to {grouped(MOST)},"
            " with an empty line behind each"
        )
    return OwnData(
        dataset=Dataset(kind="tags", classes=file.types, **parts),
        layout=file.layout,
        n_lines=n_lines_of(text),
        n_read=len(found),
        odd_lines=file.odd_lines,
        n_duplicates=n_duplicates,
        n_left_out=n_left_out,
        given=given,
    )


def read_conll(text: str) -> ConllFile:
    """Return the sentences of a file, their tags read as spans.

    Raises ValueError with the first lines that can't be read.
    """
    layout = layout_of_columns(text)
    if layout is None:
        raise ValueError("no tagged word: give one word a line, a space or tab, and its tag")
    _, segments = segments_of(text)
    roles, n_columns = layout.roles, len(layout.names)
    notes, blocks = LineNotes(), []
    for segment in segments:
        blocks += [(segment.part, block) for block in _sentences(segment, roles, n_columns, notes)]
    notes.raise_if_any()
    if not blocks:
        raise ValueError("no tagged word: give one word a line, a space or tab, and its tag")
    all_tags = [[tag for _, tag in block] for _, block in blocks]
    scheme = find_scheme(all_tags)
    sentences = tuple(
        TaggedSentence(words=tuple(word for word, _ in block), spans=read_spans(tags, scheme))
        for (_, block), tags in zip(blocks, all_tags, strict=True)
    )
    types = tuple(sorted({span.type for one in sentences for span in one.spans}))
    if len(types) > MOST_TYPES:
        raise ValueError(
            f"{len(types)} entity types, and {MOST_TYPES} are allowed: is the tag really in column"
            f" {roles['tag']}?"
        )
    parts = tuple(part for part, _ in blocks)
    return ConllFile(
        scheme=scheme,
        types=types,
        sentences=sentences,
        parts=parts,
        layout=layout,
        odd_lines=notes.odd_lines(),
    )


def layout_of_columns(text: str) -> Layout | None:
    """Return how a text is understood, even if some lines can't be read; None without any line."""
    said, segments = segments_of(text)
    lines = [fields for segment in segments for _, fields in _fields(segment) if fields]
    if not lines:
        return None
    n_columns = _usual_size(lines)
    whole = [fields for fields in lines if len(fields) == n_columns]
    header = next(filter(_are_names, whole), None)
    whole = [fields for fields in whole if not _are_names(fields)]
    roles, tags = _find_roles(whole, n_columns)
    if header is not None:
        roles |= _named_roles(header)
    roles |= {role: i for role, i in said.items() if role in roles and 1 <= i <= n_columns}
    first = [fields for fields in whole if fields[0][:1] != "#"] or whole
    is_open = len(tags) > 1 and header is None and "tag" not in said
    return Layout(
        format="conll",
        names=tuple(header or (str(i + 1) for i in range(n_columns))),
        roles=roles,
        first=tuple(map(tuple, first[:FIRST_ROWS])),
        doubts={"tag": tuple(tags)} if is_open else {},
    )


def _are_names(fields: Sequence[str]) -> bool:
    """Return whether a line has the names of columns."""
    lower = {field.lower() for field in fields}
    return bool(lower & WORD_NAMES and lower & TAG_NAMES)


def _named_roles(header: Sequence[str]) -> Roles:
    """Return the columns of words, tags and perhaps sentences, from 1, by their names."""
    of_role = {"word": WORD_NAMES, "tag": TAG_NAMES, "sentence": SENTENCE_NAMES}
    lower = [name.lower() for name in header]
    found = {
        role: [i for i, one in enumerate(lower, 1) if one in of_role[role]] for role in of_role
    }
    return {role: columns[-1] for role, columns in found.items() if columns}


def find_scheme(sentences: Sequence[Sequence[str]]) -> FileScheme:
    """Return the scheme that the tags of a file follow.

    >>> find_scheme([["I-PER", "I-PER", "B-PER", "O"]]), find_scheme([["B-PER", "I-PER"]])
    ('IOB1', 'IOB2')
    """
    letters = {tag[0] for tags in sentences for tag in tags if tag != OUTSIDE}
    if letters & {"E", "S"}:
        return "BIOES"
    if "B" not in letters:
        return "IO"
    # In IOB1 a B always follows an entity of its type, in IOB2 hardly any does.
    pairs = [
        (before, tag) for tags in sentences for before, tag in zip(["O", *tags], tags, strict=False)
    ]
    touching = [before[1:] == tag[1:] for before, tag in pairs if tag[0] == "B"]
    return "IOB1" if all(touching) and "I" in letters else "IOB2"


def read_spans(tags: Sequence[str], scheme: FileScheme) -> tuple[Span, ...]:
    """Return the entities of a sentence."""
    # conlleval's reading takes a span to start at any tag that continues none, as IOB1 does.
    return decode(tags, "BIOES" if scheme == "BIOES" else "BIO", "conlleval")


def _fields(segment: Segment) -> Iterator[tuple[int, list[str]]]:
    """Yield each line's number and fields, none for an empty line or the mark of a document."""
    plain = [line.strip() for _, line in segment.lines if line.strip() and line[0] != "#"]
    tabbed = 2 * sum("\t" in line for line in plain) > len(plain)
    mark = None if tabbed else _comma_of(plain)
    for number, line in segment.lines:
        if not line.strip():
            yield number, []
            continue
        if mark is not None and line[0] != "#":
            try:
                fields = next(csv.reader([line], delimiter=mark))
            except csv.Error:
                fields = [line]
            yield number, [field.strip() for field in fields] if any(fields) else []
            continue
        # Not split(): a no-break space may stand inside a word, as in a number.
        fields = line.split("\t") if tabbed else COLUMN_GAP.split(line.strip(" \t"))
        fields = [field.strip(" ") for field in fields]
        is_mark = fields[0].partition(" ")[0] == "-DOCSTART-"
        yield number, [] if is_mark else [one for one in fields if one]


def _comma_of(lines: Sequence[str]) -> str | None:
    """Return what separates the columns where neither spaces nor tabs do: a comma, a semicolon."""
    for mark in ",;":
        whole = [line for line in lines if mark in line and len(COLUMN_GAP.split(line)) == 1]
        if 2 * len(whole) > len(lines):
            return mark
    return None


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
    shares = {i: _share_of_tags(columns[i]) for i in left if lines}
    tags = [i for i in shares if shares[i] >= ARE_TAGS]
    # Many wrong tags: the column that has most right ones, so that the wrong ones are named.
    largest = max(shares.values(), default=0.0)
    tags = tags or [i for i in shares if shares[i] == largest > 0]
    marked = [i for i in tags if set(columns[i]) != {OUTSIDE}]
    features = [i for i in left if lines and any(map(TAG_IN_FEATURES.search, columns[i]))]
    tag = (marked or features or tags or left or [n_columns - 1])[-1]
    # Gold and predicted tags, or two levels of entities: chunks have other types than entities.
    types = {i: _types(columns[i]) for i in marked}
    alike = [i for i in marked if types[i] & types[tag]] or [tag]
    word = next((i for i in left if i != alike[0]), 0)
    return {"word": word + 1, "tag": alike[0] + 1}, [i + 1 for i in alike]


def _types(column: Sequence[str]) -> set[str]:
    if _have_no_type(column):
        return {NO_TYPE}
    return {found[2] for tag in column if (found := TAG.fullmatch(tag))}


def _have_no_type(column: Sequence[str]) -> bool:
    """Return whether tags are letters without a type: B, I and O alone."""
    letters = sum(tag in LETTERS_ALONE for tag in column)
    return (
        letters >= ARE_TAGS * len(column)
        and ("B" in column or "S" in column or "U" in column)
        and not any(map(TAG.fullmatch, column))
    )


def _outside_signs(column: Sequence[str]) -> tuple[str, ...]:
    """Return what is read as O: "o" and "0" too where there are entities and no O."""
    has_entities = any(map(TAG.fullmatch, column)) or _have_no_type(column)
    return AS_OUTSIDE if has_entities and OUTSIDE not in column else ()


def _share_of_tags(column: Sequence[str]) -> float:
    if _have_no_type(column):
        return sum(one in LETTERS_ALONE for one in column) / len(column)
    signs = (OUTSIDE, *_outside_signs(column))
    return sum(one in signs or bool(TAG.fullmatch(one)) for one in column) / len(column)


def _counts_words(column: Sequence[str]) -> bool:
    """Return whether a column counts: 1, 2, 3 and from the start again, or on through the file."""
    numbers = [COUNT.fullmatch(field) for field in column]
    if not all(numbers):
        return False
    counts = [int(one[1]) for one in numbers if one]
    jumps = sum(b not in (0, 1, a, a + 1) for a, b in pairwise(counts))
    return jumps <= max(1, (1 - ARE_TAGS) * len(counts))


def _sentences(
    segment: Segment, roles: Roles, n_columns: int, notes: LineNotes
) -> Iterator[list[tuple[str, str]]]:
    block: list[tuple[str, str]] = []
    read = list(_fields(segment))
    column = [fields[roles["tag"] - 1] for _, fields in read if len(fields) == n_columns]
    no_type, outside, sentence = _have_no_type(column), _outside_signs(column), ""
    for (number, line), (_, fields) in zip(segment.lines, read, strict=True):
        if reason := _why_no_word(line, fields, roles, n_columns, is_first=not block):
            notes.set_aside(number, line, reason)
        if reason and reason != "mark":
            continue
        begins = fields[roles["sentence"] - 1] if "sentence" in roles and fields else ""
        if not fields or begins not in ("", sentence):
            if block:
                yield block
            block, sentence = [], begins
        if not fields:
            continue
        try:
            _check_size(number, fields, roles, n_columns)
            word, tag = fields[roles["word"] - 1], fields[roles["tag"] - 1]
            if tag in outside:
                notes.set_aside(number, line, "outside")
            is_letter = no_type and tag in LETTERS_ALONE - {OUTSIDE}
            tag = OUTSIDE if tag in outside else f"{tag}-{NO_TYPE}" if is_letter else tag
            block.append(_word_and_tag(number, word, tag))
            if len(block) > LONGEST_SENTENCE:
                block = []
                raise ValueError(
                    f"line {number}: a sentence of more than {grouped(LONGEST_SENTENCE)} words: put"
                    " an empty line behind each sentence"
                )
        except ValueError as error:
            notes.add(error, _cause(fields, roles, n_columns))
    if block:
        yield block


def _check_size(number: int, fields: Sequence[str], roles: Roles, n_columns: int) -> None:
    if len(fields) != n_columns:
        n_read = f"{len(fields)} columns" if len(fields) != 1 else "1 column"
        raise ValueError(
            f"line {number}: read {n_read}, {shown(' '.join(fields[:9]))}: expected"
            f" {n_columns}, with a space or tab between, the word in column {roles['word']}"
            f" and its tag in column {roles['tag']}"
        )


def _why_no_word(
    line: str, fields: Sequence[str], roles: Roles, n_columns: int, *, is_first: bool
) -> Reason | None:
    if not fields:
        return "mark" if line.strip() else None
    if _is_comment(fields, roles, n_columns, is_first=is_first):
        return "comment"
    if _are_names(fields):
        return "names"
    return "extra" if _is_extra(fields, roles) else None


def _cause(fields: Sequence[str], roles: Roles, n_columns: int) -> str:
    """Return why a line is likely to be no word and its tag; nothing if that isn't known."""
    if len(fields) > n_columns:
        return "likely: a word has a space in it: put tabs between the columns"
    if len(fields) < n_columns:
        is_tag = fields[-1] == OUTSIDE or TAG.fullmatch(fields[-1])
        if is_tag and len(fields) == n_columns - 1:
            return (
                "likely: the word is missing, an empty or blank token: drop the line or write a"
                " word"
            )
        return ""
    tag = fields[roles["tag"] - 1][: LONGEST_TYPE + 2]
    if re.fullmatch(r"[^-]+-[BIESLUM]", tag):
        return "likely: the type stands before the letter: write B-PER for PER-B"
    if re.fullmatch(r"[BIESLUM]_.+", tag):
        return "likely: an underscore stands for the hyphen: write B-PER for B_PER"
    if tag in LIKE_O:
        return (
            "likely: the tag is a small o, a zero or a letter of another alphabet: write a capital"
            " O, as on an English keyboard"
        )
    if tag[0] in "(*" or tag[-1] in "*)":
        return "likely: entities in brackets, as in CoNLL-2012: write them as B-, I- and O"
    if tag[0].isalpha() and not TAG.fullmatch(tag) and tag != OUTSIDE and "-" not in tag:
        return "likely: types without B- or I- before them: write I-PER for PER"
    return ""


def _is_comment(fields: Sequence[str], roles: Roles, n_columns: int, *, is_first: bool) -> bool:
    """Return whether a line is a comment: "#" may itself be a tagged word."""
    if fields[0][:1] != "#":
        return False
    if len(fields) != n_columns or roles["word"] > 1:
        return True
    # "# text = It ended so" may have as many columns as a word with three or more.
    if is_first and n_columns > 2 and fields[0] == "#" and fields[2] == "=":
        return True
    tag = fields[roles["tag"] - 1]
    return not (tag == OUTSIDE or tag in LETTERS_ALONE or TAG.fullmatch(tag))


def _is_extra(fields: Sequence[str], roles: Roles) -> bool:
    """Return whether a line of CoNLL-U stands for words that have lines: 4-5, or for none: 4.1."""
    found = COUNT.fullmatch(fields[0])
    return roles["word"] > 1 and found is not None and found[2] is not None


def _word_and_tag(number: int, word: str, tag: str) -> tuple[str, str]:
    if len(word) > LONGEST_WORD:
        raise ValueError(
            f"line {number}: a word of {grouped(len(word))} characters, and {LONGEST_WORD} are"
            " allowed"
        )
    if found := TAG_IN_FEATURES.search(tag):
        tag = found[1]
    elif tag == "_" or "=" in tag:
        tag = OUTSIDE  # a word of CoNLL-U without such a feature
    if tag == OUTSIDE:
        return word, tag
    found = TAG.fullmatch(tag)
    if found is None or len(found[2]) > LONGEST_TYPE:
        raise ValueError(
            f"line {number}: read {shown(tag)} as the tag of {shown(word)}: expected O, or B-, I-,"
            f" E- or S- and a type of at most {LONGEST_TYPE} characters, such as B-PER"
        )
    return word, f"{found[1].translate(LETTERS)}-{found[2]}"


def write_conll(sentences: Sequence[TaggedSentence], scheme: Scheme = "BIO") -> str:
    r"""Return sentences as a file: on each line a word, a space and its tag.

    >>> from mlm_core.tagging.bio_tags import Span
    >>> one = TaggedSentence(words=("Oslo", "waits"), spans=(Span(start=0, end=1, type="GPE"),))
    >>> write_conll([one])
    'Oslo B-GPE\nwaits O\n\n'
    """
    blocks = []
    for sentence in sentences:
        tags = encode(sentence.spans, len(sentence.words), scheme)
        lines = zip(sentence.words, tags, strict=True)
        blocks.append("".join(f"{word} {tag}\n" for word, tag in lines) + "\n")
    return "".join(blocks)


def check_it_reads_back(sentence: TaggedSentence) -> None:
    """Raise ValueError if reading the written sentence would not give it back."""
    if read_conll(write_conll([sentence])).sentences != (sentence,):
        raise ValueError(
            f"the sentence that begins with {sentence.words[0][:40]!r} can't be told from the"
            " format's own signs: change its first word"
        )
