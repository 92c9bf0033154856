"""The packages that the app is built on, in a real server that a visitor asks for a map by UMAP.

Streamlit, torch and plotly are imported in its own process, umap-learn and scikit-learn in the
helper beside it, and never in the server. That transformers runs a model that only it can run, and
brings neither of the two with it: tests/encoder/test_pretrained.py; what such a model shows:
tests/pages/test_models.py. At the end the page loses its connection, and says so.
"""

from pathlib import Path

import pytest

from pages.server.course.words import read_words
from tests.browser.live import Server, wait_until_finished

SECONDS = 150  # on a machine that compiles umap-learn for the first time, beside other tests
MOST_HELPER_MB = 600


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
def test_a_visitor_has_the_packages_in_the_server_and_in_the_helper_beside_it(tab, server):
    sockets = []
    tab.route_web_socket("**/stream", lambda one: sockets.append((one, one.connect_to_server())))
    tab.goto("/word_senses?word_senses_part=own&word_senses_own_kind=umap&lang=de")
    wait_until_finished(tab)
    fitted = read_words("word_senses", "de").label("kind_named_umap_learn").partition(",")[0]
    captions = tab.get_by_test_id("stCaptionContainer")
    captions.filter(has_text=fitted).first.wait_for(state="attached", timeout=SECONDS * 1000)
    # umap-learn has no machine code of its own: numba compiles it, and only it needs numba.
    [helper] = helpers_of(server)
    libraries = libraries_of(helper)
    assert {"sklearn", "numba", "llvmlite"} <= libraries and "torch" not in libraries
    status = dict(line.split(":", 1) for line in (helper / "status").read_text().splitlines())
    assert int(status["VmHWM"].split()[0]) // 1024 <= MOST_HELPER_MB
    missing = {"streamlit", "torch", "plotly"} - server.modules()
    assert not missing, missing
    heavy = {"umap", "sklearn", "numba", "pandas"} & server.modules()
    assert not heavy, heavy
    tab.route("**/_stcore/**", lambda asked: asked.abort())
    sockets[-1][0].close()
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
