"""The table behind a figure."""

import csv
import io

import pytest

from pages.shared.table import Table


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


def test_the_file_brings_every_text_back():
    texts = ['"quoted"', "a,b", "line\nbreak", "汉字", "=1+1", "|"]
    content = Table({"token": texts, "n": range(6)}).csv().decode("utf-8-sig")
    read = list(csv.DictReader(io.StringIO(content)))
    assert [row["token"] for row in read] == texts
