"""Stored runs are made: read back as they were written, thinned evenly, with the best possible."""

import pytest

from mlm_core.small_runs.run import SmallRun
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.snapshot import Checkpoint, model_at
from mlm_core.stored.runs import DEFAULT_RUN, as_marks, read_best, read_right, read_stored
from tools.stored_runs import find_best, find_right, make_stored, thin_out

TEXT = "\n\n".join(f"Cat {i} sat on mat {i}. Then it ran to mat {i + 1}." for i in range(30))
TINY = SmallRunSettings(
    own_text=TEXT,
    vocabulary_size=120,
    hidden_size=8,
    n_heads=2,
    n_layers=1,
    length=24,
    n_steps=20,
    batch_size=4,
    evaluate_every=10,
)


def test_a_run_is_read_back_as_it_was_written(tmp_path):
    lines = list(make_stored(tmp_path, {DEFAULT_RUN: TINY, "no_nsp": TINY}))
    assert len(lines) == 2 and "20 steps" in lines[0]
    *_, run = SmallRun(TINY).go_on()
    read = read_stored(DEFAULT_RUN, tmp_path)
    assert read.phase == "finished" and read.step == 20
    for name in ("settings", "losses", "held_out", "baselines", "facts", "n_tokens"):
        assert getattr(read, name) == getattr(run, name), name
    assert read.tokenizer.to_str() == run.tokenizer.to_str()
    assert read.checkpoints[-1] == run.checkpoints[-1]
    assert set(read.checkpoints) <= set(run.checkpoints)
    assert model_at(read).tokenizer.get_vocab_size() == run.facts.vocabulary_got
    (last,) = read_stored("no_nsp", tmp_path).checkpoints
    assert last.step == 20


def test_the_checkpoints_that_stay_are_spread_evenly_and_end_with_the_last():
    checkpoints = tuple(Checkpoint(step=step, weights=b"") for step in range(16))
    assert [c.step for c in thin_out(checkpoints, 4)] == [0, 5, 10, 15]
    assert thin_out(checkpoints, 1) == checkpoints[-1:]
    assert thin_out(checkpoints, 99) is checkpoints


def test_the_best_that_is_stored_is_what_is_found():
    stored, found = read_best(SmallRunSettings()), find_best()
    assert vars(stored) == pytest.approx(vars(found), rel=1e-9)


def test_the_marks_that_are_stored_are_what_each_run_guesses_of_the_one_test():
    found = find_right()
    for name in found.keys() - {"kept"}:
        assert as_marks(read_right(name, at_kept=False)) == found[name]
        last, at_kept = read_stored(name).held_out[-1], read_right(name, at_kept=True)
        # The weights are stored in 16 bits, which may turn a close guess.
        assert found[name].count("1") / len(found[name]) == pytest.approx(last.accuracy, abs=0.002)
        assert sum(at_kept) / len(at_kept) == pytest.approx(last.accuracy_at_kept, abs=0.01)
    assert not read_right("next_word", at_kept=False)
