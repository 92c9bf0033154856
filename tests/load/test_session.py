"""The load driver against a real server: it sees and does what a browser would."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from bench.load.run import measure
from bench.load.scenario import ANY_LESSON, OWN_MAP, Scenario, Tab
from bench.load.session import (
    MOST_OTHERS,
    RerunLostError,
    Session,
    SessionDroppedError,
    _Wait,
    with_parameter,
)
from bench.load.tables import (
    requirements,
    table,
)
from bench.load.visit import Visit, class_of
from pages.shared.course.lessons import LESSONS
from pages.shared.course.words import read_words
from tests import own_loop
from tests.browser.live import ROOT, Server

# With the changes to Streamlit that lose no rerun, as the app's own pages.
APP = (
    f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
"""
    + """
from pages.shared.server import streamlit_patches
streamlit_patches.install()
import streamlit as st

st.title("A page")
asked = st.query_params.get("n", "none")
number = st.number_input("number", 0, 50, 3, key="number")
size = st.slider("size", 1, 9, 5, key="size")
step = st.select_slider("step", ["low", "mid", "high"], key="step")
kind = st.selectbox("kind", ["a", "b", "c"], key="kind")
part = st.segmented_control("part", ["one", "two"], key="part", default="one")
on = st.checkbox("on", key="on")
word = st.text_input("word", "cat", key="word")
st.text(f"asked {asked} got {number} {size} {step} {kind} {part} {on} {word}")
if st.button("link", key="link"):
    st.query_params["n"] = "7"
if st.button("fail", key="fail"):
    st.error("it failed")
if st.button("crash", key="crash"):
    raise KeyError("a bug")
if st.button("start", key="start"):
    st.session_state["run"] = 0
if on:
    st.text_area("only when on", key="extra")


@st.fragment(run_every=0.3)
def poll():
    if "run" in st.session_state:
        st.session_state["run"] += 1
    st.text(f"step {st.session_state.get('run', 0)}")
    st.button("inner", key="inner")


@st.fragment
def counted(name, n):
    for i in range(n):
        st.text(f"{name} {i}")


@st.fragment
def one_of_two():
    with st.container():
        two = st.checkbox("two", key="two")
        counted("second", 1) if two else counted("first", 3)


poll()
one_of_two()
"""
)


@pytest.fixture(scope="module")
def small_app(new_server: Callable, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    file = tmp_path_factory.mktemp("app") / "small_app.py"
    file.write_text(APP)
    with new_server(app=file) as server:
        yield server


def in_session(server: Server, do: Callable, query: str = "") -> Session:
    """Open the page, do something on it, and leave."""

    async def visit() -> Session:
        session = Session(server.url, "", query)
        try:
            await session.open()
            await do(session)
        finally:
            await session.close()
        return session

    return own_loop.run(visit())


def test_it_finds_the_widgets_with_their_values_and_the_link(small_app: Server):
    async def look(session: Session) -> None:
        found = session.widgets("number", "s*", "kind", "part", "on", "word")
        values = {key: session.value(key) for key in found if found[key].kind != "button"}
        assert values == {
            "number": 3,
            "size": [5],
            "step": ["low"],
            "kind": "a",
            "part": ["one"],
            "on": False,
            "word": "cat",
        }
        assert "asked 5 got 3 5 low a one False cat" in session.text()

    session = in_session(small_app, look, "n=5")
    assert (session.errors, session.is_dropped) == ([], False)


def test_each_kind_of_widget_can_be_changed_and_the_others_keep_their_values(small_app: Server):
    async def change_all(session: Session) -> None:
        new = [
            ("number", 11, "got 11 5 low a one False cat"),
            ("size", [8], "got 11 8 low a one False cat"),
            ("step", ["high"], "got 11 8 high a one False cat"),
            ("kind", "c", "got 11 8 high c one False cat"),
            ("part", ["two"], "got 11 8 high c two False cat"),
            ("on", True, "got 11 8 high c two True cat"),
            ("word", "dog", "got 11 8 high c two True dog"),
        ]
        for key, value, text in new:
            assert await session.change(key, value) > 0
            assert text in session.text()
        assert "extra" in session.widgets()
        await session.change("on", False)
        assert "extra" not in session.widgets()

    assert in_session(small_app, change_all).errors == []


def test_another_value_is_one_that_a_learner_could_choose(small_app: Server):
    async def change_at_random(session: Session) -> None:
        rng = Random(1)
        for _ in range(3):
            for key in ("number", "size", "step", "kind", "part", "on", "word"):
                value = session.widgets()[key].another_value(session.value(key), rng)
                await session.change(key, value)

    session = in_session(small_app, change_at_random)
    assert (session.errors, session.n_reruns >= 22) == ([], True)


def test_it_follows_what_the_app_does_to_the_link(small_app: Server):
    async def follow(session: Session) -> None:
        await session.change("link")
        await session.change("number", 4)
        assert "asked 7 got 4" in session.text()

    assert in_session(small_app, follow).query == "n=7"


def test_it_polls_as_a_browser_does_and_stops_when_the_tab_is_closed(small_app: Server):
    async def wait(session: Session) -> None:
        await session.change("start")
        n_before, began = session.n_reruns, time.monotonic()
        async with asyncio.timeout(60.0):
            while session.n_reruns < n_before + 3:
                await asyncio.sleep(0.05)
        # One each 0.3 seconds; a busy machine may do fewer, none does more.
        assert session.n_reruns - n_before <= (time.monotonic() - began) / 0.3 + 2
        await session.change("inner")

    session = in_session(small_app, wait)
    assert (session.errors, session.is_dropped) == ([], False)


def test_it_forgets_what_a_fragment_inside_another_drew_before(small_app: Server):
    async def choose(session: Session) -> None:
        assert "first 2" in session.text()
        await session.change("two", True)
        assert "second 0" in session.text() and "first" not in session.text()
        assert "step 0" in session.text(), "the rest of the page stays"

    assert in_session(small_app, choose).errors == []


@pytest.mark.parametrize(("key", "said"), [("fail", "it failed"), ("crash", "KeyError")])
def test_it_sees_what_goes_wrong_on_the_page(small_app: Server, key: str, said: str):
    async def press(session: Session) -> None:
        await session.change(key)

    session = in_session(small_app, press)
    assert any(said in error for error in session.errors) or "error" in session.errors[0]
    assert len(session.errors) == 1


def test_a_key_that_is_not_there_says_which_are(small_app: Server):
    async def press(session: Session) -> None:
        with pytest.raises(KeyError, match=r"no widget 'numbr'.*there are number, size"):
            await session.change("numbr")

    in_session(small_app, press)


def test_a_server_that_goes_away_is_a_dropped_session(new_server: Callable, tmp_path: Path):
    (tmp_path / "app.py").write_text(APP)

    async def visit() -> None:
        with new_server(app=tmp_path / "app.py") as server:
            session = Session(server.url, "")
            await session.open()
        with pytest.raises(SessionDroppedError):
            await session.change("number", 4)
        assert session.is_dropped
        await session.close()
        with pytest.raises(SessionDroppedError, match="no connection"):
            await Session(server.url, "").open()

    own_loop.run(visit())


def test_a_class_is_measured_and_its_requirements_are_told(small_app: Server):
    running = Tab(
        page="",
        settings=("number",),
        start="start",
        progress=r"step (\d+)",
        moves=("number", "on"),
        every_seconds=0.3,
    )
    scenario = Scenario(
        kinds=((running, Tab(page="", moves=("kind",), every_seconds=0.3)),),
        n_learners=2,
        opening_seconds=0.2,
        seconds=2.0,
        most_p95_ms=60_000,
        most_memory_mb=1,
    )
    visits, figures = own_loop.run(measure(scenario, small_app, small_app.url))
    assert len(visits) == 4
    assert all(len(visit.changes_ms) >= 1 for visit in visits)
    met = [is_met for _, is_met in requirements(scenario, visits, figures)]
    assert met == [True, True, True, True, True, False]
    assert f"server memory at its highest: {figures.highest} MB" in table(visits, figures)
    assert figures.slowest_health_ms > 0


def test_a_rerun_that_others_have_overtaken_is_lost():
    async def overtake() -> None:
        session = Session("http://nowhere", "")
        wait = _Wait("")
        session._waits.append(wait)
        for _ in range(MOST_OTHERS):
            session._begin(("a fragment",))
            session._finish(ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY, "1", ("a fragment",))
        with pytest.raises(RerunLostError):
            await wait.done

    own_loop.run(overtake())


def test_a_tab_that_is_given_up_as_its_rerun_ends_is_given_up(monkeypatch):
    async def give_up() -> None:
        session = Session("http://127.0.0.1:1", "masking")
        monkeypatch.setattr(session, "send_rerun", lambda fragment_id: asyncio.sleep(0))
        rerun = asyncio.create_task(session._rerun(""))
        while not session._waits:
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)  # now it waits
        session._waits[0].done.set_result(None)
        rerun.cancel()
        with pytest.raises(asyncio.CancelledError):
            await rerun

    own_loop.run(give_up())


def test_a_bound_widgets_value_goes_into_the_link_as_a_browser_writes_it():
    link = "part=one&on=false&word=a+cat"
    assert with_parameter(link, "on", True) == "part=one&word=a+cat&on=true"
    assert with_parameter(link, "n", 1234567.0).endswith("&n=1234567")
    assert with_parameter(link, "rate", 0.25).endswith("&rate=0.25")
    assert with_parameter(link, "word", "50% [MASK]") == "part=one&on=false&word=50%25+%5BMASK%5D"
    assert with_parameter("", "kinds", ["a", "b"]) == "kinds=a&kinds=b"


def walker(learner: int) -> Visit:
    scenario = Scenario(kinds=((Tab(page=ANY_LESSON, walks=True),),), n_learners=12, seconds=50.0)
    return class_of(scenario, "http://nowhere")[learner]


def test_learners_begin_to_walk_at_different_lessons_and_share_the_time_among_all():
    assert [walker(n).session.page for n in (0, 3, 11)] == [
        LESSONS[n].slug for n in (0, 3, 11 % len(LESSONS))
    ]
    assert walker(0).walk.seconds_a_lesson == 50.0 / len(LESSONS)
    assert walker(0).walk.types and not walker(1).walk.types


def test_the_map_that_a_class_waits_for_is_named_as_the_page_names_it():
    words = read_words("word_senses")
    for named in (words.label("kind_named_umap_learn"), words.plain("kind_named_umap_learn")):
        assert re.search(OWN_MAP.shows, named)
    for no_map_yet in ("kind_live", "kind_named_pca_instead"):
        assert not re.search(OWN_MAP.shows, words.label(no_map_yet))
