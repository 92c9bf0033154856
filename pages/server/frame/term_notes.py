"""What a term means, beside the text: on hover, on focus, and on a tap.

A term in a text is a link to the glossary with its definition as title (terms.py). A browser
shows a title to a mouse only, so one small script shows it in a note, to the keyboard and to
touch too. Escape closes the note. Its links open the view that shows the term, and the glossary,
in a new tab; Enter and a click on the term open the glossary. Without the script the term's link
and its title are still there.
"""

import streamlit as st

from pages.server.course.words import read_words
from pages.server.figures.sent_code import packed_script, putting
from pages.server.process.browser_code import code_of

_STYLE = putting(code_of(__file__, "term_notes.css"), "mlm-term-notes")

_mount = st.components.v2.component(
    "mlm_term_notes",
    html="<span></span>",
    js=packed_script(_STYLE + code_of(__file__, "term_notes.js")),
)


def prepare_term_notes() -> None:
    """Send the script that shows the notes, once a page."""
    words = read_words("frame")
    _mount(
        key="term_notes",
        data={"view": words.plain("term_view"), "more": words.plain("term_more")},
    )
