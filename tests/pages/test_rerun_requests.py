"""No event of a run that has ended is lost, no change in a part that is not found, no click."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.scriptrunner import RerunData, ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.runtime.session_manager import SessionClientDisconnectedError

from pages.server.process.streamlit_patches import part_requests, rerun_requests
from tests import own_loop

MESSAGE, STOPPED = (
    ScriptRunnerEvent.ENQUEUE_FORWARD_MSG,
    ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS,
)


def unused(*_: object, **__: object) -> None:
    raise AssertionError("Streamlit's own is not called")


class Session:
    """As much of Streamlit's session as is asked here: what was handled, in which order."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._event_loop, self.handled, self.n_woken = loop, [], 0
        self.n_to_send = 0  # how often the loop that sends is woken

    def _message_enqueued_callback(self) -> None:
        self.n_to_send += 1

    def _call_soon_on_event_loop(self, callback: Callable[[], None]) -> None:
        self.n_woken += 1
        self._event_loop.call_soon_threadsafe(callback)

    def _handle_scriptrunner_event_on_event_loop(self, sender, event, message=None) -> None:
        self._message_enqueued_callback()
        if message == "bad":
            raise ValueError("no message")
        self.handled.append((event, message))


def sent(messages: list, *, then: Callable = lambda session: None) -> Session:
    """Send messages from a page's thread, and give the session when all are handled."""

    async def live() -> Session:
        session = Session(asyncio.get_running_loop())
        on_event = rerun_requests.queue_events(unused)

        def page() -> None:
            for event, message in messages:
                on_event(session, None, event=event, message=message)

        thread = threading.Thread(target=page)
        thread.start()
        thread.join()
        then(session)
        while rerun_requests.waiting_events(session):
            await asyncio.sleep(0)
        return session

    return own_loop.run(live())


def test_messages_keep_their_order_and_each_is_handled_once():
    messages = [*((MESSAGE, i) for i in range(100)), (STOPPED, None), (MESSAGE, 100)]
    session = sent(messages)
    assert session.handled == messages
    # Of Streamlit's own code: 102 times, and each time it takes the interpreter from the page.
    assert (session.n_woken, session.n_to_send) == (2, 1)


def test_one_that_fails_takes_no_other_along(caplog: pytest.LogCaptureFixture):
    session = sent([(MESSAGE, 1), (MESSAGE, "bad"), (MESSAGE, 2)])
    assert [message for _, message in session.handled] == [1, 2]
    assert "could not be handled" in caplog.text


def test_the_events_of_an_ended_run_are_handled_before_another_begins():
    handled = []
    create = rerun_requests.handle_first(lambda session, data: handled.extend(session.handled))
    messages = [(MESSAGE, 1), (STOPPED, None)]
    session = sent(messages, then=lambda session: create(session, SimpleNamespace()))
    assert handled == messages
    assert session.handled == messages, "once, not again when the event loop comes to them"


@pytest.mark.parametrize(
    ("part", "is_timer", "asked"),
    [("here", False, "here"), ("gone", False, ""), ("gone", True, "gone"), ("", False, "")],
)
def test_a_change_in_a_part_that_is_gone_draws_the_whole_page(part, is_timer, asked):
    requests = []
    request = rerun_requests.draw_all_if_gone(
        lambda session, state: requests.append(state.fragment_id)
    )
    session = SimpleNamespace(id="a", has_fragment=lambda name: name == "here")
    request(session, ClientState(fragment_id=part, is_auto_rerun=is_timer))
    assert requests == [asked]


OTHER = RerunData(query_string="b=2", page_script_hash="other")


@pytest.mark.parametrize(
    ("meanwhile", "wanted"),
    [
        (None, ("a=1", "this", ["x"])),
        (OTHER, ("b=2", "other", [])),  # the whole of another page
        (replace(OTHER, fragment_id="y"), ("b=2", "other", ["y", "x"])),
    ],
)
def test_parts_that_are_asked_for_keep_what_a_visitor_asked_for_meanwhile(
    monkeypatch: pytest.MonkeyPatch, meanwhile: RerunData | None, wanted: tuple
):
    context = SimpleNamespace(
        script_requests=ScriptRequests(),
        query_string="a=1",
        page_script_hash="this",
        cached_message_hashes=set(),
        context_info=None,
    )
    monkeypatch.setattr("streamlit.runtime.scriptrunner.get_script_run_ctx", lambda: context)
    part_requests.draw([])
    if meanwhile is not None:
        context.script_requests.request_rerun(meanwhile)
    part_requests.draw(["x"])
    asked = context.script_requests.on_scriptrunner_ready().rerun_data
    assert (asked.query_string, asked.page_script_hash, asked.fragment_id_queue) == wanted


@pytest.mark.parametrize(("n_taken", "n_left"), [(1_000, 36), (3, 97), (0, 100)])
def test_messages_are_sent_together_and_what_is_not_sent_is_left(
    monkeypatch: pytest.MonkeyPatch, n_taken: int, n_left: int
):
    """As many as a tab takes, and not so many at once that Streamlit takes it for gone."""
    taken: list[int] = []

    def send(visit: str, message: int) -> None:
        if len(taken) == n_taken:
            raise SessionClientDisconnectedError
        taken.append(message)

    runtime = SimpleNamespace(
        _session_mgr=SimpleNamespace(get_active_session_info=lambda session_id: "visit"),
        _send_message=send,
    )
    monkeypatch.setattr(rerun_requests, "get_instance", lambda: runtime)
    flush = rerun_requests.send_together(lambda session: list(range(100)))
    left = flush(SimpleNamespace(id="a"))
    assert taken + left == list(range(100)) and len(left) == n_left
