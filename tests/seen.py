"""What a page that was opened in-process shows, as text."""

import json
import re
import time
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.caches import let_the_trainer_work

PATIENCE = 60  # seconds, on a machine that does much else


def words_of(app: AppTest) -> str:
    """Return all Markdown, without the marks that keep learners' text plain."""
    return " ".join(one.value for one in app.markdown).replace("\\", "")


def captions_of(app: AppTest) -> str:
    return " ".join(one.value for one in app.caption).replace("\\", "")


def sent_to(app: AppTest) -> str:
    """Return what drawings and charts were given, with their names, as one text."""
    return "".join(str(e.proto) for e in [*app.get("bidi_component"), *app.get("plotly_chart")])


def html_of(app: AppTest) -> str:
    """Return what drawings were given as HTML."""
    given = [json.loads(one.proto.json or "{}") for one in app.get("bidi_component")]
    return "".join(str(one.get("html", "")) for one in given)


def metric(app: AppTest, words: str) -> str:
    """Return the value of the metric whose label has these words."""
    return next(metric.value for metric in app.metric if words in metric.label)


def progress(app: AppTest) -> str:
    """Return the line over the bar of a run; there is none in a run that failed."""
    bars = app.get("progress")
    return bars[0].proto.text.replace("\\", "") if bars else ""


def draw_until(app: AppTest, wanted: str, read: Callable[[], str] | None = None) -> AppTest:
    """Draw a page again and again, as a browser's timer does, until it says `wanted`."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        app.run()
        assert not app.exception
        said = read() if read else progress(app)
        if re.search(wanted, said):
            return app
        let_the_trainer_work(0.3)  # it rests while a page is drawn
    raise AssertionError(f"{wanted!r} did not come: {said[:2000]}")
