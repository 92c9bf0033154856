"""Decode the bytes of a text file, and say how sure that is.

    mark of UTF-8, UTF-16, UTF-32    as the mark says
    bytes that are UTF-8             UTF-8: other encodings hardly ever give such bytes by accident
    UTF-8 with some wrong bytes      UTF-8, and the lines with them are named
    bytes with zeros                 UTF-16 without its mark, if charset-normalizer says so
    other bytes                      charset-normalizer tells in which encodings they read as words

Several encodings may fit: byte 0xE8 is è in windows-1252 and č in windows-1250. Where they fit
about as well, the guess is in doubt. However sure it is, the others in which the bytes are a text
are named, with a few words as each would have them. UTF-8 that was encoded twice (wÃ¤rmer) is in
doubt too: both readings are text.

Letters and their marks are composed (NFC), as the models' vocabularies have them, and characters
without width or meaning are left out: otherwise equal words would be different ones.

Source: the WHATWG Encoding Standard, which encodings the web uses; it takes "latin1" to be
windows-1252, and so do we.

Read before this: ../shapes.py.
"""

import codecs
import json
import re
import unicodedata
from dataclasses import dataclass, field, replace
from itertools import accumulate, takewhile

import regex

from mlm_core.number_format import grouped

BYTES_A_CHARACTER = 4  # at most, in UTF-8 and in UTF-16
MARKS = {  # UTF-32's begins as UTF-16's, so it comes first
    codecs.BOM_UTF8: "UTF-8",
    codecs.BOM_UTF32_LE: "UTF-32LE",
    codecs.BOM_UTF32_BE: "UTF-32BE",
    codecs.BOM_UTF16_LE: "UTF-16LE",
    codecs.BOM_UTF16_BE: "UTF-16BE",
}
WEB = {  # by the names of charset-normalizer, in the order in which they are preferred
    **{f"cp125{n}": f"windows-125{n}" for n in (2, 0, 1)},
    "koi8_r": "KOI8-R",
    **{f"cp125{n}": f"windows-125{n}" for n in range(3, 8)},
    "cp932": "CP932",
    "euc_jp": "EUC-JP",
    "gb18030": "GB18030",
    "big5": "Big5",
    "cp949": "UHC",
}
WIDE = {"utf_16_le": "UTF-16LE", "utf_16_be": "UTF-16BE"}
# Of old computers: they count only where windows-1252 doesn't fit.
OLD = {"mac_roman": "macintosh", "cp850": "IBM850"}
# Of charset-normalizer's two scores, from 0 to 1: equally good, not clearly worse.
SAME_NOISE, NEAR_NOISE, SAME_WORDS = 0.03, 0.07, 0.3
LARGEST_SAMPLE = 200_000  # bytes, an even number: a character of UTF-16 has two
LONGEST_SAMPLED, LONGEST_SAMPLE = 100_000, 20  # characters of the text, of a word
SIGNS = "\"',;:.?!()|"  # not of the words that are shown
LINE_END = re.compile(r"\r\n|\r|\n")
FEWEST_LETTERS = 0.5  # of the characters of a text whose encoding was guessed
# Control characters that no text has; tabs and line breaks are none of them.
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
# Soft hyphens, byte order marks, spaces and joiners of no width, at a letter or a sign. In scripts
# without spaces the space of no width separates words.
_NO_WIDTH = r"(?:[\xad\u2060\ufeff]|(?<![\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}])\u200b)++"
_MEANINGLESS = regex.compile(rf"^\ufeff|(?<=\S){_NO_WIDTH}|{_NO_WIDTH}(?=\S)")
TWICE = "UTF-8 × 2"  # the name of this reading: UTF-8 whose bytes were encoded once more
_BYTES = {chr(byte): byte for byte in range(0x80, 0x100)} | {
    bytes([byte]).decode("cp1252", "ignore"): byte for byte in range(0x80, 0x100)
}
_FURTHER = f"[{''.join(one for one, byte in _BYTES.items() if byte < 0xC0)}]"
# As bytes of UTF-8: letters of Europe, signs and further scripts, emoji.
_ENCODED = re.compile(
    rf"[\xc2-\xc5\xce-\xd1]{_FURTHER}|[\xe2-\xef]{_FURTHER}{{2}}|\xf0{_FURTHER}{{3}}|[\x80-\x9f]"
)
KINDS = {  # how files begin that are often taken for text
    b"PK\x03\x04": "a packed file such as .xlsx or .docx",
    b"\xd0\xcf\x11\xe0": "an old document such as .xls or .doc",
    b"%PDF": "a PDF",
    b"\x1f\x8b": "a packed file (.gz)",
}


@dataclass(frozen=True, kw_only=True)
class Decoded:
    """A text, and how its bytes were read."""

    text: str
    encoding: str = "UTF-8"  # Python knows each by this name
    # Encodings in which the bytes are another text, this one first: two words as each has them.
    samples: dict[str, str] = field(default_factory=dict)
    in_doubt: bool = False  # one of them fits as well
    broken_lines: tuple[int, ...] = ()  # with bytes that are no UTF-8, each shown as �
    is_cut: bool = False  # inside the last character


def read_text(data: bytes, longest: int) -> Decoded:
    """Return the text of a file, of at most `longest` characters.

    Raises ValueError if it is too long, or is no text.
    """
    most = BYTES_A_CHARACTER * longest
    if len(data) > most:
        raise ValueError(
            f"the file has {grouped(len(data))} bytes, and {grouped(most)} are allowed: shorten it"
        )
    decoded = decode_text(data)
    if len(decoded.text) > longest:
        raise ValueError(
            f"the text has {grouped(len(decoded.text))} characters, and {grouped(longest)} are"
            " allowed: shorten it"
        )
    return decoded


def decode_text(data: bytes) -> Decoded:
    """Return the text of a file, composed. Raises ValueError if it is none.

    >>> decode_text("It’s a warm film".encode("cp1252")).encoding
    'windows-1252'
    >>> decode_text("Grüße".encode("utf-16")).text
    'Grüße'
    """
    decoded = _decoded(data)
    if decoded is None or _CONTROLS.search(decoded.text):
        if kind := next((name for begin, name in KINDS.items() if data.startswith(begin)), None):
            raise ValueError(
                f"the file is no plain text but {kind}: open it in its program and save it as"
                " plain text or CSV in UTF-8"
            )
        raise ValueError(
            "the file is no plain text: save it as .txt in UTF-8, not as a document or an image"
        )
    if not decoded.encoding.startswith("UTF"):
        return decoded
    once = decoded_as(decoded.text, decoded.encoding, TWICE)
    decoded = replace(decoded, text=composed(decoded.text))
    if once == decoded.text:
        return decoded
    samples = _samples({decoded.encoding: decoded.text, TWICE: once})
    return replace(decoded, samples=samples, in_doubt=True)


def read_json(data: bytes) -> object:
    """Return what a file in JSON says, in whatever encoding, its texts as they were written.

    Raises json.JSONDecodeError, which has the line, or ValueError if the file is no text, or has
    numbers or nesting without end.
    """
    try:
        return json.loads((_decoded(data) or decode_text(data)).text)
    except json.JSONDecodeError:
        decode_text(data)  # raises if it is no text
        raise
    except RecursionError as error:
        raise ValueError(str(error)) from None


def _decoded(data: bytes) -> Decoded | None:
    mark = next((mark for mark in MARKS if data.startswith(mark)), None)
    if mark is not None:
        return _by_mark(data, mark)
    return _as_utf_8(data) or _as_unmarked_utf_16(data) or _guessed(data)


def composed(text: str) -> str:
    r"""Return a text with composed letters (NFC), without characters of no width or meaning.

    >>> composed("Ba\u0308r\u200b"), composed("\ufeffa")
    ('Bär', 'a')
    """
    return text if text.isascii() else _MEANINGLESS.sub("", unicodedata.normalize("NFC", text))


def decoded_as(text: str, now: str, wanted: str) -> str:
    """Return a text that was decoded as `now` as its bytes are in the encoding `wanted`.

    >>> decoded_as("õîðîøî", "windows-1252", "windows-1251")
    'хорошо'
    >>> decoded_as("wÃ¤rmer", "UTF-8", TWICE), decoded_as("MENÜ“", "UTF-8", TWICE)
    ('wärmer', 'MENÜ“')
    """
    if wanted != TWICE:
        return text.encode(now, errors="replace").decode(wanted, errors="replace")
    found = [one for one in _ENCODED.findall(text) if _as_byte_once(one) != one]
    # Of few such pairs among other letters, each may be as it was meant, as in «CAFÉ».
    n_other = len(text) - len(text.encode("ascii", "ignore")) - sum(map(len, found))
    is_twice = sum(map(len, found)) > n_other or any(len(one) == 1 for one in found)
    return composed(_ENCODED.sub(lambda one: _as_byte_once(one[0]), text) if is_twice else text)


def _as_byte_once(characters: str) -> str:
    """Return what characters mean as bytes of UTF-8, one alone as a byte of windows-1252."""
    name = "utf-8" if len(characters) > 1 else "cp1252"
    try:
        return bytes(_BYTES[one] for one in characters).decode(name)
    except UnicodeDecodeError:
        return characters


def _by_mark(data: bytes, mark: bytes) -> Decoded | None:
    name = MARKS[mark]
    data = data.removeprefix(mark)
    if name == "UTF-8":
        return _as_utf_8(data)
    decoder = codecs.getincrementaldecoder(name)()
    try:
        text = decoder.decode(data)
    except UnicodeDecodeError:
        return None
    is_cut = decoder.getstate()[0] != b""
    return None if is_cut and not text else Decoded(text=text, encoding=name, is_cut=is_cut)


def _as_utf_8(data: bytes) -> Decoded | None:
    """Return a text in UTF-8. It may have wrong bytes, but more characters beyond ASCII."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = decoder.decode(data)  # without the beginning of a character at its end
    is_cut = decoder.getstate()[0] != b""
    n_wrong = text.count("\ufffd") - data.count("\ufffd".encode())
    n_right = len(text) - len(text.encode("ascii", "ignore")) - n_wrong
    if "\0" in text or ((n_wrong or is_cut) and n_right <= n_wrong):
        return None
    lines = LINE_END.split(text) if n_wrong else []
    broken = tuple(number for number, line in enumerate(lines, start=1) if "\ufffd" in line)
    return Decoded(text=text, broken_lines=broken, is_cut=is_cut)


def _as_unmarked_utf_16(data: bytes) -> Decoded | None:
    from charset_normalizer import from_bytes

    if b"\0" not in data[:4096]:
        return None
    best = from_bytes(data[:LARGEST_SAMPLE], cp_isolation=list(WIDE)).best()
    if best is None or not _is_in(best.encoding, data):
        return None
    return Decoded(text=data.decode(best.encoding), encoding=WIDE[best.encoding])


def _guessed(data: bytes) -> Decoded | None:
    """Return a text in the encoding in which its bytes read as words; None if they do in none."""
    from charset_normalizer import from_bytes

    if b"\0" in data:
        return None
    texts = _possible(data)
    scores = {}  # of several encodings with one text, the preferred one
    for match in from_bytes(_sample(data), cp_isolation=[*WEB, *OLD]):
        same = [name for name in texts if name in match.could_be_from_charset]
        if same:
            scores[same[0]] = (match.chaos, match.coherence)
    if not scores:
        scores = {name: (0.0, 0.0) for name in texts if name in WEB or not texts.keys() & WEB}
    if not scores:
        return None
    if "cp1252" in texts:  # never above others
        scores.setdefault("cp1252", (1.0, 0.0))
    of_web = {name: score for name, score in scores.items() if name in WEB}
    likely = of_web if "cp1252" in _fitting(of_web, SAME_NOISE) else scores
    fitting = _fitting(likely, SAME_NOISE)
    best, *others = sorted(  # of equal ones the preferred one stays first
        texts, key=lambda name: (name not in fitting, scores.get(name, (1.0,))[0] == 1.0)
    )
    samples = _samples({(WEB | OLD)[name]: texts[name] for name in (best, *others)})
    return Decoded(
        text=data.decode(best),
        encoding=(WEB | OLD)[best],
        samples=samples,
        in_doubt=len(_fitting(likely, NEAR_NOISE)) > 1,
    )


def _possible(data: bytes) -> dict[str, str]:
    """Return the encodings in which the bytes are a text, with a sample; equal ones once."""
    sample, texts = _sample(data), {}
    for name in filter(lambda name: _is_in(name, data), [*WEB, *OLD]):
        text = sample.decode(name)
        if not _CONTROLS.search(text) and _letters(text) >= FEWEST_LETTERS:
            texts.setdefault(text, name)
    return {name: text for text, name in texts.items()}


def _sample(data: bytes) -> bytes:
    """Return the first lines that aren't ASCII of a large file, a small one whole.

    The library keeps the text in each encoding: without this, 130 MB for a file of 4 MB.
    """
    if len(data) <= LARGEST_SAMPLE:
        return data
    lines = [line for line in data.split(b"\n") if not line.isascii()]
    sizes = accumulate(len(line) + 1 for line in lines)
    n_lines = sum(1 for _ in takewhile(lambda size: size <= LARGEST_SAMPLE, sizes))
    return b"\n".join(lines[:n_lines]) or data


def _letters(text: str) -> float:
    """Return the proportion of letters, digits and spaces."""
    return sum(one.isalnum() or one.isspace() for one in text) / max(1, len(text))


def _is_in(encoding: str, data: bytes) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _fitting(scores: dict[str, tuple[float, float]], same_noise: float) -> list[str]:
    """Return the encodings of about the least noise and the most known words."""
    least = min((noise for noise, _ in scores.values()), default=0)
    most = max((words for _, words in scores.values()), default=0)
    return [
        name
        for name, (noise, words) in scores.items()
        if noise <= least + same_noise and words >= most - SAME_WORDS
    ]


def _samples(texts: dict[str, str]) -> dict[str, str]:
    """Return two words that differ most, as each of the texts has them."""
    words = [
        [one.strip(SIGNS) for one in re.split(r"[ \t\r\n]+", text[:LONGEST_SAMPLED])]
        for text in texts.values()
    ]
    rows = dict.fromkeys(row for row in zip(*words, strict=False) if not "".join(row).isascii())
    rows = sorted(rows, key=lambda row: -len(set(row)))[:2]
    return {name: " ".join(row[i][:LONGEST_SAMPLE] for row in rows) for i, name in enumerate(texts)}
