"""Two processes of the app behind nginx, as deploy/serve.sh starts them: who is served by whom."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from uuid import uuid4

import pytest

from bench.load.faults import Room
from bench.load.play import measure
from bench.load.scenario import MASKING, Scenario
from bench.load.session import RerunLostError, Session
from bench.load.tables import ServerFigures, requirements, table
from bench.load.visit import cookie_of
from bench.sent_bytes import OPENS
from tests import own_loop
from tests.browser.live import ROOT
from tests.deploy.site import Site
from tests.waiting import wait_until

LEARNERS = 6
MARK = "zanzibarine"  # a word that stands nowhere but in a learner's link


def ask(
    site: Site, path: str, *, cookie: str = "", body: bytes | None = None, **headers: str
) -> tuple[int, Message]:
    """Return the status and the headers of an answer."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(
        site.url + path,
        data=body,
        headers=sent | ({"Cookie": cookie} if cookie else {}),
        method="GET" if body is None else "PUT",
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            answer.read()
            return answer.status, answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.headers


def processes_in(lines: list[str]) -> set[str]:
    """Return which processes have answered, from lines of nginx's log."""
    return {line.rpartition(" to ")[2] for line in lines}


async def visit(site: Site, cookie: str, do: Callable) -> Session:
    session = Session(site.url, "masking", cookie=cookie)
    try:
        await session.open()
        await do(session)
    finally:
        await session.close()
    return session


async def change_something(session: Session) -> None:
    await session.change("masking_text", "The judge saw the bank.")
    assert session.value("masking_text") == "The judge saw the bank."


def test_a_page_brings_one_cookie_and_later_requests_bring_none(site: Site):
    status, headers = ask(site, "/masking")
    brought = [one for one in headers.get_all("Set-Cookie", []) if one.startswith("mlm_visit=")]
    assert status == 200
    assert re.fullmatch(r"mlm_visit=[0-9a-f]{32}; Path=/; HttpOnly; SameSite=Lax", brought[0])
    cookie = brought[0].partition(";")[0]
    again = ask(site, "/masking", cookie=cookie)[1]
    beside = ask(site, "/_stcore/health")[1]  # fetched side by side: each would bring its own
    made_up = ask(site, "/", cookie="mlm_visit=../../etc/passwd")[1]
    assert "mlm_visit" not in str(again) + str(beside)
    assert "mlm_visit" in str(made_up)


@pytest.fixture(scope="module")
def apart(site: Site) -> int:
    """Give a learner who is on another process than learner 0."""
    return next(n for n in range(1, 64) if port_of(site, n) != port_of(site, 0))


def test_all_that_a_learner_asks_for_goes_to_one_process(site: Site, apart: int):
    used = []
    for learner in (0, apart):
        n_before, cookie = len(site.served()), cookie_of(learner)
        ask(site, "/masking", cookie=cookie)
        session = own_loop.run(visit(site, cookie, change_something))
        ask(site, "/_stcore/health", cookie=cookie)
        assert (session.errors, session.is_dropped) == ([], False)
        # nginx writes a websocket's line when it is closed.
        site.wait_until(lambda n=n_before: len(site.served()) >= n + 3)
        lines = site.served()[n_before:]
        assert any(" 101 GET /_stcore/stream " in line for line in lines)
        assert len(processes_in(lines)) == 1
        used.append(processes_in(lines).pop())
    assert len(set(used)) == 2


def test_whoever_refuses_cookies_stays_on_one_process_too(site: Site):
    n_before = len(site.served())
    for _ in range(8):
        ask(site, "/_stcore/health", User_Agent="a browser without cookies")
    assert len(processes_in(site.served()[n_before:])) == 1


def test_an_upload_reaches_the_process_that_has_its_session_and_no_other(site: Site, apart: int):
    async def upload(session: Session) -> None:
        def put(learner: int, n_bytes: int = 100) -> int:
            head = "--x\r\nContent-Disposition: form-data; name=f; filename=a.txt\r\n\r\n"
            return ask(
                site,
                f"/_stcore/upload_file/{session.session_id}/1",
                cookie=f"{cookie_of(learner)}; {token}",
                body=(head + "a" * n_bytes + "\r\n--x--").encode(),
                Content_Type="multipart/form-data; boundary=x",
                X_Xsrftoken=token.partition("=")[2],
            )[0]

        assert await asyncio.to_thread(put, 0) == 204
        assert await asyncio.to_thread(put, 0, 4_900_000) == 204
        assert await asyncio.to_thread(put, 0, 5_300_000) == 413  # the app's own limit
        assert await asyncio.to_thread(put, 0, 7_000_000) == 413  # nginx's
        # Another process doesn't know the session, nor its file; nginx asks on for the file.
        assert await asyncio.to_thread(put, apart) == 400
        for key in [key for key, one in session.widgets().items() if one.kind in OPENS]:
            await session.change(key, True)
        urls = [n.proto.url for n in session.nodes.values() if n.kind == "download_button"]
        file = next(one for one in urls if one)
        for learner in (0, apart):
            assert (await asyncio.to_thread(ask, site, file, cookie=cookie_of(learner)))[0] == 200

    token = ask(site, "/_stcore/health")[1]["set-cookie"].partition(";")[0]
    own_loop.run(visit(site, cookie_of(0), upload))


def test_a_class_works_through_nginx_without_an_error(site: Site, apart: int):
    n_learners = max(LEARNERS, apart + 1)
    scenario = Scenario(
        kinds=((MASKING,),), n_learners=n_learners, opening_seconds=1.0, seconds=4.0
    )
    n_before = len(site.served())
    visits, _ = own_loop.run(measure(scenario, None, site.url))
    met = requirements(scenario, visits, ServerFigures())
    # On a busy machine Streamlit itself may lose a rerun: bench/load/session.py says how.
    assert all(is_met for text, is_met in met if "lost" not in text), table(visits, ServerFigures())
    assert sum(len(visit.changes_ms) for visit in visits) >= n_learners
    assert len(processes_in(site.served()[n_before:])) == 2


def test_what_is_typed_stands_in_no_log_of_nginx_nor_of_the_app(site: Site):
    async def look(session: Session) -> None:
        assert MARK in str(session.value("masking_text"))

    ask(site, f"/masking?masking_text={MARK}", Referer=f"{site.url}/masking?masking_text={MARK}")

    async def type_it() -> None:
        session = Session(site.url, "masking", f"masking_text={MARK}", cookie=cookie_of(1))
        await session.open()
        await look(session)
        await session.close()

    own_loop.run(type_it())
    assert MARK not in "".join(site.served()) + site.log()


def test_no_answer_of_a_room_is_lost_while_one_process_after_another_is_restarted(site: Site):
    """Learners answer all the time; each is counted once, and as a page has confirmed it."""
    room, n_served, before = Room(), len(site.served()), [*map(site.pids, site.ports)]
    renewed = "all processes are new ones"

    async def answer(k: int) -> None:
        place, is_confirmed = k % 2, False
        while not is_confirmed or renewed not in site.log():
            try:
                await room.answer(k, place := 1 - place)
                is_confirmed = True
            except RerunLostError:  # on a busy machine, as after any change: bench/load/session.py
                is_confirmed = False
            assert room.counted().total() == len(room.tabs)
            await asyncio.sleep(1.0)

    async def play() -> None:
        await room.open(site.url, site.rooms)
        site.restart()
        async with asyncio.timeout(300):  # a restart that ends early says no such thing
            await asyncio.gather(*(answer(k) for k in range(len(room.tabs))))
        for tab in room.tabs:
            assert tab.back and not tab.is_dropped, "each has connected anew"
            assert tab.errors == []
        await room.close()

    own_loop.run(play())
    assert room.counted() == Counter(room.given)
    assert all(one != old for one, old in zip(map(site.pids, site.ports), before, strict=True))
    assert not [line for line in site.served()[n_served:] if " 502 " in line]


# Stands for Python and for nginx: the app takes a moment to end, the warm-up is over at once, or
# never on a port that is slow; one that is bad draws no page, one that is mute does not answer.
APP = """#!/bin/sh
if [ "$1" = - ]; then
  grep -q script-health || exec test ! -e "mute$2"
  [ ! -e "bad$2" ] || exit 1
  touch warm
  [ ! -e "slow$2" ] || { echo >> slowly; exec sleep 300; }
  exit 0
fi
[ "$1" = -m ] || [ "$1" = -p ] || exit 0
trap 'sleep 0.5; touch ended; exit 0' TERM
trap : HUP
echo "$MLM_ROOMS" > rooms
touch started
while :; do sleep 0.1; done
"""


def keep_running(folder: Path, before_the_first_start: str = "") -> subprocess.Popen:
    """Run that function of serve.sh alone, with a small program in the place of Python."""
    text = (ROOT / "deploy/serve.sh").read_text(encoding="utf-8")
    warm_up, own = (
        re.search(rf"^{name}\(\) {{.*?^}}$", text, re.MULTILINE | re.DOTALL)[0]
        for name in ("warm_up", "keep_running")
    )
    own = own.replace("  while :;", f"  {before_the_first_start}\n  while :;")
    app = folder / "app.sh"
    app.write_text(APP)
    app.chmod(0o755)
    script = (
        'set -eu\nPYTHON=./app.sh RUN_FOLDER=.\nsay() { echo "$*"; }\n'
        f"{warm_up}\n{own}\nkeep_running 1 ./app.sh -m\n"
    )
    return subprocess.Popen(
        ["sh", "-c", script], cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def test_a_process_that_is_told_to_end_before_it_has_started_ends_without_an_error(tmp_path):
    process = keep_running(tmp_path, "kill -TERM $$")
    assert process.communicate(timeout=30) == (None, "") and process.returncode == 0
    assert not (tmp_path / "started").exists()


def test_a_process_that_dies_comes_back_and_a_warm_one_that_is_told_to_end_is_waited_for(tmp_path):
    process = keep_running(tmp_path)
    for is_first in (True, False):
        marks = [tmp_path / name for name in ("started", "warm")]
        wait_until(lambda marks=marks: all(one.exists() for one in marks))
        if is_first:
            for one in marks:
                one.unlink()
            os.kill(int((tmp_path / "1.pid").read_text()), signal.SIGKILL)
    process.terminate()
    _, told = process.communicate(timeout=30)
    assert process.returncode == 0 and (tmp_path / "ended").exists()
    assert told.count("it starts again") == 1


def test_a_process_whose_number_cannot_be_written_goes_on_and_is_ended(tmp_path):
    (tmp_path / "1.pid").symlink_to("/dev/full")
    process = keep_running(tmp_path)
    wait_until(lambda: (tmp_path / "warm").exists())
    process.terminate()
    process.communicate(timeout=30)
    assert process.returncode == 0 and (tmp_path / "ended").exists()
    assert not (tmp_path / "1.pid").exists()


class StandIn:
    """A site of serve.sh, copied into a folder, with that script for the app and nginx."""

    def __init__(self, folder: Path) -> None:
        self.run, self._log = folder / "run", folder / "log"
        (folder / "deploy").mkdir()
        self.run.mkdir()
        (self.run / "access.log").touch()
        for name in ("serve.sh", "nginx.conf"):
            shutil.copy(ROOT / "deploy" / name, folder / "deploy")
        (folder / "app.sh").write_text(APP)
        (folder / "app.sh").chmod(0o755)
        settings = {"PYTHON": "./app.sh", "NGINX_PROGRAM": "./app.sh", "RUN_FOLDER": "run"}
        settings |= {"FIRST_PORT": "1", "PORT": "3", "STREAMLIT_SERVER_COOKIE_SECRET": "-"}
        kept = {name: one for name, one in os.environ.items() if name != "MLM_ROOMS"}
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                ["sh", folder / "deploy/serve.sh"], env=kept | settings, stdout=log, stderr=log
            )
        wait_until(lambda: "processes at" in self._log.read_text())

    def restart(self, until: str) -> None:
        """Restart its processes, until it says something."""
        n_before = len(self._log.read_text())
        self.process.send_signal(signal.SIGUSR1)
        wait_until(lambda: until in self._log.read_text()[n_before:])

    def pids(self) -> list[str]:
        return [(self.run / f"{port}.pid").read_text() for port in (1, 2)]

    def are_out(self) -> list[bool]:
        """Return for each process whether nginx leads nobody to it."""
        return [" down;" in one for one in (self.run / "servers.conf").read_text().splitlines()]


@pytest.fixture
def stand_in(tmp_path: Path) -> Iterator[StandIn]:
    site = StandIn(tmp_path)
    yield site
    site.process.terminate()
    try:
        assert site.process.wait(60) == 0
    finally:
        site.process.kill()


def test_a_restart_that_failed_begins_with_the_port_that_is_out(stand_in: StandIn, tmp_path: Path):
    (tmp_path / "bad2").touch()
    for _ in range(2):
        stand_in.restart("port 2 draws no page\nthe restart ends here")
        assert stand_in.are_out() == [False, True]
    (tmp_path / "bad2").rename(tmp_path / "mute1")
    stand_in.restart("no other process than that on port 2 answers\nthe restart ends here")
    assert stand_in.are_out() == [False, True]
    (tmp_path / "mute1").unlink()
    stand_in.restart("all processes are new ones")
    assert stand_in.are_out() == [False, False]
    rooms = (tmp_path / "rooms").read_text().strip()
    assert rooms == str(stand_in.run / "rooms.db"), "an absolute path"


def test_a_disk_that_is_full_ends_a_restart_and_not_the_site(stand_in: StandIn, tmp_path: Path):
    before = (stand_in.run / "servers.conf").read_text(), stand_in.pids()
    for file in ("servers.new", "nginx.new"):
        (stand_in.run / file).symlink_to("/dev/full")
        stand_in.restart("the restart ends here")
        assert before == ((stand_in.run / "servers.conf").read_text(), stand_in.pids())
        (stand_in.run / file).unlink()
    (tmp_path / "deploy/nginx.conf").write_text("# of another version")
    stand_in.restart("all processes are new ones")
    assert (stand_in.run / "nginx.conf").read_text() == "# of another version"


def test_a_site_that_waits_for_a_first_page_is_asked_again_and_ends(
    stand_in: StandIn, tmp_path: Path
):
    (tmp_path / "slow1").touch()
    slowly = tmp_path / "slowly"
    stand_in.process.send_signal(signal.SIGUSR1)
    # The restart's own wait, and that of a process which has just started.
    wait_until(lambda: slowly.exists() and len(slowly.read_text()) == 2)
    stand_in.process.send_signal(signal.SIGUSR1)
    assert "draws no page" not in (tmp_path / "log").read_text()  # and then it is ended


@pytest.mark.parametrize(("seconds", "is_well"), [("5", True), ("0.5", False)])
def test_the_check_of_a_page_sees_one_that_stalls_while_the_process_says_it_is_well(
    seconds: str, is_well: bool
):
    checked = threading.Event()

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if "script" in self.path and not is_well:
                checked.wait(60)  # no answer while it is asked
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/_stcore/health"
        assert urllib.request.urlopen(address, timeout=5).status == 200
        check = [sys.executable, ROOT / "deploy/page_check.py", str(server.server_port), seconds]
        ended = subprocess.run(check, capture_output=True, text=True, timeout=30)
        checked.set()
        server.shutdown()
    assert (ended.returncode == 0) == is_well
    assert ("drew no page within 0.5 s" in ended.stderr) != is_well


def test_a_page_that_is_drawn_for_nobody_is_in_time_here(site: Site):
    check = [sys.executable, ROOT / "deploy/page_check.py", str(site.ports[0]), "60"]
    assert subprocess.run(check, timeout=90).returncode == 0
    assert subprocess.run([*check[:2], "1", "1"], stderr=subprocess.DEVNULL).returncode == 1


def test_no_question_that_serve_asks_waits_for_ever():
    text = (ROOT / "deploy/serve.sh").read_text(encoding="utf-8")
    asked = re.findall(r"urlopen\([^)]*\)", text)
    asked += re.findall(r"urlopen\([^)]*\)", (ROOT / "deploy/page_check.py").read_text("utf-8"))
    assert len(asked) == 3 and all("timeout=" in one for one in asked)


def port_of(site: Site, learner: int) -> int:
    """Return the port of the process that a learner is on."""
    # nginx writes its line when the answer is away, so the last one may be another request's.
    path = f"/static/{uuid4().hex}"
    ask(site, path, cookie=cookie_of(learner))
    site.wait_until(lambda: any(path in line for line in site.served()))
    return int(next(line for line in site.served() if path in line).rpartition(":")[2])
