"""The table behind a figure."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from mlm_core.number_format import GERMAN, written_with
from pages.server.course.words import Text
from pages.server.figures.in_words import MOST, in_words
from pages.server.figures.table import MOST_BYTES, OPENS_FORMULA, Table
from tests.hostile import FORMULAS, TEXTS


def test_columns_and_rows_give_the_same_table():
    by_column = Table({"token": ["a", "b"], "weight": [0.25, 0.75]})
    by_row = Table([{"token": "a", "weight": 0.25}, {"token": "b", "weight": 0.75}])
    bare = Table([("a", 0.25), ("b", 0.75)], columns=["token", "weight"])
    assert by_column.csv() == by_row.csv() == bare.csv()


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(ValueError):
        Table({"token": ["a"], "weight": [0.5, 0.5]})


def test_rows_by_name_with_other_names_are_refused():
    """Each row would be a list of names."""
    with pytest.raises(TypeError, match="give none"):
        Table([{"token": "a"}], ["token"])


def test_a_row_without_a_value_leaves_the_cell_empty():
    assert Table([{"a": 1}, {"a": 2, "b": 3}]).rows == [[1, None], [2, 3]]


def in_file(texts: list[object]) -> list[str]:
    """Return a column of these entries as a program reads it from the file."""
    content = Table({"token": texts}).csv().decode("utf-8-sig")
    return [row["token"] for row in csv.DictReader(io.StringIO(content, newline=""))]


def test_the_file_brings_every_text_back():
    texts = ['"quoted"', "a,b", "a; b", "line\nbreak", "汉字", "a=b", "|", "=", "-", "+", "@", ","]
    assert in_file(texts) == texts


def test_no_text_is_a_formula_in_a_spreadsheet():
    for text in (*TEXTS.values(), *FORMULAS):
        (read,) = in_file([text])
        assert read.replace("'", "").rstrip() == text.replace("'", "").rstrip()
        assert len(read) < 2 or not read.startswith(tuple(OPENS_FORMULA))


def test_a_german_spreadsheet_opens_the_file_in_columns_with_numbers():
    with written_with(GERMAN):
        table = Table({"token": ["a;b", "1,5"], "weight": [0.25, -1e-7], "n": [1000, 2]})
    content = table.csv().decode("utf-8-sig")
    assert content.splitlines() == [
        '"token";"weight";"n"',
        '"a;b";0,25;1000',
        '"1,5";-1e-07;2',
    ]


def test_yes_and_no_are_words():
    assert Table({"differ": [True, False]}).rows == [["yes"], ["no"]]


def cells_of(content: str) -> list[str]:
    """Return all cells that a program may find in a CSV file, whatever it splits lines at."""
    found = []
    for separator in ",;\t":
        for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
            lines = io.StringIO(content, newline="")
            rows = csv.reader(lines, delimiter=separator, quoting=quoting)
            found += [cell for row in rows for cell in row]
    return found


def could_be_computed(cell: str) -> bool:
    """Return whether a cell begins like a formula and is more than numbers, marks and quotations.

    A row that begins with -0.5 does so as a whole, too, for who splits it at semicolons.
    """
    outside = re.sub(r'"(?:[^"]|"")*(?:"|\Z)', "", cell)
    # Some programs drop tabs and line breaks in front; alone they open nothing.
    begins = cell.lstrip("\t\r\n").startswith(tuple(OPENS_FORMULA))
    return begins and not re.fullmatch(r"[-+=@＝＋－＠\d.,e\s]*", outside)


def test_what_could_be_computed_by_hand():
    formulas = ["=A1", "-1+cmd|' /C calc'!A0", '-1,"a"+A1', "\r=A1", "@SUM(1)"]
    assert all(map(could_be_computed, formulas))
    assert not any(map(could_be_computed, ["-", "-0.5", '-0.5,"A1","a""b"', "'=A1", "a=b", ""]))


OPENING_MARKS = st.text(st.sampled_from([*'=+-@\t\r\n＝＋－＠;;,,""\'1.A|() ']), max_size=12)
ENTRIES = st.one_of(OPENING_MARKS, st.text(max_size=8), st.integers(-9, 9), st.just(-0.5))


@given(st.lists(st.tuples(ENTRIES, ENTRIES, ENTRIES), min_size=1, max_size=3))
def test_no_separator_makes_a_formula_of_any_text(rows):
    content = Table(rows, columns=["a", "b", "p"]).csv().decode("utf-8-sig")
    assert not list(filter(could_be_computed, cells_of(content)))


@pytest.mark.parametrize(
    "rows",
    [
        [("Hello;=cmd|' /C calc'!A0;x", 1, 2)],
        [("a", "Hello\t=cmd|' /C calc'!A0\tx", 1)],
        [(1, 'a;"=A1"', 'b;""=A1')],
        [(1, "a,=A1", "b\n=A1")],
        [("-", "1+cmd|' /C calc'!A0", 1)],
        [(-5, "1+cmd|' /C calc'!A0", 1)],
        [(1, 2, "a;"), (-5, "1+cmd|' /C calc'!A0&", '&"";')],
    ],
)
def test_no_separator_makes_a_formula_by_hand(rows):
    content = Table(rows, columns=["a", "b", "p"]).csv().decode("utf-8-sig")
    assert not list(filter(could_be_computed, cells_of(content)))


def test_a_column_without_a_title_fails_and_a_text_is_its_own():
    with pytest.raises(KeyError, match=r"columns\.md have no title of 'unheard_of'"):
        Table({"unheard_of": [1]})
    table = Table({Text("unheard_of"): [1]})
    assert Table(table.rows, table.columns).columns == ["unheard_of"]


def test_a_learners_word_is_no_formula_as_a_columns_title_either():
    assert Table({Text("=1+1"): [1]}).csv().decode("utf-8-sig") == '"\'=1+1"\r\n1\r\n'


def test_numbers_stay_numbers():
    assert in_file([-1, -0.5, "-0.5", "+3", "-1e-7", None]) == [
        "-1",
        "-0.5",
        "-0.5",
        "+3",
        "-1e-7",
        "",
    ]
    assert in_file(["-1+cmd|' /C calc'!A0", "-0.5=1"]) == ["'-1+cmd|' /C calc'!A0", "'-0.5=1"]


def shown(n_rows: int, text: str) -> tuple[int, list[str]]:
    """Return how many rows of a table stand in the page, and what is said below it."""

    def page(n_rows: int, text: str) -> None:
        from pages.server.figures.table import Table

        Table({"text": [text] * n_rows}).show()

    app = AppTest.from_function(page, kwargs={"n_rows": n_rows, "text": text}).run()
    return len(app.markdown[0].value.splitlines()) - 2, [one.value for one in app.caption]


def test_a_long_table_is_cut_to_its_first_rows_and_says_so():
    assert shown(100, "short") == (100, [])
    n, (said,) = shown(100, 196 * "a")
    assert n == (MOST_BYTES - 20) // 201 and f"{n} of 100" in said
    assert shown(2, MOST_BYTES * "a")[0] == 1


def test_numbers_stand_at_the_right_also_over_an_empty_cell():
    def page() -> None:
        from pages.server.figures.table import Table

        Table([["a", 1.5], ["b", None]], ["word", "n"]).show()

    below_the_head = AppTest.from_function(page).run().markdown[0].value.splitlines()[1]
    assert re.findall("---:?", below_the_head) == ["---", "---:"]


def test_a_curve_is_said_by_its_ends_and_its_lowest_and_highest_value():
    steps, losses = [0, 10, 20, 1500], [7.0, 2.125, 2.5, 3.0]
    assert in_words(Table({"step": steps, "loss": losses})) == [
        "loss: 7\\.00 at step 0, 3\\.00 at step 1\\,500."
        " The lowest is 2\\.12 at 10, the highest 7\\.00 at 0."
    ]
    runs = Table({"kind": ["a"] * 4 + ["b"] * 4, "step": steps * 2, "loss": losses + [1.0] * 4})
    assert [one.partition(":")[0] for one in in_words(runs)] == ["a\\, loss", "b\\, loss"]


def test_points_are_said_by_their_groups_and_which_group_is_nearest():
    places = {"group": list("aaabbbccc"), "x": [0, 0, 0, 3, 3, 3, 9, 9, 9], "y": [-1, 0, 1] * 3}
    places["label"] = ["no", "yes", "no"] * 3  # a second text is no group of its own
    first, _, last = in_words(Table(places))
    assert first.startswith("a: 3 points around (0, 0)") and "nearest group is b" in first
    assert "at a mean distance of 0\\.667 from" in first and "at a distance of 3" in first
    assert "nearest group is b, at a distance of 6" in last
    alone = {"x": [0, 1, 2.0], "y": [1, 1, 1]}
    assert len(in_words(Table(alone))) == 1


def test_other_rows_are_said_by_the_highest_and_the_lowest():
    table = Table({"token": ["bank", "*river*", "tree"], "weight": [0.2, 0.7, None]})
    assert not in_words(table)
    table = Table({"token": ["bank", "*river*", "tree"], "weight": [0.2, 0.7, float("nan")]})
    assert not in_words(table) and not in_words(Table({"token": ["a"], "weight": [1]}))
    table = Table({"token": ["bank", "*river*", "tree"], "weight": [0.2, 0.7, 0.1]})
    highest = "the highest is 0\\.700 (\\*river\\*), the lowest 0\\.100 (tree)"
    assert in_words(table) == [f"weight: {highest}."]


def test_a_seed_is_a_name_and_no_measure():
    rows = [[way, seed, score] for way in "ab" for seed, score in enumerate((0.5, 0.7, 0.6), 1)]
    said = in_words(Table(rows, ["way", "seed", "value"]))
    assert len(said) == 1 and "the highest is 0\\.700 (a\\, seed 2)" in said[0]


NUMBERS = st.floats(-1e9, 1e9) | st.sampled_from([float("nan"), float("inf")])


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.none() | NUMBERS | st.integers(-9, 10**9)),
        max_size=9,
    )
)
def test_no_table_is_too_odd_to_be_said(rows: list[tuple]):
    for names in (("kind", "x"), ("kind", "loss")):
        assert len(in_words(Table(rows, names))) <= MOST
    both = [(kind, value, value) for kind, value in rows]
    assert len(in_words(Table(both, ("kind", "x", "y")))) <= 2
