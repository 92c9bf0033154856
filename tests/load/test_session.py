"""The load driver against a real server: it sees and does what a browser would."""

import asyncio
from collections.abc import Callable, Iterator

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from bench.load.session import (
    MOST_OTHERS,
    RerunLostError,
    Session,
    _Wait,
    with_parameter,
)
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
if st.button("crash", key="crash"):
    raise KeyError("a bug")
if on:
    st.text_area("only when on", key="extra")


@st.fragment
def counted(name, n):
    for i in range(n):
        st.text(f"{name} {i}")


@st.fragment
def one_of_two():
    with st.container():
        two = st.checkbox("two", key="two")
        counted("second", 1) if two else counted("first", 3)


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


def test_it_forgets_what_a_fragment_inside_another_drew_before(small_app: Server):
    async def choose(session: Session) -> None:
        assert "first 2" in session.text()
        await session.change("two", True)
        assert "second 0" in session.text() and "first" not in session.text()
        assert "A page" in session.text(), "the rest of the page stays"
        await session.change("crash")

    assert len(in_session(small_app, choose).errors) == 1  # of the crash


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
