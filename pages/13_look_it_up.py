"""Beside the lessons: the textbook's numbers, learners' questions and the words, with links."""

from pages.server.course.lessons import LOOK_IT_UP
from pages.server.frame.parts import show_beside

show_beside(LOOK_IT_UP)
