"""A learner's own text as training material: bytes to characters, to sentences, to two parts.

    read_text       an uploaded file: UTF-8, UTF-16 with its mark, or Latin-1 if it reads as text
    sentences       a blank line ends a document; stops, and line breaks that are none of a
                    wrapped paragraph, end sentences
    two parts       one document in ten is held out, and no held-out sentence stays in training

A text of a few long documents is cut into short ones first, so that a tenth can be held out
and next-sentence prediction has other documents to draw from.

Read before this: ../pretraining/documents.py, settings.py. Read next: text.py.
"""

import codecs
import re
from dataclasses import dataclass

from mlm_core.pretraining.documents import split_sentences
from mlm_core.small_runs.settings import LONGEST_OWN_TEXT

BYTES_A_CHARACTER = 4  # at most, in UTF-8 and in UTF-16

EVERY_TENTH = 10  # documents; one of them is held out
LEAST_SENTENCES = 4  # two to train on, one held out, and one that may repeat another
LONGEST_SENTENCE = 40  # words; a text without stops is cut there
WRAPPED_LINE = 40  # characters; lines of a wrapped paragraph are longer than that

_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
_WIDE_STOP = re.compile(r"(?<=[。！？])")  # Chinese and Japanese have no space behind a stop
_STOP_AT_END = re.compile(r"[.!?…:;。！？][\"'”’)\]]*$")
# Control characters that no text has, tabs and line breaks apart.
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")

Documents = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class TwoParts:
    """A text in sentences: one part to learn from, the other to judge by."""

    train: Documents
    held_out: Documents
    was_cut: bool  # documents were too few, so longer ones were cut into several


def read_text(data: bytes, longest: int = LONGEST_OWN_TEXT) -> str:
    """Return the text of an uploaded file, of at most `longest` characters.

    Raises ValueError if it is too long, or is no text.

    >>> read_text("Grüße".encode("latin-1")), read_text("Grüße".encode("utf-16"))
    ('Grüße', 'Grüße')
    """
    most = BYTES_A_CHARACTER * longest
    if len(data) > most:
        raise ValueError(f"the file has {len(data):,} bytes, and {most:,} are allowed: shorten it")
    text = _decode(data)
    if text is None or _CONTROLS.search(text):
        raise ValueError(
            "the file is no plain text: save it as .txt in UTF-8, not as a document or an image"
        )
    if len(text) > longest:
        raise ValueError(
            f"the text has {len(text):,} characters, and {longest:,} are allowed: shorten it"
        )
    return text


def _decode(data: bytes) -> str | None:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    text = data.decode("latin-1")
    # Every file is Latin-1. A text in it is mostly letters and spaces, a binary file is not.
    n_plain = sum(character.isalpha() or character.isspace() for character in text)
    return text if n_plain > 0.7 * len(text) else None


def documents_of(text: str) -> Documents:
    r"""Return a text as documents, each as its sentences.

    >>> documents_of("Mr. Smith came in. He sat\n\nSalt is white! 雨。晴。")
    (('Mr. Smith came in.', 'He sat'), ('Salt is white!', '雨。', '晴。'))
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    documents = (
        tuple(
            part
            for paragraph in _paragraphs(block)
            for whole in split_sentences(paragraph)
            for sentence in _WIDE_STOP.split(whole)
            for part in _short_enough(sentence)
        )
        for block in _BLANK_LINE.split(text)
    )
    return tuple(document for document in documents if document)


def two_parts(text: str, *, next_sentence: bool) -> TwoParts:
    """Return the text in a part to train on and a held-out part that share no sentence.

    Raises ValueError if there is too little text, and says how much is needed.
    """
    documents = documents_of(text)
    _refuse_too_little(text, documents)
    whole, was_cut = documents, False
    # Each part needs a pair of sentences from each of two documents.
    size = max(2 if next_sentence else 1, sum(map(len, documents)) // EVERY_TENTH)
    size = min(size, 8)
    if len(documents) < EVERY_TENTH:
        documents = tuple(piece for document in whole for piece in _in_pieces(document, size))
        was_cut = documents != whole
    n_held_out = max(2 if next_sentence else 1, len(documents) // EVERY_TENTH)
    usable = [d for d, sentences in enumerate(documents) if len(sentences) > 1 or not next_sentence]
    # Evenly over the text, from the first gap on.
    picked = (
        {usable[(i * 2 + 1) * len(usable) // (2 * n_held_out)] for i in range(n_held_out)}
        if (len(usable) > n_held_out)
        else set()
    )
    held_out = tuple(documents[d] for d in sorted(picked))
    known = {sentence for document in held_out for sentence in document}
    rest = (
        tuple(sentence for sentence in document if sentence not in known)
        for d, document in enumerate(documents)
        if d not in picked
    )
    parts = TwoParts(
        train=tuple(document for document in rest if document), held_out=held_out, was_cut=was_cut
    )
    _refuse_unfit(parts, documents, next_sentence)
    return parts


def _refuse_too_little(text: str, documents: Documents) -> None:
    n_sentences = sum(map(len, documents))
    if not n_sentences:
        raise ValueError("the text is empty: type or upload some sentences")
    n_words = len(text.split())
    if n_sentences < LEAST_SENTENCES:
        raise ValueError(
            f"the text has {n_words} word{'s' * (n_words != 1)} in {n_sentences}"
            f" sentence{'s' * (n_sentences != 1)}, and at least {LEAST_SENTENCES} sentences are"
            " needed, some to learn from and some to be tested on; a few hundred are better"
        )


def _refuse_unfit(parts: TwoParts, documents: Documents, next_sentence: bool) -> None:
    n_sentences = len({sentence for document in documents for sentence in document})
    if next_sentence:
        for part in (parts.train, parts.held_out):
            n_usable = sum(len(document) > 1 for document in part)
            if n_usable < 2:
                raise ValueError(
                    f"the text has {n_sentences} different sentences in {len(documents)} documents,"
                    " and next-sentence prediction needs at least 8 in four documents of two, half"
                    " to learn from and half to be tested on: add text, with blank lines between"
                    " documents, or turn NSP off"
                )
    if not parts.train or not parts.held_out:
        raise ValueError(
            f"the text has {n_sentences} different sentence{'s' * (n_sentences != 1)}, too few to"
            " hold one back for a test: add sentences that differ"
        )


def _paragraphs(block: str) -> list[str]:
    """Return a block's lines, or the whole block if it is one wrapped paragraph."""
    lines = [line.strip() for line in block.splitlines() if line.strip()]
    inner = lines[:-1]
    n_wrapped = sum(len(line) >= WRAPPED_LINE and not _STOP_AT_END.search(line) for line in inner)
    return [" ".join(lines)] if n_wrapped > len(inner) / 2 else lines


def _short_enough(sentence: str) -> list[str]:
    """Return the sentence, or stretches of it if it has so many words that none could be read."""
    words = sentence.split()
    if len(words) <= LONGEST_SENTENCE:
        return [" ".join(words)] if words else []
    half = LONGEST_SENTENCE // 2
    return [" ".join(words[i : i + half]) for i in range(0, len(words), half)]


def _in_pieces(document: tuple[str, ...], size: int) -> Documents:
    """Return the document in pieces of `size` sentences; the last one may be longer."""
    starts = list(range(0, max(1, len(document) - size + 1), size))
    return tuple(
        document[start:stop] for start, stop in zip(starts, [*starts[1:], None], strict=True)
    )
