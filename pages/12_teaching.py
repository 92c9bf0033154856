"""Beside the lessons: links that open one view for a class, a lesson plan, what to know before."""

from pages.shared.course.lessons import TEACHING
from pages.shared.frame.parts import show_beside

show_beside(TEACHING)
