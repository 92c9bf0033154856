"""What the tests share: pages run in-process, a real server, and a real browser.

Shapes and types in mlm_core's signatures are checked in every test (signatures.py): calling a
function with a wrong one raises. A test of the function's own error asks for `unchecked_shapes`.
"""

import functools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, settings

from tests import collecting, signatures
from tests.browser.live import ROOT, Server, launch_chromium
from tests.caches import few_drawn, own_caches

signatures.install()
# A search may take its time: on a busy machine any of its examples can.
settings.register_profile(
    "busy", deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("busy")

PHONE = {"width": 390, "height": 844}
RUN_SECONDS = 120  # a page takes one; on a machine that does much else, more

# No test asks a model hub for anything, wherever the tests run.
os.environ["HF_HUB_OFFLINE"] = "1"
# The course is ours alone, also where a developer's own lessons are named.
os.environ.pop("MLM_LESSONS", None)
# Nothing is worked out ahead in the tests' own process.
os.environ["MLM_GET_READY"] = "no"
# Receipts are signed, so that every view of every page is met with their fields.
os.environ["MLM_RECEIPT_SECRET"] = "a secret of the tests, no other has it"
os.environ["HF_HOME"] = str(ROOT / ".pytest_cache" / "no-models-here")


def pytest_configure(config: pytest.Config) -> None:
    # A conftest's own hooks hear of the files beside it alone.
    config.pluginmanager.register(collecting)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Begin as a process that has run no test before: what is counted counts from here on."""
    from pages.server.process import log

    signatures.begin_a_test()
    log._limit._seen.clear()  # an earlier test may have limited all loggers
    if "torch" in sys.modules:
        import torch  # complete: another thread may be importing it

        torch.manual_seed(0)  # where a model's weights don't matter, they are still the same


@pytest.fixture
def unchecked_shapes() -> Iterator[None]:
    """Turn the checks off, as they are for a visitor, to see a function's own error."""
    with signatures.unchecked():
        yield


@pytest.fixture(autouse=True, scope="session")
def few_of_a_corpus() -> Iterator[None]:
    """Draw few words from a corpus in all tests, so that they share what is kept of them."""
    with few_drawn():
        yield


@pytest.fixture(autouse=True, scope="session")
def one_world() -> Iterator[None]:
    """Make the mini world once: every run learns it, and it never differs."""
    from mlm_core.text.mini_world import world

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(world, "documents", functools.cache(world.documents))
        yield


@pytest.fixture(autouse=True, scope="session")
def trainer_of_equal_rank() -> Iterator[None]:
    """Let the trainer have the priority of all others.

    With the lowest one it would wait for the tests of other processes, and its own test for it.
    """
    from pages.server.caches import cache_training

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache_training, "LOWEST_PRIORITY", 0)
        yield


@pytest.fixture(scope="session")
def bundled():
    """Give the bundled English model, for all tests that don't change it."""
    from mlm_core.encoder.model_list import BUNDLED
    from mlm_core.encoder.pretrained import load

    return load(BUNDLED)


@pytest.fixture(scope="session")
def model():
    """Give a small random model with a vocabulary of its own, for tests that don't change it."""
    from tests.prediction.small_models import small_model

    return small_model()


@pytest.fixture(scope="session")
def encoder():
    """Give a small random encoder, for all tests that don't change it."""
    from tests.finetuning.small_models import small_encoder

    return small_encoder()


@pytest.fixture
def open_page(open_warm_page: Callable) -> Iterator[Callable]:
    """Give a function that opens a page in-process, with empty caches: `open_page(file, **link)`.

    `file` is "app.py" or as in lessons.py; `link` are the parameters of the link.
    """
    with own_caches():
        yield open_warm_page


@pytest.fixture
def open_warm_page(monkeypatch: pytest.MonkeyPatch) -> Callable:
    """Give what `open_page` gives, on a server that keeps what earlier visitors made it compute.

    For tests that change nothing that a cache depends on.
    """
    from streamlit.components.v2 import manifest_scanner
    from streamlit.testing.v1 import AppTest, local_script_runner

    # The second packs the styles when it is imported: before packing is replaced.
    from pages.server.figures import clickable, sent_code  # noqa: F401

    monkeypatch.chdir(ROOT)
    # Drawings as text that a test can read; tests/load and tests/browser meet them packed.
    monkeypatch.setattr(sent_code, "packed", lambda html: {"html": html})
    # What a server does once and AppTest at every run: look through the installed packages for
    # components, and compile the pages.
    found = components_of_packages()
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
    monkeypatch.setattr(local_script_runner, "ScriptCache", compiled_pages)
    # AppTest asks a thousand times a second whether a run has ended.
    in_vain = local_script_runner.require_widgets_deltas

    def wait(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
        runner._script_thread.join(timeout)
        if runner._script_thread.is_alive():
            in_vain(runner, timeout=0)  # which stops the run and says that it took too long

    monkeypatch.setattr(local_script_runner, "require_widgets_deltas", wait)

    def open_(file: str = "app.py", **link: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=RUN_SECONDS)
        if file != "app.py":
            app.switch_page(file)
        app.query_params.update(link)
        return app.run()

    return open_


@functools.cache
def components_of_packages() -> list:
    """Return the components that installed packages declare, looked up once."""
    from streamlit.components.v2 import manifest_scanner

    return manifest_scanner.scan_component_manifests()


@functools.cache
def compiled_pages() -> object:
    """Return what keeps the code of pages, for all tests of this process."""
    from streamlit.runtime.scriptrunner.script_cache import ScriptCache

    return ScriptCache()


@pytest.fixture(scope="session")
def new_server(tmp_path_factory: pytest.TempPathFactory) -> Callable:
    """Give what starts a server of its own, for a `with` statement."""

    @contextmanager
    def start(**options) -> Iterator[Server]:
        equal = {"EQUAL_PRIORITY": "yes"}
        server = Server(tmp_path_factory.mktemp("server"), **{"environment": equal, **options})
        try:
            yield server
        finally:
            server.stop()

    return start


@pytest.fixture(scope="session")
def server(new_server: Callable) -> Iterator[Server]:
    """Give one server for all browser tests."""
    with new_server() as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator:
    """Give one Chromium for all tests; a profile of its own is `browser.new_context()`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = launch_chromium(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def new_profile(browser, server) -> Iterator[Callable]:
    """Give what opens a profile, one for all tests: a new one compiles Streamlit's scripts again.

    There is one of a teacher or a reader alone, and some of learners beside. They want less
    motion, which takes frames that nobody sees; test_motion.py asks for it where it is tested.
    """
    contexts = []

    @functools.cache
    def open_(name: str) -> object:
        kind = {"viewport": {"width": 1200, "height": 900}}
        if name == "phone":
            kind = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
        kind |= {"base_url": server.url, "reduced_motion": "reduce"}
        contexts.append(browser.new_context(**kind))
        # A tab that stays open keeps the process that has Streamlit's scripts: live.py.
        contexts[-1].new_page().goto("/_stcore/health")
        return contexts[-1]

    yield open_
    for context in contexts:
        context.close()


@pytest.fixture
def new_tab(new_profile, server) -> Iterator[Callable]:
    """Give what opens a tab on the shared server; a script error in it fails the test."""
    tabs, script_errors = [], []

    def open_(profile: str):
        tab = new_profile(profile).new_page()
        tabs.append(tab)
        # What an earlier test left in the browser: a teacher's room, a plan.
        kept = {"origin": server.url, "storageTypes": "cookies,local_storage"}
        tab.context.new_cdp_session(tab).send("Storage.clearDataForOrigin", kept)
        tab.on("pageerror", lambda error: script_errors.append(error))
        return tab

    yield open_
    for tab in tabs:
        tab.close()
    assert not script_errors, f"errors in the page's scripts: {script_errors}"


@pytest.fixture
def tab(new_tab: Callable):
    """Give a new tab of a reader or a teacher."""
    return new_tab("reader")


@pytest.fixture
def learner(new_tab: Callable):
    """Give a new tab of a learner, whose profile is another."""
    return new_tab("learner")


@pytest.fixture
def phone(new_tab: Callable):
    """Give a new tab of a phone, on which a finger taps."""
    return new_tab("phone")
