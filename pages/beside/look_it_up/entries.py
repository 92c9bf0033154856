"""Lists to look things up in: one entry a line of a text file, each with links to views.

    term | what it says | masking: opening, rule?masking_unit=word; isotropy: formula

Fields stand between " | ". The last one names pages by slug and their parts by name;
"opening" is the top of the lesson, and "?" is followed by further parameters of the link.
The terms of the glossary are rows of a Markdown table instead, docs/terms.md, and so are the
references, docs/references.md.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from pages.kit.rows import OPENING
from pages.server.course.language import current
from pages.server.course.lessons import PAGES, Lesson
from pages.server.course.terms import TERMS_FILE, read_table, terms_in
from pages.server.course.words import Words, read_words

LISTS = ("textbook", "questions", "glossary", "references")  # parts of this page
REFERENCES_FILE = TERMS_FILE.with_name("references.md")
BETWEEN_FIELDS = " | "
FORMULA = re.compile(r"\$[^$]*\$")
MOST_WORDS = 12  # of a search; a text pasted into the field has more
LONGEST_SEARCH = 200  # characters
LONGEST_SHORT = 3  # letters of a word that stands inside too many others


@dataclass(frozen=True, kw_only=True)
class Place:
    """A view to link to: a part of a lesson, with what it shall show."""

    lesson: Lesson
    part: str  # OPENING or the name of one of the lesson's parts
    settings: dict[str, str] = field(default_factory=dict)  # further parameters of the link

    def title(self, opening: str) -> str:
        """Return the lesson's title and the part's; `opening` is what the top is called."""
        words = read_words(self.lesson.slug)
        part = opening if self.part == OPENING else words.label(f"part_{self.part}")
        return f"{words.label('title')}: {part}"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One line of a list."""

    fields: tuple[str, ...]  # Markdown, the place column left out
    places: tuple[Place, ...]


def read_entries(words: Words, section: str) -> tuple[Entry, ...]:
    """Return the entries of a section, in the order of its lines."""
    return tuple(map(_entry, filter(None, words.section(section).splitlines())))


def read_terms(language: str | None = None) -> tuple[Entry, ...]:
    """Return the terms of docs/terms.md: name, definition and name in the code, with their links.

    Names and definitions are in the visit's language by default; a term that the language lacks
    is in English.
    """
    named = terms_in(language or current())
    return tuple(
        Entry(
            fields=(*named[term], code.strip("`")),
            places=tuple(_places(links)),
        )
        for term, _definition, _symbol, code, links in read_table(TERMS_FILE)
    )


def read_references() -> tuple[Entry, ...]:
    """Return the rows of docs/references.md: authors with year, and the whole reference."""
    return tuple(Entry(fields=tuple(row), places=()) for row in read_table(REFERENCES_FILE))


def read_list(words: Words, name: str) -> tuple[Entry, ...]:
    """Return the entries of a list by its name, in the visit's language."""
    if name == "glossary":
        return read_terms()
    return read_references() if name == "references" else read_entries(words, name)


def matching(
    entries: Sequence[Entry], asked: str, same_words: str = "", *, opening: str = ""
) -> list[Entry]:
    """Return the entries in which every asked word occurs; none asked for leaves all.

    First come those whose name begins with the first word, then those that have it in their
    name, then in their text, then in the title of a linked part only. A number is found whole:
    11.1 does not find 11.12, and 10.7 finds 11.7, which is another draft's number of it. A line of
    `same_words` holds words that count as one.
    """
    groups = [_plain(line).split() for line in same_words.splitlines()]
    words = [word.strip("().,:;") for word in _plain(asked[:LONGEST_SEARCH]).split()]
    wanted = [
        _pattern(
            word,
            [*_other_draft(word), *(one for group in groups if word in group for one in group)],
        )
        for word in list(filter(None, words))[:MOST_WORDS]
    ]
    if not wanted:
        return list(entries)
    ranked = []
    for entry in entries:
        name, text = _plain(entry.fields[0]), _plain(" ".join(entry.fields))
        titles = _plain(" ".join(place.title(opening) for place in entry.places))
        if not all(pattern.search(f"{text} {titles}") for pattern in wanted):
            continue
        in_text = all(pattern.search(text) for pattern in wanted)
        ranks = (wanted[0].match(name), wanted[0].search(name), in_text, True)
        ranked.append((next(i for i, rank in enumerate(ranks) if rank), entry))
    return [entry for _, entry in sorted(ranked, key=lambda pair: pair[0])]


def _entry(line: str) -> Entry:
    *fields, places = (text.strip() for text in line.split(BETWEEN_FIELDS))
    return Entry(fields=tuple(fields), places=tuple(_places(places)))


def _places(text: str) -> Iterator[Place]:
    for of_lesson in text.split(";"):
        slug, _, names = (text.strip() for text in of_lesson.partition(":"))
        for name in names.split(","):
            part, _, settings = name.strip().partition("?")
            yield Place(lesson=PAGES[slug], part=part, settings=dict(parse_qsl(settings)))


def _plain(text: str) -> str:
    """Return a text as it is compared: small letters, no formulas, hyphens as spaces."""
    text = FORMULA.sub(" ", text) if text.count("$") % 2 == 0 else text
    return re.sub(r"[-‐‑*_„“”\s]+", " ", unicodedata.normalize("NFKC", text).casefold()).strip()


def _other_draft(word: str) -> list[str]:
    """Return the older draft's number of an equation or figure, where the chapter was the 11th."""
    return [word.replace("10.", "11.", 1)] if re.fullmatch(r"10\.\d+", word) else []


def _pattern(asked: str, same: Sequence[str]) -> re.Pattern[str]:
    """Return what finds a word or one that means the same; a number only where no digit goes on.

    A short word is looked for where words begin, and whole if it was not asked for itself: "ner"
    for names would else be found in "einer" and "learner", "mu" for the mean in "must".
    """
    alternatives = []
    for word in dict.fromkeys([asked, *same]):
        before = after = ""
        if re.fullmatch(r"[\d.]*\d", word):
            before, after = r"(?<![\d.])", r"(?!\d)"
        elif len(word) <= LONGEST_SHORT and word.isalpha():
            before, after = r"(?<!\w)", "" if word == asked else r"(?!\w)"
        alternatives.append(f"{before}{re.escape(word)}{after}")
    return re.compile("|".join(alternatives))
