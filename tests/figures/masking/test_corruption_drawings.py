"""A corruption's drawing shows what was played so far, and counts stand beside expectations."""

from mlm_core.figures.masking.corruption import PlayNames, play_html
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import Candidate, Choice, Corruption, Replacement, play_state
from mlm_core.text.tokens import Token

NAMES = PlayNames(token="token", draw="draw", die="die", seen="sees", label="label")


PLAYED = Corruption(
    tokens=tuple(
        Token(text=text, id=7, start=0, stop=0, word=word, segment=0, is_special=False)
        for word, text in enumerate(("food", "was", "good"))
    ),
    choice=Choice(
        count=2,
        candidates=tuple(
            Candidate(excluded=None, draw=draw, is_chosen=draw < 0.15)
            for draw in (0.0719, 0.6, 0.1)
        ),
        span_words=(),
    ),
    replacements=(
        Replacement(die=0.79999, branch="mask", id=4, text="[MASK]"),
        None,
        Replacement(die=0.85, branch="random", id=9, text="planet"),
    ),
)


def drawn(n_done: int) -> str:
    state = play_state(PLAYED, n_done)
    return play_html(PLAYED, state, CorruptionRule(), names=NAMES, at=1, alt='a "play"')


def test_nothing_is_shown_before_it_was_played():
    html = drawn(0)
    assert "chosen" not in html and "−100" not in html and "0.071" not in html
    assert "<svg" not in html and "planet" not in html


def test_each_move_shows_one_thing_more():
    chosen, rolled, replaced, over = drawn(1), drawn(2), drawn(3), drawn(5)
    assert chosen.count("chip chosen") == 2 and chosen.count("−100") == 1
    assert "<svg" not in chosen and rolled.count("<svg") == 1 and "[MASK]" not in rolled
    assert '<span class="chip mask" title="[MASK]">' in replaced and "planet" not in replaced
    assert '<span class="chip random" title="planet">' in over and over.count("<svg") == 2
