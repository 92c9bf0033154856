"""Open a lesson in a test, in this process, as the first page of a visit.

    app = opened("my_topic", my_topic_part="first", lang="de")
    assert not app.error and not app.exception

The test of a new lesson has an example: docs/examples/new_lesson.
"""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.server.course.lessons import BY_SLUG, ROOT
from pages.server.frame import page_frame  # noqa: F401  (serves lessons from elsewhere)

__all__ = ["opened"]
RUN_SECONDS = 120  # a page takes one; on a machine that does much else, more


def opened(slug: str, **link: str) -> AppTest:
    """Open a lesson with the parameters of a link: values of its controls by key, `lang`, `lock`.

    The names of what it shows are those of Streamlit's AppTest: `app.markdown`, `app.selectbox`.
    """
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=RUN_SECONDS)
    file = BY_SLUG[slug].file
    if Path(file).is_absolute():
        app.run()  # Streamlit knows the page of a lesson from elsewhere after the first run
    app.switch_page(file)
    app.query_params.update(link)
    return app.run()
