"""Examples as the model reads them: every word has a piece, the window is kept, labels fit."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlm_core.encoder.model_list import BUNDLED_FOLDER
from mlm_core.finetuning.encoded_examples import Reading
from mlm_core.labelled.examples import LabelledText, Question, TaggedSentence
from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.tagging.alignment import subwords_of_words
from mlm_core.tagging.bio_tags import Span
from mlm_core.text import corpora
from mlm_core.text.tokens import ALGORITHMS, load_tokenizer, tokenize, train_tokenizer

TAGS = ("O", "B-PER", "I-PER")
N_TOKENS = 24
# Anything that a file may have between two gaps: controls, halves of characters, joiners, marks.
ANY_WORD = st.text(st.characters(exclude_characters=" \t\r\n", exclude_categories=()), min_size=1)
ODD = [
    "😀",
    "👩‍👧🏽",
    "\ufe0f",
    "\u200b",
    "\u0301",
    "\x00",
    "[SEP]",
    "[MASK]x",
    "\ud800",
    "St.",
    "\u00a0",
]


@cache
def reading(algorithm: str | None = None, classes: tuple[str, ...] = TAGS) -> Reading:
    """Return a reading with the bundled tokenizer, or with one of an algorithm."""
    if algorithm is None:
        tokenizer = load_tokenizer(BUNDLED_FOLDER)
    else:
        tokenizer = train_tokenizer(algorithm, list(corpora.sentences())[:200], 300)
    return Reading(tokenizer=tokenizer, max_tokens=N_TOKENS, classes=classes)


@pytest.mark.parametrize("algorithm", [None, *ALGORITHMS])
@settings(max_examples=60)
@given(words=st.lists(ANY_WORD | st.sampled_from(ODD), min_size=1, max_size=9))
def test_every_word_up_to_the_windows_end_has_a_piece_whatever_it_is(algorithm, words):
    text, word_of_subword = reading(algorithm).read_words(words)
    assert len(word_of_subword) == len(text.tokens) <= N_TOKENS
    of_words = subwords_of_words(word_of_subword)  # raises where a word has none
    assert len(of_words) <= len(words)
    if not text.n_left_out:
        assert len(of_words) == len(words)


def test_emoji_words_are_read_one_by_one_by_hand():
    text, word_of_subword = reading().read_words(["Jane", "\ufe0f", "😀", "isn't"])
    assert text.texts == ["[CLS]", "Jane", "[UNK]", "[UNK]", "isn", "'", "t", "[SEP]"]
    assert word_of_subword == (None, 0, 1, 2, 3, 3, 3, None)


def test_each_words_first_piece_has_its_tag_and_an_entity_may_end_the_sentence():
    sentence = TaggedSentence(words=("in", "isn't", "x"), spans=(Span(start=1, end=3, type="PER"),))
    read = reading().read(sentence)
    no = IGNORED_LABEL
    assert read.labels.tolist() == [no, 0, 1, no, no, 2, no]


def test_words_behind_the_window_lose_their_tags_and_are_counted():
    words = ("one", *["word"] * 4_998, "Paul")
    read = reading().read(TaggedSentence(words=words, spans=(Span(start=0, end=1, type="PER"),)))
    assert len(read.text.tokens) == len(read.labels) == N_TOKENS
    assert read.text.n_left_out == 5_000 + 2 - N_TOKENS
    assert read.labels.tolist()[1] == 1


def test_the_class_is_its_place_among_the_classes():
    of_classes = reading(classes=("bad", "good"))
    read = of_classes.read(LabelledText(text="It rained.", pair="It was wet.", label="good"))
    assert read.labels.tolist() == [1]
    assert read.text == tokenize(of_classes.tokenizer, "It rained.", "It was wet.")


PASSAGE = "The old man crossed the river at night."


def question(answer: str, passage: str = PASSAGE) -> Question:
    start = passage.index(answer)
    return Question(question="Who came?", passage=passage, start=start, stop=start + len(answer))


@pytest.mark.parametrize("answer", ["old man", "night", "The", "night.", "iver a"])
def test_an_answer_is_the_smallest_stretch_of_tokens_that_covers_it(answer):
    read = reading().read(question(answer))
    first, last = read.labels.tolist()
    tokens = read.text.tokens
    covered = PASSAGE[tokens[first].start : tokens[last].stop]
    assert answer in covered
    assert all(read.may_answer[first : last + 1])
    if answer != "iver a":  # which no tokens begin and end with
        assert covered == answer


def test_an_answer_may_stand_in_the_passage_alone():
    read = reading().read(question("old man"))
    allowed = [t.text for t, may in zip(read.text.tokens, read.may_answer, strict=True) if may]
    assert allowed[0] == "The" and allowed[-1] == "."
    assert "came" not in allowed and "[SEP]" not in allowed


def test_an_answer_that_the_window_cut_off_can_not_be_learnt():
    long = PASSAGE * 3
    assert reading().read(question("old man", long)) is not None
    at = long.rindex("old man")
    beyond = Question(question="Who?", passage=long, start=at, stop=at + 7)
    assert reading().read(beyond) is None


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="class 'odd': the classes are O, B-PER, I-PER"):
        reading().read(LabelledText(text="x", label="odd"))
    unknown = TaggedSentence(words=("a",), spans=(Span(start=0, end=1, type="LOC"),))
    with pytest.raises(ValueError, match="tag 'B-LOC' has no class: the classes are O, B-PER"):
        reading().read(unknown)
    with pytest.raises(ValueError, match="the question has 40 tokens and the model's window 24"):
        reading().read_question("who " * 40, PASSAGE)
