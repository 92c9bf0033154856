"""The foot of the menu, and the page on privacy: who runs the server, and which data there are."""

from collections.abc import Callable

import pytest

from pages.beside.teaching.privacy import for_visitors
from pages.server.course import host
from pages.server.course.language import FIRST, languages
from pages.server.course.lessons import TEACHING
from pages.server.course.words import as_text, read_words
from tests.browser.live import ROOT

PRIVACY = {"teaching_part": "privacy"}


def written(app) -> list[str]:
    return [one.value for one in (*app.sidebar.caption, *app.markdown)]


def test_the_host_names_itself_at_the_foot_of_each_page_and_on_the_page_of_privacy(
    open_warm_page: Callable, monkeypatch
):
    monkeypatch.setenv("MLM_IMPRINT", "https://example.org/imprint")
    monkeypatch.setenv("MLM_CONTACT", " Ada *Lovelace*, room 7 ")
    said = f"[Imprint](https://example.org/imprint)  \nContact: {as_text('Ada *Lovelace*, room 7')}"
    app = open_warm_page(TEACHING.file, **PRIVACY)
    assert [one for one in written(app) if said in one] == [said, said]
    home = open_warm_page("app.py")
    assert said in [one.value for one in home.sidebar.caption]


def test_a_host_that_has_not_named_itself_is_said_to_have_not(
    open_warm_page: Callable, monkeypatch
):
    for setting in host.SETTINGS.values():
        monkeypatch.delenv(setting, raising=False)
    app = open_warm_page(TEACHING.file, **PRIVACY)
    assert read_words("teaching").section("privacy.nothing_said") in written(app)
    assert not host.said_by_host({"MLM_IMPRINT": " "})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("mailto:ada@example.org?subject=a b", "[{}](mailto:ada@example.org?subject=a%20b)"),
        ("HTTPS://example.org/a)[b](c", "[{}](HTTPS://example.org/a%29%5Bb%5D%28c)"),
        ("javascript:alert(1)", "{}: javascript\\:alert\\(1\\)"),
        ("data:text/html,<b>", "{}: data\\:text\\/html\\,\\<b\\>"),
        ("//example.org", "{}: "),
        ("http://[", "{}: "),
        ("https://example.org\u202e/", "{}: "),
    ],
)
def test_the_host_may_give_only_what_a_browser_may_follow(given: str, said: str):
    label = read_words("frame").label("host_notice")
    found = host.said_by_host({"MLM_PRIVACY": given})["notice"]
    assert found.startswith(said.format(label)) and ("](" in found) == ("](" in said)


@pytest.mark.parametrize("language", languages())
def test_the_page_of_privacy_has_what_the_document_says_to_visitors(
    language: str, open_warm_page: Callable
):
    file = f"docs/privacy{'' if language == FIRST else f'.{language}'}.md"
    shown = for_visitors((ROOT / file).read_text(encoding="utf-8"))
    app = open_warm_page(TEACHING.file, lang=language, **PRIVACY)
    assert shown in "\n\n".join(written(app)) and not app.exception
    assert "tests/" not in shown and "MLM_" not in shown and "#" not in shown
    table = [line for line in shown.splitlines() if line.startswith("|")]
    assert len(table) > 12 and {line.count("|") for line in table} == {6}
