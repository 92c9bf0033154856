"""The plan as a page to print or to give out: whole links, each with its QR code."""

from mlm_core.figures.classroom.qr_code import LONGEST_LINK, qr_svg
from mlm_core.figures.theme import escaped
from pages.beside.teaching.lesson_plan import Plan, Step
from pages.beside.teaching.places import place_of
from pages.beside.teaching.plan_own import label_of
from pages.server.classroom.own_step import lines_of
from pages.server.course.language import current
from pages.server.course.words import Words

STYLE = """
body { font: 12pt/1.4 sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }
section { break-inside: avoid; border-top: 1px solid #999; padding: .4rem 0; display: flow-root; }
h2 { font-size: 1.05rem; margin: .3rem 0; }
p { margin: .3rem 0; }
a, code { overflow-wrap: anywhere; font-size: .85rem; }
.qr-code { float: right; width: 6.5rem; margin-left: 1rem; }
"""


def as_html(plan: Plan, words: Words, address: str) -> str:
    """Return the plan as a whole HTML page; links begin with the app's address."""
    title = escaped(plan.title or words.plain("plan_untitled"))
    total = words.section("handout.total", minutes=plan.minutes, n=len(plan.steps))
    steps = "".join(
        _step(step, number, plan.begins(number - 1), words, address)
        for number, step in enumerate(plan.steps, start=1)
    )
    return (
        f'<!doctype html><html lang="{current()}"><meta charset="utf-8">'
        f"<title>{title}</title><style>{STYLE}</style><h1>{title}</h1><p>{escaped(total)}</p>"
        f"{steps}</html>\n"
    )


def _step(step: Step, number: int, begins: int, words: Words, address: str) -> str:
    when = words.plain("when", start=begins, end=begins + step.minutes)
    place = place_of(step.link) if step.link else None
    kind = words.plain(label_of(step.own))
    title = place.title if place else kind
    code = shown = ""
    if place and address:
        link = address + place.link
        shown = f'<p><a href="{escaped(link)}">{escaped(link)}</a></p>'
        if len(link) <= LONGEST_LINK:
            code = qr_svg(link, alt=words.plain("qr_alt"))
    elif step.link:  # somebody's file may say anything, so this is no link to click
        shown = f"<p><code>{escaped(place.link if place else step.link)}</code></p>"
    lines = (*lines_of(step.own), *step.note.splitlines())
    note = "".join(f"<p>{escaped(line)}</p>" for line in lines)
    head = f"<h2>{number}. {escaped(title)} ({escaped(when)})</h2>"
    return f"<section>{code}{head}{shown}{note}</section>"
