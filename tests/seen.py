"""What a page that was opened in-process shows, as text."""

import json

from streamlit.testing.v1 import AppTest


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
