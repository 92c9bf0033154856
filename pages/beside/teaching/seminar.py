"""The open questions of all lessons for a seminar, three a lesson; to print or save."""

from pages.kit.part import Part, part
from pages.server.course.lessons import LESSONS
from pages.server.course.words import questions_of


@part(words=("seminar",))
def show(p: Part) -> None:
    """Save the questions of all lessons, with model answers or without."""
    p.say("lead")
    with p.row("top"):
        for kind in ("questions", "answers"):
            text = as_markdown(p, with_answers=kind == "answers")
            file = (f"seminar-{kind}.md", "text/markdown", f"save_{kind}")
            p.download(f"seminar_{kind}", text, *file, icon="print")


def as_markdown(p: Part, *, with_answers: bool) -> str:
    """Return the questions of all lessons as a text to print."""
    lines = [f"# {p.plain('title')}", ""]
    for lesson in LESSONS:
        questions = questions_of(lesson.slug)
        lines += [f"## {p.title_of(lesson.slug)}", ""] if questions else []
        for number, (question, answer) in enumerate(questions, 1):
            lines += [f"{number}. {question}", ""]
            if with_answers:
                lines += [f"   *{p.plain('answer')}:* {answer}", ""]
    return "\n".join(lines).rstrip() + "\n"
