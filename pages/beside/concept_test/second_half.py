"""The questions of the second session."""

from pages.beside.concept_test.asked import ask
from pages.kit.part import Part, part


@part()
def show(p: Part) -> None:
    """Ask them, before the lessons and after."""
    ask(p)
