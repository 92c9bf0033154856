"""Beside the lessons: links for a class, a lesson plan, a room, what to know before."""

from pages.shared.course.lessons import TEACHING
from pages.shared.frame.parts import show_beside

show_beside(TEACHING)
