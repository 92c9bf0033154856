"""Markup that a learner wrote, looked for in all that a page sent to the browser.

Streamlit draws three sorts of text: Markdown (most labels, too), HTML in our own drawings, and
plain text. In the first no mark of a learner's may count, in the second no element or attribute
of theirs may stand; the third can't do anything.
"""

import functools
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from google.protobuf.message import Message

# From where an element begins to its end, beyond what is in the quotes of its attributes.
_ELEMENT = re.compile(r"""<[a-zA-Z](?:=\s*"[^"]*"|=\s*'[^']*'|[^>])*+>?""")
_NUMBER = re.compile(r"(?<![a-zA-Z\d])\d+(\.\d+)?")  # a heading's stands behind a letter
_LINK = re.compile(r'\[([^\[\]]*)\]\([^\s()]+(?: "[^"]*")?\)')

# What our drawings never have: it would run, load something, or look like the page's own.
FOREIGN_ELEMENTS = {
    *("script", "iframe", "object", "embed", "link", "meta", "base", "form", "img", "image"),
    *("foreignobject", "animate", "set", "audio", "video", "a", "h1", "h2", "h3"),
}
LEADS_AWAY = {"href", "xlink:href", "src", "srcset", "action", "formaction", "data", "poster"}
# Each stands in tests/hostile.py, as no learner's text may stand in Markdown.
RAW_MARKDOWN = (
    *("<script", "<img ", "<svg onload", "</svg></div>", "![i](x)", "[l](javascript:"),
    *(":red[bank]", ":material/home: :smile:", "**b**", r"$\frac{1}{0}$"),
    # Escaped and not cut: the front end would find these all the same.
    *(r"http\:\/\/example", r"www\.example", r"alive\@example", r"\:smile\:"),
)
# What the browser shows as it is: what stands in a field, in a list to open, or as code.
PLAIN_FIELDS = {
    "text_input": {"default", "value", "placeholder"},
    "text_area": {"default", "value", "placeholder"},
    "selectbox": {"options", "raw_value", "placeholder"},
    "multiselect": {"options", "raw_values", "placeholder"},
    "slider": {"options", "raw_value"},
    "code": {"code_text"},
    "page_link": {"query_string"},
    "plotly_chart": {"spec", "config", "figure"},
}
_MARKS = {mark: re.compile(rf"(?<!\\){re.escape(mark)}") for mark in RAW_MARKDOWN}
NO_TEXT = {"id", "form_id", "url", "js_content", "css_content", "html_content", "icon"}
# What these components get is kept in the browser, and never drawn by them.
KEPT_ONLY = {
    "teaching_plan_memory",
    *(f"tab_memory_of_{name}" for name in ("page", "part", "in_short", "exercises")),
}
NEVER = {"iframe", "component_instance", "deck_gl_json_chart", "arrow_data_frame", "exception"}


class _Reader(HTMLParser):
    """Collects what must not stand in a drawing."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in FOREIGN_ELEMENTS:
            self.found.append(f"the element {tag}")
        for name, value in attrs:
            # Nothing of ours leads anywhere or is fetched; a label may say what it likes. The heads
            # of a narrow box show cells that are in the same drawing: heads.py.
            is_inside = tag == "use" and (value or "").startswith("#head-")
            if name.startswith("on") or (name in LEADS_AWAY and not is_inside):
                self.found.append(f"the attribute {name}")


def without_links(text: str) -> str:
    """Return a text as a reader sees it, without where its links lead.

    >>> without_links('[NSP](look_it_up?a=NSP+%28next%29 "Does B follow A (in the text)?") loss')
    'NSP loss'
    """
    return _LINK.sub(r"\1", text)


def in_html(html: str) -> list[str]:
    """Return what of a drawing could run, load or deceive.

    A drawing has thousands of elements that differ in numbers alone: each other one is read once.

    >>> in_html('<b onclick="x()">&lt;script&gt;</b><b x="<h1>"><i y=">" src=1>')
    ['the attribute onclick', 'the attribute src']
    >>> in_html('<use href="#head-0-1"/>'), in_html('<use href="/a.svg#head-0-1"/>')
    ([], ['the attribute href'])
    """
    elements = dict.fromkeys(_NUMBER.sub("0", one) for one in _ELEMENT.findall(html))
    return [found for one in elements for found in _in_element(one)]


@functools.lru_cache(maxsize=20_000)
def _in_element(text: str) -> list[str]:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.found


@functools.lru_cache(maxsize=2_000)
def in_markdown(text: str) -> list[str]:
    r"""Return which of the hostile marks would count in a Markdown text.

    >>> in_markdown(r"\<img \!\[i\]\(x\) **b**")
    ['**b**']
    """
    return [mark for mark, unescaped in _MARKS.items() if unescaped.search(text)]


def foreign_markup(app) -> Iterator[str]:
    """Say of a page that was opened in-process where markup of a learner's would count."""
    for node in app._tree:
        proto, kind = getattr(node, "proto", None), node.type
        if kind in NEVER:
            yield f"an element of the sort {kind}"
        elif kind == "bidi_component":
            given = None if node.key in KEPT_ONLY else json.loads(proto.json or "null")
            for text in strings_in(given):
                yield from (f"{found} in {node.key}" for found in in_html(text))
        elif kind == "html":
            yield from (f"{found} in HTML" for found in in_html(proto.body))
        elif isinstance(proto, Message):
            if getattr(proto, "allow_html", False):
                yield f"Markdown with HTML: {proto.body[:60]}"
            skipped = NO_TEXT | PLAIN_FIELDS.get(proto.DESCRIPTOR.name, set())
            skipped |= PLAIN_FIELDS.get(kind, set())
            for text in _texts(proto, skipped):
                found = in_markdown(text)
                if found:
                    yield f"{found} in {kind} {node.key or ''}: {text[:80]!r}"


def _texts(message: Message, skipped: set[str]) -> Iterator[str]:
    for field, value in message.ListFields():
        if field.name in skipped:
            continue
        for one in value if field.is_repeated else [value]:
            if isinstance(one, str):
                yield one
            elif isinstance(one, Message):
                yield from _texts(one, skipped)


def strings_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings_in(one)
