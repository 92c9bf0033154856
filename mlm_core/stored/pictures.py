"""The numbers of small pictures, one a lesson: what each shows first.

`make stored STORED=pictures` makes them; the course map draws them without torch.
"""

import json
from pathlib import Path

PICTURES_FILE = Path(__file__).parents[1] / "data" / "pictures.json"


def pictures_file(language: str) -> Path:
    """Return where the pictures are whose lessons read a language; English ones are of all."""
    return PICTURES_FILE if language == "en" else PICTURES_FILE.with_stem(f"pictures_{language}")


def read_pictures(language: str = "en") -> dict[str, dict]:
    """Return the numbers of each lesson's picture, by slug, in a language where there is one."""
    files = dict.fromkeys((PICTURES_FILE, pictures_file(language)))
    found = [json.loads(file.read_text(encoding="utf-8")) for file in files if file.is_file()]
    return {slug: numbers for each in found for slug, numbers in each.items()}
