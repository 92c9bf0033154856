"""The textbook's equations and figures by number, each with the views that compute it."""

from pages.parts.look_it_up.entries import Entry, read_entries
from pages.parts.look_it_up.listing import show_list
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """List the rows, and find one by its number or a word."""

    def in_words(entry: Entry) -> str:
        row, what, where = entry.fields
        return f"**{where}** :small[· {page.words.label('textbook_row', row=row)}]  \n{what}"

    show_list(page, "textbook", read_entries(page.words, "textbook", n_fields=4), in_words)
