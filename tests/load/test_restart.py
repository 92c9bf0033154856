"""A server that is killed in mid-class and started again: what its learners find, and its log."""

import asyncio
import re
from collections.abc import Callable

import pytest

from bench.load.scenario import DEFAULT_RUN
from bench.load.session import Session, SessionDroppedError
from pages.server.course.words import read_words
from tests import own_loop
from tests.browser.live import Server, free_ports

PATIENCE = 60.0  # seconds; the first run on a server prepares its text before it counts steps


def view_of(session: Session) -> dict[str, object]:
    """Return what a tab shows: its words, and what is set in its widgets."""
    widgets = session.widgets()
    set_to = {key: session.value(key) for key, one in widgets.items() if one.kind != "button"}
    return {"text": session.text(), "set": set_to}


async def train(session: Session) -> None:
    """Start a run and wait until it counts steps."""
    await session.change(DEFAULT_RUN.start)
    async with asyncio.timeout(PATIENCE):
        while not re.search(DEFAULT_RUN.progress, session.text()):
            await asyncio.sleep(0.2)


async def teach(server: Server) -> tuple[Session, dict[str, object], Session]:
    """Let one learner change a lesson and another train; return their tabs, and what is seen."""
    reader = Session(server.url, "masking", "masking_part=how_many&seed=7")
    await reader.open()
    await reader.change("masking_text", "The herons by the river saw a boat.")
    await reader.change("masking_seed", 11)
    trainer = Session(server.url, DEFAULT_RUN.page)
    await trainer.open()
    await train(trainer)
    return reader, view_of(reader), trainer


async def lose(tab: Session) -> None:
    """Find out as a learner does that the server has gone."""
    with pytest.raises(SessionDroppedError):
        await tab.change(next(key for key, w in tab.widgets().items() if w.kind == "button"))
    await tab.close()


async def come_back(server: Server, reader: Session, seen: dict, trainer: Session) -> None:
    """Open both pages again on the new server, and find all but the run."""
    reloaded = Session(server.url, reader.page, reader.query)
    await reloaded.open()
    assert view_of(reloaded) == seen
    await reader.open()  # a tab that was left open connects anew with what is set in it
    assert view_of(reader) == seen
    again = Session(server.url, trainer.page, trainer.query)
    await again.open()
    gone = read_words("runs").section("gone")
    assert any(gone[:60] in toast for toast in again.toasts), again.toasts
    assert not re.search(DEFAULT_RUN.progress, again.text())
    await train(again)  # and it can be started again
    for tab in (reloaded, reader, again):
        assert tab.errors == [] and tab.refusals == []
        await tab.close()


def test_who_comes_back_after_a_crash_finds_all_but_an_unfinished_training(new_server: Callable):
    async def crash_between() -> str:
        port = free_ports(1)
        with new_server(port=port) as server:
            reader, seen, trainer = await teach(server)
            server.process.kill()
            server.process.wait()
            await lose(reader)
            await lose(trainer)
        with new_server(port=port) as server:
            await come_back(server, reader, seen, trainer)
            async with asyncio.timeout(PATIENCE):
                while "started: app" not in server.log():
                    await asyncio.sleep(0.2)
        return server.log()

    log = own_loop.run(crash_between())
    line = next(one for one in log.splitlines() if "started: app" in one)
    assert re.search(r"streamlit [\d.]+, torch \S+; models mini-bert.*; trainer \d+ runs", line)
    assert "herons" not in log
