"""Lesson: why are all words alike? The narrow cone of a model's vectors, and how to widen it."""

from pages.server.frame.parts import show_lesson

show_lesson("isotropy")
