"""What lesson.py, or another page's page.py, is written with: its row, a row for each control."""

from pages.server.course.rows import (
    OPENING,
    Control,
    Lesson,
    Options,
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
    "Control",
    "Lesson",
    "Options",
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
