"""Lesson: what are encoders for now?."""

from pages.server.frame.parts import show_lesson

show_lesson("encoders_today")
