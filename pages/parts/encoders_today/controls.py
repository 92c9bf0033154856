"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, choice, listed

CONTROLS = (
    listed("search_query", at=OPENING, start="0"),
    choice("memory_for", ("fine_tuning", "32", "16", "4"), at="tuned_or_prompted", start="16"),
    choice("reach_way", ("absolute", "rotary", "local"), at="reach"),
    choice("published_task", at="published", start="MNLI"),
)
