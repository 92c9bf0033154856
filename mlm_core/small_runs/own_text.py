"""A learner's text as training material: documents of sentences, in two parts.

    sentences       a blank line ends a document; stops end sentences, and so do line breaks,
                    except inside a wrapped paragraph
    two parts       one document in ten is held out, and its sentences are removed from training

A text of a few long documents is cut into short ones first, so that a tenth can be held out
and next-sentence prediction has other documents to draw from.

Read before this: ../text/sentences.py, settings.py.
"""

import re
from dataclasses import dataclass

from mlm_core.text.sentences import CLOSERS, MARKS, SURE_MARKS, split_blocks, split_sentences

EVERY_TENTH = 10  # documents; one of them is held out
LEAST_SENTENCES = 4  # two to train on, one held out, and one in case of a repetition
LONGEST_SENTENCE = 40  # words; a text without stops is cut there
WRAPPED_LINE = 40  # characters; lines of a wrapped paragraph are longer than that

_STOP_AT_END = re.compile(rf"[{MARKS}{SURE_MARKS}:;][{CLOSERS}]*$")

Documents = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class TrainTestSplit:
    """A text in sentences: one part to train on, the other to test on."""

    train: Documents
    held_out: Documents
    was_cut: bool  # documents were too few, so longer ones were cut into several


def documents_of(text: str) -> Documents:
    r"""Return a text as documents, each as its sentences.

    >>> documents_of("Mr. Smith came in. He sat\n\nSalt is white! 雨。晴。")
    (('Mr. Smith came in.', 'He sat'), ('Salt is white!', '雨。', '晴。'))
    """
    return tuple(
        tuple(
            part
            for paragraph in _paragraphs(block)
            for sentence in split_sentences(paragraph)
            for part in _short_enough(sentence)
        )
        for block in split_blocks(text)
    )


def split_train_test(text: str, *, next_sentence: bool) -> TrainTestSplit:
    """Return a part to train on and a held-out part, without common sentences.

    Raises ValueError if there is too little text, and says how much is needed.
    """
    documents = documents_of(text)
    _refuse_too_little(text, documents)
    whole, was_cut = documents, False
    # Each part needs a pair of sentences from each of two documents.
    size = max(2 if next_sentence else 1, sum(map(len, documents)) // EVERY_TENTH)
    size = min(size, 8)
    if len(documents) < EVERY_TENTH:
        documents = tuple(part for document in whole for part in _cut(document, size))
        was_cut = documents != whole
    n_held_out = max(2 if next_sentence else 1, len(documents) // EVERY_TENTH)
    usable = [d for d, sentences in enumerate(documents) if len(sentences) > 1 or not next_sentence]
    # Evenly over the text, from the first gap on.
    picked = set()
    if len(usable) > n_held_out:
        picked = {usable[(i * 2 + 1) * len(usable) // (2 * n_held_out)] for i in range(n_held_out)}
    held_out = tuple(documents[d] for d in sorted(picked))
    known = {sentence for document in held_out for sentence in document}
    rest = (
        tuple(sentence for sentence in document if sentence not in known)
        for d, document in enumerate(documents)
        if d not in picked
    )
    parts = TrainTestSplit(
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


def _refuse_unfit(parts: TrainTestSplit, documents: Documents, next_sentence: bool) -> None:
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
    """Return the sentence, or stretches of it if it is too long for a window."""
    words = sentence.split()
    if len(words) <= LONGEST_SENTENCE:
        return [" ".join(words)] if words else []
    half = LONGEST_SENTENCE // 2
    return [" ".join(words[i : i + half]) for i in range(0, len(words), half)]


def _cut(document: tuple[str, ...], size: int) -> Documents:
    """Return the document in parts of `size` sentences; the last one may be longer."""
    starts = list(range(0, max(1, len(document) - size + 1), size))
    return tuple(
        document[start:stop] for start, stop in zip(starts, [*starts[1:], None], strict=True)
    )
