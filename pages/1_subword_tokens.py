"""Lesson: what does the model actually read?"""

from pages.shared.frame import lesson_page

with lesson_page("subword_tokens") as page:
    pass
