"""Which data the app handles, from docs/privacy.md, and whom the host names."""

import re

from pages.kit.part import Part, part
from pages.server.course.host import said_by_host
from pages.server.course.lessons import ROOT
from pages.server.course.sections import FIRST

LAST_CELL = re.compile(r"\|[^|]*\|$", re.MULTILINE)  # the tests, which are for who reads the code


@part()
def show(p: Part) -> None:
    """Show the document's beginning, as far as it is for visitors, and the host's own words."""
    of_language = "" if p.words_language == FIRST else f".{p.words_language}"
    document = (ROOT / f"docs/privacy{of_language}.md").read_text(encoding="utf-8")
    for paragraph in for_visitors(document).split("\n\n"):  # the table scrolls, a text does not
        p.write(paragraph)
    said = said_by_host()
    p.heading("privacy_host")
    p.write("  \n".join(said.values()) if said else p.section("nothing_said"))


def for_visitors(document: str) -> str:
    """Return what is between the title and the second heading, without the last column."""
    return LAST_CELL.sub("|", document.partition("\n\n")[2].partition("\n## ")[0].strip())
