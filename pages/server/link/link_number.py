"""Whole numbers that buttons and clicks change, and the link carries (inputs.drawn)."""

from pages.server.link import inputs


def read(label: str, usual: int, *, key: str) -> int:
    """Return such a number; `usual` where there is none, or none that can be read."""
    text = inputs.drawn(label, str(usual), key=key) or ""
    is_number = text.isascii() and text.isdecimal() and len(text) < 5
    value = int(text) if is_number else usual
    keep(key, value, usual)
    return value


def put(key: str, value: int) -> None:
    """Set a number from a callback."""
    inputs.choose(key, str(value))


def show_next(label: str, value: int, *, key: str, button: str, icon: str) -> None:
    """Show a button that adds one to a number."""
    inputs.button(label, changes=key, icon=icon, on_click=put, args=(key, value + 1), key=button)


def keep(key: str, value: int, usual: int) -> None:
    """Keep a number for the next rerun, and in the link unless it is the usual one."""
    inputs.keep(key, str(value), str(usual))
