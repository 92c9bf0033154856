"""The part "in short" of every lesson: its summary, with numbers that are computed here.

The words are the section "in_short" of overview.md of the lesson.
"""

from collections.abc import Mapping

from pages.kit.exercises.own_words import show_card, show_explain, show_question
from pages.kit.part import Part, part
from pages.server.course.lessons import computed_of
from pages.server.course.words import questions_of
from pages.server.frame.source import offer_notebook
from pages.server.record import tab_memory


def in_short_of(slug: str) -> Mapping[str, object]:
    """Return the numbers of a lesson's summary: the function `in_short` of its computed.py."""
    computed = computed_of(slug)
    return computed.in_short() if computed and hasattr(computed, "in_short") else {}


@part()
def show(p: Part) -> None:
    """Show the lesson's summary, its open questions, its evidence card and its notebook."""
    with p.working("working", is_timed=False):
        numbers = in_short_of(p.slug)
    p.with_words(f"overview/{p.slug}").say("in_short", **numbers)
    for number, (question, answer) in enumerate(questions_of(p.slug), 1):
        show_question(p, number, question, answer)
    show_explain(p)
    show_card(p)
    offer_notebook(p.page.lesson)
    tab_memory.keep_of_part("in_short")
