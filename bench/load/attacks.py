"""Hostile messages for Streamlit's websocket: one builder for each kind that a browser can send.

    from bench.load.attacks import attack, messages

    for data in messages():                  # bytes: binary frames; str: text frames
        ...
    n_sent = await attack(server.url, seconds=10.0)    # sends all of them, again and again

`KINDS` has a builder for each kind of the protocol (streamlit/proto/BackMsg.proto); each yields
messages of that kind: plain, malformed inside, and as large as the server takes. `malformed`
yields what is no message at all. `messages` yields all of it once, in the same order each time.

Builders take what an attacker has `Seen` of its own page (ids of widgets and of parts, the
session's id), since the server drops values for widgets that it doesn't know. `attack` opens a
page first to see them. It attacks this machine only, and its loops end by time. The file is long
because the messages and what sends them belong together.
"""

import asyncio
import contextlib
import ipaddress
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed

from bench.load.session import RerunLostError, Session, SessionDroppedError
from tests.browser.live import ROOT

PATIENCE = 20.0  # seconds for an attacker's own page
_CONFIG = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
LARGEST = _CONFIG["server"]["maxWidgetStateSize"] * 1_000_000  # bytes of one message
REPEATS = 20  # of each message in a row, and of the large ones no more bytes than these
REPEATED_BYTES = 8_000_000
# Characters that cost a parser, a drawing or a file most, and numbers that are none.
TEXTS = ("", "\x00", "." * 20_000, "../../etc/passwd", "<script>", "\ud7ff\U0010ffff", "[" * 5_000)
NUMBERS = (float("nan"), float("inf"), -1e308, 5e-324)
JSONS = ("{}", "[" * 50_000, '{"a":' * 9_000, "9" * 5_000, "null", '{"value": {"a": []}}', "NaN")
# Values that a widget may never have had: the field of a WidgetState, and what is set there.
FORGED: tuple[tuple[str, object], ...] = (
    *(("trigger_value", True), ("bool_value", True)),
    *((name, v) for name in ("string_value", "string_trigger_value.data") for v in TEXTS),
    *((name, v) for name in ("json_value", "json_trigger_value") for v in JSONS),
    *(("double_value", value) for value in NUMBERS),
    *(("int_value", value) for value in (-(2**63), 2**63 - 1)),
    *(("double_array_value.data", NUMBERS), ("int_array_value.data", [2**63 - 1] * 999)),
    *(("string_array_value.data", ["x"] * 999), ("bytes_value", b"\xff" * 9_999)),
    ("arrow_value.data", b"ARROW1\x00\x00" + b"\xff" * 999),
)


@dataclass
class Seen:
    """What an attacker has seen of a page: nothing yet, or what `attack` has read."""

    page: str = ""
    session_id: str = "no-such-session"
    widgets: list[str] = field(default_factory=lambda: ["$$ID-0-no_such_widget"])
    fragments: list[str] = field(default_factory=lambda: ["no-such-fragment"])


def rerun_script(seen: Seen) -> Iterator[bytes]:
    """Yield reruns: forged values, unknown parts and pages, large fields."""
    yield _rerun(seen).SerializeToString()
    for fragment in (*seen.fragments, "x" * 100_000):
        message = _rerun(seen)
        message.rerun_script.fragment_id = fragment
        message.rerun_script.is_auto_rerun = True
        yield message.SerializeToString()
    for text in (*TEXTS, "a=1&" * (LARGEST // 8)):
        for name in ("query_string", "page_name", "page_script_hash"):
            message = _rerun(seen)
            setattr(message.rerun_script, name, text)
            yield message.SerializeToString()
    message = _rerun(seen)
    message.rerun_script.cached_message_hashes.extend("x" for _ in range(LARGEST // 4))
    message.rerun_script.context_info.url = "http://" + "x" * (LARGEST // 8)
    message.rerun_script.context_info.timezone_offset = 2**31 - 1
    yield message.SerializeToString()
    yield from _forged_values(seen)


def _forged_values(seen: Seen) -> Iterator[bytes]:
    """Yield reruns with values of another kind in all widgets, and the largest ones."""
    for path, value in FORGED:
        message = _rerun(seen)
        for widget in seen.widgets:
            state = message.rerun_script.widget_states.widgets.add(id=widget)
            _set(state, path, value)
        if message.ByteSize() <= LARGEST:
            yield message.SerializeToString()
    largest = _rerun(seen)
    for number in range(LARGEST // 40):  # as many unknown widgets as there is room for
        state = largest.rerun_script.widget_states.widgets.add(id=f"$$ID-{number}-none")
        state.string_value = "x"
    yield largest.SerializeToString()
    for widget in seen.widgets[:5]:
        message = _rerun(seen)
        state = message.rerun_script.widget_states.widgets.add(id=widget)
        state.string_value = "x" * (LARGEST - 10_000)
        yield message.SerializeToString()


def _rerun(seen: Seen) -> BackMsg:
    message = BackMsg()
    message.rerun_script.page_name = seen.page
    return message


def _set(message: object, path: str, value: object) -> None:
    *owners, name = path.split(".")
    for owner in owners:
        message = getattr(message, owner)
        message.SetInParent()
    if isinstance(value, list | tuple):
        getattr(message, name).extend(value)
    else:
        setattr(message, name, value)


def file_urls_request(seen: Seen) -> Iterator[bytes]:
    """Yield requests for upload addresses: one, and as many as a message holds."""
    for n_names in (1, 10, 11, LARGEST // 2 - 100):
        message = BackMsg()
        message.file_urls_request.request_id = "1"
        message.file_urls_request.session_id = seen.session_id
        message.file_urls_request.file_names.extend("" for _ in range(n_names))
        yield message.SerializeToString()
    message = BackMsg()
    message.file_urls_request.request_id = "x" * (LARGEST - 1_000)
    yield message.SerializeToString()


def backend_operation_request(seen: Seen) -> Iterator[bytes]:
    """Yield each operation, for this and another session, with large ids."""
    for session_id in (seen.session_id, "another"):
        for text in (*TEXTS, "x" * (LARGEST - 1_000)):
            message = BackMsg()
            request = message.backend_operation_request
            request.request_id, request.session_id = "1", session_id
            request.deferred_file.file_id = text
            yield message.SerializeToString()
            request.dataframe_chunk.source_id = text
            request.dataframe_chunk.offset = 2**63 - 1
            request.dataframe_chunk.limit = 2**32 - 1
            yield message.SerializeToString()
        for operation in ("install_skills", "dismiss_skills_nudge", ""):
            message = BackMsg()
            request = message.backend_operation_request
            request.request_id, request.session_id = "1", session_id
            if operation:
                getattr(request, operation).SetInParent()
            yield message.SerializeToString()


def _switch(kind: str) -> Callable[[Seen], Iterator[bytes]]:
    """Return the builder of a kind that is true or false and nothing else."""

    def build(seen: Seen) -> Iterator[bytes]:
        for value in (True, False):
            yield BackMsg(**{kind: value}).SerializeToString()

    return build


KINDS: dict[str, Callable[[Seen], Iterator[bytes]]] = {
    "clear_cache": _switch("clear_cache"),
    "set_run_on_save": _switch("set_run_on_save"),
    "stop_script": _switch("stop_script"),
    "rerun_script": rerun_script,
    "load_git_info": _switch("load_git_info"),
    "debug_disconnect_websocket": _switch("debug_disconnect_websocket"),
    "debug_shutdown_runtime": _switch("debug_shutdown_runtime"),
    "file_urls_request": file_urls_request,
    "app_heartbeat": _switch("app_heartbeat"),
    "backend_operation_request": backend_operation_request,
}


def malformed() -> Iterator[bytes | str]:
    """Yield what is no message: cut off, random, empty, text, one byte too long."""
    whole = next(file_urls_request(Seen()))
    yield from (whole[:-1], whole[: len(whole) // 2], whole + b"\xff")
    yield from (Random(number).randbytes(size) for number, size in enumerate((1, 99, 100_000)))
    yield from (b"", b"\x0a" * 1_000, b"\xff" * LARGEST)
    yield from ("", "clear_cache", "x" * 100_000)
    yield bytes(LARGEST + 1)


def messages(
    seen: Seen | None = None, kinds: Iterable[str] = tuple(KINDS)
) -> Iterator[bytes | str]:
    """Yield every hostile message of these kinds, and then what is no message."""
    seen = seen or Seen()
    for kind in kinds:
        yield from KINDS[kind](seen)
    yield from malformed()


async def attack(
    server_url: str,
    *,
    seconds: float,
    page: str = "",
    kinds: Iterable[str] = tuple(KINDS),
    repeats: int = REPEATS,
) -> int:
    """Send all messages of these kinds, each some times, until the time is over; return how many.

    A connection that the server ends is opened anew. Raises ValueError for another machine.
    """
    host = urlsplit(server_url).hostname or ""
    if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
        raise ValueError(f"only a server on this machine is attacked, not {host}: use 127.0.0.1")
    tab, seen, n_sent = Session(server_url, page), Seen(page=page), 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                for data in messages(seen, kinds):
                    for _ in range(max(1, min(repeats, REPEATED_BYTES // max(1, len(data))))):
                        if not tab.is_open:
                            await _open(tab, seen)
                        with contextlib.suppress(ConnectionClosed):
                            await tab.send(data)
                            n_sent += 1
    await tab.close()
    return n_sent


async def _open(tab: Session, seen: Seen) -> None:
    """Connect, run the page once, and note what of it can be forged."""
    await tab.close()
    try:
        async with asyncio.timeout(PATIENCE):
            await tab.open()
    except (RerunLostError, SessionDroppedError, TimeoutError) as error:
        if not tab.is_open:
            raise SessionDroppedError("no connection") from error
    nodes = tab.nodes.values()
    seen.session_id = tab.session_id
    seen.widgets = sorted({getattr(one.proto, "id", "") for one in nodes} - {""}) or seen.widgets
    seen.fragments = sorted({one.fragment_id for one in nodes} - {""}) or seen.fragments
