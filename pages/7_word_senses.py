"""Lesson: does the model know which "bank" you mean? Word senses in its vectors."""

from pages.server.frame.parts import show_lesson

show_lesson("word_senses")
