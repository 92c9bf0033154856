"""Documents to save and print: open questions, errors in the sources, what to know before class.

And what an LMS takes: questions with right answers, and links to all lessons.
"""

from functools import partial

from mlm_core.exercises.own.gift import write_gift
from mlm_core.exercises.own.own_question import OwnQuestion
from mlm_core.exercises.own.qti import write_qti
from pages.beside.teaching import plan_memory, plan_state
from pages.beside.teaching.address import ask_address
from pages.beside.teaching.cartridge import as_cartridge
from pages.beside.teaching.questions_to_save import SEED, as_html, by_category
from pages.kit.part import Part, part
from pages.server.course.lessons import LESSONS, ROOT
from pages.server.course.sections import FIRST
from pages.server.course.words import questions_of
from pages.server.room import membership

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
    box = p.box("lms", "school")
    if box.open:
        with box:
            _for_lms(p)


def _for_lms(p: Part) -> None:
    """Offer the questions in two formats, and links to all lessons and ready plans."""
    plan_memory.keep(p)
    steps = (step.own for step in plan_state.current(p).steps)
    own = {p.plain("own_questions"): [one for one in steps if isinstance(one, OwnQuestion)]}
    is_learner = membership.current() is not None  # in a room, which measures with the test
    categories = by_category(p.words_language, not is_learner) | (own if any(own.values()) else {})
    n = sum(map(len, categories.values()))
    p.say("lms_questions", n=n, seed=SEED)
    p.caption("lms_in_room" if is_learner else "lms_for_all")
    with p.row("top"):
        p.download("gift", write_gift(categories), "questions-gift.txt", "text/plain")
        pack = partial(write_qti, categories, as_html)
        p.download("qti", pack, "questions-qti.zip", "application/zip")
    p.say("lms_links")
    address = ask_address(p)
    plans = {p.plain(f"start_{name}"): plan_state.example(p, name) for name in plan_state.EXAMPLES}
    cartridge = as_cartridge(plans, p.words, address, p.words_language)
    settings = ("lessons.imscc", "application/zip")
    p.download("cartridge", cartridge, *settings, disabled=not address)


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
