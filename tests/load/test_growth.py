"""The play of growing classes: what it counts, and where it writes it."""

import asyncio
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench.load.growth import BEGIN, END, PLAY, Size, play_size, size_of, svg, write
from bench.load.visit import class_of
from tests import own_loop


def size(n_processes: int, n_learners: int, p95_ms: float, n_troubles: int = 0) -> Size:
    return Size(
        n_processes=n_processes,
        n_learners=n_learners,
        p50_ms=20.0,
        p95_ms=p95_ms,
        memories_mb=(400 + 2 * n_learners,) * n_processes,
        kb_a_minute=1_234.0,
        n_troubles=n_troubles,
    )


FOUND = [
    *(size(1, 10, 100.0), size(1, 20, 290.0), size(1, 40, 900.0)),
    *(size(2, 10, 90.0), size(2, 20, 100.0, n_troubles=1), size(2, 40, 301.0)),
]


def test_a_size_counts_what_its_visits_met():
    scenario = replace(PLAY, n_learners=4, seconds=30.0)
    visits = class_of(scenario, "http://nowhere")
    for number, visit in enumerate(visits):
        visit.changes_ms += [10.0, 20.0, 30.0]
        visit.n_bytes = 10_000 * number
        visit.progress += [1, 2]
    visits[0].troubles.append("no widget")
    visits[1].n_lost = 2
    found = size_of(scenario, visits, (500, 480))
    assert (found.p50_ms, found.memory_mb, found.n_troubles) == (20.0, 980, 3)
    # Six tabs of four learners received 150 kB in half a minute.
    assert len(visits) == 6
    assert found.kb_a_minute == 150 / 4 / 0.5
    assert found.row().startswith("| 1 | 4 | 20 | 30 | 500 + 480 | 75 |")


def test_table_and_picture_take_the_place_of_the_ones_before(tmp_path: Path):
    table, picture = tmp_path / "README.md", tmp_path / "growth.svg"
    table.write_text(f"Before.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n")
    for _ in range(2):
        write(FOUND, table, picture)
    text = table.read_text()
    assert text.startswith("Before.") and text.endswith("After.\n") and "old" not in text
    assert text.count("\n| 1 | 20 | 20 | 290 |") == text.count("](growth.svg)") == 1
    names = [element.tag.rpartition("}")[2] for element in ElementTree.parse(picture).iter()]
    assert names.count("polyline") == 4, "two servers in two panels"
    assert "1 process<" in svg(FOUND) and "2 processes<" in svg(FOUND)


def test_a_small_class_is_played_behind_nginx(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MLM_GET_READY", "no")
    monkeypatch.setenv("MLM_MODELS", "")
    small = replace(PLAY, n_learners=2, opening_seconds=0.5, seconds=3.0, is_warm=False)
    found = own_loop.run(asyncio.to_thread(play_size, small))
    assert found.n_learners == 2 and len(found.memories_mb) == 1
    assert found.memory_mb > 100 and found.kb_a_minute > 0 and found.p95_ms > 0
