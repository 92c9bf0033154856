"""Read and write tagged words in columns, the format of the CoNLL shared tasks.

    -DOCSTART- -X- O O

    EU       NNP  I-NP  B-ORG       word and tag; other columns are left out
    rejects  VBZ  I-VP  O
                                    an empty line ends the sentence

Which column is what is found out in conll_columns.py. A line that begins with # is a comment
unless it has a word's columns.

The scheme is recognized by its tags: in IOB1 a B stands only where two entities of one type touch;
in IOB2 (BIO) every entity begins with B; only BIOES has E and S. BILOU and BMES are read as BIOES.
B, I and O without a type are tags of one type, which is called _ as in seqeval. Tags become spans
in conlleval's reading, so a tag that breaks its scheme still counts. A written file has two
columns, the word and its tag.

Source: Tjong Kim Sang & De Meulder 2003 (the format of CoNLL-2003); Ramshaw & Marcus 1995 and
Tjong Kim Sang & Veenstra 1999 (IOB1, IOB2).

Read before this: own_parts.py, conll_columns.py, ../tagging/bio_tags.py.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mlm_core.labelled.conll_columns import (
    LETTERS_ALONE,
    TAG,
    Columns,
    Line,
    are_names,
    meant_by,
    read_columns,
)
from mlm_core.labelled.examples import Dataset, TaggedSentence
from mlm_core.labelled.file_kinds import refuse_other_kinds
from mlm_core.labelled.own_parts import (
    MOST,
    Layout,
    LineNotes,
    OddLines,
    OwnData,
    Reason,
    Roles,
    divide,
    n_lines_of,
    shown,
)
from mlm_core.number_format import grouped
from mlm_core.tagging.bio_tags import OUTSIDE, Scheme, Span, decode, encode
from mlm_core.text.corpora import name_in

FOLDER = Path(__file__).parents[1] / "data" / "entities"
LETTERS = str.maketrans("LUM", "ESI")  # BILOU's last and single tag, and the middle one of BMES
# Why a tag is likely to be none, by its form.
CAUSES = {
    r"[^-]+-[BIESLUM]": "likely: the type stands before the letter: write B-PER for PER-B",
    "[BIESLUM]_.+": "likely: an underscore stands for the hyphen: write B-PER for B_PER",
    "[biesl]-.+": "likely: small letters before the types: write B-PER for b-per",
    "-": "likely: - for a word that fits no mark, as spaCy writes it: write O, or drop the line",
    "[o0\u041e\u043e\u039f\u03bf]": "likely: the tag is a small o, a zero or a letter of another"
    " alphabet: write a capital O, as on an English keyboard",
    r"[(*].*|.*[*)]": "likely: entities in brackets, as in CoNLL-2012: write them as B-, I- and O",
    r"(?!O$)[^\W\d_][^-]*": "likely: types without B- or I- before them: write I-PER for PER",
}
FileScheme = Literal["IOB1", "IOB2", "IO", "BIOES"]
MOST_TYPES = 20
LONGEST_TYPE = 30  # characters
LONGEST_WORD = 200  # characters
LONGEST_SENTENCE = 6_000  # words; what goes beyond a model's window is cut off and counted
FEWEST = 4  # sentences of an uploaded file


@dataclass(frozen=True, kw_only=True)
class ConllFile:
    """The content of a file."""

    scheme: FileScheme
    types: tuple[str, ...]
    sentences: tuple[TaggedSentence, ...]
    parts: tuple[str | None, ...]  # of each sentence
    layout: Layout
    odd_lines: tuple[OddLines, ...]


def stored_entities(language: str = "en") -> Dataset[TaggedSentence]:
    """Return the stored sentences of a language, "en" or "de", with their entities."""
    train, dev, test = (
        read_conll((FOLDER / f"{name_in(language, part)}.conll").read_text(encoding="utf-8"))
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
    parts, counts = divide(found, lambda sentence: "entity" if sentence.spans else "none")
    n_different = len(found) - counts["n_duplicates"]
    if n_different < FEWEST:
        raise ValueError(
            f"{n_different} different sentences: give {FEWEST} to {grouped(MOST)},"
            " with an empty line behind each"
        )
    return OwnData(
        dataset=Dataset(kind="tags", classes=file.types, **parts),
        layout=file.layout,
        n_lines=n_lines_of(text),
        odd_lines=file.odd_lines,
        **counts,
    )


def read_conll(text: str) -> ConllFile:
    """Return the sentences of a file, their tags read as spans.

    Raises ValueError with the first lines that can't be read.
    """
    refuse_other_kinds(text, "tags")
    notes = LineNotes()
    columns = read_columns(text, notes)
    blocks = list(_sentences(columns, notes)) if columns else []
    notes.raise_if_any()
    if columns is None or not blocks:
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
            f" {columns.layout.roles['tag']}?"
        )
    return ConllFile(
        scheme=scheme,
        types=types,
        sentences=sentences,
        parts=tuple(part for part, _ in blocks),
        layout=columns.layout,
        odd_lines=notes.odd_lines(),
    )


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


def _sentences(
    columns: Columns, notes: LineNotes
) -> Iterator[tuple[str | None, list[tuple[str, str]]]]:
    """Yield each sentence's part, and its words with their tags."""
    block: list[tuple[str, str]] = []
    roles, meant = columns.layout.roles, meant_by(columns.of("tag"))
    sentence, in_part = "", None
    for one in columns.lines:
        if reason := _why_no_word(one, columns.layout, is_first=not block):
            notes.set_aside(one.number, one.line, reason)
        if reason and reason != "mark":
            continue
        begins = one.fields[roles["sentence"] - 1] if "sentence" in roles and one.fields else ""
        if not one.fields or begins not in ("", sentence) or one.part != in_part:
            if block:
                yield in_part, block
            block, sentence, in_part = [], begins, one.part
        if not one.fields:
            continue
        try:
            word, tag = _word_and_tag(one, columns.layout)
            if meant.get(tag) == OUTSIDE != tag:
                notes.set_aside(one.number, one.line, "outside")
            block.append((word, _checked(one.number, word, meant.get(tag, tag))))
            if len(block) > LONGEST_SENTENCE:
                block = []
                raise ValueError(
                    f"line {one.number}: a sentence of more than {grouped(LONGEST_SENTENCE)} words:"
                    " put an empty line behind each sentence"
                )
        except ValueError as error:
            notes.add(error, _cause(one.fields, roles, len(columns.layout.names)))
    yield from [(in_part, block)] if block else []


def _why_no_word(line: Line, layout: Layout, *, is_first: bool) -> Reason | None:
    fields, n_columns = line.fields, len(layout.names)
    if not fields:
        return "mark" if line.line.strip() else None
    if fields[0][:1] == "#":  # which may itself be a tagged word
        # "# text = It ended so" may have as many columns as a word with three or more.
        is_said = is_first and n_columns > 2 and fields[0] == "#" and fields[2:3] == ["="]
        if len(fields) != n_columns or layout.roles["word"] > 1 or is_said:
            return "comment"
        tag = fields[layout.roles["tag"] - 1]
        if not (tag in LETTERS_ALONE or TAG.fullmatch(tag)):
            return "comment"
    return "names" if are_names(fields) or tuple(fields) == layout.names else None


def _cause(fields: Sequence[str], roles: Roles, n_columns: int) -> str:
    """Return why a line is likely to be no word and its tag; nothing if that isn't known."""
    if len(fields) > n_columns:
        return "likely: a word has a space in it: put tabs between the columns"
    if len(fields) == n_columns:
        tag = fields[roles["tag"] - 1][: LONGEST_TYPE + 2]
        return next((cause for form, cause in CAUSES.items() if re.fullmatch(form, tag)), "")
    is_tag = fields[-1] == OUTSIDE or TAG.fullmatch(fields[-1])
    if is_tag and len(fields) == n_columns - 1:
        return "likely: the word is missing, an empty or blank token: drop the line or write a word"
    return ""


def _word_and_tag(line: Line, layout: Layout) -> tuple[str, str]:
    fields, word, tag = line.fields, layout.roles["word"], layout.roles["tag"]
    if len(fields) != len(layout.names):
        n_read = f"{len(fields)} columns" if len(fields) != 1 else "1 column"
        raise ValueError(
            f"line {line.number}: read {n_read}, {shown(' '.join(fields[:9]))}: expected"
            f" {len(layout.names)}, with a space or tab between, the word in column {word}"
            f" and its tag in column {tag}"
        )
    return fields[word - 1], fields[tag - 1]


def _checked(number: int, word: str, tag: str) -> str:
    """Return a tag with the letters of BIOES."""
    if len(word) > LONGEST_WORD:
        raise ValueError(
            f"line {number}: a word of {grouped(len(word))} characters, and {LONGEST_WORD} are"
            " allowed"
        )
    found = TAG.fullmatch(tag)
    if tag != OUTSIDE and (found is None or len(found[2]) > LONGEST_TYPE):
        raise ValueError(
            f"line {number}: read {shown(tag)} as the tag of {shown(word)}: expected O, or B-, I-,"
            f" E- or S- and a type of at most {LONGEST_TYPE} characters, such as B-PER"
        )
    return f"{found[1].translate(LETTERS)}-{found[2]}" if found else tag


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
