"""What a browser's messages ask for: how large each counts, and which Streamlit gets.

Read before this: door.py, which reads the messages of each tab.
"""

import logging
from typing import TYPE_CHECKING

from streamlit.proto.BackMsg_pb2 import BackMsg

if TYPE_CHECKING:
    from starlette.types import Message

logger = logging.getLogger("mlm_app")

UNIT_BYTES = 20_000
MOST_FOR_BYTES = 4.0  # units
ASKED = "mlm_asked"  # in an ASGI message while it is here: it as Streamlit reads it
IS_SAME = ("page_script_hash", "page_name", "fragment_id", "is_history_navigation", "is_auto_rerun")
CLICKS = ("trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value")
MOST_WIDGETS = 1_000  # in one message, which has all of a page; ours have up to a hundred

ANSWERED = frozenset(
    {"rerun_script", "stop_script", "app_heartbeat", "file_urls_request"}
    | {"backend_operation_request"}
)
ASKS = frozenset({"rerun_script", "file_urls_request", "backend_operation_request"})
# A download that is made when it is asked for, and the rows of a long table.
OPERATIONS = frozenset({"deferred_file", "dataframe_chunk"})
MOST_FILE_NAMES = 10  # in one message; every uploader of ours takes one file
HEARTBEAT = BackMsg(app_heartbeat=True).SerializeToString()  # which Streamlit does nothing for


def units_of(n_bytes: int) -> float:
    """Return how many units a message is.

    >>> units_of(20_000), units_of(2_000_000)
    (2.0, 5.0)
    """
    return 1 + min(MOST_FOR_BYTES, n_bytes / UNIT_BYTES)


def has_ended(message: "Message") -> bool:
    """Return whether a tab's connection has ended."""
    return message["type"] == "websocket.disconnect"


def asks_for_page(message: "Message") -> bool:
    """Return whether a message that is answered asks for a page, or for a part of it."""
    return ASKED in message and message[ASKED].HasField("rerun_script")


def takes_the_place(newer: "Message", older: "Message") -> bool:
    """Return whether a request has all that an older one asks for: of the same, and no click.

    A message has the values of all widgets, but a click is in one message alone.
    """
    if not asks_for_page(newer):
        return False
    new, old = newer[ASKED].rerun_script, older[ASKED].rerun_script
    is_same = all(getattr(new, name) == getattr(old, name) for name in IS_SAME)
    widgets = old.widget_states.widgets
    return is_same and not any(one.WhichOneof("value") in CLICKS for one in widgets)


def is_answered(message: BackMsg) -> bool:
    """Return whether Streamlit gets a message."""
    kind = message.WhichOneof("type")
    if kind == "rerun_script":
        known = len(message.rerun_script.widget_states.widgets) <= MOST_WIDGETS
    elif kind == "file_urls_request":
        known = len(message.file_urls_request.file_names) <= MOST_FILE_NAMES
    elif kind == "backend_operation_request":
        known = message.backend_operation_request.WhichOneof("payload") in OPERATIONS
    else:
        known = kind in ANSWERED
    if not known:
        logger.warning("a browser's request was ignored: %s", kind)
    return known
