"""A corruption's drawing shows what was played so far, and counts stand beside expectations."""

from mlm_core.figures.masking.corruption import PlayNames, play_html
from mlm_core.masking.rule import CorruptionRule
from tests.figures.masking.samples import PLAYED, STATES

NAMES = PlayNames(token="token", draw="draw", die="die", seen="sees", label="label")


def drawn(n_done: int) -> str:
    return play_html(PLAYED, STATES[n_done], CorruptionRule(), names=NAMES, at=1, alt='a "play"')


def test_nothing_is_shown_before_it_was_played():
    html = drawn(0)
    assert "chosen" not in html and "−100" not in html and "0.071" not in html
    assert "<svg" not in html and "planet" not in html


def test_each_move_shows_one_thing_more():
    chosen, rolled, replaced, over = drawn(1), drawn(2), drawn(3), drawn(5)
    assert chosen.count("chip chosen") == 2 and chosen.count("−100") == 2
    assert "<svg" not in chosen and rolled.count("<svg") == 1 and "[MASK]" not in rolled
    assert '<span class="chip mask" title="[MASK]">' in replaced and "planet" not in replaced
    assert '<span class="chip random" title="planet">' in over and over.count("<svg") == 2
