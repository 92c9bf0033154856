"""The static site: a page for each lesson and language, complete in itself, and no dead link."""

import re
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from pages.server.course.lessons import LESSONS
from pages.server.course.words import read_words
from tools.site import FOLDERS, make_site

APP, SITE = "https://our.example", "https://pages.example"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """Give the site, without the pocket edition, whose own tests build it."""
    to = tmp_path_factory.mktemp("made") / "site"
    make_site(to, app=APP, site=SITE, pocket=False)
    return to


def read(page: Path) -> str:
    return unescape(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", FOLDERS)
def test_each_lesson_has_a_page_with_its_words_picture_and_way_into_the_course(site, language):
    folder = site / FOLDERS[language]
    first = read(folder / "index.html")
    for lesson in LESSONS:
        words, page = (
            read_words(lesson.slug, language),
            read(folder / f"lessons/{lesson.slug}.html"),
        )
        assert f'<html class="no-js" lang="{language}"' in page
        assert f"<h1>{lesson.number} · {words.label('title')}" in page
        assert words.label("question") in re.search('<meta content="([^>]*)" name="desc', page)[1]
        assert "<svg" in page and "{{" not in page and "[[" not in page
        assert f"{APP}/{lesson.slug}?lang={language}" in page
        assert f"lessons/{lesson.slug}.html" in first
        at = f"{SITE}/{FOLDERS[language]}".rstrip("/")
        assert f'rel="canonical" href="{at}/lessons/{lesson.slug}.html"' in page


def test_every_link_leads_to_something_and_nothing_is_loaded_from_elsewhere(site):
    @cache
    def ids_of(file: Path) -> set[str]:
        return set(re.findall(r'\bid="([^"]+)"', read(file)))

    pages = [page for page in site.rglob("*.html") if page.name != "search.html"]
    assert len(pages) > 2 * len(LESSONS)
    for page in pages:
        text = read(page)
        for kind, address in re.findall(r'<(\w+)[^>]*? (?:href|src)="([^"]*)"', text):
            if urlsplit(address).scheme or address.startswith("//"):
                assert kind == "a" or 'rel="canonical"' in text, f"{page}: {address}"
                continue
            path, _, anchor = unquote(urljoin(f"/{page.relative_to(site)}", address)).partition("#")
            target = site / path.partition("?")[0].lstrip("/")
            if target.name in ("pocket.html", "search.html"):
                continue
            assert target.is_file(), f"{page}: {address}"
            assert not anchor or target.suffix != ".html" or anchor in ids_of(target), address
        assert ("cdn." not in text and "<math" in text) or "\\(" not in text, page
