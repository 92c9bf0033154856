"""Tables of labelled texts: TSV or CSV, as editors and spreadsheets write them."""

import re
from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.labelled.examples import LabelledText
from mlm_core.labelled.own_parts import n_test, stratified
from mlm_core.labelled.tables import (
    own_classes,
    read_labelled,
    stored_classes,
    stored_paraphrases,
    stored_questions,
)
from mlm_core.search.graded_pairs import sentences_of

TWO = [LabelledText(text="It was cold.", label="bad"), LabelledText(text="Nice!", label="good")]


@pytest.mark.parametrize("name", ["sentiment", "sentiment_de", "entailment", "paraphrase"])
def test_the_stored_parts_share_no_text_and_have_every_class(name):
    data = stored_classes(name)
    parts = [data.train, data.dev, data.test]
    texts = [(one.text, one.pair) for part in parts for one in part]
    assert len(set(texts)) == len(texts)
    for part in parts:
        assert {one.label for one in part} == set(data.classes)
    assert len(data.classes) == 3
    assert data.has_pairs == (not name.startswith("sentiment"))
    if name == "sentiment_de":  # balanced
        assert len({n for part in parts for n in Counter(one.label for one in part).values()}) == 3


def most_words_shared(*parts: list[str]) -> float:
    """Return the largest share of words that two sentences of different parts have in common."""
    words = [[set(re.findall(r"\w+", text.lower())) for text in part] for part in parts]
    return max(
        len(one & other) / len(one | other)
        for first, second in combinations(words, 2)
        for one, other in product(first, second)
    )


@pytest.mark.parametrize("name", ["sentiment", "sentiment_de"])
def test_no_two_sentiment_sentences_of_different_parts_share_most_of_their_words(name):
    data = stored_classes(name)
    parts = ([one.text for one in part] for part in (data.train, data.dev, data.test))
    assert most_words_shared(*parts) < 0.6


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_two_paraphrase_sentences_of_different_parts_share_more_than_half_of_their_words(
    language: str,
):
    pairs = stored_paraphrases(language)
    parts = (
        list(sentences_of(one for one in pairs if one.part == part))
        for part in ("train", "dev", "test")
    )
    assert most_words_shared(*parts) <= 0.5


def test_the_stored_answers_are_short_spans_and_no_passage_is_in_two_parts():
    data = stored_questions()
    parts = (data.train, data.dev, data.test)
    asked = [one for part in parts for one in part]
    assert len(asked) >= 400 and len(data.dev) >= 45 and len(data.test) >= 70
    passages = [{one.passage for one in part} for part in parts]
    assert len(set.union(*passages)) == sum(map(len, passages))
    for one in asked:
        assert one.answer == one.answer.strip() and 1 <= len(one.answer.split()) <= 6
        assert 30 <= len(one.passage.split()) <= 80


def test_other_stored_data_is_refused_by_name():
    with pytest.raises(ValueError, match="no stored data 'moods': choose one of sentiment, sentim"):
        stored_classes("moods")


@pytest.mark.parametrize(
    "text",
    [
        "bad\tIt was cold.\ngood\tNice!",
        "bad\tIt was cold.\r\ngood\tNice!\r\n",
        "\ufefflabel\ttext\nbad\tIt was cold.\n\n# a remark\ngood\tNice!\n",
        "bad,It was cold.\ngood,Nice!",
        'Label,Text\n"bad", "It was cold."\n"good",Nice!\n',
        " bad \t It was cold. \r good\tNice! ",
        "bad;It was cold.\r\ngood;Nice!\r\n",
        '\ufeffclass;text\n"bad";"It was cold."\n\n# a, remark; "with quotes\n"good"; Nice!\n',
        'bad,"It was\r\ncold."\r\ngood,Nice!',
        'bad;"It was\ncold."\n# ;"\ngood;Nice!',
    ],
)
def test_the_same_table_in_many_dresses(text):
    assert read_labelled(text) == TWO


def test_a_line_break_in_quotes_is_a_space_and_lines_keep_their_numbers():
    assert read_labelled('a,"one\n# no comment\n\ntwo"')[0].text == "one # no comment  two"
    with pytest.raises(ValueError, match="line 4: read 1 column, 'four'"):
        read_labelled('a,"one\ntwo"\nb,three\nfour')


def test_a_rare_line_separator_belongs_to_the_text_as_editors_have_it():
    read = read_labelled("a\tone\u2028two\nb\tthree")
    assert [one.text for one in read] == ["one\u2028two", "three"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tone\nb", "line 2: read 1 column, 'b': expected 2 as on most lines"),
        ("a\tone\n\nb\ttwo\tthree", r"line 3: read 3 columns, 'b \| two \| three'"),
        ("only words", "line 1: read 1 column, 'only words'"),
        ("a\tone\n\ttwo", "line 2: .* column 1 is empty: expected a class and a text"),
        ("# note\nlabel\ttext\na\t  ", "line 3: .* column text is empty"),
        ("a\tone\ttwo\nb\tone\t", "line 2: .* column 3 is empty"),
        ('a,"one\nb,two', "line 1: read 'a,\"one', whose quotes don't fit: .* close its quotes"),
        ("a" * 41 + "\tone", "line 1: .* as a class, 41 characters: expected at most 40"),
        ("a\t" + "x" * 20_001, "line 1: a text of 20,001 characters, and 20,000 are allowed"),
    ],
)
def test_what_is_no_such_table_is_told_with_its_line(text, message):
    with pytest.raises(ValueError, match=message):
        read_labelled(text)


def rows(*counts: int) -> str:
    return "\n".join(f"class {c}\ttext {c} {i}" for c, n in enumerate(counts) for i in range(n))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "0 different examples: give 6 to 2,000"),
        (rows(3, 2), "5 different examples"),
        ("\n".join(["a\tone"] * 9), "1 different examples"),
        (rows(8), r"only one class \(class 0\): there is nothing to tell apart"),
        (rows(7, 1), "class 'class 1' has a single example: give each class at least two"),
        (rows(*[2] * 21), "21 classes, and 20 are allowed: is the class really in column 1"),
    ],
)
def test_own_data_from_which_nothing_can_be_learnt_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        own_classes(text)


def test_own_data_is_divided_class_by_class_and_the_same_each_time():
    data = own_classes(rows(8, 12))
    assert Counter(one.label for one in data.test) == {"class 0": 2, "class 1": 3}
    assert not set(data.train) & set(data.test)
    assert Counter(one.label for one in data.dev) == {"class 0": 1, "class 1": 2}
    assert len({*data.train, *data.dev, *data.test}) == 20
    assert data == own_classes(rows(8, 12))


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=60))
def test_a_quarter_of_each_class_is_drawn_and_of_a_class_with_two_one_stays(labels):
    test = stratified(labels, n_test)
    for label, n in Counter(labels).items():
        n_tested = sum(labels[i] == label for i in test)
        assert n_tested == max(1, round(n / 4))
        assert n == 1 or n_tested < n
