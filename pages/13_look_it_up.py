"""Beside the lessons: the textbook's numbers, learners' questions and the words, with links."""

from pages.shared.course.lessons import LOOK_IT_UP
from pages.shared.frame.parts import show_beside

show_beside(LOOK_IT_UP)
