"""Pack documents into windows of N tokens, in four layouts.

    pairs      [CLS] A [SEP] B [SEP], two neighbouring sentences, the rest of the window padding
    document   whole sentences of one document until the next does not fit
    full       the same, but across documents, with a [SEP] between them
    stream     one text with [SEP] between documents, cut every N tokens

"full" is RoBERTa's FULL-SENTENCES and what the textbook describes, "document" its
DOC-SENTENCES; "stream" is how left-to-right models are fed. Only lengths matter here, so
this module works on counts of tokens.

Source: SLP3 section 11.2.3; Liu et al. 2019 (RoBERTa), section 4.2.
Departs: RoBERTa's pairs of natural sentences are drawn 50/50 true and random; here all are
true ones, each sentence once, so that every layout holds the same text. A sentence that is
longer than the window goes on in the next window, except in "pairs", where it is truncated.

Read before this: pair_examples.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Layout = Literal["pairs", "document", "full", "stream"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
SMALLEST_WINDOW = 5  # [CLS] A [SEP] B [SEP] with a token in each


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A stretch of one window: text of one document, or one special token."""

    start: int  # first position in the window
    n_tokens: int
    document: int | None  # None for [CLS] and [SEP]


@dataclass(frozen=True, kw_only=True)
class Window:
    """One input of the model."""

    pieces: tuple[Piece, ...]
    n_padding: int

    @property
    def documents(self) -> tuple[int, ...]:
        """Return the documents of its text, in order."""
        return tuple(dict.fromkeys(p.document for p in self.pieces if p.document is not None))


@dataclass(frozen=True, kw_only=True)
class Packing:
    """All windows of one layout."""

    layout: Layout
    window_size: int
    windows: tuple[Window, ...]
    n_truncated: int  # tokens left out
    n_split: int  # sentences that go on in another window

    @property
    def padding_proportion(self) -> float:
        """Return the proportion of all positions that hold padding."""
        return sum(w.n_padding for w in self.windows) / (len(self.windows) * self.window_size)

    @property
    def n_crossing(self) -> int:
        """Return how many windows have text of several documents."""
        return sum(len(window.documents) > 1 for window in self.windows)


def pack(lengths: Sequence[Sequence[int]], window_size: int, layout: Layout) -> Packing:
    """Return documents, given as the lengths of their sentences in tokens, in windows.

    Raises ValueError for a window that is too small, an unknown layout, or no text.

    >>> [w.n_padding for w in pack([[4, 3], [2]], 10, "full").windows]
    [1, 6]
    """
    if window_size < SMALLEST_WINDOW:
        raise ValueError(
            f"a window of {window_size} tokens: [CLS] A [SEP] B [SEP] takes {SMALLEST_WINDOW}"
        )
    if layout not in LAYOUTS:
        raise ValueError(f"layout {layout!r}: choose one of {', '.join(LAYOUTS)}")
    lengths = [[n for n in document if n > 0] for document in lengths]
    if not any(lengths):
        raise ValueError("no text to pack: give at least one sentence with a token")
    if layout == "pairs":
        contents, n_split = list(_pairs(lengths, window_size)), 0
    else:
        contents, n_split = _fill(lengths, window_size, layout)
    return Packing(
        layout=layout,
        window_size=window_size,
        windows=tuple(_window(text, window_size, layout) for text in contents),
        n_truncated=sum(map(sum, lengths)) - sum(n for text in contents for _, n in text),
        n_split=n_split,
    )


# What a window holds before [CLS] and [SEP] are set: (document, tokens), one entry a segment.
_Content = list[tuple[int, int]]


def _pairs(lengths: Sequence[Sequence[int]], window_size: int) -> Iterator[_Content]:
    for d, document in enumerate(lengths):
        for i in range(0, len(document), 2):
            pair = list(document[i : i + 2])
            room = window_size - 1 - len(pair)
            while sum(pair) > room:
                pair[pair.index(max(pair))] -= 1
            yield [(d, n) for n in pair]


def _fill(
    lengths: Sequence[Sequence[int]], window_size: int, layout: Layout
) -> tuple[list[_Content], int]:
    """Return what each window holds, and how many sentences go on in the next window."""
    windows: list[_Content] = [[]]
    n_split = 0
    for d, document in enumerate(lengths):
        if layout == "document":
            windows.append([])
        for n_tokens in document:
            left, n_parts = n_tokens, 0
            while left:
                window = windows[-1]
                is_new = not window or window[-1][0] != d
                # Beside [CLS], the text, and a [SEP] behind each document's part.
                room = window_size - 1 - sum(n for _, n in window) - len(window) - is_new
                if window and (room < 1 or (layout != "stream" and left > room)):
                    windows.append([])
                    continue
                part = min(left, room)
                before = 0 if is_new else window.pop()[1]
                window.append((d, before + part))
                left, n_parts = left - part, n_parts + 1
            n_split += n_parts > 1
    return [window for window in windows if window], n_split


def _window(contents: _Content, window_size: int, layout: Layout) -> Window:
    pieces, position = [Piece(start=0, n_tokens=1, document=None)], 1
    for document, n_tokens in contents:
        pieces.append(Piece(start=position, n_tokens=n_tokens, document=document))
        position += n_tokens
        pieces.append(Piece(start=position, n_tokens=1, document=None))
        position += 1
    return Window(pieces=tuple(pieces), n_padding=window_size - position)
