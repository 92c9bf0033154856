"""Which class a process bears within a hard limit of memory: `make load LOAD=memory`.

A class of each kind grows by a learner every `ARRIVES_SECONDS`, and all of it walks through the
lessons, until the process is killed or the time is over. Two more tabs come back then, as browsers
do: what they must find is what `faults` looks for after any death of a process.

The limit is a container's, and played. What the app reads of one (cgroup v2) is a folder, mounted
over the system's in a namespace of the play's own. Who kills is this play, when the server and its
helper hold more than the limit: their anonymous memory, and the files that the server maps. The
kernel drops mapped files before it kills, so of these only so much counts as the code of torch and
others takes; a real container bears a little more. `ulimit` would be no
such limit: it counts addresses that are reserved, and lets single allocations fail.

Read before this: faults.py.
"""

import asyncio
import contextlib
import os
import signal
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.load.room import Tab, comes_true
from bench.load.scenario import CLASS, DEFAULT_RUN, WALK
from bench.load.session import SessionDroppedError
from bench.load.visit import visit_of
from pages.server.course.words import read_words
from tests.browser.live import Server

if TYPE_CHECKING:
    from bench.load.scenario import Tab as Kind

    Kinds = tuple[tuple[Kind, ...], ...]

Play = Any  # of faults.py, which imports this module
READS = ((WALK,),)
READS_TWO = (*READS, (replace(WALK, query="lang=de"),))  # two languages, so two models
HUB = "base"  # a model of BERT-base's size


def _by_hub(kinds: "Kinds") -> "Kinds":
    return tuple(
        tuple(replace(tab, query=f"{tab.query}&model={HUB}".lstrip("&")) for tab in tabs)
        for tabs in kinds
    )


# By a name: the tabs of a class's learners, and the limits that it is played under, in MB.
CLASSES = {
    "reads": (READS, (690,)),
    "reads_two": (READS_TWO, (690, 1_000)),
    "trains": (CLASS, (690, 1_000)),
    "hub_reads": (_by_hub(READS_TWO), (690, 1_000, 1_500)),
    "hub_trains": (_by_hub(CLASS), (1_000, 1_500)),
}
PROMISED = ("reads_690", "trains_1000")
N_LEARNERS, ARRIVES_SECONDS = 30, 2.0
SECONDS, SECONDS_A_LESSON, LOOK_SECONDS = 180.0, 12.0, 0.25
CODE_BYTES = 130_000_000  # of mapped files
CGROUP = Path("/sys/fs/cgroup")
SENTENCE = "The herons by the river saw a boat."


async def memory(play: Play) -> None:
    """Let classes of each kind grow in a container until their process is killed."""
    container = play.folder / "container"
    container.mkdir()
    play.mount("--bind", container, CGROUP)
    for kind, (tabs, limits) in CLASSES.items():
        for name, limit in ((f"{kind}_{limit}", limit) for limit in limits):
            if not play.words or name in play.words:
                await _grow(play, name, tabs, limit)


async def _grow(play: Play, name: str, kinds: "Kinds", limit: int) -> None:
    environment = {"MLM_GET_READY": "yes"}
    if name.startswith("hub"):
        environment["MLM_MODELS"] = str(_hub_model(play.folder))
    (CGROUP / "memory.max").write_text(str(limit << 20))
    (CGROUP / "memory.current").write_text("0")
    met, trains = Met(), name != "reads_690"  # the one class that only reads
    with play.server(**environment) as server:
        watched = asyncio.create_task(_watch(server, limit, met))
        tabs = await _open_two(server, trains=trains)
        playing = asyncio.create_task(_play(server, kinds, met))
        await asyncio.wait([watched, playing], return_when=asyncio.FIRST_COMPLETED)
        is_killed = watched.done()
        for task in (watched, playing):
            task.cancel()
        await asyncio.gather(watched, playing, return_exceptions=True)
    how = f"{'KILLED' if is_killed else 'holds'} after {time.monotonic() - met.began:.0f} s"
    play.note(
        not is_killed or name not in PROMISED,
        f"{name}: {how}, {len(met.came)} learners, at its highest {met.highest >> 20} MB,"
        f" {met.of_helper >> 20} of them its helper's",
    )
    for text in sorted(set(met.refused)):
        print(f"             {met.refused.count(text)} x {text[:200]}")
    if is_killed:
        (CGROUP / "memory.current").write_text("0")
        with play.server(port=int(server.url.rpartition(":")[2]), **environment):
            await _come_back(play, *tabs, trained=trains)
    for tab in tabs:
        with contextlib.suppress(OSError):
            await tab.close()


@dataclass
class Met:
    """What a class met."""

    began: float = field(default_factory=time.monotonic)
    highest: int = 0  # bytes
    of_helper: int = 0  # of these
    came: set[int] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)


async def _play(server: Server, kinds: "Kinds", met: Met) -> None:
    """Let the class come and work."""

    async def live(kind: "Kind", learner: int, number: int) -> None:
        await asyncio.sleep(learner * ARRIVES_SECONDS)
        met.came.add(learner)
        visit = visit_of(kind, learner, number, server.url, SECONDS_A_LESSON)
        try:
            await visit.begin()
            await visit.live(met.began + SECONDS)
        except (SessionDroppedError, KeyError):
            met.refused.append("a tab was dropped")
        finally:
            met.refused += [*visit.session.refusals, *visit.session.errors]
            with contextlib.suppress(OSError):
                await visit.session.close()

    await asyncio.gather(
        *(
            live(kind, learner, number)
            for learner in range(N_LEARNERS)
            for number, kind in enumerate(kinds[learner % len(kinds)])
        )
    )


async def _watch(server: Server, limit: int, met: Met) -> None:
    """Tell the app what it holds, as a container does, and kill it when that is over the limit."""
    while True:
        held, of_helper, processes = _held_bytes(server.process.pid)
        if held > met.highest:
            met.highest, met.of_helper = held, of_helper
        (CGROUP / "memory.current").write_text(str(held))
        if held >= limit << 20:
            for one in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
            server.process.wait()
            return
        await asyncio.sleep(LOOK_SECONDS)


def _held_bytes(server: int) -> tuple[int, int, list[int]]:
    """Return what a container counts, in bytes, what of it is the helper's, and the processes."""
    held, group = Counter(), [server]
    for pid in sorted(int(folder.name) for folder in Path("/proc").glob("[0-9]*")):
        with contextlib.suppress(OSError, KeyError):  # it has just ended
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            fields = {name: text.split() for name, _, text in (one.partition(":") for one in lines)}
            if pid != server and int(fields["PPid"][0]) not in group:
                continue
            group += [pid] if pid != server else []
            anon, shared, of_files = (
                1024 * int(fields[f"Rss{name}"][0]) for name in ("Anon", "Shmem", "File")
            )
            files = min(of_files, CODE_BYTES) if pid == server else 0
            held[pid == server] += anon + shared + files
    return held.total(), held[False], group


def _hub_model(folder: Path) -> Path:
    """Return a folder with a model of BERT-base's size, whose weights are random."""
    from mlm_core.encoder.bert import Bert, BertConfig
    from mlm_core.encoder.checkpoints import save_bert
    from mlm_core.encoder.model_list import BUNDLED_FOLDER
    from mlm_core.text.tokens import load_tokenizer

    if not (folder / HUB).exists():
        save_bert(Bert(BertConfig()), load_tokenizer(BUNDLED_FOLDER), folder / HUB)
    return folder / HUB


async def _open_two(server: Server, *, trains: bool) -> tuple[Tab, Tab]:
    """Return the tab of somebody who typed a sentence, and of somebody who may train."""
    reader, trainer = Tab(server.url, "masking"), Tab(server.url, DEFAULT_RUN.page)
    for tab in (reader, trainer):
        await tab.open()
    await reader.change("masking_text", SENTENCE)
    if trains:
        await trainer.change(DEFAULT_RUN.start)
    return reader, trainer


async def _come_back(play: Play, reader: Tab, trainer: Tab, *, trained: bool) -> None:
    """Note what two tabs find when their process was killed and started again."""
    await comes_true(lambda: not (reader.is_dropped or trainer.is_dropped))
    play.note(reader.value("masking_text") == SENTENCE, "the reader's page is as it was")
    if trained:
        await play.says(trainer, read_words("runs").section("gone"))
