"""The papers and books that the lessons name, from docs/references.md."""

from pages.beside.look_it_up.entries import Entry, read_references
from pages.beside.look_it_up.listing import show_list
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part


@part
def show(page: Page) -> None:
    """List the references, and find one by a word."""

    def in_words(entry: Entry) -> str:
        name, reference = entry.fields
        return f"**{name}**  \n{reference}"

    show_list(page, "references", read_references(), in_words)
