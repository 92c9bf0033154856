"""Borders of words: in any script, however its letters are coded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.text.words import find_whole, fold, word_spans, words_of

FAMILY, FLAGS = "👩\u200d👧 👩", "🇩🇪🇫🇷"


@pytest.mark.parametrize(
    ("text", "word", "found"),
    [
        ("कल आया", "कल", ["कल"]),  # Hindi
        ("कला कलाई", "कल", []),  # vowel signs belong to a word
        ("我在银行工作", "银行", ["银行"]),  # ideographs need no border
        ("銀行へ行く", "行く", ["行く"]),
        ("メモリ", "メモ", []),  # but katakana do
        ("은행에서", "은행", []),
        ("ฉันทำงานที่ธนาคาร", "ธนาคาร", ["ธนาคาร"]),  # Thai
        ("ทำ", "ท", []),
        ("كِتَابٌ كتـــاب", "كتاب", ["كِتَابٌ", "كتـــاب"]),  # short vowels, a longer line
        ("والكتاب", "كتاب", []),
        ("שָׁלוֹם", "שלום", ["שָׁלוֹם"]),
        ("می\u200cروم میروم", "می\u200cروم", ["می\u200cروم", "میروم"]),
        ("cafe\u0301 café", "CAFÉ", ["cafe\u0301", "café"]),
        ("cafe\u0301 café", "cafe", []),
        ("o\u0301", "\u0301", []),
        ("İSTANBUL istanbul", "İstanbul", ["İSTANBUL", "istanbul"]),
        ("Işık ışık", "ışık", ["Işık", "ışık"]),
        ("Straße STRASSE", "straße", ["Straße", "STRASSE"]),
        ("Straße", "s", []),
        ("Ελλάς", "ΕΛΛΆΣ", ["Ελλάς"]),
        (FAMILY, "👩", ["👩"]),  # a joined emoji is one
        (FAMILY, FAMILY[:3], [FAMILY[:3]]),
        ("👍🏽", "👍", []),
        (FLAGS, FLAGS[2:], [FLAGS[2:]]),
        (FLAGS, FLAGS[1:3], []),
        ("well-known", "known", ["known"]),
        ("don’t", "don't", ["don’t"]),
        ("l'eau, l’eau", "eau", ["eau", "eau"]),
        ("bank_note _bank_", "bank", ["bank", "bank"]),
        ("ba\u00adnk a\u200bbank\u200b.", "bank", ["ba\u00adnk", "bank"]),
        ("New\u00a0York", "new york", ["New\u00a0York"]),
        ("a a a", "a a", ["a a"]),
        ("ab ab a", "ab a", ["ab a"]),
        ("bank", "\u200b", []),
    ],
)
def test_a_word_is_found_between_borders(text, word, found):
    assert [text[start:stop] for start, stop in find_whole(text, [word])] == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't stop!", ["don't", "stop"]),
        ("l’eau, 3.5 well-known", ["l'eau", "3.5", "well", "known"]),
        ("_so_ bank_note __", ["so", "bank_note"]),
        ("कला सीखो।", ["कला", "सीखो"]),
        ("我 bank在", ["我", "bank", "在"]),
        ("ทำ", ["ทำ"]),
        ("cafe\u0301", ["café"]),
        (f"{FAMILY} {FLAGS} … \u0301", []),
        ("", []),
    ],
)
def test_words_of_a_text(text, words):
    assert words_of(text) == words


@given(st.text(max_size=40))
def test_words_are_in_order_and_are_found_again(text):
    spans = word_spans(text)
    assert spans == sorted(spans)
    for start, stop in spans:
        word = text[start:stop]
        assert word.strip("_") == word != ""
        assert fold(word) == "" or find_whole(text, [word])
