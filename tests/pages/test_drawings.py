"""Drawings as they are sent: packed, and without the style and the script that a page has once."""

import importlib
import pkgutil
import zlib

from mlm_core import figures
from pages.server.course.words import read_words
from pages.server.figures import clickable
from pages.server.figures.sent_code import packed
from pages.server.process.browser_code import without_spaces

PAGE, DRAWING = "mlm_drawings", "mlm_drawing"


def sent(app) -> list:
    return [one.proto for one in app.get("bidi_component")]


def test_style_and_script_go_once_a_page_and_with_no_drawing(open_warm_page):
    protos = sent(open_warm_page("pages/3_masking.py"))
    (page,) = (one for one in protos if one.component_name == PAGE)
    drawings = [one for one in protos if one.component_name == DRAWING]
    assert len(drawings) > 1
    assert all(not one.css_content and len(one.js_content) < 200 for one in drawings)
    assert len(page.SerializeToString()) < 12_500


def test_every_figures_style_is_found_without_a_list():
    style = zlib.decompress(clickable._SHARED).decode()
    found = pkgutil.walk_packages(figures.__path__, f"{figures.__name__}.")
    modules = [importlib.import_module(module.name) for module in found]
    styles = [value for one in modules for name, value in vars(one).items() if "STYLE" in name]
    assert len(styles) > 10
    assert all(without_spaces(each) in style for each in styles)


def test_what_is_packed_is_the_drawing_itself():
    html = '<svg aria-label="„Über“">→ 😀</svg>' * 50
    assert zlib.decompress(packed(html)).decode() == html
    assert len(packed(html)) < len(html) / 5


def test_several_values_at_once_are_taken_from_a_drawing_to_drag_over_alone():
    cells = '<g data-value="0,0"/><g data-value="0,1"/>'
    assert clickable._has(f'<div data-drag="">{cells}</div>', "0,1 0,0")
    assert not clickable._has(f'<div data-drag="">{cells}</div>', "0,1 7,7")
    assert not clickable._has(f'<div data-drag="">{cells}</div>', "0,1 ")
    assert not clickable._has(f"<div>{cells}</div>", "0,1 0,0")


def test_the_menu_has_what_a_film_says_and_what_the_numbers_show_in_words(open_warm_page):
    words = read_words("frame")

    def said(page: str, menu: str, **link: str) -> list[str]:
        app = open_warm_page(page, **link)
        app.session_state[menu] = True
        return [one.value for one in app.run().markdown]

    of_film = said("pages/11_inside_a_prediction.py", "inside_a_prediction_lens_numbers")
    (told,) = (one for one in of_film if words.label("film_said") in one)
    (shown,) = (one for one in of_film if words.label("words_of_numbers") in one)
    assert told.count("\n1. ") > 3 and "probability: " in shown
    of_map = said("pages/7_word_senses.py", "word_senses_map_numbers", lang="de")
    label = read_words("frame", "de").label("words_of_numbers")
    assert any("Die nächste Gruppe ist" in one for one in of_map if label in one)
    assert any("| nein |" in one for one in of_map), "no False"


def test_a_readers_wider_letters_do_not_cut_the_words_of_a_drawing():
    style = zlib.decompress(clickable._SHARED).decode()
    assert "svg{letter-spacing:normal;word-spacing:normal" in without_spaces(style).replace(" ", "")
