"""The plan as a Markdown text to print or to give out, with the whole links."""

from mlm_core.figures.theme import printable
from pages.parts.teaching.lesson_plan import Plan
from pages.parts.teaching.places import place_of
from pages.shared.course.words import Words


def as_markdown(plan: Plan, words: Words, address: str) -> str:
    """Return the plan with a heading for each step; links begin with the app's address."""
    lines = [f"# {plan.title or words.plain('plan_untitled')}", ""]
    lines += [words.section("handout.total", minutes=plan.minutes, n=len(plan.steps)), ""]
    for position, step in enumerate(plan.steps):
        begins = plan.begins(position)
        when = words.plain("when", start=begins, end=begins + step.minutes)
        place = place_of(step.link) if step.link else None
        title = place.title if place else words.plain("no_view")
        lines += [f"## {position + 1}. {title} ({when})", ""]
        if place and address:
            lines += [f"<{address}{place.link}>", ""]
        elif step.link:  # somebody's file may say anything, so this is no link to click
            shown = place.link if place else printable(step.link)
            lines += [f"`{shown.replace('`', '')}`", ""]
        if step.note:
            lines += [step.note, ""]
    return "\n".join(lines).rstrip() + "\n"
