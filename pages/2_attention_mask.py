"""Lesson: who may look at whom? Causal, bidirectional, padding and hand-drawn masks."""

from pages.server.frame.parts import show_lesson

show_lesson("attention_mask")
