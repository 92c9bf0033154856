"""Which widgets of the source have a value in the link, read from the source and not run.

A key is a text, a constant, an f-string, or an argument of the function around it; what only a
run knows becomes a wildcard.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache

from tests.browser.live import ROOT

KINDS = {
    *("text", "text_area", "text_of_session", "slider", "toggle", "number"),
    *("choice", "listed", "step", "position", "several"),
}
NOT_OF_LESSONS = ("look_it_up", "teaching", "home")
ANY = r"\w+"


@cache
def trees() -> dict[str, ast.Module]:
    """Return every module of pages/, by its path."""
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted((ROOT / "pages").rglob("*.py"))
    }


def constants(tree: ast.Module) -> dict[str, str]:
    """Return a module's constants that are texts, also of `A, B = "a", "b"`."""
    found = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            continue
        target, value = node.targets[0], node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=True))
        for name, text in pairs:
            if isinstance(name, ast.Name):
                pattern = _pattern(text, found)
                if pattern is not None:
                    found[name.id] = pattern
    return found


def _pattern(node: ast.expr, known: dict[str, str]) -> str | None:
    """Return a key as a pattern, or None if nothing at all is known of it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Attribute):
        return known.get(node.attr)
    if isinstance(node, ast.BinOp):
        left, right = (_pattern(side, known) or ANY for side in (node.left, node.right))
        return left + right
    if isinstance(node, ast.JoinedStr):
        return "".join(
            re.escape(str(part.value))
            if isinstance(part, ast.Constant)
            else _pattern(part.value, known) or ANY
            for part in node.values
        )
    return None


@cache
def _known(folder: str) -> dict[str, str]:
    """Return the constants of a lesson's parts, and of pages/shared, by their names."""
    known: dict[str, str] = {}
    for path, tree in trees().items():
        if path.startswith(("pages/shared/", folder)):
            known |= constants(tree)
    return known


def _keys(path: str, tree: ast.Module) -> Iterator[str]:
    folder = path.rpartition("/")[0] + "/"
    known = _known(folder) | constants(tree)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for call in ast.walk(function):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and ast.unparse(call.func.value) == "inputs"
                and call.func.attr in KINDS
            ):
                node = next(word.value for word in call.keywords if word.arg == "key")
                local = known | _assigned(function, known)
                pattern = _pattern(node, local)
                yield from [pattern] if pattern else _given_to(function.name, folder)


def _assigned(function: ast.FunctionDef, known: dict[str, str]) -> dict[str, str]:
    found = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            pattern = _pattern(node.value, known)
            if pattern is not None:
                found[node.targets[0].id] = pattern
    return found


def _given_to(function: str, folder: str) -> Iterator[str]:
    """Give the keys that a function of a lesson is called with."""
    found = []
    for path, tree in trees().items():
        if path.startswith(folder):
            for call in ast.walk(tree):
                if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(function):
                    found += [
                        _pattern(word.value, _known(folder) | constants(tree))
                        for word in call.keywords
                        if word.arg == "key"
                    ]
    yield from [pattern or ANY for pattern in found] or [ANY]


@cache
def patterns_by_module() -> dict[str, tuple[str, ...]]:
    """Return the patterns of the keys of each module that draws controls."""
    found = {
        path: tuple(dict.fromkeys(_keys(path, tree)))
        for path, tree in trees().items()
        if path.startswith(("pages/parts/", "pages/shared/"))
        and path.split("/")[2] not in NOT_OF_LESSONS
        and path not in ("pages/shared/frame/page_frame.py", "pages/shared/frame/parts.py")
    }
    return {path: patterns for path, patterns in found.items() if patterns}


def key_patterns(slug: str) -> list[re.Pattern[str]]:
    """Return the patterns of all keys that a lesson's controls may have."""
    return [
        re.compile(pattern)
        for path, patterns in patterns_by_module().items()
        if path.startswith((f"pages/parts/{slug}/", "pages/shared/"))
        for pattern in patterns
    ]
