"""The row of this page, and those of its controls."""

from pages.kit.rows import Lesson

PAGE = Lesson(
    slug="teaching",
    file="pages/14_teaching.py",
    icon=":material/co_present:",
    parts=("link", "plan", "room", "receipts", "seminar", "errata", "know"),
)

CONTROLS = ()
