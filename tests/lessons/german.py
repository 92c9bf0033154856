"""The German examples of lessons, and the model that reads them."""

from mlm_core.encoder.model_list import READERS
from pages.server.course.words import read_words

MODEL = READERS["de"]


def example(slug: str, name: str) -> str:
    return str(read_words(slug, "de").plain(f"default_{name}"))
