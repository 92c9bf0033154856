"""A passage with its two distributions; a share right over the number of examples."""

import re

import pytest

from mlm_core.answers.words import PassageWord
from mlm_core.figures.finetuning.answer_spans import AnswerNames, answer_html, bar_scale

NAMES = AnswerNames(start="start", end="end", given="given", right="right")
HOSTILE = "<script>x</script>"


def word(text, start, p_start=0.0, p_end=0.0):
    return PassageWord(
        text=text,
        start=start,
        stop=start + len(text),
        subwords=(text,),
        p_start=p_start,
        p_end=p_end,
    )


PASSAGE = "Old Ada sang. Then"
WORDS = [word("Old", 0, 0.7, 0.1), word("Ada", 4, 0.2, 0.8), word("sang", 8, 0.1), word(".", 12)]


def drawn(**others):
    values = {"given": (0, 7), "right": (4, 7), "names": NAMES, "label": "a passage"} | others
    return answer_html(PASSAGE, WORDS, **values)


def cells_of(html):
    return re.findall(r'<span class="(word[^"]*)" title="([^"]*)">', html)


def test_the_models_answer_is_framed_and_the_right_one_underlined():
    assert [names for names, _ in cells_of(drawn())] == [
        "word given first",
        "word given last right",
        "word",
        "word",
    ]


def test_bars_are_in_proportion_to_the_scale():
    heights = [float(h) for h in re.findall(r'<i style="height:([\d.]+)px', drawn())]
    starts = heights[::2]
    # rounded to a tenth of a pixel each
    assert starts[0] / starts[1] == pytest.approx(0.7 / 0.2, rel=0.02)
    assert starts[3] == 0


@pytest.mark.parametrize(("highest", "scale"), [(0.1, 0.25), (0.25, 0.25), (0.3, 0.5), (0.9, 1.0)])
def test_the_scale_is_the_smallest_that_holds_all_bars(highest, scale):
    assert bar_scale([word("a", 0, highest)]) == scale


def test_what_the_model_did_not_read_stands_below():
    assert '<p class="unread">Then</p>' in drawn()


def test_words_stand_as_in_the_passage():
    assert re.findall(r'class="letters">([^<]*)<', drawn()) == ["Old", " Ada", " sang", "."]


def test_without_a_known_answer_the_legend_leaves_it_out():
    html = drawn(right=None)
    assert "given" in html and '<li class="right">' not in html


def test_a_learners_passage_stays_text():
    html = answer_html(
        HOSTILE, [word(HOSTILE, 0)], given=None, right=None, names=NAMES, label=HOSTILE
    )
    assert "<script" not in html
