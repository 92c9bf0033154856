"""Scripts and styles of the pages are files, and files that can be parsed."""

import re

import pytest

from tests.app_code import sources
from tools.browser_code import faults_in

# What is put together here from packed parts, and the line that goes with every drawing.
MADE = {"pages/server/figures/sent_code.py", "pages/server/figures/clickable.py"}


@pytest.mark.parametrize(
    ("code", "suffix", "lines"),
    [
        ("const a = { b: 1 };\n", ".js", []),
        ("const a = 1;\nconst = 2;\n", ".js", [2]),
        ("a { color: red; }\n", ".css", []),
        ("a { color: red;\nb { }", ".css", [2]),
    ],
)
def test_a_fault_is_found_in_its_line(code: str, suffix: str, lines: list[int]):
    assert faults_in(code, suffix) == lines


def test_no_script_is_written_in_python():
    found = {path for path, text in sources().items() if re.search(r"\bexport default\b", text)}
    assert found <= MADE
