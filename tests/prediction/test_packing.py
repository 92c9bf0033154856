"""Windows: nothing is lost or doubled, each layout keeps its rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.prediction.packing import LAYOUTS, pack

lengths_of_documents = st.lists(
    st.lists(st.integers(1, 30), min_size=1, max_size=6), min_size=1, max_size=6
)


def drawn(packing):
    """Return each window as text: digits for documents, | for special tokens, . for padding."""
    return [
        "".join(
            "|" if piece.document is None else str(piece.document) * piece.n_tokens
            for piece in window.pieces
        )
        + "." * window.n_padding
        for window in packing.windows
    ]


DOCUMENTS = [[3, 2, 4], [5]]


@pytest.mark.parametrize(
    ("layout", "windows"),
    [
        ("pairs", ["|000|00|..", "|0000|....", "|11111|..."]),
        ("document", ["|00000|...", "|0000|....", "|11111|..."]),
        ("full", ["|00000|...", "|0000|....", "|11111|..."]),
        ("stream", ["|00000000|", "|0|11111|."]),
    ],
)
def test_worked_by_hand(layout, windows):
    assert drawn(pack(DOCUMENTS, 10, layout)) == windows


def test_full_sentences_go_on_into_the_next_document_behind_a_separator():
    packing = pack([[3, 2], [2, 9]], 12, "full")
    assert drawn(packing) == ["|00000|11|..", "|111111111|."]
    assert packing.n_crossing == 1
    assert packing.padding_proportion == pytest.approx(3 / 24)


def test_a_stream_is_torn_at_the_cut_and_says_so():
    packing = pack([[3, 6], [4]], 8, "stream")
    assert drawn(packing) == ["|000000|", "|000|11|", "|11|...."]
    assert packing.n_split == 2


def test_a_pair_that_is_too_long_loses_from_its_longer_half():
    packing = pack([[9, 2]], 8, "pairs")
    assert drawn(packing) == ["|000|00|"]
    assert packing.n_truncated == 6


@given(lengths_of_documents, st.integers(5, 40), st.sampled_from(LAYOUTS))
def test_every_window_is_full_size_and_no_token_is_lost_unsaid(lengths, size, layout):
    packing = pack(lengths, size, layout)
    assert all(len(window) == size for window in drawn(packing))
    pieces = [piece for window in packing.windows for piece in window.pieces]
    n_placed = sum(piece.n_tokens for piece in pieces if piece.document is not None)
    assert n_placed + packing.n_truncated == sum(map(sum, lengths))
    assert layout == "pairs" or packing.n_truncated == 0
    assert 0 <= packing.padding_proportion < 1


@given(lengths_of_documents, st.integers(5, 40))
def test_only_full_and_stream_cross_the_border_of_documents(lengths, size):
    assert pack(lengths, size, "pairs").n_crossing == 0
    assert pack(lengths, size, "document").n_crossing == 0


@given(lengths_of_documents, st.integers(33, 40), st.sampled_from(["document", "full"]))
def test_sentences_that_fit_are_never_torn(lengths, size, layout):
    assert pack(lengths, size, layout).n_split == 0


@given(lengths_of_documents, st.integers(33, 60))
def test_packing_on_never_takes_more_windows(lengths, size):
    counts = [len(pack(lengths, size, layout).windows) for layout in ("full", "document")]
    assert counts[0] <= counts[1]


@pytest.mark.parametrize(
    ("lengths", "size", "layout", "message"),
    [
        ([[3]], 4, "full", "a window of 4 tokens"),
        ([[3]], 9, "heap", "layout 'heap'"),
        ([], 9, "full", "no text to pack"),
        ([[0], []], 9, "full", "no text to pack"),
    ],
)
def test_what_can_not_be_packed_is_refused(lengths, size, layout, message, unchecked_shapes):
    with pytest.raises(ValueError, match=message):
        pack(lengths, size, layout)
