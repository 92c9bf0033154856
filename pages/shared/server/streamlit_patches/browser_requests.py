"""Ignore what a browser may ask of the server and this app's pages never ask.

Upstream: `AppSession.handle_backmsg` (runtime/app_session.py) acts on every message of anybody who
can open the websocket; `client.toolbarMode` hides the menu, it guards nothing.
Worth it, measured on two cores while one attacker sent for 8 seconds (bench/load/attacks.py):
- `file_urls_request` builds an address for each name. Up to 4 MB of empty names: a health check
  waited 35 s and the server grew from 414 to 1,951 MB; with this, and 2 MB, 0.2 s and 6 MB more.
- `load_git_info` runs git on the event loop, for a button that only a developer sees: 1.4 s; 0.3.
- `clear_cache`, two bytes, empties the caches of all visits, and ended everybody's training.
"""

import logging
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING

from pages.shared.server import streamlit_patches

if TYPE_CHECKING:
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.runtime.app_session import AppSession

logger = logging.getLogger("mlm_app")

ANSWERED = frozenset(
    {"rerun_script", "stop_script", "app_heartbeat", "file_urls_request"}
    | {"backend_operation_request"}
)
# A download that is made when it is asked for, and the rows of a long table.
OPERATIONS = frozenset({"deferred_file", "dataframe_chunk"})
MOST_FILE_NAMES = 10  # in one message; every uploader of ours takes one file


def is_answered(message: "BackMsg") -> bool:
    """Return whether the server acts on a message."""
    kind = message.WhichOneof("type")
    if kind == "file_urls_request":
        return len(message.file_urls_request.file_names) <= MOST_FILE_NAMES
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in OPERATIONS
    return kind in ANSWERED


def answer_known(original: Callable) -> Callable:
    """Return what stands for `AppSession.handle_backmsg`."""

    @wraps(original)
    def handle(session: "AppSession", msg: "BackMsg") -> None:
        if is_answered(msg):
            original(session, msg)
        else:
            logger.warning("a browser's request was ignored: %s", msg.WhichOneof("type"))

    return handle


def install() -> None:
    """Replace `AppSession.handle_backmsg`."""
    from streamlit.runtime.app_session import AppSession

    streamlit_patches.replace(AppSession, "handle_backmsg", answer_known)
