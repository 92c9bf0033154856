"""The row of chips: what it says of each token, and that no token becomes markup."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.encoder.model_list import BUNDLED_FOLDER
from mlm_core.figures.chips import LONGEST_LABEL, chip_row
from mlm_core.figures.theme import printable
from mlm_core.text.tokens import Token, load_tokenizer, tokenize

BUNDLED = load_tokenizer(BUNDLED_FOLDER)


def token(text: str, *, word: int | None = 0, segment: int = 0, is_special: bool = False) -> Token:
    return Token(
        text=text, id=17, start=0, stop=1, word=word, segment=segment, is_special=is_special
    )


def chips_of(row: str) -> list[ElementTree.Element]:
    """Return the chips' elements; parsing fails if anything opened a tag of its own."""
    return list(ElementTree.fromstring(row))


def classes(chip: ElementTree.Element) -> set[str]:
    return set(chip.attrib["class"].split())


def shown(chip: ElementTree.Element) -> str:
    return "".join(chip.itertext())


@pytest.mark.parametrize("clickable", [False, True])
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=30), max_size=5))
def test_whatever_a_token_says_it_is_shown_and_never_becomes_markup(clickable, texts):
    row = chip_row([token(text) for text in texts], clickable=clickable, label='<b "x">')
    chips = chips_of(row)
    assert [chip.tag for chip in chips] == ["button" if clickable else "span"] * len(texts)
    for chip, text in zip(chips, texts, strict=True):
        assert all(child.tag == "span" for child in chip)
        if len(text) <= LONGEST_LABEL:
            assert shown(chip) == printable(text)


def test_pieces_of_one_word_touch_and_words_stand_apart():
    tokens = tokenize(BUNDLED, "The unhappiest man", "man").tokens
    chips = chips_of(chip_row(tokens))
    assert [shown(chip) for chip in chips] == [token.text for token in tokens]
    for before, token_, chip in zip(tokens, tokens[1:], chips[1:], strict=False):
        same_word = token_.word is not None and (token_.word, token_.segment) == (
            before.word,
            before.segment,
        )
        assert ("joined" in classes(chip)) == same_word
    assert any("joined" in classes(chip) for chip in chips)


def test_the_same_word_number_in_two_texts_is_two_words():
    chips = chips_of(chip_row([token("a", segment=0), token("b", segment=1)]))
    assert "joined" not in classes(chips[1])


def test_special_masked_and_unknown_tokens_are_told_apart_by_more_than_colour():
    chips = chips_of(
        chip_row(
            [
                token("[CLS]", word=None, is_special=True),
                token("[MASK]", is_special=True),
                token("<mask>", is_special=True),
                token("[UNK]", is_special=True),
                token("dog"),
            ]
        )
    )
    kinds = [classes(chip) & {"special", "mask", "unknown"} for chip in chips]
    assert kinds == [
        {"special"},
        {"special", "mask"},
        {"special", "mask"},
        {"special", "unknown"},
        set(),
    ]


@pytest.mark.parametrize(
    ("text", "dimmed"),
    [("##ing", "##"), ("▁the", "▁"), ("ing</w>", "</w>"), ("Ġdog", "Ġ"), ("dog", None)],
)
def test_the_vocabularys_own_marks_are_dimmed(text, dimmed):
    (chip,) = chips_of(chip_row([token(text)]))
    assert shown(chip) == text
    assert [child.text for child in chip] == ([] if dimmed is None else [dimmed])


@pytest.mark.parametrize("text", ["##", "▁", "</w>", "##</w>"])
def test_a_token_that_is_nothing_but_a_mark_is_shown_in_full(text):
    (chip,) = chips_of(chip_row([token(text)]))
    assert shown(chip) == text and len(chip) == 0


def test_a_long_token_is_cut_and_stands_whole_in_its_title():
    (chip,) = chips_of(chip_row([token("x" * 500)]))
    assert shown(chip) == "x" * (LONGEST_LABEL - 1) + "…"
    assert chip.attrib["title"] == f"{'x' * 500}, id 17, position 0"


def test_selected_blocked_and_first_count_positions_of_the_text():
    tokens = [token("a"), token("b", word=1), token("c", word=2)]
    row = chip_row(tokens, first=5, selected={6}, blocked={7}, clickable=True)
    chips = chips_of(row)
    assert [chip.attrib["data-value"] for chip in chips] == ["5", "6", "7"]
    assert [chip.attrib["aria-pressed"] for chip in chips] == ["false", "true", "false"]
    assert [classes(chip) & {"selected", "blocked"} for chip in chips] == [
        set(),
        {"selected"},
        {"blocked"},
    ]


def test_a_row_without_tokens_is_an_empty_row():
    assert chips_of(chip_row([])) == []
