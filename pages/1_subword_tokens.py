"""Lesson: what does the model actually read? WordPiece, BPE and Unigram on the same text."""

from pages.server.frame.parts import show_lesson

show_lesson("subword_tokens")
