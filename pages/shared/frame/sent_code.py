"""Style and script as they are sent: with every page, or with every part."""

import re


def without_indents(code: str) -> str:
    r"""Return code without the spaces that its lines begin with, a tenth of its bytes.

    >>> without_indents("a {\n  b: c; }")
    'a {\nb: c; }'
    """
    return re.sub(r"\n\s+", "\n", code)
