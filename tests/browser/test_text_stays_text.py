"""In a real browser: a learner's text in Markdown is shown letter by letter as it was typed.

Streamlit's front end makes links of addresses, icons and emoji of names between colons, and
arrows of "->", after it has resolved the backslashes: only a browser shows what comes out.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from mlm_core.figures.theme import printable
from tests.browser.live import ROOT, wait_until_finished
from tests.hostile import TEXTS

ADDRESSES = [
    *("http://example.org/a?b=c login", "https://example.org.", "HTTPS://X.DE", "x(http://y.de)"),
    *("www.example.org", "wwww.example.org", "WWW.example.org/a_b", "(www.a.de)", "www", "http:"),
    *("a@b.de", "mailto:a@b.de", "xmpp:a@b.de/c", "a.b+c@d-e.f.org", "x@y", "a@b@c.de", "*a@b.de*"),
    *("<https://x.de>", "[x](http://y.de)", "![x](http://y.de/z.png)", "[x]: http://y.de"),
    *("ftp://x.de", "javascript:alert(1)", "#anchor", "[^1]", "[^1]: note", "://", "@"),
]
ICONS = [
    *(":material_home:", ":material/home:", ":streamlit:", ":smile:", ":+1:", ":-1:", ":a:smile:"),
    *(":red[x]", ":color[x]{foreground=red}", ":help[x]", ":small[]", ":x", "a\\:smile:"),
    *("a -> b", "->", "<->", "a <- b", "--", "---", "-- -- --", "a >= b", "<=", "~=", "a->b"),
    "-->",
]
MARKUP = [
    *("# heading", "$x$", "$$x$$", r"\(x\)", "`x`", "~~x~~", "**x**", "<b>x</b>", "| a | b |"),
    *("- x", "1. x", "> x", "&copy;", "&#58;smile&#58;", "12:30", "a:b:c", "a::b", "a || www.b.de"),
]
OTHERS = [" ".join(text.split())[:300].strip() for text in TEXTS.values() if text.strip()]
SHOWN = [*ADDRESSES, *ICONS, *MARKUP, *OTHERS]

# Our own icon and emoji make the front end load all that it has for them.
APP = """
import streamlit as st

from pages.server.course.words import Words, as_text
from tests.browser.test_text_stays_text import SHOWN

words = Words("trial", {"sentence": "{{a}} and {{a}}.", "colon": "{{a}}: **{{a}}**:"})
for number, text in enumerate(SHOWN):
    st.markdown(f":small[ours] :smile: {as_text(text)} :material/home:")
    st.caption(words.section("sentence", a=text))
    st.markdown(words.section("colon", a=text))
    st.button(as_text(text), key=f"button_{number}")
    st.markdown(f"| a |\\n|---|\\n| {as_text(text)} |")
st.markdown("http://example.org :smile: www.example.org a@b.de a -> b")
"""
READ = """() => [...document.querySelectorAll(
  '[data-testid=stMarkdownContainer], [data-testid=stCaptionContainer]'
)].map(one => [
  one.textContent,
  one.querySelectorAll('a, img, code, em, del, sup, blockquote, li, h1, .katex').length,
  one.querySelectorAll('[role=img]').length,
])"""


def expected(text: str) -> list[tuple[str, int, int]]:
    """Return what the five places of a text show: letters, live elements, icons."""
    text = printable(text)
    return [
        (f"ours 😄 {text} home", 0, 1),
        (f"{text} and {text}.", 0, 0),
        (f"{text}: {text}:", 0, 0),
        (text, 0, 0),
        (f"a{text}", 0, 0),
    ]


@pytest.fixture(scope="module")
def shown(new_server: Callable, browser, tmp_path_factory) -> list[tuple[str, int, int]]:
    """Return what a browser makes of every place: letters, live elements, icons."""
    app: Path = tmp_path_factory.mktemp("app") / "app.py"
    app.write_text(f"import sys\n\nsys.path.insert(0, {str(ROOT)!r})\n{APP}", encoding="utf-8")
    with new_server(app=app) as server:
        context = browser.new_context(base_url=server.url)
        tab = context.new_page()
        tab.goto("/")
        wait_until_finished(tab)
        tab.get_by_text("a → b").last.wait_for()
        found = [tuple(one) for one in tab.evaluate(READ)]
        context.close()
    return found


def test_the_front_end_does_make_links_and_icons_of_unescaped_text(shown):
    assert shown[-1] == ("http://example.org 😄 www.example.org a@b.de a → b", 3, 0)


def test_no_link_and_no_icon_comes_of_a_learners_text_and_no_letter_is_lost(shown):
    wanted = [place for text in SHOWN for place in expected(text)]
    assert len(shown) == len(wanted) + 1
    found = zip(shown, wanted, strict=False)
    wrong = [f"{came} for {want}" for came, want in found if came != want]
    assert not wrong, "\n".join(wrong)
