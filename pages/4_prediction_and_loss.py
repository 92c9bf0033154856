"""Lesson: how wrong is a guess? From the state at a chosen place to -log P and the mean loss."""

from pages.server.frame.parts import show_lesson

show_lesson("prediction_and_loss")
