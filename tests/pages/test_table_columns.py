"""The columns of the tables: each has a title in pages/text/<language>/columns.md."""

import ast
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

from mlm_core.text.size_curve import SizePoint
from pages.shared.course.language import languages
from pages.shared.course.words import sections_of

ROOT = Path(__file__).parents[2]

# Columns that the code does not spell out where it makes the table.
FROM_ELSEWHERE = {
    *(field.name for field in fields(SizePoint)),
    *("raw", "dropped", "z-scored", "dimensions_for_half"),  # treatments
    *("mask", "random", "keep"),  # what becomes of a chosen token
    *("part", "tagger"),  # sentences with one name
    *("right", "label", "loss", "p_is_next"),  # measured pairs
}
SYMBOLS = {"e^u", "v_s"}  # and what has one letter or two: formulas' names, in every language


@cache
def headings() -> dict[str, str]:
    """Return the columns that the pages name in their code, with a file that does."""
    found = {}
    for file in sorted((ROOT / "pages").glob("**/*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and "Table(" in ast.unparse(node):
                found |= dict.fromkeys(spelt_out(node), file.name)
    return found


def spelt_out(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the keys of what is given to a table, returned, or listed as its rows."""
    for node in ast.walk(function):
        is_call = isinstance(node, ast.Call)
        name = ast.unparse(node.func).split(".")[-1] if is_call else ""
        if name in ("Table", "append") or isinstance(node, ast.ListComp | ast.List | ast.Return):
            for inner in ast.walk(node):
                keys = inner.keys if isinstance(inner, ast.Dict) else []
                if isinstance(inner, ast.keyword) and inner.arg == "columns":
                    keys = getattr(inner.value, "elts", [])
                values = (key.value for key in keys if isinstance(key, ast.Constant))
                yield from (value for value in values if isinstance(value, str) and value)


def test_every_column_has_a_title_in_each_language():
    asked = headings() | dict.fromkeys(FROM_ELSEWHERE, "elsewhere")
    named = {name for name in asked if len(name) > 2} - SYMBOLS
    for language in languages():
        lines = sections_of("columns", language)["labels"].splitlines()
        titles = {key.strip(): title.strip() for key, _, title in (x.partition(":") for x in lines)}
        missing = [f"{asked[name]}: {name}" for name in sorted(named) if not titles.get(name)]
        assert not missing, f"add to {language}/columns.md:\n" + "\n".join(missing)
