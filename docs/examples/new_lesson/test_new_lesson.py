"""The lesson opens: `.venv/bin/python -m pytest FOLDER`, in the folder of the app."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent
os.environ.setdefault("MLM_LESSONS", str(FOLDER.parent))

from pages.kit.trial import opened  # noqa: E402  (the app reads MLM_LESSONS when it is imported)


def test_each_part_opens_in_each_language():
    """Open it as a learner does, and look for an error box."""
    from pages.lessons.new_lesson.lesson import LESSON

    for language in ("en", "de"):
        for part in LESSON.parts:
            app = opened(LESSON.slug, lang=language, new_lesson_part=part)
            assert not app.error and not app.exception, (app.error, app.exception)
