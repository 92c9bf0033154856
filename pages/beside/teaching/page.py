"""The row of this page, and those of its controls."""

from pages.kit.rows import Lesson, choice, listed
from pages.server.record.receipt import secret_of_host

PAGE = Lesson(
    slug="teaching",
    file="pages/14_teaching.py",
    icon=":material/co_present:",
    parts=("link", "plan", "room", "study", "receipts", "documents", "privacy"),
    offered={"receipts": secret_of_host},
    moved=dict.fromkeys(("seminar", "errata", "know"), "documents"),
)

CONTROLS = (
    choice("from", ("lists", "link"), at="link"),
    listed("lesson", at="link"),
    listed("lesson_part", at="link"),
    choice(
        "room_what",
        ("votes", "progress", "sentences", "questions", "encoder", "map", "summary"),
        at="room",
        label="what",
        words="room",
    ),
)
