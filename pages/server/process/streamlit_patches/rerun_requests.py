"""Lose no change of a widget that arrives while another run ends; wake the event loop rarely.

Upstream: `AppSession.request_rerun` and `_create_scriptrunner` (runtime/app_session.py), whose
comment describes the first loss (https://github.com/streamlit/streamlit/issues/9921). Events of an
ended run that still wait for the event loop are ignored once another run has begun: a widget that
was moved while a timer's run ended had moved, and its page had not. And a change in a part that is
being drawn anew, which Streamlit doesn't find for a moment, draws nothing. Here the events that
wait are handled before another run begins, and a part that is not found draws the whole page.
Worth it, measured: of 240 changes beside a timer 4 were lost without this, none with it.

A page sends some forty messages, and Streamlit wakes the event loop for each, which then takes the
interpreter from the page. Here messages are handed over together, `HOLD_SECONDS` after the first
of them or when the run ends. The loop sends every 10 ms anyhow (`MESSAGE_FLUSH_INTERVAL_SECS`).
After each message it goes once around (`Runtime._loop_coroutine`), and whoever computes takes the
interpreter meanwhile. Here up to `AT_ONCE` messages of a visit are sent in one go.
Worth it, measured: see what a change waits for in docs/decisions/0004-a-server-in-class.md.
"""

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.session_manager import SessionClientDisconnectedError

from pages.server.process import streamlit_patches
from pages.server.trainer.jobs import trace_of

if TYPE_CHECKING:
    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
    from streamlit.runtime.app_session import AppSession
    from streamlit.runtime.scriptrunner import ScriptRunner

logger = logging.getLogger("mlm_app")

HOLD_SECONDS = 0.005  # a part is drawn in 15 ms
AT_ONCE = 64  # messages; of 500 that wait Streamlit takes a tab for gone


def queue_events(original: Callable) -> Callable:
    """Return what stands for `_on_scriptrunner_event`, on the page's thread."""

    @wraps(original)
    def on_event(
        session: "AppSession",
        sender: "ScriptRunner | None",
        event: ScriptRunnerEvent,
        *args: Any,
        **more: Any,
    ) -> None:
        handle = session._handle_scriptrunner_event_on_event_loop
        waiting_events(session).append(partial(handle, sender, event, *args, **more))
        if event is not ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
            session._call_soon_on_event_loop(partial(handle_waiting, session))
        elif not session.__dict__.get("_is_to_handle_events"):
            session.__dict__["_is_to_handle_events"] = True
            session._call_soon_on_event_loop(partial(handle_later, session))

    return on_event


def waiting_events(session: "AppSession") -> deque[Callable[[], None]]:
    """Return the events of a visit's runs that the event loop has not handled yet."""
    return session.__dict__.setdefault("_waiting_events", deque())


def handle_later(session: "AppSession") -> None:
    """Handle all events that wait in a moment; called on the event loop's thread."""
    session._event_loop.call_later(HOLD_SECONDS, handle_waiting, session)


def handle_waiting(session: "AppSession") -> None:
    """Handle all events that wait, in their order; called on the event loop's thread."""
    session.__dict__["_is_to_handle_events"] = False  # first, so that no later event is left
    waiting, wake = waiting_events(session), session._message_enqueued_callback
    if not waiting:
        return
    session._message_enqueued_callback = _do_nothing
    while waiting:
        try:
            waiting.popleft()()
        except Exception as error:
            logger.error("an event of a page's run could not be handled\n%s", trace_of(error))
    session._message_enqueued_callback = wake
    if wake is not None:
        wake()  # once for all of them


def _do_nothing() -> None:
    pass


def send_together(original: Callable) -> Callable:
    """Return what stands for `AppSession.flush_browser_queue`, called on the event loop's thread.

    The loop sends what it returns: what is left, and what a tab that has gone did not take.
    """

    @wraps(original)
    def flush(session: "AppSession") -> "list[ForwardMsg]":
        messages, n_sent = original(session), 0
        runtime = get_instance()
        visit = runtime._session_mgr.get_active_session_info(session.id)
        if visit is not None:
            with suppress(SessionClientDisconnectedError):
                for message in messages[:AT_ONCE]:
                    runtime._send_message(visit, message)
                    n_sent += 1
        return messages[n_sent:]

    return flush


def handle_first(original: Callable) -> Callable:
    """Return what stands for `AppSession._create_scriptrunner`."""

    @wraps(original)
    def create(session: "AppSession", *args: Any, **more: Any) -> None:
        handle_waiting(session)
        original(session, *args, **more)

    return create


def draw_all_if_gone(original: Callable) -> Callable:
    """Return what stands for `AppSession.request_rerun`."""

    @wraps(original)
    def request(session: "AppSession", client_state: "ClientState | None") -> None:
        # A timer's question about a part that is gone has no answer, and needs none.
        if client_state is not None and (part := client_state.fragment_id):
            if not client_state.is_auto_rerun and not session.has_fragment(part):
                client_state.fragment_id = ""
        original(session, client_state)

    return request


def install() -> None:
    """Replace the four methods of `AppSession`."""
    from streamlit.runtime.app_session import AppSession

    streamlit_patches.replace(AppSession, "_on_scriptrunner_event", queue_events)
    streamlit_patches.replace(AppSession, "_create_scriptrunner", handle_first)
    streamlit_patches.replace(AppSession, "flush_browser_queue", send_together)
    streamlit_patches.replace(AppSession, "request_rerun", draw_all_if_gone)
