"""The row of this lesson, and those of its controls."""

from pages.kit.rows import Lesson, choice

LESSON = Lesson(
    slug="new_lesson",  # the name of the folder
    icon=":material/school:",  # a name of fonts.google.com/icons
    parts=("first",),  # each is a file with a function `show`
    core=("first",),
    minutes=5,
)

CONTROLS = (choice("unit", ("letters", "tokens"), at="first"),)
