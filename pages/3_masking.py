"""Lesson: what is done to 15 % of the words, and why not simply hide them?"""

from pages.server.frame.parts import show_lesson

show_lesson("masking")
