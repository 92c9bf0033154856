"""The home page, run whole, without a browser."""

from mlm_core.encoder.model_list import BUNDLED
from pages.shared.course.lessons import BESIDE, LESSONS
from pages.shared.course.words import read_words


def test_home_shows_a_guess_and_the_way_to_every_lesson_and_the_lists(open_warm_page):
    app = open_warm_page()
    assert not app.exception and not app.error
    assert any(f"{BUNDLED}, position" in caption.value.replace("\\", "") for caption in app.caption)
    links = [link.proto.page for link in app.get("page_link")]
    for lesson in (*LESSONS, *BESIDE):
        assert lesson.slug in links
        assert read_words(lesson.slug).section("card") in [text.value for text in app.markdown]


def test_home_asks_for_a_blank(open_warm_page):
    app = open_warm_page(home_text="No blank.")
    assert "write [MASK]" in app.info[0].value
