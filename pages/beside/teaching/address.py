"""The app's own address, which every finished link begins with."""

import re
from urllib.parse import urlsplit

import streamlit as st

from pages.server.frame.page_frame import Page

KEY = "teaching_address"
LONGEST = 300  # characters
ADDRESS = re.compile(r"[^\s<>\"`\\]+")  # what a link in Markdown can hold
OWN_MACHINE = ("localhost", "127.0.0.1", "[::1]", "0.0.0.0")


def ask_address(page: Page) -> str:
    """Show the address that links begin with, to be changed; return it with "/" at its end.

    Nothing is returned where it is no address: links are relative then.
    """
    words = page.words
    typed = st.text_input(
        words.label("address"),
        _of_this_page(page.lesson.slug),
        key=KEY,
        max_chars=LONGEST,
        persist_state="session",
        help=words.label("address_help"),
        autocomplete="off",
    )
    address = read_address(typed or "")
    if not address:
        st.caption(words.section("link.relative"))
    elif urlsplit(address).hostname in OWN_MACHINE:
        st.caption(words.section("link.own_machine"))
    return address


def address(page: Page) -> str:
    """Return the address without a field for it."""
    kept = st.session_state.get(KEY)
    return read_address(_of_this_page(page.lesson.slug) if kept is None else kept)


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


def _of_this_page(slug: str) -> str:
    """Return the address as the browser has it, also below a path, without this page's name."""
    url = (st.context.url or "").rstrip("/")
    return url.removesuffix(f"/{slug}") + "/" if url else ""
