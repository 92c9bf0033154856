"""The app's own code, and as Python reads it: read and parsed once in a process."""

import ast
from functools import cache

from tests.browser.live import ROOT

NOT_OURS = ROOT / "mlm_core/data"  # scripts that learners run on their own machine


@cache
def sources() -> dict[str, str]:
    """Return the text of every module of the core and the pages by its path."""
    files = [ROOT / "app.py", *ROOT.glob("mlm_core/**/*.py"), *ROOT.glob("pages/**/*.py")]
    return {
        file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8")
        for file in sorted(files)
        if NOT_OURS not in file.parents
    }


@cache
def trees() -> dict[str, ast.Module]:
    """Return all of them parsed."""
    return {path: ast.parse(text) for path, text in sources().items()}


@cache
def bench_trees() -> dict[str, ast.Module]:
    """Return every module of the measurements, parsed."""
    return {
        file.relative_to(ROOT).as_posix(): ast.parse(file.read_text(encoding="utf-8"))
        for file in sorted(ROOT.glob("bench/**/*.py"))
    }
