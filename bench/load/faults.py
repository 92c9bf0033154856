"""What breaks on a server, with real processes: `python -m bench.load.run faults [NAME ...]`.

    disk      the disk of rooms and temporary files is full, and has space again
    helper    the helper process is killed in the middle of a map, once and twice
    process   one of two processes behind nginx is killed in a class
    folder    the app's folder is read-only, there is no HOME, a model's weights are no numbers
    version   another version of Streamlit, fetched by pip
    memory    a container's memory is full: memory.py, only where it is named

Each says what a page and the log must say, what was lost of that which a room stores, and how long
it took until all went on, on a quiet machine. A small disk and a read-only folder are mounts, made
in a namespace of the play's own (`unshare`, Linux).

Read before this: session.py, room.py.
"""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree

from bench.load.memory import memory
from bench.load.room import Tab, comes_true, open_room
from bench.load.scenario import DEFAULT_FINE_TUNING, OWN_MAP
from bench.load.session import Session
from bench.load.visit import Visit, cookie_of, visit_of
from mlm_core.encoder.model_list import BUNDLED_FOLDER
from pages.server.course.lessons import LESSONS
from pages.server.course.words import read_words
from pages.server.trainer.jobs import NO_DISK
from tests.browser.live import ROOT, Server
from tests.deploy.site import Site

N_LEARNERS, GUESS = 4, "sentence_pairs_packing_guess"
MOST_SECONDS = 15.0  # until all goes on
GONE, LOST_RUN = read_words("room").section("store_gone"), read_words("runs").section("gone")
DIED = read_words("frame").section("helper.died")
NO_NUMBERS = "are not all numbers: the training went wrong"
OTHER = "1.60.0"  # of Streamlit, with what it needs beside the packages that are there
PACKAGES = (f"streamlit=={OTHER}", "blinker", "tenacity", "toml")
LOG_LINES = 25


class Play:
    """One fault in a folder, and whether all was as it must be."""

    def __init__(self, folder: str, words: list[str]) -> None:
        self.folder, self.words, self.is_well = Path(folder), words, True

    def note(self, is_so: bool, what: str) -> None:
        """Print one line of what must be so."""
        self.is_well = self.is_well and is_so
        print(f"  {'met    ' if is_so else 'NOT MET'}  {what}", flush=True)

    @contextmanager
    def server(self, port: int | None = None, **environment: str) -> Iterator[Server]:
        """Serve the app; a variable that is "" is left out."""
        server = Server(self.folder, port=port, environment=environment)
        try:
            yield server
        finally:
            server.stop()
            if not self.is_well:
                print("  in the log:", *server.log().splitlines()[-LOG_LINES:], sep="\n    ")

    def mount(self, *arguments: str | Path) -> None:
        """Mount, where no other process sees it: `main` starts who mounts in a namespace."""
        if os.environ.get(OUTSIDE) in (None, os.readlink(NAMESPACE)):
            sys.exit("this play mounts over folders: start it by make load LOAD=faults")
        subprocess.run(["mount", *arguments], check=True)

    async def says(self, tab: Session, sentence: str) -> None:
        """Note whether a page comes to say how a sentence begins."""

        def is_said() -> bool:
            return sentence[:70] in "\n".join([tab.text(), *tab.toasts]).replace("\\", "")

        self.note(await comes_true(is_said), f"the page says: {sentence}")

    def logs(self, server: Server | Site, text: str) -> None:
        """Note whether the log has a text."""
        self.note(text in server.log(), f"the log says: {text}")

    async def goes_on(self, what: str, is_so: Callable[[], object]) -> None:
        """Note how long it takes from now until something is so."""
        began = time.monotonic()
        is_so_now, seconds = await comes_true(is_so), time.monotonic() - began
        self.note(is_so_now and seconds <= MOST_SECONDS, f"{what} after {seconds:.1f} s")

    async def trains(self, server: Server, run: Visit) -> None:
        """Note whether a run makes steps, and how soon, as a quiet machine would count."""
        before = server.processor_seconds()
        is_so, seconds = await comes_true(lambda: _moves(run)), server.processor_seconds() - before
        self.note(is_so and seconds <= MOST_SECONDS, f"a run trains, {seconds:.1f} s of processor")


class Room:
    """A class in one room, whose learners answer a question."""

    async def open(self, url: str, store: str) -> None:
        """Open a room and let all learners answer."""
        self.teacher, code, self.desk = await open_room(url, store)
        self.given = [0] * N_LEARNERS
        link, self.tabs = f"sentence_pairs_part=packing&room={code}", []
        for k in range(N_LEARNERS):
            self.tabs.append(Tab(url, "sentence_pairs", link, cookie=cookie_of(k + 1)))
            await self.tabs[k].open()
            await self.answer(k, k % 2)

    async def answer(self, k: int, place: int) -> None:
        """Let a learner answer, or change the answer."""
        self.given[k] = place
        await self.tabs[k].change(GUESS, [self.tabs[k].widget(GUESS).options[place]])

    async def close(self) -> None:
        """Let all leave, those too that are just connecting anew."""
        for tab in (self.teacher, *self.tabs):
            await tab.is_back()
            await tab.close()

    def counted(self) -> Counter[int]:
        """Return how many answers the desk has, by the option's place."""
        asked = next(one for one in self.desk.questions() if one.id == GUESS)
        return Counter(dict(enumerate(self.desk.tallies(asked)[-1].counts.values())))

    def n_lost(self) -> int:
        """Return how many answers the desk doesn't have as they were given."""
        return (Counter(self.given) - self.counted()).total()


async def disk(play: Play) -> None:
    """Fill the disk of rooms and temporary files, and give it space again."""
    place, room = play.folder / "disk", Room()
    place.mkdir()
    play.mount("-t", "tmpfs", "-o", "size=2m", "none", place)
    with play.server(TMPDIR=str(place), MLM_ROOMS=str(place / "rooms.db")) as server:
        await room.open(server.url, str(place / "rooms.db"))
        run = await _begun(DEFAULT_FINE_TUNING, server)
        await play.says(run.session, NO_DISK)
        play.logs(server, "OSError: No space left on device")
        reader = sqlite3.connect(place / "rooms.db")  # keeps SQLite from writing its log anew
        reader.executescript("BEGIN; SELECT * FROM rooms;")
        filler = place / "filler"
        subprocess.run(["dd", "if=/dev/zero", f"of={filler}"], stderr=subprocess.DEVNULL)
        for k in range(N_LEARNERS):
            await room.answer(k, 1)
        await play.says(room.tabs[0], GONE)
        play.logs(server, "rooms can't be reached: SQLite: database or disk is full")
        waiting = room.n_lost()
        reader.close()
        filler.unlink()
        play.mount("-o", "remount,size=200m", place)
        await play.goes_on(f"{waiting} answers waited, none is lost", lambda: not room.n_lost())
        await run.change(run.tab.start)
        await play.trains(server, run)
    subprocess.run(["umount", "--lazy", place])


async def helper(play: Play) -> None:
    """Kill the helper process in the middle of a map, once and twice."""
    with play.server() as server:
        children = f"pgrep -P {server.process.pid} -f popen_loky_posix"

        def is_killed() -> bool:
            found = subprocess.run(children.split(), capture_output=True, text=True).stdout
            for pid in found.split():
                os.kill(int(pid), signal.SIGKILL)
            return bool(found)

        once = await _begun(OWN_MAP, server, 1)
        await comes_true(is_killed)
        await play.goes_on("killed once: the map is there", lambda: _moves(once))
        play.logs(server, "the helper process died")
        is_killed()  # at rest, so that the next map must wait for another one
        twice = await _begun(OWN_MAP, server, 2)
        for _ in range(2):
            await comes_true(is_killed)
            await asyncio.sleep(1.5)
        await play.says(twice.session, DIED)
        other = await _begun(OWN_MAP, server, 3)
        await play.goes_on("killed twice: another map is there", lambda: _moves(other))


async def process(play: Play) -> None:
    """Kill one of two processes behind nginx in a class."""
    site, room, training = Site(2, play.folder), Room(), DEFAULT_FINE_TUNING
    try:
        await room.open(site.url, site.rooms)
        runs = [Tab(site.url, training.page, training.query, cookie=cookie_of(k)) for k in range(4)]
        for tab in runs:
            await tab.open()
            await tab.change(training.start)
        site.kill(site.ports[0])
        tabs = [*room.tabs, *runs]
        await comes_true(lambda: any(tab.back for tab in tabs))
        await play.goes_on("all tabs are connected", lambda: not any(t.is_dropped for t in tabs))
        for tab in [tab for tab in runs if tab.back]:
            await play.says(tab, LOST_RUN)
        await play.goes_on("both processes are there", lambda: len(site.moments()) == 2)
        play.logs(site, "has ended: it starts again")
        for k in range(N_LEARNERS):
            await room.answer(k, 1)
        await play.goes_on("no answer is lost", lambda: not room.n_lost())
        play.note(not any(tab.errors for tab in tabs), "no page failed")
    finally:
        site.stop()


async def folder(play: Play) -> None:
    """Make the app's folder read-only, leave HOME out, offer a model of weights that are none."""
    from safetensors.numpy import load_file, save_file

    broken = copytree(BUNDLED_FOLDER, play.folder / "broken")
    weights = load_file(file := broken / "model.safetensors")
    weights |= {name: array * float("nan") for name, array in weights.items()}
    save_file(weights, file)
    play.mount("--bind", ROOT, ROOT)
    play.mount("-o", "remount,bind,ro", ROOT)
    rooms = str(ROOT / "rooms.db")
    with play.server(HOME="", MLM_ROOMS=rooms, MLM_MODELS=str(broken)) as server:
        run = await _begun(DEFAULT_FINE_TUNING, server)
        await play.trains(server, run)
        tab, other = (Session(server.url, "attention_mask", link) for link in ("", "model=broken"))
        await tab.open()
        for lesson in LESSONS:
            await tab.go_to(lesson.slug)
        await tab.go_to("teaching", "teaching_part=room")
        await tab.change("teaching_room_open")
        await play.says(tab, GONE)
        play.logs(server, "the store of rooms can't be reached: SQLite: [Errno 30] Read-only")
        await other.open()
        await play.says(other, NO_NUMBERS)
        play.logs(server, NO_NUMBERS)
        play.note(not tab.errors + other.errors, "no page failed")


async def version(play: Play) -> None:
    """Serve the app with another Streamlit, fetched by pip."""
    packages = play.folder / "site-packages"  # so named, or Streamlit takes it for a checkout
    fetch = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", packages]
    subprocess.run([*fetch, *PACKAGES], check=True, stderr=subprocess.DEVNULL)
    with play.server(PYTHONPATH=str(packages)) as server:
        for page in ("", LESSONS[0].slug, "teaching"):
            await (tab := Session(server.url, page)).open()
            await play.says(tab, f"this server runs Streamlit {OTHER}")
        play.logs(server, f"Streamlit {OTHER} is installed and ")
        play.logs(server, "install what requirements.txt says")


async def _begun(tab, server: Server, learner: int = 9) -> Visit:
    visit = visit_of(tab, learner, 0, server.url, 1.0)
    await visit.begin()
    return visit


def _moves(visit: Visit) -> bool:
    """Return whether a tab shows what it must, or its run makes steps."""
    visit.note_progress()
    return visit.has_progressed


FAULTS = {one.__name__: one for one in (disk, helper, process, folder, version, memory)}
MOUNTS = ("disk", "folder", "memory")
NAMESPACE, OUTSIDE = "/proc/self/ns/mnt", "NAMESPACE_OUTSIDE"  # the variable has that of `main`


def main(names: list[str], *words: str) -> int:
    """Play these faults, or all but `memory`, each in a process; return the exit status."""
    if unknown := set(names) - FAULTS.keys():
        sys.exit(f"no fault {unknown.pop()!r}: choose from {', '.join(FAULTS)}")
    status = 0
    for name in names or [one for one in FAULTS if one != "memory"]:
        as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
        apart = ["unshare", "--mount", *as_root] if name in MOUNTS else []
        outside = {OUTSIDE: os.readlink(NAMESPACE)} if name in MOUNTS else {}
        command = [*apart, sys.executable, "-m", "bench.load.faults", name, *words]
        play = subprocess.run(command, cwd=ROOT, env=os.environ | outside)
        status = max(status, abs(play.returncode))
    return status


if __name__ == "__main__":
    fault = FAULTS[sys.argv[1]]
    print(f"\n{sys.argv[1]}: {fault.__doc__}", flush=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as own_folder:
        played = Play(own_folder, sys.argv[2:])
        asyncio.run(fault(played))
    sys.exit(not played.is_well)
