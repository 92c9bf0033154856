"""Who runs this server: at the foot of the sidebar, and on the page about privacy.

The host says so by environment variables, each an address that begins with `https://`, `http://`
or `mailto:`, which becomes a link, or a text, which stays one:

MLM_IMPRINT     who runs the server, as the law of the host's country asks
MLM_CONTACT     whom to write to
MLM_PRIVACY     the host's own notice: who is responsible, and on which legal basis
"""

import os
from collections.abc import Mapping
from urllib.parse import quote, urlsplit

from pages.server.course.words import as_text, read_words

SETTINGS = {"imprint": "MLM_IMPRINT", "contact": "MLM_CONTACT", "notice": "MLM_PRIVACY"}
LINKS = ("http", "https", "mailto")
LONGEST = 500  # characters
KEPT = ":/?#@!&+,;=%-._~"  # in an address; all others are written as %20 and the like


def said_by_host(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return what the host says of itself, by its name, as Markdown; without what isn't set."""
    words = read_words("frame")
    given = {name: environment.get(setting, "").strip() for name, setting in SETTINGS.items()}
    return {
        name: _line(words.label(f"host_{name}"), text[:LONGEST])
        for name, text in given.items()
        if text
    }


def _line(label: str, given: str) -> str:
    """Return a link, or a text where that is no address that a browser may follow."""
    try:
        is_link = urlsplit(given).scheme in LINKS and given.isprintable()
    except ValueError:  # as of "http://["
        is_link = False
    return f"[{label}]({quote(given, safe=KEPT)})" if is_link else f"{label}: {as_text(given)}"
