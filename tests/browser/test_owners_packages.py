"""The six packages that the app is built on: what a visitor can reach imports each of them.

In a real server: streamlit, torch, plotly and transformers in its own process, umap-learn and
scikit-learn in the helper beside it, and never in the server. At the end this server stops, and
the page says so.
"""

from pathlib import Path

import pytest

from pages.shared.course.words import read_words
from tests.browser.live import Server, wait_until_finished

SECONDS = 150  # on a machine that compiles umap-learn for the first time, beside other tests
MOST_HELPER_MB = 600


@pytest.fixture(scope="module")
def small_model(tmp_path_factory) -> Path:
    """Give the folder of a model that only transformers can run."""
    from tests.reference.small_checkpoints import save_small

    folder = tmp_path_factory.mktemp("models") / "small-distilbert"
    save_small("distilbert", folder)
    return folder


@pytest.fixture
def tab_of_its_server(new_server, browser, small_model, monkeypatch):
    """Give a tab on a server of its own that offers the small model, and the server."""
    monkeypatch.setenv("MLM_MODELS", str(small_model))
    with new_server() as server:
        context = browser.new_context(base_url=server.url, viewport={"width": 1200, "height": 900})
        yield context.new_page(), server
        context.close()


def helpers_of(server: Server) -> list[Path]:
    """Return the helper processes of a server."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status, command = (folder / "status").read_text(), (folder / "cmdline").read_text()
        except OSError:  # it has ended meanwhile
            continue
        if f"PPid:\t{server.process.pid}\n" in status and "popen_loky" in command:
            found.append(folder)
    return found


def libraries_of(process: Path) -> set[str]:
    """Return the packages whose machine code a process has loaded."""
    lines = (process / "maps").read_text().splitlines()
    return {line.split("/site-packages/")[1].split("/")[0] for line in lines if "/site-p" in line}


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no /proc on this system")
def test_each_package_is_imported_by_what_a_visitor_can_reach(tab_of_its_server, small_model):
    tab, server = tab_of_its_server
    tab.goto("/word_senses?word_senses_part=own&word_senses_own_kind=umap")
    wait_until_finished(tab)
    captions = tab.get_by_test_id("stCaptionContainer")
    captions.filter(has_text="UMAP by umap-learn").first.wait_for(timeout=SECONDS * 1000)
    # umap-learn has no machine code of its own: numba compiles it, and only it needs numba.
    [helper] = helpers_of(server)
    libraries = libraries_of(helper)
    assert {"sklearn", "numba", "llvmlite"} <= libraries and "torch" not in libraries
    status = dict(line.split(":", 1) for line in (helper / "status").read_text().splitlines())
    assert int(status["VmHWM"].split()[0]) // 1024 <= MOST_HELPER_MB
    heavy = {"umap", "sklearn", "numba", "pandas"} & server.modules()
    assert not heavy, heavy
    tab.goto(f"/attention_mask?attention_mask_part=cost&model={small_model.name}&lang=de")
    wait_until_finished(tab)
    missing = {"streamlit", "torch", "plotly", "transformers"} - server.modules()
    assert not missing, missing
    heavy = {"umap", "sklearn", "numba"} & server.modules()
    assert not heavy, heavy
    server.stop()
    a_lost_connection_is_said(tab)


def a_lost_connection_is_said(tab) -> None:
    """Look for it in the reader's language, and for words that can be read on grey buttons."""
    words = read_words("frame", "de")
    title = tab.locator('[role="dialog"] > h2[data-lost]')
    title.wait_for()
    assert title.get_attribute("data-lost") == words.plain("lost_title")
    assert tab.locator("h2[data-lost] + *").get_attribute("data-lost") == words.plain("lost")
    button = tab.locator("button[kind=primary]:disabled p").first
    assert button.evaluate("p => getComputedStyle(p).color") != "rgb(255, 255, 255)"
