"""Bytes to text: the encodings that editors write, and what is refused."""

import codecs

import pytest

from mlm_core.text.plain_text import decode_text, read_text


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


def test_a_text_that_is_too_long_is_refused_with_both_sizes():
    with pytest.raises(ValueError, match=r"501 characters.*500"):
        read_text(b"a" * 501, 500)
    with pytest.raises(ValueError, match=r"2,001 bytes.*2,000"):
        read_text(b"a" * 2_001, 500)
    assert read_text(b"a" * 500, 500).text == "a" * 500
