"""The papers and books that the lessons name, from docs/references.md."""

from pages.beside.look_it_up.entries import read_references
from pages.beside.look_it_up.listing import show_list
from pages.kit.part import Part, part


@part()
def show(p: Part) -> None:
    """List the references, and find one by a word."""
    show_list(p, read_references())
