"""Lesson: where does a name begin and end? Tags for words, and how they are scored."""

from pages.server.frame.parts import show_lesson

show_lesson("bio_tagging")
