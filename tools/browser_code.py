"""Parse the scripts and styles of the pages, which no test may open: `make lint`.

python -m tools.browser_code          # prints each place that is no JavaScript or CSS
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import tree_sitter_css
import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

ROOT = Path(__file__).parents[1]
LANGUAGES = {".js": tree_sitter_javascript.language, ".css": tree_sitter_css.language}


def faults_in(code: str, suffix: str) -> list[int]:
    r"""Return the numbers of the lines where code can't be parsed.

    >>> faults_in("const a = 1;\\nconst = 2;", ".js"), faults_in("a { color: red; }", ".css")
    ([2], [])
    """
    tree = Parser(Language(LANGUAGES[suffix]())).parse(code.encode())
    return [node.start_point.row + 1 for node in _faults(tree.root_node)]


def _faults(node: Node) -> Iterator[Node]:
    if node.is_error or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from _faults(child)


def main() -> int:
    """Print the faults of all files; return how many there are."""
    folders = (ROOT / "pages", ROOT / "pocket")
    files = [f for folder in folders for f in sorted(folder.rglob("*")) if f.suffix in LANGUAGES]
    found = [
        f"{file.relative_to(ROOT)}:{line} is no {file.suffix[1:]}"
        for file in files
        for line in faults_in(file.read_text(encoding="utf-8"), file.suffix)
    ]
    print(*found, f"{len(files)} scripts and styles, {len(found)} faults", sep="\n")
    return len(found)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
