"""What a page that was opened in-process shows, as text."""

import json
import re
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from streamlit.testing.v1 import AppTest

from pages.server.course.lessons import BY_SLUG
from tests.caches import let_the_trainer_work

Found = TypeVar("Found")
PATIENCE = 60  # seconds, on a machine that does much else
A_LITTLE = partial(let_the_trainer_work, 0.3)


def words_of(app: AppTest) -> str:
    """Return all Markdown, without the marks that keep learners' text plain."""
    return " ".join(one.value for one in app.markdown).replace("\\", "")


def all_words_of(app: AppTest) -> str:
    """Return the Markdown with what stands in boxes and under figures."""
    shown = (*app.markdown, *app.caption, *app.info, *app.error, *app.warning)
    return " ".join(one.value for one in shown).replace("\\", "")


def captions_of(app: AppTest) -> str:
    return " ".join(one.value for one in app.caption).replace("\\", "")


def sent_to(app: AppTest) -> str:
    """Return what drawings and charts were given, with their names, as one text."""
    return "".join(str(e.proto) for e in [*app.get("bidi_component"), *app.get("plotly_chart")])


def html_of(app: AppTest) -> str:
    """Return what drawings were given as HTML."""
    given = [json.loads(one.proto.json or "{}") for one in app.get("bidi_component")]
    return "".join(str(one.get("html", "")) for one in given)


def open_part(slug: str, opens: Callable, part: str = "", **link: str) -> AppTest:
    """Open a part of a lesson, or its opening, with what opens pages; nothing may fail."""
    app = opens(BY_SLUG[slug].file, **({f"{slug}_part": part} if part else {}), **link)
    assert not app.exception and not app.error
    return app


def guess(app: AppTest, key: str, value: str) -> AppTest:
    """Make a guess, or another choice of one among a few."""
    return app.segmented_control(key=key).set_value(value).run()


def metric(app: AppTest, words: str) -> str:
    """Return the value of the metric whose label has these words."""
    return next(metric.value for metric in app.metric if words in metric.label)


def progress(app: AppTest) -> str:
    """Return the line over the bar of a run; there is none in a run that failed."""
    bars = app.get("progress")
    return bars[0].proto.text.replace("\\", "") if bars else ""


def draw_until(app: AppTest, wanted: str, read: Callable[[], str] | None = None) -> AppTest:
    """Draw a page until it says `wanted`."""
    read = read or partial(progress, app)
    look_until(app, lambda: re.search(wanted, read()))
    return app


def look_until(
    app: AppTest, look: Callable[[], Found], rest: Callable[[], object] = A_LITTLE
) -> Found:
    """Draw a page again and again, as a browser's timer does, until a look at it finds something.

    The trainer rests while a page is drawn: in between it works, or what is given.
    """
    stop_at = time.monotonic() + PATIENCE
    while True:
        app.run()
        assert not app.exception
        if found := look():
            return found
        assert time.monotonic() < stop_at, f"{progress(app)} {all_words_of(app)[:2000]}"
        rest()
