"""How much the server sends when a table, or the code of a part, is opened.

Of a lesson, and of each of its parts: tests/browser/test_first_use.py.
"""

import pytest

from bench.load.session import Session
from bench.sent_bytes import OPENS, PART_LIMIT, Sent, changes_of
from tests import own_loop
from tests.browser.live import Server

# The largest parts, each with a link to what it has most of: a word of 128 uses; the longest test
# sentences, of which one has the most numbers.
LONGEST = "bio_tagging_which=entities_head&bio_tagging_test_sentence"
LARGEST = {
    "a map of 128 sentences": ("word_senses", "own", "word_senses_own_word=was"),
    "the longest test sentence": ("bio_tagging", "viterbi", f"{LONGEST}=208"),
    "a tagger's sentence": ("bio_tagging", "scores", "bio_tagging_scores_case=tagger"),
}


@pytest.mark.parametrize(("slug", "part", "link"), LARGEST.values(), ids=LARGEST)
def test_opening_a_table_or_the_code_of_a_large_part_sends_little(
    slug: str, part: str, link: str, server: Server
):
    session = Session(server.url, slug, f"lang=de&{slug}_part={part}&{link}")  # the longer words
    sent = own_loop.run(opened(session))
    assert len(sent) >= 2 and not session.errors
    assert not [one for one in sent if one.n_bytes > PART_LIMIT]


async def opened(session: Session) -> list[Sent]:
    """Open and close every table and code of a view, one after the other."""
    await session.open()
    opening = {key: one for key, one in session.widgets().items() if one.kind in OPENS}
    sent = await changes_of(session, opening)
    await session.close()
    return sent
