"""The textbook's equations and figures by number, each with the views that compute it."""

import re

from pages.beside.look_it_up.entries import Entry, read_entries
from pages.beside.look_it_up.listing import show_list
from pages.kit.part import Part, part
from pages.server.course.equations import EQUATIONS, numbered

EQUATIONS_NAMED = re.compile(r"Eq ((?:11\.\d+\W+(?:and )?)+)")


@part()
def show(p: Part) -> None:
    """List the rows, and find one by its number or a word."""
    show_list(p, read_entries(p.words, "textbook"), in_words)


def in_words(entry: Entry) -> str:
    """Return where a row stands in the textbook, what it is, and its equations."""
    _row, what, where = entry.fields
    named = "".join(EQUATIONS_NAMED.findall(f"{where}."))
    numbers = [number for number in re.findall(r"11\.\d+", named) if number in EQUATIONS]
    shown = "".join(f"\n\n$$\n{numbered(number)}\n$$" for number in numbers)
    return f"**{where}**  \n{what}{shown}"
