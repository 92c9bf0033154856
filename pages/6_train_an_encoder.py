"""Lesson: can you watch it understand? A small encoder, trained before your eyes."""

from pages.server.frame.parts import show_lesson

show_lesson("train_an_encoder")
