"""A corruption's drawing shows what was played so far, and counts stand beside expectations."""

import re
from xml.etree import ElementTree

from mlm_core.figures.masking.corruption import (
    PlayNames,
    die_svg,
    noised_rows,
    play_html,
)
from mlm_core.figures.masking.counts import counts_svg
from mlm_core.masking.noising import infill
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import Candidate, Choice, Corruption, Replacement, play_state
from mlm_core.text.tokens import Token

NAMES = PlayNames(token="token", draw="draw", die="die", seen="sees", label="label")


def token(text: str, *, word: int | None = None) -> Token:
    special = text.startswith("[")
    return Token(text=text, id=7, start=0, stop=0, word=word, segment=0, is_special=special)


def candidate(draw: float | None, *, chosen: bool) -> Candidate:
    excluded = "special" if draw is None else None
    return Candidate(
        excluded=excluded, unit=None, draw=draw, rank=None, is_chosen=chosen, span=None
    )


CORRUPTION = Corruption(
    tokens=(token("[CLS]"), token("<b>food"), token("was"), token("good")),
    choice=Choice(
        count=2,
        candidates=(
            candidate(None, chosen=False),
            candidate(0.0719, chosen=True),
            candidate(0.6, chosen=False),
            candidate(0.1, chosen=True),
        ),
        span_words=(),
    ),
    replacements=(
        None,
        Replacement(die=0.79999, branch="mask", id=4, text="[MASK]"),
        None,
        Replacement(die=0.85, branch="random", id=9, text="planet"),
    ),
)


def drawn(n_done: int) -> str:
    state = play_state(CORRUPTION, n_done)
    return play_html(CORRUPTION, state, CorruptionRule(), names=NAMES, at=1, alt='a "play"')


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


def test_every_token_brings_the_names_of_the_rows_for_the_line_that_it_stands_in():
    assert drawn(0).count('class="names"') == len(CORRUPTION.tokens)


def test_a_die_just_below_a_zones_end_is_not_rounded_into_the_next():
    assert "0.799" in drawn(2) and "0.800" not in drawn(2)


def test_a_learners_token_stays_text_and_the_drawing_is_well_formed():
    for n_done in range(6):
        assert "<b>food" not in drawn(n_done).replace("&lt;b&gt;food", "")
        ElementTree.fromstring(drawn(n_done))


def test_every_token_is_a_button_where_it_can_be_clicked():
    assert re.findall(r'data-value="(\d)"', drawn(1)) == ["0", "1", "2", "3"]
    assert drawn(1).count('aria-pressed="true"') == 1


def test_the_dies_zones_are_as_wide_as_their_rates():
    rule = CorruptionRule(mask_rate=0.5, random_rate=0.0, keep_rate=0.5)
    widths = re.findall(r'<rect [^>]*width="([\d.]+)"', die_svg(rule, 0.3))
    assert widths == ["32.0", "32.0"]
    assert "<line" not in die_svg(rule, None)
    ElementTree.fromstring(die_svg(CorruptionRule(), 0.99, wide=True))


def test_a_stroke_stands_where_the_bar_was_expected_to_end():
    svg = counts_svg(["a", "<b>"], [5, 10], [10.0, 5.0], alt="counts")
    ElementTree.fromstring(svg)
    bars = [
        (float(x), float(width))
        for x, width in re.findall(r'<rect x="([\d.]+)" y="\d+" width="([\d.]+)"', svg)
    ]
    strokes = [float(x) for x in re.findall(r'<line x1="([\d.]+)"', svg)]
    (left, short), (_, long) = bars
    assert long == 2 * short
    assert strokes == [left + long, left + short]


def test_no_expectation_draws_no_stroke_and_nothing_at_all_draws_no_bar():
    assert "<line" not in counts_svg(["a"], [3], None, alt="counts")
    ElementTree.fromstring(counts_svg([], [], [], alt="counts"))
    ElementTree.fromstring(counts_svg(["a"], [0], [0.0], alt="counts"))


def test_pieces_of_a_word_stand_together_and_sentinels_are_marked():
    noised = infill([token("un", word=0), token("##do", word=0), token("it", word=1)], [2])
    original, corrupted, target = noised_rows(noised)
    assert original.count("joined") == 1 and original.count("chosen") == 1
    assert corrupted.count("chip sentinel") == 1 and target.count("chip sentinel") == 2
    for row in (original, corrupted, target):
        ElementTree.fromstring(row)
