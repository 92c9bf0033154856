"""What nginx keeps from the app, from its log and from pages: paths, uploads, scripts.

One process behind nginx. Requests go over http.client, which sends a path as it stands.
"""

import http.client
import re
import select
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from tests.browser.live import ROOT, free_ports, wait_until_finished
from tests.deploy.site import Site

CONFIGURATION = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
LOG_BYTES = 200_000
NOT_PASSED_ON = ("metrics", "script-health-check", "agent/openapi.json", "agent/mcp")
# Each reaches the app's own path if it is passed on, or did so in some proxy.
WRITTEN_AS = (
    *("{}", "{}%0a", "{}%0A", "{}%0d", "{}%0d%0a", "{}%20", "{}%09"),
    *("{}/", "{}%2f", "{}/.", "{};x"),
    *("/{}", "./{}", "x/../{}", "%2e/{}", "health/../{}", "upload_file/../{}"),
)
AT_THE_ROOT = (
    "//_stcore/{}",
    "/./_stcore/{}",
    "/masking/../_stcore/{}",
    "/_stcore%2f{}",
    "/_stcore%2F{}",
    "/%5fstcore/{}",
    "/%5Fstcore/{}%0A",
)
# Between them they have drawings, charts, tables, code and grids.
PAGE_IN_A_BROWSER = "classification"  # drawings, a chart, tables and source code


@pytest.fixture(scope="module")
def one_process(new_site: Callable) -> Iterator[Site]:
    with new_site(1, LOG_BYTES=str(LOG_BYTES)) as site:
        yield site


def ask(
    site: Site, path: str, *, method: str = "GET", address: str = "127.0.0.1", cookie: str = ""
) -> tuple[int, str]:
    """Return the status and the text of an answer; `address` is where the question comes from."""
    host, port = site.url.removeprefix("http://").split(":")
    connection = http.client.HTTPConnection(
        host, int(port), timeout=20, source_address=(address, 0)
    )
    try:
        connection.request(method, path, headers={"Cookie": cookie} if cookie else {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")
    finally:
        connection.close()


def logged(site: Site, since: int) -> list[str]:
    """Return the lines of nginx's log after the first `since`, once all are written."""
    mark = f"/static/{uuid4().hex}"
    ask(site, mark)
    site.wait_until(lambda: any(mark in line for line in site.served()))
    return [line for line in site.served()[since:] if mark not in line]


@pytest.mark.parametrize("name", NOT_PASSED_ON)
def test_a_path_of_streamlit_for_the_host_is_not_passed_on_however_it_is_written(
    one_process: Site, name: str
):
    n_before = len(logged(one_process, 0)) + 1  # and the mark's own line
    spelled = f"%{ord(name[0]):02x}{name[1:]}", f"%{ord(name[0]):02X}{name[1:]}"
    paths = [f"/_stcore/{form.format(name)}" for form in WRITTEN_AS]
    paths += [f"/_stcore/{one}" for one in spelled] + [form.format(name) for form in AT_THE_ROOT]
    answers = {path: ask(one_process, path)[0] for path in paths}
    assert answers == dict.fromkeys(paths, 404)
    lines = logged(one_process, n_before)
    assert len(lines) == len(paths)
    assert all(line.endswith(" to -") for line in lines), "a process has seen one of them"


def test_what_a_page_needs_of_streamlits_own_paths_is_passed_on(one_process: Site):
    for name in ("health", "host-config"):
        status, text = ask(one_process, f"/_stcore/{name}")
        assert status == 200 and "<html" not in text
    assert ask(one_process, "/_stcore/upload_file/nobody/1", method="PUT")[0] == 403  # the app's
    assert ask(one_process, "/_stcore/bidi-components/none/none.js")[0] == 404
    assert ask(one_process, "/masking/_stcore/health")[0] == 404  # a page asks there first


def test_a_visitor_with_ever_new_cookies_sends_no_more_files_than_a_class(one_process: Site):
    def send(address: str) -> int:
        cookie = f"mlm_visit={uuid4().hex}"
        path = "/_stcore/upload_file/nobody/1"
        return ask(one_process, path, method="PUT", address=address, cookie=cookie)[0]

    assert {send("127.0.0.2") for _ in range(30)} == {403}, "a class, each with another cookie"
    # 61 at once and one more each second are passed on, to the app, which knows no such session.
    began, passed = time.monotonic(), 0
    while send("127.0.0.3") != 429:
        passed += 1
        assert passed < 300
    assert 61 <= passed <= 62 + (time.monotonic() - began)


def test_an_address_has_so_many_tabs_and_no_more(nginx: str, tmp_path: Path):
    """Behind nginx somebody who never answers, so that each tab that is let through stays."""
    most = int(re.search(r"limit_conn tabs_of_address (\d+);", CONFIGURATION)[1])
    assert most >= 100 * 2, "a class behind one router"
    tabs = []
    with (
        socket.create_server(("127.0.0.1", 0), backlog=2 * most) as app,
        nginx_before(app.getsockname()[1], nginx, tmp_path) as first,
    ):
        try:
            tabs += [tab_at(first) for _ in range(most + 3)]
            answered = select.poll()  # select() takes no descriptor above 1,023
            for tab in tabs:
                answered.register(tab, select.POLLIN)
            stop_at = time.monotonic() + 20
            while len(answered.poll(100)) < 3:
                assert time.monotonic() < stop_at, "fewer than three are refused"
            # The others stay: one tab more is refused, too, and none of them is answered.
            tabs.append(last := tab_at(first))
            assert last.recv(12) == b"HTTP/1.1 429"
            refused = [tab for tab in tabs[:-1] if tab.fileno() in dict(answered.poll(0))]
            assert [tab.recv(12) for tab in refused] == [b"HTTP/1.1 429"] * 3
        finally:
            for tab in tabs:
                tab.close()


@contextmanager
def nginx_before(port: int, nginx: str, folder: Path) -> Iterator[int]:
    """Run nginx alone before what listens on a port, and give its own port."""
    first = free_ports(1)
    (folder / "nginx.conf").write_text(CONFIGURATION)
    (folder / "listen.conf").write_text(f"listen {first} backlog=1024;")
    (folder / "servers.conf").write_text(f"server 127.0.0.1:{port};")
    process = subprocess.Popen([nginx, "-p", f"{folder}/", "-c", folder / "nginx.conf"])
    try:
        yield first
    finally:
        process.terminate()
        process.wait(20)


def tab_at(port: int) -> socket.socket:
    """Ask for a page's connection, as a tab does."""
    stop_at = time.monotonic() + 20
    while True:
        try:
            tab = socket.create_connection(("127.0.0.1", port), timeout=20)
            break
        except ConnectionRefusedError:  # nginx is starting
            assert time.monotonic() < stop_at
            time.sleep(0.05)
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n"
    tab.sendall(f"GET /_stcore/stream HTTP/1.1\r\nHost: x\r\n{upgrade}\r\n".encode())
    return tab


def test_a_line_of_the_log_is_short_whatever_is_asked_for(one_process: Site):
    n_before = len(logged(one_process, 0)) + 1
    ask(one_process, "/" + "x" * 60_000)
    ask(one_process, "/" + "%ff" * 20_000)
    ask(one_process, "/masking", method="A" * 60_000)
    lines = logged(one_process, n_before)
    assert len(lines) == 3
    assert all(len(line) < 1_000 for line in lines)


def test_the_log_has_no_session_and_no_address_of_a_file(one_process: Site):
    n_before = len(logged(one_process, 0)) + 1
    ask(one_process, "/_stcore/upload_file/5e55/1", method="PUT", address="127.0.0.4")
    ask(one_process, "/media/0123abcd.zip")
    lines = logged(one_process, n_before)
    assert [line.split()[2:4] for line in lines] == [
        ["PUT", "/_stcore/upload_file/..."],
        ["GET", "/media/..."],
    ]


def test_pages_work_under_the_content_security_policy(server, tab, nginx: str, tmp_path: Path):
    tab.add_init_script(
        "window.refused = []; document.addEventListener('securitypolicyviolation', event =>"
        " window.refused.push(`${event.violatedDirective} ${event.blockedURI}`))"
    )
    # Before the shared server, which has what pages are drawn from.
    with nginx_before(int(server.url.rpartition(":")[2]), nginx, tmp_path) as first:
        tab_at(first).close()  # nginx is up
        answer = tab.goto(f"http://127.0.0.1:{first}/{PAGE_IN_A_BROWSER}")
        assert "script-src 'self' blob: " in answer.headers["content-security-policy"]
        wait_until_finished(tab)
        # Tables, charts and source code stand behind these.
        for _ in range(2):
            if (closed := tab.locator("[data-testid=stMain] details:not([open])")).count():
                closed.first.locator("summary").first.click()
        wait_until_finished(tab)
        assert tab.evaluate("window.refused") == []
        # The policy is in force: markup that came into a page would not run.
        markup = "'<img src=x onerror=hostile=1>'"
        tab.evaluate(f"document.body.insertAdjacentHTML('beforeend', {markup})")
        tab.wait_for_function("window.refused.length > 0")
        refused = tab.evaluate("[window.hostile, window.refused[0]]")
        assert refused == [None, "script-src-attr inline"]
        tab.goto("about:blank")  # before nginx ends


def test_a_full_log_is_put_aside_and_nginx_goes_on_with_a_new_one(one_process: Site):
    set_aside = one_process.folder / "access.log.1"
    n_before = set_aside.stat().st_size if set_aside.exists() else 0
    connection = http.client.HTTPConnection(one_process.url.removeprefix("http://"), timeout=20)
    for _ in range(LOG_BYTES // 150):  # a line of such a path has some 200 bytes
        connection.request("GET", "/_stcore/" + "x" * 120)
        connection.getresponse().read()
    connection.close()
    one_process.wait_until(lambda: set_aside.exists() and set_aside.stat().st_size != n_before)
    assert set_aside.stat().st_size < 2 * LOG_BYTES + 100_000
    ask(one_process, "/static/afterwards")
    current = one_process.folder / "access.log"
    one_process.wait_until(lambda: "/static/afterwards" in current.read_text())
