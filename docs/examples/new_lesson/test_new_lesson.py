"""The lesson opens: `.venv/bin/python -m pytest FOLDER`, in the folder of the app."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent
os.environ.setdefault("MLM_LESSONS", str(FOLDER.parent))

from pages.kit.trial import opened  # noqa: E402  (the app reads MLM_LESSONS when it is imported)


def test_the_lesson_opens_in_each_language_with_each_unit():
    """Open it as a learner does, and look for an error box."""
    for language in ("en", "de"):
        for unit in ("letters", "tokens"):
            app = opened(FOLDER.name, lang=language, new_lesson_unit=unit)
            assert not app.error and not app.exception, (app.error, app.exception)
            assert "New lesson" in app.title[0].value
            assert app.get("plotly_chart")
