"""The source that a page shows is the one that ran; the notebook it offers is the stored one."""

import inspect
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from mlm_core.encoder.bert import MaskedLanguageHead
from mlm_core.text.tokens import tokenize
from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import read_words
from pages.server.frame import source
from pages.server.link.controls import part_key


def test_a_class_is_found_with_its_file_and_line():
    file, line, text = source.source_of(MaskedLanguageHead)
    lines = (source.ROOT / file).read_text(encoding="utf-8").splitlines(keepends=True)
    assert text.startswith("class MaskedLanguageHead")
    assert "".join(lines[line - 1 :]).startswith(text)


def test_two_learners_who_open_it_at_once_never_parse_at_once(monkeypatch):
    source._read_source.cache_clear()
    n_inside, most = 0, 0
    find = inspect.getsourcelines

    def watched(function):
        nonlocal n_inside, most
        n_inside += 1
        most = max(most, n_inside)
        time.sleep(0.01)
        n_inside -= 1
        return find(function)

    monkeypatch.setattr(inspect, "getsourcelines", watched)
    with ThreadPoolExecutor() as threads:
        list(threads.map(source.source_of, (MaskedLanguageHead, tokenize, source.show_source)))
    source._read_source.cache_clear()
    assert most == 1


def test_the_menu_of_a_figure_has_its_line_its_numbers_and_the_code(open_warm_page: Callable):
    words = read_words("frame")
    app = open_warm_page("pages/3_masking.py", masking_part="why")
    menus = [one.proto.popover.label for one in app.get("popover")]
    assert menus.count(words.label("numbers")) >= 5 and not _code_boxes(app)
    shown = {"play": ["def choose", "def replace"], "everywhere": ["def top_fillers"]}
    for figure, code in shown.items():
        app.session_state[f"masking_{figure}_numbers"] = True
        app.session_state[f"masking_{figure}_code"] = True
        app.run()
        assert [one.value.partition("(")[0] for one in app.code] == code and not app.exception
        files = [one.proto.label for one in app.get("download_button")]
        assert words.label("save_csv") in files
        app.session_state[f"masking_{figure}_numbers"] = False
        assert not _code_boxes(app.run()), "what is shut is not built"


def _code_boxes(app) -> list[str]:
    return [box.label for box in app.expander if box.label == read_words("frame").label("source")]


@pytest.mark.parametrize(("slug", "is_offered"), [("masking", True), ("subword_tokens", False)])
def test_a_lesson_with_a_notebook_offers_the_file(
    open_warm_page: Callable, offered_files: dict, slug: str, is_offered: bool
):
    lesson = BY_SLUG[slug]
    app = open_warm_page(lesson.file, **{part_key(slug): "in_short"})
    assert not app.exception and not app.error
    label = read_words("frame").label("save_notebook")
    assert (label in [button.label for button in app.get("download_button")]) == is_offered
    if is_offered:
        path = source.NOTEBOOKS / lesson.notebook
        assert offered_files[lesson.notebook]() == path.read_bytes()
