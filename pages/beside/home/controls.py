"""The controls of the home page."""

from pages.kit.rows import OPENING, drawn, text

CONTROLS = (text("text", at=OPENING, label="sentence"), drawn("hidden", at=OPENING))
