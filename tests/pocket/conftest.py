"""The built files, each made once for all processes of a test run, and a tab that shows one."""

import fcntl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pocket import build

APP = "https://course.example"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Callable[[str, int], Path]:
    """Give what builds the file of a language with so many bits, unless another process has."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "pocket"
    folder.mkdir(exist_ok=True)

    def built_(language: str, bits: int) -> Path:
        file = folder / f"{language}{bits}.html"
        with (folder / f"{file.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                build.build(file, language=language, app=APP, bits=bits)
        return file

    return built_


@pytest.fixture
def opened(browser, built: Callable) -> Iterator[Callable]:
    """Give what opens a file from the disk, offline; a script error fails the test, or `fails`."""
    contexts, errors = [], []

    def open_(
        language: str = "en",
        bits: int = build.EIGHT_BITS,
        file: Path | None = None,
        *,
        fails: bool = False,
        **kind,
    ):
        # Without bypass_csp Playwright could wait for nothing in a page that allows no eval().
        kind = {"offline": True, "bypass_csp": True, "reduced_motion": "reduce", **kind}
        contexts.append(browser.new_context(**kind))
        tab = contexts[-1].new_page()
        tab.on("pageerror", lambda error: fails or errors.append(error))
        tab.goto(f"file://{file or built(language, bits)}")
        return tab

    yield open_
    for context in contexts:
        context.close()
    assert not errors, f"errors in the page's scripts: {errors}"
