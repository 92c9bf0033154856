"""The skeleton of a lesson: its row, its page, two parts, and their words in every language.

    make lesson NAME=scaling_laws        # python -m pages.shared.course.new_lesson scaling_laws

The lesson works at once: an opening on the learner's sentence, one part, both in the link. What
comes next is in docs/architecture.md, "Adding a lesson".
"""

import re
import sys
from pathlib import Path

from pages.shared.course.language import languages
from pages.shared.course.lessons import BESIDE, LESSONS

ROOT = Path(__file__).parents[3]
ROWS_END = "\n)\n\n# Stands beside the lessons"  # where the row goes in lessons.py

ROW = """
    Lesson(
        slug="{slug}",
        file="{file}",
        group="{group}",
        icon=":material/school:",
        opening=("opening",),
        parts=("first", "in_short"),
        core=("first", "in_short"),
        minutes_core=5,
        minutes_all=10,
    ),"""
PAGE = '''"""Lesson: {title}."""

from pages.shared.frame.parts import show_lesson

show_lesson("{slug}")
'''
OPENING = '''"""Opening: the learner's sentence as the model reads it."""

from mlm_core.figures.chips import chip_row
from mlm_core.text.tokens import tokenize
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs

TEXT = "{slug}_text"


@part
def show(page: Page) -> None:
    """Take a sentence and draw its tokens."""
    words = page.words
    text = inputs.text(words.label("sentence"), words.label("default_sentence"), key=TEXT)
    tokens = tokenize(cache.model_tokenizer(page.model_name), text)
    show_drawing(
        chip_row(tokens.tokens, label=tokens.text),
        key="{slug}_tokens",
        table=Table({{"token": tokens.texts}}),
        source=words.label("source", model=page.model_name),
    )
'''
FIRST = '''"""How long the learner's sentence is."""

import streamlit as st

from mlm_core.text.tokens import tokenize
from pages.parts.{slug}.opening import TEXT
from pages.shared.caches import cache
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs


@part
def show(page: Page) -> None:
    """Count the tokens or the characters of the sentence."""
    words = page.words
    st.markdown(words.section("first.lead"))
    units = {{name: words.label(f"unit_{{name}}") for name in ("tokens", "characters")}}
    unit = inputs.choice(words.label("unit"), units, key="{slug}_unit")
    text = (st.session_state.get(TEXT) or "")[: inputs.LONGEST_TEXT]
    tokens = tokenize(cache.model_tokenizer(page.model_name), text)
    st.metric(units[unit], len(tokens.tokens) if unit == "tokens" else len(text))
'''
IN_SHORT = '''"""In short: the terms of this lesson."""

from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary; give it the numbers that its text asks for."""
    show_summary(page.lesson)
'''
WORDS = {
    "en": """## labels
title: {title}
question: {title}: what does the lesson ask?
part_first: The first part
part_in_short: In short
sentence: Your sentence
default_sentence: The cat sat on the mat.
source: {{{{model}}}}, its own tokenizer
unit: Count
unit_tokens: Tokens
unit_characters: Characters

## card
One sentence for the course map.

## lead
One sentence above the figure.

## first.lead
What this part shows.
""",
    "de": """## labels
title: {title}
question: {title}: Was fragt die Lektion?
part_first: Der erste Teil
part_in_short: Kurz gefasst
sentence: Dein Satz
default_sentence: The cat sat on the mat.
source: {{{{model}}}}, eigener Tokenizer
unit: Zähle
unit_tokens: Tokens
unit_characters: Zeichen

## card
Ein Satz für die Kurskarte.

## lead
Ein Satz über der Abbildung.

## first.lead
Was dieser Teil zeigt.
""",
}
OVERVIEW = {
    "en": """## goals
After this lesson you can

- say what it is about.

## in_short
Three to five sentences with the terms, the formula and one number.

## question_1
A first open question?

## answer_1
A first model answer.

## question_2
A second open question?

## answer_2
A second model answer.

## question_3
A third open question?

## answer_3
A third model answer.
""",
    "de": """## goals
Nach dieser Lektion kannst du

- sagen, wovon sie handelt.

## in_short
Drei bis fünf Sätze mit den Fachwörtern, der Formel und einer Zahl.

## question_1
Eine erste offene Frage?

## answer_1
Eine erste Musterantwort.

## question_2
Eine zweite offene Frage?

## answer_2
Eine zweite Musterantwort.

## question_3
Eine dritte offene Frage?

## answer_3
Eine dritte Musterantwort.
""",
}


def make(slug: str) -> list[Path]:
    """Write the skeleton; return the files that are new.

    Raises ValueError for a name that is no module's, or is taken.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", slug):
        raise ValueError(f"{slug!r} is no name of a lesson: write it as in scaling_laws")
    taken = [lesson.slug for lesson in (*LESSONS, *BESIDE)]
    # Keys in the link begin with the name: masking_text, masking_more_text.
    same = [name for name in taken if _begins(name, slug) or _begins(slug, name)]
    if same:
        raise ValueError(f"{slug!r} is taken, or begins like {same[0]!r}: choose another name")
    values = {
        "slug": slug,
        "file": f"pages/{len(LESSONS) + 1}_{slug}.py",
        "group": LESSONS[-1].group,
        "title": slug.replace("_", " ").capitalize(),
    }
    new = {values["file"]: PAGE, f"pages/parts/{slug}/__init__.py": ""}
    new |= {f"pages/parts/{slug}/opening.py": OPENING, f"pages/parts/{slug}/first.py": FIRST}
    new |= {f"pages/parts/{slug}/in_short.py": IN_SHORT}
    for name in languages():
        new[f"pages/text/{name}/{slug}.md"] = WORDS.get(name, WORDS["en"])
        new[f"pages/text/{name}/overview/{slug}.md"] = OVERVIEW.get(name, OVERVIEW["en"])
    for file, text in new.items():
        (ROOT / file).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / file).write_text(text.format_map(values), encoding="utf-8")
    rows = ROOT / "pages/shared/course/lessons.py"
    before, end, after = rows.read_text(encoding="utf-8").partition(ROWS_END)
    rows.write_text(before + ROW.format_map(values) + end + after, encoding="utf-8")
    return [ROOT / file for file in new]


def _begins(name: str, with_name: str) -> bool:
    return f"{name}_".startswith(f"{with_name}_")


if __name__ == "__main__":
    for path in make(*sys.argv[1:]):
        print(path.relative_to(ROOT))
