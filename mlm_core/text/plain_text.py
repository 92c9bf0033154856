"""Decode the bytes of a text file: UTF-8, UTF-16 with its mark, or Latin-1.

Any bytes can be decoded as Latin-1, so it is tried last, and its text is accepted only if most
of it is letters and spaces, without control characters.

Read before this: ../shapes.py.
"""

import codecs
import re

from mlm_core.number_format import grouped

BYTES_A_CHARACTER = 4  # at most, in UTF-8 and in UTF-16
FEWEST_LETTERS = 0.7  # of a Latin-1 text's characters, spaces included
# Control characters that no text has; tabs and line breaks are none of them.
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")


def read_text(data: bytes, longest: int) -> str:
    """Return the text of a file, of at most `longest` characters.

    Raises ValueError if it is too long, or is no text.
    """
    most = BYTES_A_CHARACTER * longest
    if len(data) > most:
        raise ValueError(
            f"the file has {grouped(len(data))} bytes, and {grouped(most)} are allowed: shorten it"
        )
    text = decode_text(data)
    if len(text) > longest:
        raise ValueError(
            f"the text has {grouped(len(text))} characters, and {grouped(longest)} are allowed:"
            " shorten it"
        )
    return text


def decode_text(data: bytes) -> str:
    """Return the text of a file. Raises ValueError if it is none.

    >>> decode_text("Grüße".encode("latin-1")), decode_text("Grüße".encode("utf-16"))
    ('Grüße', 'Grüße')
    """
    has_mark = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = None
    try:
        text = data.decode("utf-16" if has_mark else "utf-8-sig")
    except UnicodeDecodeError:
        if not has_mark:
            text = _as_latin_1(data)
    if text is None or _CONTROLS.search(text):
        raise ValueError(
            "the file is no plain text: save it as .txt in UTF-8, not as a document or an image"
        )
    return text


def _as_latin_1(data: bytes) -> str | None:
    text = data.decode("latin-1")
    n_plain = sum(character.isalpha() or character.isspace() for character in text)
    return text if n_plain > FEWEST_LETTERS * len(text) else None
