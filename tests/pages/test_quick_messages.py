"""What a page sends is handled in its order, in few rounds, and before another run begins."""

import asyncio
import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

from pages.shared import quick_messages
from tests import own_loop

MESSAGE, STOPPED = (
    ScriptRunnerEvent.ENQUEUE_FORWARD_MSG,
    ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS,
)


class Session:
    """As much of Streamlit's as is asked here: what was handled, and who was woken how often."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._event_loop, self.handled, self.n_woken = loop, [], 0

    def _call_soon_on_event_loop(self, callback: Callable[[], None]) -> None:
        self.n_woken += 1
        self._event_loop.call_soon_threadsafe(callback)

    def _handle_scriptrunner_event_on_event_loop(self, sender, event, message=None) -> None:
        if message == "bad":
            raise ValueError("no message")
        self.handled.append((event, message))


def sent(messages: list, *, then: Callable = lambda session: None) -> Session:
    """Send messages from a page's thread, and give the session a moment later."""

    async def live() -> Session:
        session = Session(asyncio.get_running_loop())

        def page() -> None:
            for event, message in messages:
                quick_messages._send(session, None, event=event, message=message)

        thread = threading.Thread(target=page)
        thread.start()
        thread.join()
        then(session)
        await asyncio.sleep(3 * quick_messages.GATHER_SECONDS)
        return session

    return own_loop.run(live())


def test_it_is_installed_wherever_a_page_runs(open_warm_page):
    assert not open_warm_page("pages/3_masking.py").exception
    assert AppSession._on_scriptrunner_event is quick_messages._send
    assert AppSession._create_scriptrunner is quick_messages._begin
    assert AppSession.request_rerun is quick_messages._ask
    assert AppSession._clear_queue is quick_messages._clear


def test_a_hundred_messages_wake_the_other_thread_once_and_keep_their_order():
    messages = [(MESSAGE, i) for i in range(100)]
    session = sent(messages)
    assert session.handled == messages
    assert session.n_woken == 1


def test_the_end_of_a_run_waits_for_nothing_and_comes_after_what_it_drew():
    messages = [(MESSAGE, 1), (MESSAGE, 2), (STOPPED, None), (MESSAGE, 3)]
    session = sent(messages)
    assert session.handled == messages
    assert session.n_woken == 2, "the first message, and the end"


def test_one_that_fails_takes_no_other_along(caplog: pytest.LogCaptureFixture):
    session = sent([(MESSAGE, 1), (MESSAGE, "bad"), (MESSAGE, 2)])
    assert [message for _, message in session.handled] == [1, 2]
    assert "could not be handled" in caplog.text


def test_what_an_ended_run_still_has_to_say_is_heard_before_another_begins(monkeypatch):
    heard = []
    monkeypatch.setattr(
        quick_messages, "_create_scriptrunner", lambda session, data: heard.extend(session.handled)
    )
    sent(
        [(MESSAGE, 1), (STOPPED, None)],
        then=lambda session: quick_messages._begin(session, SimpleNamespace()),
    )
    assert heard == [(MESSAGE, 1), (STOPPED, None)]


@pytest.mark.parametrize(
    ("part", "is_timer", "asked"),
    [("here", False, "here"), ("gone", False, ""), ("gone", True, "gone"), ("", False, "")],
)
def test_a_change_in_a_part_that_is_gone_draws_the_whole_page(monkeypatch, part, is_timer, asked):
    requests = []
    monkeypatch.setattr(
        quick_messages, "_request_rerun", lambda session, state: requests.append(state.fragment_id)
    )
    session = SimpleNamespace(has_fragment=lambda name: name == "here")
    quick_messages._ask(session, ClientState(fragment_id=part, is_auto_rerun=is_timer))
    assert requests == [asked]


DRAWN = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
CUT_SHORT = ForwardMsg.FINISHED_EARLY_FOR_RERUN


@pytest.mark.parametrize(
    ("begins", "status"),
    [(["timer"], DRAWN), (["part"], CUT_SHORT), (["timer", "part"], CUT_SHORT), (None, CUT_SHORT)],
)
def test_a_part_drawn_to_its_end_is_not_cut_short_by_another_that_begins(begins, status):
    session = SimpleNamespace(_browser_queue=ForwardMsgQueue())
    element, end = ForwardMsg(), ForwardMsg()
    element.delta.new_element.text.body = "the next part"
    element.delta.fragment_id = "part"
    end.script_finished = DRAWN
    end.metadata.run.fragment_ids.append("part")
    for message in (element, end):
        session._browser_queue.enqueue(message)
    quick_messages._clear(session, begins)
    kept = session._browser_queue.flush()
    assert kept[-1].script_finished == status
    assert (element in kept) == (status == DRAWN), "what was drawn, and that it was, go together"
