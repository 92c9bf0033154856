"""Bytes to text: the encodings that editors write, and what is refused."""

import codecs
import unicodedata

import pytest

from mlm_core.text.plain_text import TWICE, composed, decode_text, decoded_as, read_text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Grüße, 世界".encode(), "Grüße, 世界"),
        (codecs.BOM_UTF8 + "Grüße".encode(), "Grüße"),
        ("Grüße".encode("utf-16"), "Grüße"),
        (codecs.BOM_UTF16_BE + "Grüße".encode("utf-16-be"), "Grüße"),
        ("Viele Grüße aus Köln".encode("latin-1"), "Viele Grüße aus Köln"),
        (b"", ""),
    ],
)
def test_text_is_read_in_the_encodings_that_editors_write(data, text):
    assert decode_text(data).text == text


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        bytes(range(256)),
        b"PK\x03\x04" + bytes(40),
        codecs.BOM_UTF16_LE + b"\x00\xd8a",
        b"%PDF-1.5\n%\xd0\xd4\xc5\xd8\n1 0 obj <</Length 9>> stream \x92\x10\xff",
    ],
)
def test_what_is_no_text_is_refused(data):
    with pytest.raises(ValueError, match="no plain text"):
        decode_text(data)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Die Suppe war wÃ¤rmer, aÃŸ", "Die Suppe war wärmer, aß"),
        ("Stra\xc3\x9fe", "Straße"),  # by Latin-1 in place of windows-1252
        ("donâ€™t – really", "don’t – really"),
        ("so ðŸ˜€ nice", "so 😀 nice"),
        ("Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "привет"),
        ("schön, grÃ¶ÃŸer und frÃ¼h", "schön, größer und früh"),  # two files in one
        ("a \x96 b", "a – b"),  # a dash of windows-1252 that went through Latin-1
    ],
)
def test_utf_8_that_was_encoded_twice_is_offered_in_both_readings(text, meant):
    decoded = decode_text(text.encode())
    assert (decoded.text, decoded.in_doubt, list(decoded.samples)) == (text, True, ["UTF-8", TWICE])
    assert decoded_as(decoded.text, "UTF-8", TWICE) == meant
    assert decoded_as(decoded.text, "UTF-8", "UTF-8") == text


@pytest.mark.parametrize(
    "text", ["„Spaß“ und „MENÜ“", "«CAFÉ»", "«ESTAÇÃO»", "Ä “ hier”", "É…", "L’été", "\x81"]
)
def test_letters_before_quotes_and_control_characters_of_latin_1_are_text(text):
    decoded = decode_text(f"a {text}".encode())
    assert (decoded.text, decoded.in_doubt) == (f"a {text}", False)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (unicodedata.normalize("NFD", "Bär Ärztin é"), "Bär Ärztin é"),
        ("Do\xadnau \u200bpos\ufeff wo\u2060rd", "Donau pos word"),
        ("\u0e01\u200b\u0e02", "\u0e01\u200b\u0e02"),  # Thai: a word ends
        ("می\u200cرود 👩\u200d👧", "می\u200cرود 👩\u200d👧"),  # other letters, another picture
        ("a \u200b b", "a \u200b b"),  # a word of its own
    ],
)
def test_letters_are_composed_and_characters_without_width_or_meaning_left_out(text, plain):
    assert composed(text) == decode_text(text.encode()).text == plain
    assert decode_text(text.encode("utf-16")).text == plain


def test_a_text_that_is_too_long_is_refused_with_both_sizes():
    with pytest.raises(ValueError, match=r"501 characters.*500"):
        read_text(b"a" * 501, 500)
    with pytest.raises(ValueError, match=r"2,001 bytes.*2,000"):
        read_text(b"a" * 2_001, 500)
    assert read_text(b"a" * 500, 500).text == "a" * 500
