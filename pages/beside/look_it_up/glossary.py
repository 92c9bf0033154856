"""The words of the course, each with the lesson that shows it."""

import re
import unicodedata

from pages.beside.look_it_up.entries import Entry, read_terms
from pages.beside.look_it_up.listing import show_list
from pages.kit.part import Part, part


@part()
def show(p: Part) -> None:
    """List the terms by their letters, and find one by a word."""

    def in_words(entry: Entry) -> str:
        term, meaning, code = entry.fields
        in_code = f"  \n{p.label('in_code')} `{code}`" if code else ""
        return f"**{term}**  \n{meaning}{in_code}"

    show_list(p, tuple(sorted(read_terms(), key=by_letters)), in_words)


def by_letters(entry: Entry) -> str:
    """Return what a term is sorted by: [CLS] stands under C, Überraschung under U."""
    letters = unicodedata.normalize("NFKD", entry.fields[0])  # Ü in two signs, the dots go next
    letters = re.sub(r"[\u0300-\u036f]", "", letters)
    return re.sub(r"[^\w]+", " ", letters).strip().casefold()
