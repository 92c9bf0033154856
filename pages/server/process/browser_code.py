"""Code for the browser: a .js or .css file beside the module that sends it."""

import re
from pathlib import Path


def code_of(module: str, name: str) -> str:
    """Return the code of a file in the folder of a module, given as its `__file__`.

    Comments in /* */ are left out of a style; scripts keep theirs until they are packed.
    """
    code = Path(module).with_name(name).read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/\n?", "", code, flags=re.DOTALL) if name.endswith(".css") else code
