"""Zips that are made on press: many presses keep few files, in Streamlit's own file manager."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from mlm_core.encoder.pretrained import load
from pages.server.caches import cache_training
from pages.server.process import zip_button


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> MediaFileManager:
    """Return a manager as a server has one, with the deferred buttons of one page."""
    manager = MediaFileManager(MemoryMediaFileStorage("/media"))
    monkeypatch.setattr(zip_button, "exists", lambda: True)
    monkeypatch.setattr(zip_button, "get_instance", lambda: SimpleNamespace(media_file_mgr=manager))
    return manager


def press(manager: MediaFileManager, pack) -> str:
    """Draw a button anew, as a rerun does, and press it; return the file's address."""
    drawn = manager.add_deferred(
        lambda: zip_button.one_at_a_time(pack), "application/zip", "0.0", "my-model.zip"
    )
    return manager.execute_deferred(drawn)


def kept(manager: MediaFileManager) -> dict[str, int]:
    return {name: len(file.content) for name, file in manager._storage._files_by_id.items()}


def test_twenty_presses_for_a_small_encoder_keep_one_file(files):
    from mlm_core.finetuning.take_home import pack_encoder

    snapshot = cache_training.stored_run("default")
    model = cache_training.model_at(snapshot)
    shown = cache_training.blank_guesses(snapshot, "the [MASK] of the river", 5)
    addresses = {
        press(files, lambda: pack_encoder(model, shown, "mlm_nsp", "about")) for _ in range(20)
    }
    assert len(addresses) == 1 and len(kept(files)) == 1


def test_presses_for_a_tuned_model_keep_one_file(files, monkeypatch):
    from mlm_core.finetuning.fine_tuned import fine_tuned
    from mlm_core.finetuning.one_answer import ask
    from mlm_core.finetuning.take_home import pack_fine_tuned
    from mlm_core.stored.finetunes import read_stored

    model = fine_tuned(read_stored("sentiment_head"), load())
    answer = ask(model, "A fine film.")
    presses = [press(files, lambda: pack_fine_tuned(model, answer, "about")) for _ in range(2)]
    later = time.localtime(time.time() + 10)  # which a zip would tell
    monkeypatch.setattr(time, "localtime", lambda *_: later)
    presses.append(press(files, lambda: pack_fine_tuned(model, answer, "about")))
    assert len(set(presses)) == 1 and len(kept(files)) == 1


def test_twenty_different_zips_keep_few_and_the_newest_is_there(files):
    for number in range(20):
        address = press(files, lambda number=number: bytes([number]) * 1_000_000)
        assert sum(kept(files).values()) <= 4_000_000
        assert address.removeprefix("/media/").removesuffix(".zip") in kept(files)


def test_of_many_presses_two_wait_and_the_others_are_refused_at_once(files, monkeypatch):
    monkeypatch.setattr(zip_button, "LONGEST_WAIT", 120.0)  # on a busy machine, too
    begun, may_end, refused, made = threading.Semaphore(0), threading.Event(), [], []

    def pack() -> bytes:
        begun.release()
        assert may_end.wait(30)
        return b"zip"

    def press_one() -> None:
        try:
            made.append(zip_button.one_at_a_time(pack))
        except TimeoutError:
            refused.append(threading.current_thread())

    threads = [threading.Thread(target=press_one) for _ in range(7)]
    for thread in threads:
        thread.start()
    assert begun.acquire(timeout=30)
    stop_at = time.monotonic() + zip_button.LONGEST_WAIT / 2  # long before waiting is over
    while len(refused) < 4 and time.monotonic() < stop_at:
        time.sleep(0.01)
    n_refused = len(refused)
    may_end.set()
    for thread in threads:
        thread.join()
    assert n_refused == 4 and made == [b"zip"] * 3
    assert press(files, lambda: b"another")  # there is room again


def test_zips_are_made_one_at_a_time_and_nobody_waits_for_ever(files, monkeypatch):
    making, most = [], []

    def pack() -> bytes:
        making.append(1)
        most.append(len(making))
        time.sleep(0.1)
        making.pop()
        return b"zip"

    with ThreadPoolExecutor() as threads:
        list(threads.map(press, [files] * 3, [pack] * 3))
    assert most == [1, 1, 1]
    monkeypatch.setattr(zip_button, "LONGEST_WAIT", 0.01)
    with zip_button._lock, pytest.raises(TimeoutError, match="press again"):
        zip_button.one_at_a_time(pack)
