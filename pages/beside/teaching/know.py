"""What a teacher should know before class, in short."""

from pages.kit.part import Part, part

SECTIONS = ("before", "learners", "offline", "links", "locks", "seeds", "privacy")


@part()
def show(p: Part) -> None:
    """Show one short section after another."""
    for name in SECTIONS:
        p.write(f"#### {p.label(name)}")
        p.say(name)
