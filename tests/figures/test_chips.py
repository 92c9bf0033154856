"""The row of chips: what belongs together, and how a token is written."""

import xml.etree.ElementTree as ElementTree

import pytest

from mlm_core.encoder.model_list import BUNDLED_FOLDER
from mlm_core.figures.chips import LONGEST_LABEL, chip_row
from mlm_core.text.tokens import Token, load_tokenizer, tokenize

BUNDLED = load_tokenizer(BUNDLED_FOLDER)


def token(text: str, *, word: int | None = 0, segment: int = 0, is_special: bool = False) -> Token:
    return Token(
        text=text, id=17, start=0, stop=1, word=word, segment=segment, is_special=is_special
    )


def chips_of(row: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(row))


def classes(chip: ElementTree.Element) -> set[str]:
    return set(chip.attrib["class"].split())


def shown(chip: ElementTree.Element) -> str:
    return "".join(chip.itertext())


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


def test_only_the_chips_at_the_given_positions_are_buttons():
    tokens = [token("a"), token("b", word=1), token("c", word=2)]
    row = chip_row(tokens, clickable=[1])
    assert [chip.tag for chip in chips_of(row)] == ["span", "button", "span"]
    assert chips_of(row)[1].attrib["data-value"] == "1"
    # A group of buttons is no list, so what is no button there is no item of one.
    assert "list" not in row and 'role="list"' in chip_row(tokens, clickable=[])
    assert {chip.tag for chip in chips_of(chip_row(tokens, first=5, clickable=True))} == {"button"}


def test_a_long_token_is_cut_and_stands_whole_in_its_title():
    (chip,) = chips_of(chip_row([token("x" * 500)]))
    assert shown(chip) == "x" * (LONGEST_LABEL - 1) + "…"
    assert chip.attrib["title"] == f"{'x' * 500}, id 17, position 0"
