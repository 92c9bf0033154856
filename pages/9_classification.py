"""Lesson: what does fine-tuning change? A head on top, and the layers below it."""

from pages.server.frame.parts import show_lesson

show_lesson("classification")
