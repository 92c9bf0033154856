"""What the tests share: pages run in-process, a real server, and a real browser.

Shapes in mlm_core's signatures are checked in every test: calling a function with a wrong
shape raises TypeCheckError. A test of the function's own error asks for `unchecked_shapes`.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import jaxtyping
import pytest

from tests.browser.live import ROOT, Server, launch_chromium

# All of mlm_core but the Protocol in pretrained.py, which can't be checked at run time.
CHECKED = [
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for file in ROOT.glob("mlm_core/**/*.py")
    if file.stem not in ("__init__", "pretrained")
]
# "tower": where a float is expected an int will do, as type checkers have it.
jaxtyping.install_import_hook(
    CHECKED, "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))"
)

# No test asks a model hub for anything, wherever the tests run.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = str(ROOT / ".pytest_cache" / "no-models-here")


@pytest.fixture
def unchecked_shapes() -> Iterator[None]:
    """Turn the shape checks off, as they are for a visitor, to see a function's own error."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Callable:
    """Give a function that opens a page in-process, with empty caches: `open_page(file, **link)`.

    `file` is "app.py" or as in lessons.py; `link` are the parameters of the link.
    """
    import streamlit as st
    from streamlit.testing.v1 import AppTest

    monkeypatch.chdir(ROOT)
    st.cache_data.clear()
    st.cache_resource.clear()

    def open_(file: str = "app.py", **link: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
        if file != "app.py":
            app.switch_page(file)
        app.query_params.update(link)
        return app.run()

    return open_


@pytest.fixture(scope="session")
def new_server(tmp_path_factory: pytest.TempPathFactory) -> Callable:
    """Give what starts a server of its own, for a `with` statement."""

    @contextmanager
    def start(**options) -> Iterator[Server]:
        server = Server(tmp_path_factory.mktemp("server"), **options)
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


@pytest.fixture
def tab(browser, server) -> Iterator:
    """Give a tab in a new profile on the shared server; a script error in it fails the test."""
    context = browser.new_context(base_url=server.url, viewport={"width": 1200, "height": 900})
    context.set_default_timeout(30_000)
    tab = context.new_page()
    script_errors = []
    tab.on("pageerror", lambda error: script_errors.append(error))
    yield tab
    context.close()
    assert not script_errors, f"errors in the page's scripts: {script_errors}"
