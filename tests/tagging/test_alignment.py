"""Words to pieces and back: labels that mean the same span, distributions that stay ones."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.tagging.alignment import (
    COMBINATIONS,
    LABELLINGS,
    combine_subwords,
    find_word_of_subword,
    subword_labels,
    subword_tags,
    subwords_of_words,
)
from mlm_core.tagging.bio_tags import SCHEMES, Span, decode, encode, tags_of
from mlm_core.text.tokens import tokenize, train_tokenizer
from tests.tagging.random_tags import TYPES, sentences_with_spans

# SLP3 Eq 11.14: Mt. Sanitas is in Sunshine Canyon . and its pieces
#          [CLS] Mt . San ##itas is in Sunshine Canyon . [SEP]
EXAMPLE = [None, 0, 0, 1, 1, 2, 3, 4, 5, 6, None]
EXAMPLE_TAGS = "B-LOC I-LOC O O B-LOC I-LOC O".split()


def labelled(labelling, tags=EXAMPLE_TAGS, word_of_subword=EXAMPLE, scheme="BIO"):
    """Return the pieces' tags as text, - for a piece that doesn't count."""
    return " ".join(tag or "-" for tag in subword_tags(tags, word_of_subword, scheme, labelling))


def test_the_example_of_the_textbook_under_each_rule():
    assert labelled("copy_to_all") == "- B-LOC B-LOC I-LOC I-LOC O O B-LOC I-LOC O -"
    assert labelled("all_pieces") == "- B-LOC I-LOC I-LOC I-LOC O O B-LOC I-LOC O -"
    assert labelled("first_only") == "- B-LOC - I-LOC - O O B-LOC I-LOC O -"


@pytest.mark.parametrize(
    ("tag", "pieces"),
    [
        ("B-LOC", "B-LOC I-LOC I-LOC"),
        ("I-LOC", "I-LOC I-LOC I-LOC"),
        ("E-LOC", "I-LOC I-LOC E-LOC"),
        ("S-LOC", "B-LOC I-LOC E-LOC"),
        ("O", "O O O"),
    ],
)
def test_in_bioes_a_word_of_three_pieces_ends_at_its_last(tag, pieces):
    assert labelled("all_pieces", [tag], [0, 0, 0], "BIOES") == pieces


@st.composite
def sentences_in_pieces(draw):
    """Give the number of words, spans, and the word of each piece with an added one around."""
    n_words, spans = draw(sentences_with_spans())
    sizes = draw(st.lists(st.integers(1, 3), min_size=n_words, max_size=n_words))
    words = [word for word, size in enumerate(sizes) for _ in range(size)]
    return n_words, spans, [None, *words, None]


@given(sentences_in_pieces(), st.sampled_from(["BIO", "BIOES"]))
def test_labels_of_all_pieces_stand_for_the_same_spans_told_of_pieces(sentence, scheme):
    n_words, spans, word_of_subword = sentence
    found = subword_tags(encode(spans, n_words, scheme), word_of_subword, scheme, "all_pieces")
    places = subwords_of_words(word_of_subword)
    in_pieces = {
        Span(start=places[s.start][0], end=places[s.end - 1][-1] + 1, type=s.type) for s in spans
    }
    assert set(decode([tag or "O" for tag in found], scheme, "strict")) == in_pieces


@given(sentences_in_pieces(), st.sampled_from(SCHEMES), st.sampled_from(LABELLINGS))
def test_the_first_piece_always_tells_the_words_tag_but_for_a_moved_end(
    sentence, scheme, labelling
):
    n_words, spans, word_of_subword = sentence
    tags = encode(spans, n_words, scheme)
    found = subword_tags(tags, word_of_subword, scheme, labelling)
    moved = {"E": "I", "S": "B"}
    for tag, positions in zip(tags, subwords_of_words(word_of_subword), strict=True):
        first = found[positions[0]]
        is_moved = labelling == "all_pieces" and len(positions) > 1
        assert first == (moved.get(tag[0], tag[0]) + tag[1:] if is_moved else tag)
        assert (labelling == "first_only") <= all(found[i] is None for i in positions[1:])
    assert found[0] is None and found[-1] is None


def test_labels_are_classes_and_minus_100():
    classes = tags_of(["LOC"], "BIO")
    labels = subword_labels(subword_tags(EXAMPLE_TAGS, EXAMPLE, "BIO", "first_only"), classes)
    assert labels.tolist() == [-100, 1, -100, 2, -100, 0, 0, 1, 2, 0, -100]
    logits = torch.randn(11, 3, generator=torch.Generator().manual_seed(5))
    counted = [1, 3, 5, 6, 7, 8, 9]
    by_hand = -torch.log_softmax(logits, dim=-1)[counted, labels[counted]].mean()
    torch.testing.assert_close(torch.nn.functional.cross_entropy(logits, labels), by_hand)


def test_words_that_a_window_cut_off_get_no_label():
    assert labelled("all_pieces", ["B-LOC", "I-LOC", "O"], [None, 0, 0, None]) == "- B-LOC I-LOC -"


def test_words_of_a_real_tokenizer_are_found_by_their_characters():
    tokenizer = train_tokenizer("WordPiece", ["Mt. Sanitas is in Sunshine Canyon."] * 3, 40)
    sentence = "Mt. Sanitas is"
    tokens = tokenize(tokenizer, sentence).tokens
    found = find_word_of_subword([(t.start, t.stop) for t in tokens], [(0, 3), (4, 11), (12, 14)])
    assert found[0] is None and found[-1] is None
    cut = {}
    for token, word in zip(tokens, found, strict=True):
        if word is not None:
            cut[word] = cut.get(word, "") + sentence[token.start : token.stop]
    assert cut == {0: "Mt.", 1: "Sanitas", 2: "is"}
    assert max(t.word for t in tokens if t.word is not None) == 3  # its own words split "Mt."


# Two pieces of one word and the tags O, B, I, by hand.
PIECES = torch.tensor([[0.2, 0.6, 0.2], [0.1, 0.3, 0.6]]).double()


@pytest.mark.parametrize(
    ("labelling", "combination", "by_hand"),
    [
        ("copy_to_all", "first", [0.2, 0.6, 0.2]),
        ("copy_to_all", "mean", [0.15, 0.45, 0.4]),
        ("copy_to_all", "product", [0.02 / 0.32, 0.18 / 0.32, 0.12 / 0.32]),
        ("first_only", "product", [0.02 / 0.32, 0.18 / 0.32, 0.12 / 0.32]),
        # A word's B is B and then I: 0.6 beside 0.6.
        ("all_pieces", "mean", [0.3 / 2.3, 1.2 / 2.3, 0.8 / 2.3]),
        ("all_pieces", "product", [0.02 / 0.5, 0.36 / 0.5, 0.12 / 0.5]),
        ("all_pieces", "first", [0.2, 0.6, 0.2]),
    ],
)
def test_combined_by_hand(labelling, combination, by_hand):
    found = combine_subwords(
        PIECES.log(),
        [0, 0],
        tags_of(["LOC"], "BIO"),
        "BIO",
        labelling=labelling,
        combination=combination,
    )
    torch.testing.assert_close(found.exp(), torch.tensor([by_hand], dtype=torch.double))


@given(
    sentences_in_pieces(),
    st.sampled_from(SCHEMES),
    st.sampled_from(LABELLINGS),
    st.sampled_from(COMBINATIONS),
    st.integers(0, 2**31),
)
def test_words_get_distributions_and_a_word_of_one_piece_keeps_its_own(
    sentence, scheme, labelling, combination, seed
):
    n_words, _, word_of_subword = sentence
    tags = tags_of(TYPES, scheme)
    logits = torch.randn(
        len(word_of_subword), len(tags), generator=torch.Generator().manual_seed(seed)
    )
    pieces = torch.log_softmax(logits.double(), dim=-1)
    words = combine_subwords(
        pieces, word_of_subword, tags, scheme, labelling=labelling, combination=combination
    )
    assert words.shape == (n_words, len(tags))
    torch.testing.assert_close(words.exp().sum(dim=-1), torch.ones(n_words).double())
    for row, positions in zip(words, subwords_of_words(word_of_subword), strict=True):
        if len(positions) == 1 and (labelling != "all_pieces" or scheme != "BIOES"):
            torch.testing.assert_close(row, pieces[positions[0]])


@given(
    sentences_in_pieces(),
    st.sampled_from(SCHEMES),
    st.sampled_from(["copy_to_all", "all_pieces"]),
    st.sampled_from(["mean", "product"]),
)
def test_a_tagger_that_learned_its_labels_gets_every_word_right(
    sentence, scheme, labelling, combination
):
    n_words, spans, word_of_subword = sentence
    word_tags, tags = encode(spans, n_words, scheme), tags_of(TYPES, scheme)
    labels = subword_labels(subword_tags(word_tags, word_of_subword, scheme, labelling), tags)
    pieces = torch.full((len(labels), len(tags)), 0.01)
    pieces[range(len(labels)), labels.clamp(min=0)] = 1.0
    words = combine_subwords(
        (pieces / pieces.sum(dim=-1, keepdim=True)).log(),
        word_of_subword,
        tags,
        scheme,
        labelling=labelling,
        combination=combination,
    )
    assert [tags[i] for i in words.argmax(dim=-1)] == list(word_tags)


def test_a_product_holds_where_probabilities_are_too_small_for_a_float():
    tags = tags_of(["LOC"], "IO")
    pieces = torch.tensor([[-800.0, 0.0], [0.0, -801.0]])  # e^-800 is 0 in a float
    words = combine_subwords(
        pieces, [0, 0], tags, "IO", labelling="copy_to_all", combination="product"
    )
    by_hand = torch.tensor([[0.7310586, 0.2689414]])  # e^-800 against e^-801
    torch.testing.assert_close(words.exp(), by_hand)


def combined(rows=2, word_of_subword=(0, 0), tags=("O", "I-LOC"), combination="product"):
    pieces = torch.tensor([[0.0, float("-inf")], [float("-inf"), 0.0], [0.0, 0.0]])[:rows]
    return combine_subwords(
        pieces, word_of_subword, tags, "IO", labelling="copy_to_all", combination=combination
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: combined(), "the pieces of word 0 leave no tag possible"),
        (lambda: combined(rows=3), r"shape \(3, 2\) for 2 pieces and 2 tags"),
        (lambda: combined(tags=("O",)), r"shape \(2, 2\) for 2 pieces and 1 tags"),
        (lambda: combined(combination="sum"), "combination 'sum'"),
        (lambda: subwords_of_words([0, 2]), "word 1 has no piece"),
        (lambda: subwords_of_words([1, 0]), "in the order of the text"),
        (lambda: subword_tags(["O"], [0, 1], "BIO", "all_pieces"), "pieces of 2 words but 1 tags"),
        (lambda: subword_tags(["O"], [0], "BIO", "some"), "labelling 'some'"),
        (lambda: subword_labels(["B-PER"], ["O"]), "tag 'B-PER' has no class"),
        (lambda: find_word_of_subword([(1, 5)], [(0, 3), (4, 9)]), "reaches into words 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message, unchecked_shapes):
    with pytest.raises(ValueError, match=message):
        call()


def test_no_words_give_no_rows():
    assert combined(rows=2, word_of_subword=(None, None)).shape == (0, 2)
