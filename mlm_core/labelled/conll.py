"""Read and write tagged words in columns, the format of the CoNLL shared tasks.

    -DOCSTART- -X- O O

    EU       NNP  I-NP  B-ORG       the word first, its tag last; other columns are left out
    rejects  VBZ  I-VP  O
                                    an empty line ends the sentence

The scheme is recognized by its tags: in IOB1 a B stands only where two entities of one type touch;
in IOB2 (BIO) every entity begins with B; only BIOES has E and S. Tags become spans in conlleval's
reading, so a tag that breaks its scheme still counts. A written file has two columns, the word and
its tag.

Source: Tjong Kim Sang & De Meulder 2003 (the format of CoNLL-2003); Ramshaw & Marcus 1995 and
Tjong Kim Sang & Veenstra 1999 (IOB1, IOB2).

Read before this: tables.py, ../tagging/bio_tags.py.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mlm_core.labelled.examples import Dataset, TaggedSentence
from mlm_core.labelled.tables import lines_of, split_train_test
from mlm_core.number_format import grouped
from mlm_core.tagging.bio_tags import OUTSIDE, Scheme, Span, decode, encode

FOLDER = Path(__file__).parents[1] / "data" / "entities"
COLUMN_GAP = re.compile(r"[ \t]+")
TAG = re.compile(r"([BIESLU])-(.+)")
LETTERS = str.maketrans("LU", "ES")  # BILOU's names for the last and the single tag
FileScheme = Literal["IOB1", "IOB2", "IO", "BIOES"]
MOST_TYPES = 20
LONGEST_TYPE = 30  # characters
LONGEST_WORD = 200  # characters
LONGEST_SENTENCE = 6_000  # words; what goes beyond a model's window is cut off and counted
FEWEST, MOST = 4, 2_000  # sentences of an uploaded file


@dataclass(frozen=True, kw_only=True)
class ConllFile:
    """The content of a file."""

    scheme: FileScheme
    types: tuple[str, ...]
    sentences: tuple[TaggedSentence, ...]


def stored_entities() -> Dataset:
    """Return the stored sentences with their entities."""
    train, dev, test = (
        read_conll((FOLDER / f"{part}.conll").read_text(encoding="utf-8"))
        for part in ("train", "dev", "test")
    )
    parts = {"train": train.sentences, "dev": dev.sentences, "test": test.sentences}
    return Dataset(kind="tags", classes=train.types, **parts)


def own_entities(text: str) -> Dataset:
    """Return the sentences of a text, every fourth kept for the test.

    Raises ValueError, with the line where there is one, if the text is no such file, has no
    entity, or too few or too many sentences.
    """
    file = read_conll(text)
    sentences = list(dict.fromkeys(file.sentences))
    if not FEWEST <= len(sentences) <= MOST:
        raise ValueError(
            f"{len(sentences)} different sentences: give {FEWEST} to {grouped(MOST)}, with an"
            " empty line behind each"
        )
    labels = ["entity" if sentence.spans else "none" for sentence in sentences]
    train, test = split_train_test(sentences, labels)
    return Dataset(kind="tags", classes=file.types, train=train, test=test)


def read_conll(text: str) -> ConllFile:
    """Return the sentences of a file, their tags read as spans.

    Raises ValueError with the line of what can't be read.
    """
    blocks = list(_sentences(text))
    if not blocks:
        raise ValueError("no tagged word: give one word a line, a space or tab, and its tag")
    all_tags = [[tag for _, tag in block] for block in blocks]
    scheme = find_scheme(all_tags)
    sentences = tuple(
        TaggedSentence(words=tuple(word for word, _ in block), spans=read_spans(tags, scheme))
        for block, tags in zip(blocks, all_tags, strict=True)
    )
    types = tuple(sorted({span.type for one in sentences for span in one.spans}))
    if len(types) > MOST_TYPES:
        raise ValueError(
            f"{len(types)} entity types, and {MOST_TYPES} are allowed: is the tag really in the"
            " last column?"
        )
    return ConllFile(scheme=scheme, types=types, sentences=sentences)


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


def _sentences(text: str) -> Iterator[list[tuple[str, str]]]:
    block: list[tuple[str, str]] = []
    n_columns, first_number = None, 0
    for number, line in enumerate(lines_of(text), start=1):
        # Not split(): a no-break space may stand inside a word, as in a number.
        fields = COLUMN_GAP.split(line.strip(" \t"))
        if not line.strip() or fields[0] == "-DOCSTART-":
            if block:
                yield block
            block = []
            continue
        # "#" may itself be a tagged word.
        is_tagged = len(fields) > 1 and (fields[-1] == OUTSIDE or TAG.fullmatch(fields[-1]))
        if fields[0] == "#" and not is_tagged:
            continue
        if n_columns is None:
            n_columns, first_number = len(fields), number
        if len(fields) != n_columns or n_columns < 2:
            raise ValueError(
                f"line {number} has {len(fields)} columns: expected"
                f" {max(2, n_columns)}"
                + (f" as on line {first_number}" if n_columns > 1 else "")
                + ", the word first and its tag last, with a space or tab between"
            )
        block.append(_word_and_tag(number, fields[0], fields[-1]))
        if len(block) > LONGEST_SENTENCE:
            raise ValueError(
                f"line {number}: a sentence of more than {grouped(LONGEST_SENTENCE)} words: put"
                " an empty line behind each sentence"
            )
    if block:
        yield block


def _word_and_tag(number: int, word: str, tag: str) -> tuple[str, str]:
    if len(word) > LONGEST_WORD:
        raise ValueError(
            f"line {number}: a word of {grouped(len(word))} characters, and {LONGEST_WORD} are"
            " allowed"
        )
    if tag == OUTSIDE:
        return word, tag
    found = TAG.fullmatch(tag)
    if found is None or len(found[2]) > LONGEST_TYPE:
        raise ValueError(
            f"line {number}: {tag[:50]!r} is no tag: write O, or B-, I-, E- or S- and a type of at"
            f" most {LONGEST_TYPE} characters, such as B-PER"
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
