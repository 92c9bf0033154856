"""What a browser may ask of the server: what pages need is answered, all else is ignored."""

import logging
from types import SimpleNamespace

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.app_session import AppSession

from pages.shared.caches import cache_training
from pages.shared.server.streamlit_patches import message_rate
from pages.shared.server.streamlit_patches.browser_requests import (
    MOST_FILE_NAMES,
    answer_known,
)
from tests import own_loop
from tests.caches import own_caches


def answered(message: BackMsg) -> bool:
    """Return whether Streamlit's own handler gets a message."""
    heard = []
    answer_known(lambda session, msg: heard.append(msg))(None, message)
    assert heard in ([], [message])
    return bool(heard)


@pytest.mark.parametrize(
    "kind",
    ["clear_cache", "load_git_info", "set_run_on_save", "debug_shutdown_runtime"],
)
def test_caches_are_not_cleared_and_git_is_not_run(kind: str):
    assert not answered(BackMsg(**{kind: True}))


def test_addresses_for_a_few_files_are_given_and_for_many_none():
    message = BackMsg()
    message.file_urls_request.file_names.extend([""] * MOST_FILE_NAMES)
    assert answered(message)
    message.file_urls_request.file_names.append("")
    assert not answered(message)


@pytest.mark.parametrize(
    ("operation", "is_answered"),
    [
        ("deferred_file", True),
        ("dataframe_chunk", True),
        ("install_skills", False),
        ("dismiss_skills_nudge", False),
    ],
)
def test_an_operation_that_writes_on_the_host_is_ignored(operation: str, is_answered: bool):
    message = BackMsg()
    getattr(message.backend_operation_request, operation).SetInParent()
    assert answered(message) == is_answered


def test_what_is_ignored_is_one_short_line_in_the_log(caplog: pytest.LogCaptureFixture):
    message = BackMsg()
    message.file_urls_request.file_names.extend(["zanzibarine"] * 99)
    with caplog.at_level(logging.WARNING, logger="mlm_app"):
        answered(message)
    (record,) = caplog.records
    assert record.getMessage() == "a browser's request was ignored: file_urls_request"


def test_clearing_all_of_streamlits_caches_ends_no_training():
    """As upstream does on `clear_cache`, wherever the guard is not installed."""
    from streamlit.runtime import caching

    with own_caches():
        service = cache_training.training_service()
        ticket = service.start(("a run",), lambda: iter(range(3)))
        caching.cache_data.clear()
        caching.cache_resource.clear()
        assert cache_training.training_service() is service
        assert service.look(ticket).status in ("queued", "running", "finished")
    assert "_handle_clear_cache_request" in vars(AppSession), "see what upstream calls now"


def test_a_closed_trainer_is_followed_by_a_new_one():
    with own_caches():
        first = cache_training.training_service()
        cache_training.close_training_service()
        cache_training.close_training_service()
        assert cache_training.training_service() is not first


def test_a_connection_that_sends_without_a_pause_waits_and_another_does_not(monkeypatch):
    waited = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async def take(connection: SimpleNamespace) -> bytes:
        return bytes(connection.n_bytes)

    now = 100.0
    monkeypatch.setattr(message_rate, "asyncio", SimpleNamespace(sleep=sleep))
    monkeypatch.setattr(message_rate, "time", SimpleNamespace(monotonic=lambda: now))
    receive = message_rate.read_slowly(take)
    attacker, learner = SimpleNamespace(n_bytes=0), SimpleNamespace(n_bytes=15_000)

    for _ in range(100):
        own_loop.run(receive(attacker))
    assert len(waited) == 40  # a burst of 60 passes
    waited.clear()
    # A slider dragged for half a minute: ten messages a second.
    for _ in range(300):
        now += 0.1
        assert len(own_loop.run(receive(learner))) == 15_000
    assert not waited


def test_when_all_send_too_much_those_wait_that_sent_most(monkeypatch):
    waited, now_sending = {}, None

    async def sleep(seconds: float) -> None:
        waited[now_sending] = seconds

    async def take(connection: SimpleNamespace) -> bytes:
        return b""

    now = 100.0
    monkeypatch.setattr(message_rate, "asyncio", SimpleNamespace(sleep=sleep))
    monkeypatch.setattr(message_rate, "time", SimpleNamespace(monotonic=lambda: now))
    receive = message_rate.read_slowly(take)
    tabs = {number: SimpleNamespace() for number in range(100)}
    learner = SimpleNamespace()

    async def send_for_twenty_seconds() -> None:
        nonlocal now, now_sending
        for _ in range(20):
            for now_sending, tab in tabs.items():  # noqa: B007
                for _ in range(10):
                    await receive(tab)
            now += 1.0
            now_sending = "learner"
            await receive(learner)

    own_loop.run(send_for_twenty_seconds())
    assert set(waited) == set(tabs)  # their own rate of 25 a second lets all of them pass


def test_a_long_text_of_ones_own_does_not_make_its_timer_wait(monkeypatch):
    async def take(connection: SimpleNamespace) -> bytes:
        return bytes(900_000)  # 300,000 characters of three bytes

    now, learner = 100.0, SimpleNamespace()
    monkeypatch.setattr(message_rate, "asyncio", None)  # nobody may wait
    monkeypatch.setattr(message_rate, "time", SimpleNamespace(monotonic=lambda: now))
    for _ in range(300):
        now += 1.0
        own_loop.run(message_rate.read_slowly(take)(learner))
