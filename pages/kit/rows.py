"""What lesson.py, or another page's page.py, is written with: its row, a row for each control."""

from pages.server.course.rows import (
    OPENING,
    Lesson,
    area,
    choice,
    drawn,
    listed,
    number,
    played,
    position,
    several,
    slider,
    step,
    text,
    toggle,
)

__all__ = [
    "OPENING",
    "Lesson",
    "area",
    "choice",
    "drawn",
    "listed",
    "number",
    "played",
    "position",
    "several",
    "slider",
    "step",
    "text",
    "toggle",
]
