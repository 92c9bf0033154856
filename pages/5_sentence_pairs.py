"""Lesson: do these two belong together? Next sentence prediction, and what came after it."""

from pages.server.frame.parts import show_lesson

show_lesson("sentence_pairs")
