"""Documents to save and print: open questions, errors in the sources, what to know before class."""

from pages.kit.part import Part, part
from pages.server.course.lessons import LESSONS, ROOT
from pages.server.course.sections import FIRST
from pages.server.course.words import questions_of

STORED = ("errata", "before_class")  # docs/errata.md, and docs/errata.de.md in German


@part()
def show(p: Part) -> None:
    """Offer each document in the language of the words."""
    p.say("lead")
    of_language = "" if p.words_language == FIRST else f".{p.words_language}"
    with p.row("top"):
        p.download("questions", as_markdown(p), "open_questions.md", "text/markdown")
        for name in STORED:
            file = ROOT / f"docs/{name}{of_language}.md"
            p.download(name, file.read_bytes, f"{name}.md", "text/markdown")
    p.with_words("pocket").caption("offer")


def as_markdown(p: Part) -> str:
    """Return the open questions of all lessons for a seminar, and then their model answers."""
    lines = []
    for i, title in enumerate(("questions", "answers")):
        lines += [f"# {p.plain(title)}", ""]
        for lesson in LESSONS:
            asked = questions_of(lesson.slug)
            lines += [f"## {p.title_of(lesson.slug)}", ""] if asked else []
            lines += [f"{number}. {texts[i]}\n" for number, texts in enumerate(asked, 1)]
    return "\n".join(lines)
