"""What a part is made of: its words, its controls and its figures, each named once.

    @part(code=("encoder.cost:attention_cost",))
    def show(p: Part) -> None:
        p.say("lead")                                # the section cost.lead
        count = p.choice("count")                    # the row "count" of the lesson's lesson.py
        p.figure("growth", growth_chart(sizes, lines), {"n_tokens": sizes} | lines)

A word is looked up in the lesson's words as the part's own, `<part>_<name>` (a section as
`<part>.<name>`), then as `<name>`, and at last in the words of all pages; where it is missing, the
part fails. A panel of several lessons has its words in a file of pages/text, which is looked up
first (`p.with_words(file)`). Numbers are written by the text that shows them, `{{share:.2f}}`, in
the reader's language (words.py). The code that the part is about is shown below its last figure.
"""

import importlib
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from pages.kit.figures import Numbers, PartFigures
from pages.server.course.words import Text, as_text
from pages.server.figures.table import Table, rows_of_csv, table_of_heads, titled
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part as guarded
from pages.server.link.inputs import LONGEST_TEXT

__all__ = [
    "LONGEST_TEXT",
    "Numbers",
    "Part",
    "Table",
    "Text",
    "as_text",
    "part",
    "rows_of_csv",
    "table_of_heads",
    "titled",
]


class Part(PartFigures):
    """A part being drawn: its words (words.py), layout, controls and figures."""


def part(
    *, code: Sequence[str] = (), redraws_page: bool = False, words: Sequence[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a part; `code` names what it shows of mlm_core, as "folder.file:name".

    A part is drawn again alone when a control of it changes. Set `redraws_page` for a part of the
    opening on which the parts below depend. `words` are files with further words. Drawn inside of
    another part, it gets that part instead of the page, and has its name and its words, too.
    """

    def make(function: Callable[..., None]) -> Callable[..., None]:
        own_name = function.__module__.rpartition(".")[2]
        functions = [*map(_named, code)]  # an error in a name is one of the file's, and its line's

        @wraps(function)
        def show(around: Page | Part, *about: Any) -> None:
            is_inside = isinstance(around, Part)
            p = around.with_words(*words) if is_inside else Part(around, own_name, *words)
            if functions:
                p._menus = {}  # the code is that of its own figures
            p.open_if_asked()
            function(p, *about)
            if functions:
                p.code(p.name, *functions)

        return guarded(show, alone=not redraws_page)

    return make


def _named(name: str) -> Callable:
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(f"mlm_core.{module}"), function)
