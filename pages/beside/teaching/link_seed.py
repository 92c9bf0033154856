"""Whose numbers: each learner's own, one number for all, or nothing said."""

from pages.beside.teaching.view import View
from pages.kit.part import Part

KINDS = ("none", "same", "own")
USUAL, LARGEST = 4711, 999_999_999


def ask_seed(p: Part, view: View) -> View:
    """Show the choice; return the view with it."""
    start = "own" if view.has_own_numbers else "none" if view.number is None else "same"
    number = USUAL if view.number is None else view.number
    with p.row():
        kinds = {name: p.label(f"seed_{name}") for name in KINDS}
        # Another link begins with what it says itself.
        kind = p.segments(f"seed_{start}", kinds, "seed", default=start, wrap=True)
        if kind == "same":
            name = f"seed_number_{number}"
            number = p.counted(name, 0, LARGEST, number, "seed_number", width=160)
    p.caption(f"seed.{kind}")
    if kind == "own":
        return view.with_own_numbers()
    return view.with_number(number if kind == "same" else None)
