"""How much the server sends: opening a lesson, going to a part, and changing something there."""

import pytest

from bench.load.session import Session
from bench.load.widgets import FIELD_OF_KIND
from bench.sent_bytes import OPENING_LIMIT, OPENS, PART_LIMIT, Sent, changes_of
from pages.shared.course.lessons import LESSONS, Lesson
from tests import own_loop
from tests.browser.live import Server

SETTINGS = [kind for kind in FIELD_OF_KIND if kind not in (*OPENS, "button")]
SLOW = ("subword_tokens_curve", "word_senses_scope")  # another choice computes for seconds


async def visited(session: Session, slug: str) -> dict[str, Sent]:
    """Go through a lesson's parts and change one thing in each; return what was sent."""
    await session.open()
    sent = {"opening": Sent(key="", n_bytes=session.n_bytes, is_of_part=False)}
    part, following = f"{slug}_part", f"{slug}_part_next"
    around: set[str] = set()  # the opening's widgets, which stand beside every part
    while True:
        name, widgets = session.value(part), session.widgets(f"{slug}_*")
        own = {key: one for key, one in widgets.items() if key not in (*around, *SLOW)}
        for kinds in (SETTINGS, OPENS):
            settings = {key: one for key, one in own.items() if one.kind in kinds}
            changed = await changes_of(session, settings, most=1)
            sent |= {f"{one.key} in {name}": one for one in changed}
            if changed:
                break
        if following not in session.widgets():
            break
        around = around or set(widgets)
        before = session.n_bytes
        await session.change(following)
        n_bytes = session.n_bytes - before
        sent[f"to {session.value(part)}"] = Sent(key=part, n_bytes=n_bytes, is_of_part=True)
    await session.close()
    return sent


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_opening_a_lesson_and_changing_something_in_a_part_sends_little(
    lesson: Lesson, server: Server
):
    session = Session(server.url, lesson.slug, "lang=en")
    sent = own_loop.run(visited(session, lesson.slug))
    limits = {True: PART_LIMIT, False: OPENING_LIMIT}
    too_much = {what: one for what, one in sent.items() if one.n_bytes > limits[one.is_of_part]}
    assert not too_much and not session.errors
    assert len(sent) > 10  # it went through all parts


# The largest parts, each with a link to what it has most of: a word of 123 uses; the longest test
# sentences, of which one has the most numbers.
LONGEST = "bio_tagging_which=entities_head&bio_tagging_test_sentence"
LARGEST = {
    "a map of 123 sentences": ("word_senses", "german", ""),
    "the longest test sentence": ("bio_tagging", "viterbi", f"{LONGEST}=208"),
    "a tagger's sentence": ("bio_tagging", "scores", "bio_tagging_scores_case=tagger"),
}


@pytest.mark.parametrize(("slug", "part", "link"), LARGEST.values(), ids=LARGEST)
def test_opening_a_table_or_the_code_of_a_large_part_sends_little(
    slug: str, part: str, link: str, server: Server
):
    session = Session(server.url, slug, f"lang=de&{slug}_part={part}&{link}")  # the longer words
    sent = own_loop.run(opened(session))
    assert len(sent) > 3 and not session.errors
    assert not [one for one in sent if one.n_bytes > PART_LIMIT]


async def opened(session: Session) -> list[Sent]:
    """Open and close every table and code of a view, one after the other."""
    await session.open()
    opening = {key: one for key, one in session.widgets().items() if one.kind in OPENS}
    sent = await changes_of(session, opening)
    await session.close()
    return sent
