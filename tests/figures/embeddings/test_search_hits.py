"""What several ways find for one query: one tint is one text, and the right one has its own."""

import re

from mlm_core.figures.embeddings.search_hits import FoundText, HitColumn, hits_html


def test_a_text_that_several_ways_find_has_one_letter_and_tint_and_the_right_one_is_green():
    grades = {"right": 2, "red car": 0, "blue car": None, "green tea": None}

    def column(name: str, *texts: str) -> HitColumn:
        hits = [FoundText(text=text, score=0.5, grade=grades[text]) for text in texts]
        return HitColumn(name=name, hits=hits, is_new=name == "b")

    columns = [column("a", "red car", "right", "blue car"), column("b", "right", "red car")]
    html = hits_html("my car", [*columns, column("c", "green tea")], ("", "", ""), more="+", alt="")
    items = re.findall("<li.*?</li>", html)
    tints = [re.search("--of:(#.{6})", item) for item in items]
    letters = ["".join(re.findall('"letter">(.)<', item)) for item in items]
    assert letters == ["A", "", "", "", "A", ""]
    red, right, blue, again, other, tea = (tint and tint[1] for tint in tints)
    assert red == other != right == again and blue is None and tea is None
    assert html.count('<span class="shared">car</span>') == 3, "a word of the query"
    assert "blue" in html.split("<details>")[1], "the third of a list is folded"
    assert html.count('class="way new"') == 1
