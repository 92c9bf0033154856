"""An answer by rule: the sentence that shares most words, and what stands behind them."""

from mlm_core.answers.rule import answer_all, answer_by_rule
from mlm_core.labelled.tables import stored_questions

PASSAGE = "It rained all day. The bakers sold forty rolls, warm ones, to Ada. Nobody sang."


def test_the_words_behind_the_last_shared_one_are_the_answer():
    assert answer_by_rule("What was sold?", PASSAGE) == "forty rolls"


def test_a_run_ends_at_a_comma_and_at_a_little_word():
    assert answer_by_rule("Who got the rolls that were sold warm?", PASSAGE) == "ones"


def test_the_first_five_letters_make_two_words_the_same():
    passage = "Cats slept. Bakery smells woke her."
    assert answer_by_rule("What did the baker's wife want?", passage) == "smells woke"
    assert answer_by_rule("Which bakery?", "Cats slept. Bakers bake rolls.") == "bake rolls"


def test_with_nothing_behind_it_the_last_run_before_is_taken():
    assert answer_by_rule("Who sang?", "Rain fell. Old Ada sang.") == "Old Ada"


def test_a_passage_without_a_word_to_give_has_no_answer():
    assert answer_by_rule("Who?", "") == ""
    assert answer_by_rule("Who sang?", "He sang.") == ""
    assert answer_by_rule("", "It was he.") == ""


def test_its_answers_are_stretches_of_the_passage():
    questions = stored_questions().test
    for one, answer in zip(questions, answer_all(questions), strict=True):
        assert answer and answer in one.passage
