"""The terms of docs/terms.md, and how a text explains one in place.

    A [[span]] is marked by B- and I-.          the term "Span", shown as "span"
    The loss is the [[surprise|Surprisal]].     the term "Surprisal", shown as "surprise"

Such a mark becomes a link to the term in the glossary, which opens beside the page, with the
first sentence of its definition as the link's title and the view that shows it behind a #.
pages/server/frame/term_notes.py shows both on hover, focus and tap. Mark a term where a lesson's
opening or part has it first.
"""

import re
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from mlm_core.text.sentences import split_sentences
from pages.server.course.sections import FIRST, IN_LINK, TEXT_FOLDER

TERMS_FILE = Path(__file__).parents[3] / "docs/terms.md"
GLOSSARY = "look_it_up?"  # how every link to a term begins
_MARK = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]|]+))?\]\]")
_FORMULA = re.compile(r"(?:[:,] )?\$[^$]*\$(?:, with[^.]*|, mit[^.]*| (?:for|für|with|mit)[^.]*)?")


def read_table(file: Path) -> list[list[str]]:
    """Return the cells of a Markdown table's rows; none if there is no file."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    rows = [line[1:-1].split("|") for line in lines if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]  # after the head and its rule


@cache
def terms_in(language: str) -> dict[str, tuple[str, str]]:
    """Return each term's name and definition in a language, by its English name.

    What the language lacks is in English.
    """
    english = {row[0]: (row[0], row[1]) for row in read_table(TERMS_FILE)}
    translated = read_table(TEXT_FOLDER / language / "terms.md")
    return english | {term: (name, text) for term, name, text in translated}


def explained(text: str, language: str) -> str:
    """Return a text in which each marked term is a link with its definition as title.

    Raises KeyError for a mark that names no term.
    """

    def link(mark: re.Match[str]) -> str:
        shown, asked = mark[1], (mark[2] or mark[1])
        by_name = {term.casefold(): found for term, found in terms_in(language).items()}
        if asked.casefold() not in by_name:
            raise KeyError(f"[[{asked}]] is marked as a term, but docs/terms.md has no {asked!r}")
        name, definition = by_name[asked.casefold()]
        query = {"look_it_up_part": "glossary", "look_it_up_search": name}
        in_language = {} if language == FIRST else {IN_LINK: language}
        view = view_of(_places()[asked.casefold()], in_language)
        glossary = f"{GLOSSARY}{urlencode(query | in_language)}{view and '#'}{view}"
        return f'[{shown}]({glossary} "{first_sentence(definition)}")'

    return _MARK.sub(link, text)


@cache
def _places() -> dict[str, str]:
    """Return where the lessons show each term, as docs/terms.md says it."""
    return {row[0].casefold(): row[-1] for row in read_table(TERMS_FILE)}


def view_of(places: str, more: dict[str, str]) -> str:
    """Return the link of the first of a term's places, with `more` settings; "" for no place.

    >>> view_of("word_senses: map, umap; isotropy: opening", {"lang": "de"})
    'word_senses?word_senses_part=map&lang=de'
    """
    lesson, _, parts = places.partition(";")[0].partition(": ")
    part, _, settings = parts.partition(",")[0].partition("?")
    chosen = {} if part == "opening" else {f"{lesson}_part": part}
    query = urlencode(chosen | dict(parse_qsl(settings)) | more)
    return f"{lesson}?{query}".rstrip("?")


def first_sentence(definition: str) -> str:
    """Return a definition's first sentence as plain text, for where no formula can be drawn.

    >>> first_sentence("Numbers that sum to 1: $y_k = e^{u_k}$. It is smooth.")
    'Numbers that sum to 1.'
    """
    return split_sentences(_FORMULA.sub("", definition))[0]
