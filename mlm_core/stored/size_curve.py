"""The stored curve of tokens per word over the size of the vocabulary.

`make stored STORED=size_curve` makes it; a test measures some sizes again.

Read before this: ../text/size_curve.py.
"""

import json
from pathlib import Path

from mlm_core.text.size_curve import SizePoint

CURVE_FILE = Path(__file__).parents[1] / "data" / "size_curve.json"


def stored_curve() -> tuple[SizePoint, ...]:
    """Return the stored points of all algorithms and sizes."""
    return tuple(SizePoint(**point) for point in json.loads(CURVE_FILE.read_text(encoding="utf-8")))
