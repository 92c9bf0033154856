"""One command makes all that is stored: no file forgotten, none left over, in the right order."""

from collections.abc import Iterator

import pytest

from tools import stored_results
from tools.stored_results import (
    DATA_FOLDER,
    STEPS,
    Step,
    choose_steps,
    unclaimed,
)


def step(name: str, lines: list[str], *, seconds: float) -> Step:
    def make() -> Iterator[str]:
        yield from lines

    return Step(
        name=name,
        command=f"a.module.of.{name}",
        files=lambda: frozenset({f"{name}.json"}),
        make=make,
        n_lines=lambda: len(lines),
        seconds=seconds,
    )


def test_every_stored_file_is_made_by_a_step_or_written_by_us():
    assert unclaimed() == (), (
        "name what makes these in tools/stored_results.py: in STEPS if a command"
        " does, in WRITTEN if we wrote them"
    )


def test_every_file_that_a_step_makes_is_there_and_made_by_it_alone():
    made = [name for one in STEPS for name in one.files()]
    assert len(made) == len(set(made))
    missing = [name for name in made if not (DATA_FOLDER / name).is_file()]
    assert not missing, f"make {missing} with python -m tools.stored_results"


def test_each_command_is_a_module_that_says_so():
    for one in STEPS:
        source = DATA_FOLDER.parents[1] / (one.command.replace(".", "/") + ".py")
        text = source.read_text(encoding="utf-8")
        assert 'if __name__ == "__main__":' in text and f"python -m {one.command}" in text


def test_a_forgotten_file_is_found(tmp_path):
    for name in ("a.json", "b.json", "senses/bank.txt", "senses/notes/bank.txt", "maps/x.npz"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = unclaimed(tmp_path, [step("a", [], seconds=1)])
    assert found == ("b.json", "maps/x.npz", "senses/notes/bank.txt")


def test_steps_are_chosen_by_name_or_left_out_and_keep_their_order():
    names = [one.name for one in STEPS]
    assert names.index("finetuned") < names.index("figures")  # the one reads the other's runs
    assert [one.name for one in choose_steps(["figures", "maps"])] == ["maps", "figures"]
    assert [one.name for one in choose_steps(skipped=["runs"])] == [n for n in names if n != "runs"]
    assert choose_steps(["maps"], ["maps"]) == ()
    with pytest.raises(ValueError, match="no step map: choose from size_curve, runs"):
        choose_steps(["map"])


def test_the_command_does_the_named_steps(monkeypatch, capsys):
    steps = (step("a", ["made a"], seconds=1), step("b", ["made b"], seconds=1))
    monkeypatch.setattr(stored_results, "STEPS", steps)
    monkeypatch.setattr(stored_results, "choose_steps", lambda n, s: choose_steps(n, s, steps))
    monkeypatch.setattr(stored_results, "unclaimed", lambda: ("maps/old.npz",))
    stored_results.main(["--skip", "a"])
    printed = capsys.readouterr().out
    assert "made b" in printed and "made a" not in printed
    assert "data/maps/old.npz is left over" in printed
    with pytest.raises(SystemExit):
        stored_results.main(["c"])
    assert "choose from a, b" in capsys.readouterr().err
