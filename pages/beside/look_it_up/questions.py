"""What learners ask, with a short answer and the thing to try."""

from pages.beside.look_it_up.entries import read_entries
from pages.beside.look_it_up.listing import show_list
from pages.kit.part import Part, part


@part()
def show(p: Part) -> None:
    """List the questions, and find one by a word."""
    show_list(p, read_entries(p.words, "questions"))
