"""Beside the lessons: links for a class, a lesson plan, a room, what to know before."""

from pages.server.course.lessons import TEACHING
from pages.server.frame.parts import show_beside

show_beside(TEACHING)
