"""Code for the browser: a .js or .css file beside the module that sends it."""

import re
from pathlib import Path


def code_of(module: str, name: str) -> str:
    """Return the code of a file in the folder of a module, given as its `__file__`, as it is sent.

    Lines of comments and the spaces that mean nothing are left out.
    """
    code = Path(module).with_name(name).read_text(encoding="utf-8")
    return without_spaces(code) if name.endswith(".css") else without_indents(code)


def without_spaces(style: str) -> str:
    r"""Return a style without comments and the spaces that mean nothing, a fifth of its bytes.

    >>> without_spaces("/* all */ a > b,\n  i { top: 1px; }\n")
    'a>b,i{top:1px;}'
    """
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    return re.sub(r"\s*([{};,>])\s*", r"\1", re.sub(r":\s+", ":", style)).strip()


def without_indents(script: str) -> str:
    r"""Return a script without lines of comments and the spaces that its lines begin with.

    >>> without_indents("f = () => {\n  // a comment\n  g(); }")
    'f = () => {\ng(); }'
    """
    return re.sub(r"\n\s+", "\n", re.sub(r"(?m)^[ \t]*//.*\n", "", script))
