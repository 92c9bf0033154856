"""One command makes all that is stored: no file forgotten, none left over, in the right order."""

import pytest

from tools.stored_results import DATA_FOLDER, STEPS, choose_steps, unclaimed


def test_every_stored_file_is_made_by_a_step_or_written_by_us():
    assert unclaimed() == (), (
        "name what makes these in tools/stored_results.py: in STEPS if a command"
        " does, in WRITTEN if we wrote them"
    )


def test_every_file_that_a_step_makes_is_there_and_made_by_it_alone():
    made = [name for one in STEPS for name in one.files()]
    assert len(made) == len(set(made))
    missing = [name for name in made if not (DATA_FOLDER / name).is_file()]
    assert not missing, f"make {missing} with make stored"


def test_steps_are_chosen_by_name_or_left_out_and_keep_their_order():
    names = [one.name for one in STEPS]
    assert names.index("finetuned") < names.index("figures")  # the one reads the other's runs
    assert [one.name for one in choose_steps(["figures", "maps"])] == ["maps", "figures"]
    assert [one.name for one in choose_steps(skipped=["runs"])] == [n for n in names if n != "runs"]
    assert choose_steps(["maps"], ["maps"]) == ()
    with pytest.raises(ValueError, match="no step map: choose from size_curve, runs"):
        choose_steps(["map"])
