"""Where the pages' code draws a widget, read from the source."""

import ast
import functools
import inspect
from pathlib import Path

from pages.shared.link import inputs
from tests.browser.live import ROOT

PAGES = ROOT / "pages"
OF_STREAMLIT = (
    *("text_input", "text_area", "chat_input", "number_input", "slider", "select_slider"),
    *("selectbox", "multiselect", "radio", "segmented_control", "pills", "toggle", "checkbox"),
    *("file_uploader", "data_editor", "color_picker", "date_input", "time_input", "feedback"),
    *("camera_input", "audio_input"),
)
OF_INPUTS = tuple(
    name
    for name, function in inspect.getmembers(inputs, inspect.isfunction)
    if name in inputs.__all__ and {"label", "key"} <= inspect.signature(function).parameters.keys()
)
# What a part draws by its own object, `p` (pages/shared/kit/part.py).
OF_KIT = (
    *("choice", "position", "several", "slider", "number", "toggle"),
    *("text", "area", "drawn"),
)
# Whose own calls are met through those.
WRAPPERS = {
    Path(inspect.getfile(getattr(inputs, name))).relative_to(ROOT).as_posix() for name in OF_INPUTS
} | {"pages/shared/kit/part.py"}
Place = tuple[str, int]  # file and line


@functools.cache
def trees() -> dict[str, ast.Module]:
    """Return every module of the pages, by its path."""
    files = [ROOT / "app.py", *sorted(PAGES.rglob("*.py"))]
    return {
        file.relative_to(ROOT).as_posix(): ast.parse(file.read_text(encoding="utf-8"))
        for file in files
    }


@functools.cache
def calls_in_source() -> dict[Place, str]:
    """Return each place where a page or a part draws a widget, with what it calls."""
    found = {}
    for name, tree in trees().items():
        for node in ast.walk(tree) if name not in WRAPPERS else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                base = ast.unparse(node.func.value)
                names = {"inputs": OF_INPUTS, "p": OF_KIT}.get(base, OF_STREAMLIT)
                # A container draws widgets too: left.text_input().
                if node.func.attr in names and base not in _modules(tree) - {"inputs"}:
                    found[name, node.lineno] = f"{base}.{node.func.attr}"
    return found


def _modules(tree: ast.Module) -> set[str]:
    """Return what a module imports of ours."""
    ours = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in ours for alias in node.names}
