"""What the exercises of this lesson say to particular slips and tricks."""

import re

import pytest

from mlm_core.exercises.exercise import NeedsTextError, check_answer
from mlm_core.exercises.tasks.tag_tasks import split_row
from pages.kit.exercises.feedback import section
from pages.server.course.words import read_words
from tests.exercises.learners import find, hint_on, learner
from tests.lessons.bio_tagging.solutions import read_brackets

SEEDS = range(1, 25)  # in which every slip can be made


def draws(exercise_id: str, variant: str | None = None):
    tasks = [find(exercise_id).draw(learner(seed)) for seed in SEEDS]
    return [task for task in tasks if variant in (None, task.variant)]


@pytest.mark.parametrize("text", ["", "Two words", "我爱北京天安门。 今日は良い天気です"])
def test_too_short_a_sentence_is_told(text: str):
    with pytest.raises(NeedsTextError):
        find("piece_labels").draw(learner(3, text))


def test_tags_are_read_as_people_write_them():
    assert split_row("b‑per, I–PER;0 | −100") == ["B-PER", "I-PER", "O", "-100"]


@pytest.mark.parametrize("variant", ["bio", "bioes"])
def test_each_slip_in_writing_tags_has_a_hint_of_its_own(variant: str):
    words, exercise = read_words("exercises/bio_tagging"), find("write_tags")
    seen = set()
    for task in draws("write_tags", variant):
        right = task.answer.split()
        wrong = [task.values["as_other"], task.values["as_io"], task.answer + " O", "X-PER"]
        for i, tag in enumerate(right):
            for said in ("O", "B-PER", "I-PER", "E-PER", "S-PER", "B-ORG", "I-ORG"):
                if said != tag:
                    wrong.append(" ".join([*right[:i], said, *right[i + 1 :]]))
        for answer in wrong:
            verdict = check_answer(task, answer)
            assert verdict.outcome == "wrong"
            assert "{{" not in section(words, exercise, task, verdict.hint, verdict.values)
            seen.add(verdict.hint)
    ends = {"closes"} if variant == "bioes" else set()
    assert seen >= ends | {"no_tag", "other_count", "other_scheme", "io_scheme", "begins"}
    assert seen >= {"not_inside", "not_outside", "other_type", "goes_on"}


def test_a_later_piece_is_ignored_under_one_rule_and_copied_under_the_other():
    text = "Grandfather Villanueva crossed Sanitas."
    for seed in SEEDS:
        task = find("piece_labels").draw(learner(seed, text))
        labels = task.answer.split()
        assert len(labels) == task.values["n"] and {labels[0], labels[-1]} == {"-100"}
        inside = labels[1:-1]
        assert ("-100" in inside) == (task.variant == "first_only")
        swapped = {"first_only": "copy_to_all", "copy_to_all": "first_only"}[task.variant]
        other = next(
            t
            for s in range(500)
            if (t := find("piece_labels").draw(learner(s, text))).variant == swapped
            and all(t.values[key] == task.values[key] for key in ("words", "entity", "type"))
        )
        assert check_answer(task, other.answer).hint == "later_piece"
        assert check_answer(task, "O " + " ".join(labels[1:])).hint == "added_piece"


def test_greedy_is_never_legal_here_and_mending_it_is_not_enough():
    for task in draws("two_paths"):
        each, best = task.values["greedy"], task.values["viterbi"]
        assert check_answer(task, f"{each}\n{each}").hint == "not_legal"
        assert check_answer(task, f"{each}\n{task.values['mended']}").hint == "only_mended"
        assert check_answer(task, f"{best}\n{best}").hint == "other_greedy"
        short = [re.sub("\u2011PER", "", path).lower() for path in (each, best)]
        assert check_answer(task, "\n".join(short)).outcome == "right"
    assert hint_on("two_paths", "O O\nO O O") == "no_path"


def test_half_a_name_is_no_hit():
    hints = []
    for task in draws("entity_f1", "precision"):
        gold, said = (read_brackets(task.values[name]) for name in ("gold", "said"))
        halves = [span for span in said if (span[0], span[1] + 1, span[2]) in gold]
        assert halves, "Jane without Villanueva is what the exercise is about"
        share = 100 * (task.values["n_hits"] + len(halves)) / len(said)
        verdict = check_answer(task, f"{share:.1f}")
        assert verdict.outcome == "wrong"
        hints.append(verdict.hint)
    assert "halves_count" in hints


def test_both_readings_are_always_asked_of_tags_on_which_they_differ():
    for task in draws("two_readings"):
        assert task.values["strict"] < task.values["conlleval"]
        other = {"strict": "conlleval", "conlleval": "strict"}[task.variant]
        assert check_answer(task, str(task.values[other])).hint == "other_reading"
