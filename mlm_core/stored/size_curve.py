"""The stored curves of tokens per word over the size of the vocabulary.

`make stored STORED=size_curve` makes them; a test measures some sizes again.

Read before this: ../text/size_curve.py.
"""

from mlm_core.text.corpora import DATA_FOLDER, name_in, read_rows
from mlm_core.text.size_curve import SizePoint

CURVE_FILES = {
    language: DATA_FOLDER / f"{name_in(language, 'size_curve')}.json" for language in ("en", "de")
}


def stored_curve(language: str = "en") -> tuple[SizePoint, ...]:
    """Return a language's stored points of all algorithms and sizes."""
    return read_rows(CURVE_FILES[language], SizePoint)
