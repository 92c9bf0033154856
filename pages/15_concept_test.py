"""Beside the lessons: questions before and after them, and what was gained between."""

from pages.server.course.lessons import CONCEPT_TEST
from pages.server.frame.parts import show_beside

show_beside(CONCEPT_TEST)
