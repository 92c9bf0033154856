"""Text files to documents to sentences, one at a time, whatever the size of the files.

A file holds one paragraph a line and a blank line between documents, plain or xz-compressed.
Everything here is a generator: no more than one document is in memory.

Source: the input format of google-research/bert (create_pretraining_data.py) had one sentence
a line. Departs: paragraphs come in, and split_sentences() finds the sentences. It is a
rule that reads well in one screen, not a trained splitter: "etc. However" is cut rightly,
"in the U.S. Army" is not cut, but "He lived in the U.S. He died" is missed as well.

Read before this: text/tokens.py. Read next: corpus.py.
"""

import lzma
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

# A full stop behind one of these ends no sentence. "etc." is absent on purpose: it may.
ABBREVIATIONS = frozenset(
    "Mr Mrs Ms Messrs Mme Mlle Dr Prof Rev Hon Sir St Ste Mt Ft Capt Col Gen Lt Maj Sgt Cpl Adm"
    " Gov Sen Rep Pres Jr Sr vs viz cf al ca c b d fl r No no Nos Vol vol pp p ed eds trans Fig"
    " fig Eq Op op Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec e.g i.e approx Esq".split()
)

_STOP = re.compile(
    r"""(?<![.!?…])           # from its first mark only: a run of marks is read once
        [.!?…]+["'”’)\]]*     # the stop, with the quotes and brackets that it closes
        \s+
        (?=["'“‘(\[]*([^\W_])) # a letter or a digit begins the next sentence""",
    re.VERBOSE,
)
_WORD_BEFORE = re.compile(r"[\w.]+$")

# What the removal of links, formulas and pronunciations left behind in the Wikipedia texts.
_LEFTOVERS = (
    (re.compile(r"\([\s;,\]]+"), "("),  # "(; 30 December 1865" and "(; ]"
    # Each from the start of its run only: else the time would grow with the run's square.
    (re.compile(r"(?<![\s;,])[\s;,]*\s\](?!\S)"), ""),
    (re.compile(r"(?<!\s)\s*\(\s*\)"), ""),
    (re.compile(r"\s+"), " "),
)


def read_documents(paths: Iterable[Path]) -> Iterator[list[str]]:
    """Yield each document of the files as its paragraphs, cleaned.

    Raises ValueError if a file is missing or is no UTF-8 text.
    """
    for path in paths:
        paragraphs: list[str] = []
        for line in _lines(path):
            paragraph = clean(line)
            if paragraph:
                paragraphs.append(paragraph)
            elif not line.strip() and paragraphs:
                yield paragraphs
                paragraphs = []
        if paragraphs:
            yield paragraphs


def clean(line: str) -> str:
    """Return a line without brackets that lost their content, and with single spaces.

    >>> clean("Rudyard Kipling (; 30 December 1865) wrote  poems ().")
    'Rudyard Kipling (30 December 1865) wrote poems.'
    """
    for pattern, replacement in _LEFTOVERS:
        line = pattern.sub(replacement, line)
    return line.strip()


def split_sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph.

    A sentence ends at . ! ? or … before a digit or a letter, small letters excepted, unless the
    stop belongs to an abbreviation, an initial or a number.

    >>> split_sentences('Mr. J. Smith came in. "Is it 3.5 miles?" he asked. Nobody knew!')
    ['Mr. J. Smith came in.', '"Is it 3.5 miles?" he asked.', 'Nobody knew!']
    """
    sentences = []
    start = 0
    for stop in _STOP.finditer(paragraph):
        if stop[1].islower():
            continue
        if stop[0][0] == "." and _belongs_to_word(paragraph, stop.start()):
            continue
        sentences.append(paragraph[start : stop.end()].rstrip())
        start = stop.end()
    rest = paragraph[start:].strip()
    return [*sentences, rest] if rest else sentences


def _belongs_to_word(paragraph: str, stop: int) -> bool:
    # 20 characters hold every abbreviation; the slice keeps long paragraphs linear.
    word = _WORD_BEFORE.search(paragraph[max(0, stop - 20) : stop])
    if word is None:
        return False
    is_initial = len(word[0]) == 1 and word[0].isupper() and word[0] != "I"
    return is_initial or word[0] in ABBREVIATIONS or "." in word[0].rstrip(".")


def _lines(path: Path) -> Iterator[str]:
    if not path.is_file():
        raise ValueError(f"no file {path}: name text files, plain or .xz")
    open_text = lzma.open if path.suffix == ".xz" else open
    try:
        with open_text(path, "rt", encoding="utf-8") as file:
            yield from file
    except (UnicodeDecodeError, lzma.LZMAError) as error:
        raise ValueError(f"{path.name} is no UTF-8 text: {error}") from error
