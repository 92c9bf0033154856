"""The load driver: what it does with a rerun that is lost or given up, and how it writes a link."""

import asyncio

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
        for _ in range(5):  # now it waits
            await asyncio.sleep(0)
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
