"""A receipt: one line that says what a learner solved in one visit, signed by the host.

    signed(Receipt(name="Ada", date=..., visit=..., solved={"masking": ("why",)}), secret)
        ->  MLM1.<mark of the host>.<what it says>.<signature>
    read_lines(text, secret)  ->  a Line for each receipt in what a teacher pasted

What it says is packed JSON. All is written in base32, of which no mail program changes a letter:
it may break the line and quote it, also with marks of HTML or characters of no width. The
signature is an HMAC (RFC 2104) with SHA-256, cut to 160 bits, by a secret that only the host
knows. The host's mark comes from the same secret and gives nothing of it away. docs/teaching.md
says what a receipt proves and what not.

Read before this: learners_record.py.
"""

import base64
import hashlib
import hmac
import html
import json
import os
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from mlm_core.figures.theme import printable
from mlm_core.text.plain_text import composed

SETTING = "MLM_RECEIPT_SECRET"
SHORTEST_SECRET = 32  # characters; who has a line can try short secrets one by one
LONGEST_NAME = 80  # characters
MOST_CHARACTERS, MOST_LINES = 400_000, 5_000  # that are read at once
MOST_PIECES = 40  # of a broken receipt; one of all exercises has 900 letters
BEGINNING = 24  # characters of a line, to find it by

BEGINS = re.compile(r"(?<![A-Za-z0-9])(?=MLM\d{1,3}\.)", re.ASCII | re.IGNORECASE)
# The one is the version: one more when an older app could no longer read what is written.
RECEIPT = re.compile(r"MLM1\.([A-Z2-7]{8})\.([A-Z2-7]+)\.([A-Z2-7]{32})")
HTML_TAG = re.compile(r"</?[A-Za-z]{1,6}\s*/?>")
GOES_ON = re.compile(r"[A-Z2-7.>|=\s]+")  # a line that can be the rest of one that was broken
NO_LETTER = re.compile(r"[^A-Za-z0-9.]+")

State = Literal["valid", "twice", "altered", "other_host", "unreadable", "no_receipt"]


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What a receipt says."""

    name: str  # as the learner typed it
    date: str
    visit: str  # a random id: lines of one visit have the same
    # By lesson, in how many attempts each exercise was; 0 in a receipt of an older app.
    solved: Mapping[str, Mapping[str, int]]

    @property
    def n_solved(self) -> int:
        """Return the number of exercises."""
        return sum(map(len, self.solved.values()))


@dataclass(frozen=True, kw_only=True)
class Line:
    """What a teacher pasted: a receipt, or what isn't one."""

    number: int  # of the line in the field, where it begins
    beginning: str
    state: State
    receipt: Receipt | None = None  # if this host signed it
    counts: "Line | None" = None  # one of the same visit that counts in place of it


def secret_of_host(environment: Mapping[str, str] = os.environ) -> bytes | None:
    """Return the secret that this host signs with; None if it has none that is long enough."""
    given = environment.get(SETTING, "").strip()
    return given.encode("utf-8", "surrogateescape") if len(given) >= SHORTEST_SECRET else None


def as_name(typed: str) -> str:
    r"""Return what a learner typed as a name on one line; "" if no letter or digit is in it.

    >>> as_name("  Ada \n Lovelace"), as_name("\u200b ...")
    ('Ada Lovelace', '')
    """
    name = printable(" ".join(typed.split()))[:LONGEST_NAME]
    return name if any(map(str.isalnum, name)) else ""


def signed(receipt: Receipt, secret: bytes) -> str:
    """Return the line of a receipt."""
    said = [receipt.name, receipt.date, receipt.visit, receipt.solved]
    packed = zlib.compress(json.dumps(said, ensure_ascii=False).encode(), 9)
    body = base64.b32encode(packed).decode().rstrip("=")
    return f"MLM1.{host_mark(secret)}.{body}.{_signature(body, secret)}"


def host_mark(secret: bytes) -> str:
    """Return what everybody may see of a host's secret."""
    return _keyed_hash(secret, "host")[:8]


def read_lines(text: str, secret: bytes) -> list[Line]:
    """Return what was pasted, receipt by receipt; of one visit the fullest line counts."""
    plain = HTML_TAG.sub(" ", composed(html.unescape(text[:MOST_CHARACTERS])))
    pieces = _pieces(plain)[:MOST_LINES]
    lines = [_read(number, piece, secret) for number, piece in pieces]
    of_visit: dict[str, Line] = {}  # the line of a visit that counts
    for line in lines:
        if line.receipt:
            best = of_visit.setdefault(line.receipt.visit, line)
            if best.receipt and line.receipt.n_solved > best.receipt.n_solved:
                of_visit[line.receipt.visit] = line
    for i, line in enumerate(lines):
        if line.receipt and (best := of_visit[line.receipt.visit]) is not line:
            lines[i] = replace(line, state="twice", counts=best)
    return lines


def _pieces(text: str) -> list[tuple[int, str]]:
    """Return the receipts and other lines in a text, each with the number of its line.

    The rest of a receipt that was broken is put to it; what stands before or behind one on its
    line, such as a name, is left out.
    """
    found: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        before, *begun = BEGINS.split(line)
        if found and GOES_ON.fullmatch(before) and _is_open(found[-1][1]):
            found[-1][1].append(before)
        elif before.strip() and not begun:
            found.append((number, [before]))
        found += [(number, [piece]) for piece in begun]
    return [(number, "".join(pieces)) for number, pieces in found]


def _is_open(pieces: list[str]) -> bool:
    """Return whether these are the beginning of a receipt."""
    is_begun = len(pieces) < MOST_PIECES and BEGINS.match(pieces[0])
    return bool(is_begun) and not RECEIPT.match(_letters("".join(pieces)))


def _read(number: int, piece: str, secret: bytes) -> Line:
    beginning = printable(" ".join(piece[: 2 * BEGINNING].split()), BEGINNING)
    receipt, state = None, "unreadable" if BEGINS.match(piece) else "no_receipt"
    if match := RECEIPT.match(_letters(piece)):
        host, body, signature = match.groups()
        is_signed = hmac.compare_digest(signature, _signature(body, secret))
        is_ours = host == host_mark(secret)
        state = "altered" if is_signed or is_ours else "other_host"
        if is_signed and is_ours:
            receipt, state = _unpacked(body), "valid"
    return Line(number=number, beginning=beginning, state=state, receipt=receipt)


def _unpacked(body: str) -> Receipt:
    """Return what a body says; only one that this host signed comes here."""
    packed = base64.b32decode(body + "=" * (-len(body) % 8))
    name, date, visit, solved = json.loads(zlib.decompress(packed))
    # An older app wrote names alone, and reads names alone from what is written now.
    tries = {
        slug: dict(names) if isinstance(names, dict) else dict.fromkeys(names, 0)
        for slug, names in solved.items()
    }
    return Receipt(name=name, date=date, visit=visit, solved=tries)


def _letters(piece: str) -> str:
    return NO_LETTER.sub("", piece).upper()


def _signature(body: str, secret: bytes) -> str:
    return _keyed_hash(secret, f"MLM1.{body}")[:32]


def _keyed_hash(secret: bytes, text: str) -> str:
    digest = hmac.new(secret, text.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest).decode()
