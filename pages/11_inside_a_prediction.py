"""Lesson: why this word? Layers, words and heads behind one prediction."""

from pages.server.frame.parts import show_lesson

show_lesson("inside_a_prediction")
