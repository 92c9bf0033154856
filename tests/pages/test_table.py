"""The table behind a figure."""

import csv
import io

import pytest

from pages.shared.table import OPENS_FORMULA, Table
from tests.hostile import FORMULAS, TEXTS


def test_columns_and_rows_give_the_same_table():
    by_column = Table({"token": ["a", "b"], "weight": [0.25, 0.75]})
    by_row = Table([{"token": "a", "weight": 0.25}, {"token": "b", "weight": 0.75}])
    bare = Table([("a", 0.25), ("b", 0.75)], columns=["token", "weight"])
    assert by_column.csv() == by_row.csv() == bare.csv()


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(ValueError):
        Table({"token": ["a"], "weight": [0.5, 0.5]})


def test_a_row_without_a_value_leaves_the_cell_empty():
    assert Table([{"a": 1}, {"a": 2, "b": 3}]).rows == [[1, None], [2, 3]]


def in_file(texts: list[object]) -> list[str]:
    """Return a column of these entries as a program reads it from the file."""
    content = Table({"token": texts}).csv().decode("utf-8-sig")
    return [row["token"] for row in csv.DictReader(io.StringIO(content, newline=""))]


def test_the_file_brings_every_text_back():
    texts = ['"quoted"', "a,b", "line\nbreak", "汉字", "bank\r=1+1", "a=b", "|", "=", "-", "+", "@"]
    assert in_file(texts) == texts


@pytest.mark.parametrize("text", [*TEXTS.values(), *FORMULAS], ids=[*TEXTS, *FORMULAS])
def test_no_text_is_a_formula_in_a_spreadsheet(text: str):
    (read,) = in_file([text])
    assert read == text or (read == f"'{text}" and text.startswith(tuple(OPENS_FORMULA)))
    assert len(read) < 2 or not read.startswith(tuple(OPENS_FORMULA))


def test_a_learners_word_is_no_formula_as_a_columns_title_either():
    assert Table({"=1+1": [1]}).csv().decode("utf-8-sig") == "'=1+1\r\n1\r\n"


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
