"""What the exercises of this lesson say to particular slips and tricks."""

from mlm_core.exercises.exercise import check_answer
from tests.exercises.learners import SEEDS, drawn, find, learner


def test_the_words_of_the_descriptions_are_refused_in_any_form():
    exercise = find("place_in_sense")
    task = next(drawn(exercise, s) for s in SEEDS if drawn(exercise, s).values["word"] == "bank")
    for printed, text in (
        ("money", "This bank means money to us."),
        ("lending", "The bank was lending much to them."),
    ):
        verdict = check_answer(task, text)
        assert (verdict.hint, verdict.values["printed"]) == ("printed_word", printed)
    assert check_answer(task, "She opened an account at the bank.").hint != "printed_word"


def test_a_sentence_of_the_lesson_is_no_sentence_of_ones_own():
    from mlm_core.embeddings.senses_data import stored_word

    exercise = find("place_in_sense")
    task = exercise.draw(learner(2))
    stored = stored_word(task.values["word"]).sentences[0].text
    assert check_answer(task, stored.upper()).hint == "is_printed"
    assert check_answer(task, f"{stored[:-1]}, they said to us.").hint == "is_printed"
    assert check_answer(task, "Nothing of the kind.").hint == "no_word"


def test_a_sentence_without_a_clue_is_no_answer_for_any_sense():
    exercise = find("place_in_sense")
    for task in (drawn(exercise, seed) for seed in SEEDS):
        verdict = check_answer(task, f"They found the {task.values['word']}.")
        assert verdict.hint in ("other_sense", "no_clue"), task.values


def test_two_sentences_of_one_sense_fool_nothing():
    exercise = find("fool_it")
    task = exercise.draw(learner(3))
    pair = "They saw the {0} again today.\nThey saw the {0} again later."
    verdict = check_answer(task, pair.format(task.values["word"]))
    assert (verdict.outcome, verdict.hint) == ("wrong", "same_sense")
