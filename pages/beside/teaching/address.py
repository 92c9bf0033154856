"""The app's own address, which every finished link begins with."""

import re
from urllib.parse import urlsplit

from pages.kit.part import Part

KEPT = "address"  # state
LONGEST = 300  # characters
ADDRESS = re.compile(r"[^\s<>\"`\\]+")  # what a link in Markdown can hold
OWN_MACHINE = ("localhost", "127.0.0.1", "[::1]", "0.0.0.0")


def ask_address(p: Part) -> str:
    """Show the address that links begin with, to be changed; return it with "/" at its end.

    Nothing is returned where it is no address: links are relative then.
    """
    typed = p.typed(KEPT, longest=LONGEST, value=p.app_address, help=p.label("address_help"))
    address = read_address(typed)
    if not address:
        p.caption("link.relative")
    elif urlsplit(address).hostname in OWN_MACHINE:
        p.caption("link.own_machine")
    return address


def address(p: Part) -> str:
    """Return the address without a field for it."""
    kept = p.state.get(KEPT)
    return read_address(p.app_address if kept is None else kept)


def read_address(typed: str) -> str:
    """Return an address with "/" at its end, or "" for what is none.

    >>> read_address(" https://school.example/mlm "), read_address("javascript:alert(1)")
    ('https://school.example/mlm/', '')
    """
    typed = typed.strip()
    try:
        parts = urlsplit(typed)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return ""
    if not is_address or parts.query or parts.fragment or not ADDRESS.fullmatch(typed):
        return ""
    return typed.rstrip("/") + "/"
