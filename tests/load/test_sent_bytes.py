"""How much the server sends: opening a lesson, going to a part, and changing something there."""

import pytest

from bench.sent_bytes import OPENING_LIMIT, OPENS, PART_LIMIT, Sent, changes_of
from pages.shared.lessons import LESSONS, Lesson
from tests import own_loop
from tests.browser.live import Server
from tests.load.session import Session
from tests.load.widgets import FIELD_OF_KIND

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
