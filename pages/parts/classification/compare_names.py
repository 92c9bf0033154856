"""What the ways to train are called, task by task."""

from pages.shared.frame import Page

# These heads read every token: no vector is chosen.
OF_TOKENS = {
    "passages": ("head", "top", "all"),
    "entities": ("head", "top", "all", "majority"),
}


def variant_name(page: Page, task: str, name: str) -> str:
    """Return the name of a way to train for readers."""
    kind = "token_variant" if name in OF_TOKENS.get(task, ()) else "variant"
    return page.words.plain(f"compare_{kind}_{name}")
