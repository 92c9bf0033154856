"""What a page sends goes to the thread that talks to browsers a handful at a time.

Streamlit 1.67 wakes that thread for each of a page's hundred messages, and each time the page
waits until Python lets it go on, behind every other busy thread. Here messages gather for a
moment. What begins or ends a run takes along all before it at once, so their order stays.

They are also handled before a new run takes the place of an ended one. Streamlit throws away
what an ended run still has to say then: a widget that was moved while a timer's run ended had
moved, and its page had not. For the same reason a change in a part that is just being drawn anew,
and that Streamlit doesn't find for a moment, draws the whole page instead of nothing.

And a part that was drawn to its end is not told to be cut short, because a timer's run began
before its last messages were on their way: a browser would wait for a run that never comes, and
keep what the part before it had drawn.
"""

import logging
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

logger = logging.getLogger("mlm_app")

GATHER_SECONDS = 0.01  # less than a frame of a screen

_lock = threading.Lock()
# A page that is being drawn when this is installed knows it by a weak reference only.
_as_before = AppSession._on_scriptrunner_event
_create_scriptrunner = AppSession._create_scriptrunner
_request_rerun = AppSession.request_rerun
_clear_queue = AppSession._clear_queue


def _send(
    session: AppSession, sender: Any, event: ScriptRunnerEvent, *args: Any, **more: Any
) -> None:
    """Stand for `AppSession._on_scriptrunner_event`; called on the page's thread."""
    handle = partial(session._handle_scriptrunner_event_on_event_loop, sender, event, *args, **more)
    is_message = event is ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
    with _lock:
        gathered: list[Callable[[], None]] = session.__dict__.setdefault("_gathered", [])
        gathered.append(handle)
        if is_message and len(gathered) > 1:
            return  # the first one has seen to it
    session._call_soon_on_event_loop(partial(_wait if is_message else _handle_all, session))


def _wait(session: AppSession) -> None:
    session._event_loop.call_later(GATHER_SECONDS, _handle_all, session)


def _handle_all(session: AppSession) -> None:
    """Handle what has gathered, in its order; called on the thread that talks to browsers."""
    with _lock:
        gathered = session.__dict__.pop("_gathered", [])
    for handle in gathered:
        try:
            handle()
        except Exception:
            logger.exception("a page's message could not be handled")


def _begin(session: AppSession, *args: Any, **more: Any) -> None:
    """Stand for `AppSession._create_scriptrunner`."""
    _handle_all(session)
    _create_scriptrunner(session, *args, **more)


def _ask(session: AppSession, client_state: ClientState | None) -> None:
    """Stand for `AppSession.request_rerun`."""
    part = client_state.fragment_id if client_state is not None else ""
    # A timer's question about a part that is gone has no answer, and needs none.
    if part and not client_state.is_auto_rerun and not session.has_fragment(part):
        client_state.fragment_id = ""
    _request_rerun(session, client_state)


def _clear(session: AppSession, parts: list[str] | None = None) -> None:
    """Stand for `AppSession._clear_queue`; `parts` are those whose run begins, None for all."""
    complete = [
        (message, message.script_finished)
        for message in session._browser_queue._queue
        if parts
        and message.WhichOneof("type") == "script_finished"
        and not set(parts) & set(message.metadata.run.fragment_ids)
    ]
    _clear_queue(session, parts)
    for message, status in complete:
        message.script_finished = status


def install() -> None:
    """Let every visit of this process do so."""
    AppSession._clear_queue = _clear
    AppSession.request_rerun = _ask
    AppSession._on_scriptrunner_event = _send
    AppSession._create_scriptrunner = _begin
