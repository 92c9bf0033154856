"""Lesson: what are encoders for now?."""

from pages.shared.frame.parts import show_lesson

show_lesson("encoders_today")
