"""Whose address a request comes from: a proxy's, this host's or a client's.

Read before this: door.py.
"""

from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Scope


def address_of(scope: "Scope") -> str:
    """Return the address of the client that a request comes from."""
    return (scope.get("client") or [""])[0]


def read_address(address: str) -> IPv4Address | IPv6Address | None:
    """Return a client's address, or nothing if it is none, as at a socket of the host.

    >>> read_address("::ffff:127.0.0.1")
    IPv4Address('127.0.0.1')
    """
    try:
        read = ip_address(address)
    except ValueError:
        return None
    return getattr(read, "ipv4_mapped", None) or read


def may_be_a_proxys(address: str) -> bool:
    """Return whether a client may be a proxy that does not say for whom it asks."""
    read = read_address(address)
    return read is None or not read.is_global


def is_this_host(scope: "Scope") -> bool:
    """Return whether this process's own host, or container, asks, and not a proxy on it."""
    read = read_address(address_of(scope))
    is_proxy = any(name in (b"x-forwarded-for", b"forwarded") for name, _ in scope["headers"])
    return read is not None and read.is_loopback and not is_proxy
