"""Code for the browser: a .js or .css file beside the module that sends it."""

import re
from pathlib import Path


def code_of(module: str, name: str) -> str:
    """Return the code of a file in the folder of a module, given as its `__file__`, as it is sent.

    Comments and the spaces that mean nothing are left out.
    """
    code = Path(module).with_name(name).read_text(encoding="utf-8")
    if name.endswith(".js"):
        return without_indents(code)
    # On two lines: Streamlit takes a line with a slash or a bracket for the path of a file.
    return without_spaces(code).replace("}", "}\n", 1)


def without_spaces(style: str) -> str:
    r"""Return a style without comments and the spaces around signs, a fifth of its bytes.

    What is in double quotes stays as it is: a selector may ask for it. It needs no quotes if it is
    a name.

    >>> without_spaces('/* all */ a > [style*="fill: red, b"],\n  [class*="_b"] { top: 1px; }\n')
    'a>[style*="fill: red, b"],[class*=_b]{top:1px;}'
    """
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    pieces = re.split(r'("[^"]*")', style)
    pieces[::2] = [
        re.sub(r" ?([{};,>]) ?", r"\1", re.sub(r"\s+", " ", one)).replace(": ", ":")
        for one in pieces[::2]
    ]
    return re.sub(r'="([A-Za-z_][\w-]*)"]', r"=\1]", "".join(pieces).strip())


def without_indents(script: str) -> str:
    r"""Return a script without comments and the spaces that its lines begin with.

    So no text over several lines may need them, and none may have `//` behind two spaces, by which
    a comment at the end of a line is known.

    >>> without_indents("f = () => {\n  // a comment\n  g();  // another\n}")
    'f = () => {\ng();\n}'
    """
    script = re.sub(r"(?m)^[ \t]*//.*\n|  //.*$", "", script)
    return re.sub(r"\n\s+", "\n", script)
