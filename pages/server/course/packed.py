"""Data as a short text for a parameter of a link, and back: deflated, in URL-safe Base64."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode


def packed(data: bytes) -> str:
    """Return data as a parameter of a link.

    >>> unpacked(packed(b"a plan"), 10)
    b'a plan'
    """
    return urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


def unpacked(text: str, largest: int) -> bytes:
    """Return such data, of which no more than one byte above `largest` is unpacked.

    Raises ValueError.
    """
    stream = zlib.decompressobj()
    try:
        found = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        data = stream.decompress(found, largest + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not stream.eof and len(data) <= largest:
        raise ValueError("its end is missing: copy the whole link")
    return data
