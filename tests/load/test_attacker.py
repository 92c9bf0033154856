"""The attacker of the load test does what it says, in small, and stops by itself."""

from collections.abc import Callable

import pytest

from bench.load import attacker
from bench.load.scenario import ATTACKS, MASKING
from bench.load.session import Session
from tests import own_loop

SECONDS = 4.0


def test_every_way_of_an_attack_is_taken_until_the_time_is_over(
    new_server: Callable, monkeypatch: pytest.MonkeyPatch
):
    # What the app bears is shown by `make load LOAD=attack`; here the attacker itself is tested.
    monkeypatch.setattr(attacker, "MARKS", ("a",))
    monkeypatch.setattr(attacker, "MOST_FILES", 3)

    async def attack(url: str) -> attacker.Report:
        first = Session(url, MASKING.page)  # for whom the server loads its model
        await first.open()
        await first.close()
        for longer in (1, 10):  # on a machine that does much else
            done = await attacker.attack(url, 2 * SECONDS * longer, ("texts", "files", "runs"))
            sent = await attacker.attack(url, SECONDS / 2 * longer, ("messages",))
            done.messages = sent.messages
            if done.messages and done.texts and done.runs and done.files == 3:
                break
        return done

    with new_server() as server:
        report = own_loop.run(attack(server.url))
    assert report.messages and report.texts and report.runs
    assert report.files == 3
    assert str(report).startswith(f"{report.messages} messages, {report.texts} texts, 3 files")


@pytest.mark.parametrize("url", ["http://example.org:8501", "http://127.0.0.1.example.org"])
def test_no_other_machine_is_attacked(url: str):
    with pytest.raises(ValueError, match=r"only a server on this machine .* use 127\.0\.0\.1"):
        own_loop.run(attacker.attack(url, 1.0, ATTACKS))


def test_fields_for_long_texts_are_filled_first():
    slugs_and_links = attacker._views()
    assert "own" in slugs_and_links[0][1]
    assert len(slugs_and_links) > 80, "every view of every page"
