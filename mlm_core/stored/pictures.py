"""The numbers of small pictures, one a lesson: what each shows first.

`python -m tools.stored_pictures` makes them; the course map draws them without torch.
"""

import json
from pathlib import Path

PICTURES_FILE = Path(__file__).parents[1] / "data" / "pictures.json"


def read_pictures() -> dict[str, dict]:
    """Return the numbers of each lesson's picture, by slug."""
    return json.loads(PICTURES_FILE.read_text(encoding="utf-8"))
