"""No exercise can be passed by an answer that needs no knowledge: each kind of trick, many seeds.

One answer for all seeds, the same option always, words in no order, sentences that stand ready,
templates that a rule fills, invented words, marks.
"""

import math
import re
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from mlm_core.exercises.exercise import Task, UnreadableAnswerError, check_answer
from mlm_core.exercises.tasks.own_words import check_own_sentence
from mlm_core.text import corpora
from pages.kit.exercises.feedback import section
from pages.server.course.words import read_words
from tests.exercises.learners import DEAR, EVERY, SEEDS, drawn, first_answer, learner

N_SEEDS = 200
# Each takes milliseconds to draw: a model or stored runs are read, or numbers drawn again.
FEW_SEEDS = dict.fromkeys(
    ("settled_layer", "nearest_sense", "more_than_chance", "nsp_ablation", "dimension_share"), 40
)
# Of the dear ones, "nearest_token" shuffles its options, and the heads that "needed_head" looks
# for are in any two layers of twelve.
OF_ONE_ANSWER = [
    each
    for each in EVERY
    if each.values[1].id not in DEAR and drawn(each.values[1], 1).answer is not None
]
WRITTEN = [each for each in EVERY if drawn(each.values[1], 1).answer is None]
STOCK = "Penguins are flightless birds."
GIBBERISH = "lvkqz bzqwx tkvvp rrqzx gjkw"


def most_at_one_place(ranges: list[tuple[float, float]]) -> int:
    """Return in how many of the ranges the best constant lies."""
    ends = sorted([(low, -1) for low, _ in ranges] + [(high, 1) for _, high in ranges])
    n_open = most = 0
    for _, end in ends:
        n_open -= end
        most = max(most, n_open)
    return most


@pytest.mark.parametrize(("lesson", "exercise"), OF_ONE_ANSWER)
def test_no_answer_is_right_for_more_than_one_seed_in_ten_nor_an_option_more_often(
    lesson, exercise, unchecked_shapes
):
    """The bound has two standard deviations of the rate among so many seeds."""
    n = FEW_SEEDS.get(exercise.id, N_SEEDS)
    tasks = [exercise.draw(learner(seed)) for seed in range(n)]
    if tasks[0].accepted is None:
        most = max(Counter(task.answer for task in tasks).values())
    else:
        most = most_at_one_place([task.accepted for task in tasks])
    rate = 1 / len(tasks[0].options) if tasks[0].options else 0.1
    assert most <= n * rate + 2 * math.sqrt(n * rate * (1 - rate))


def shuffled(text: str, seed: int) -> str:
    words = re.findall(r"\[MASK\]|[\w']+", text)
    return " ".join(Random(seed).sample(words, len(words)))


def tricks(task: Task, question: str, right: str, seed: int) -> dict[str, str]:
    """Return texts by the name of a trick; `right` is an answer that is right."""
    given = [x for x in map(str, task.values.values()) if x in question]
    longest, word = max(given, key=len), str(task.values.get("word", "word"))
    asked = [one for one in corpora.sentences() if re.search(rf"\b{word}\b", one)]
    ready = Random(seed).choice(asked or corpora.sentences())
    texts = {
        "a right answer in no order": shuffled(right, seed) if " " in right else "",
        "the question": longest,
        "the question in no order": shuffled(longest, seed),
        "the question and a word": f"{longest} water",
        "the gloss": str(task.values.get("gloss", longest)),
        "a sentence of ours": ready,
        "a sentence of ours, and more": f"{ready[:-1]}, they said to us.",
        "marks": ", ; ! : - ?",
        "letters": f"The {word} a b c d e f",
        "invented words": f"The {word} {GIBBERISH}",
        "a word again": f"{word} {word} {word} {word}",
        "the word alone": word,
        "one that is derived": f"{word}lessness",
        "a template": f"They liked the {word} very much.",
    }
    if "[MASK]" in question:
        texts = {name: f"{text} [MASK]." for name, text in texts.items()}
        texts["a sentence of ours with a blank"] = re.sub(rf"\b{word}\b", "[MASK]", ready)
        texts["a right answer in no order"] = shuffled(right, seed)
    return texts


def trick_pairs(task: Task, question: str, right: str, seed: int) -> dict[str, str]:
    word = str(task.values.get("word", "word"))
    topic = max(re.findall("[a-z]+", str(task.values.get("first", word))), key=len)
    first, second = right.split("\n")
    order = Random(seed)
    pairs = {
        "a comma": (f"The {word} was here.", f"The {word}, was here."),
        "many marks": (f"The {word} was here.", f"The {word} was here?!;:,,--!!"),
        "other letters": (f"The {word} a b c d", f"The {word} q r s t"),
        "a stock pair": (
            f"The {word} of the river was steep and green.",
            f"The {word} raised its interest rates again.",
        ),
        "a filled template": (
            f"They liked the {topic} very much.",
            "They liked the finance very much.",
        ),
        "a right pair in no order": tuple(
            shuffled(one, seed) if " " in one else "" for one in (first, second)
        ),
        "any pair": tuple(order.sample(corpora.sentences(), 2)),
    }
    for name, text in tricks(task, question, first, seed).items():
        pairs |= {name: (text, STOCK), f"{name}, second": (STOCK, text)}
        pairs[f"{name}, and a word"] = (f"{text} water", f"{text} finance")
    return {name: "\n".join(text[:290] for text in pair) for name, pair in pairs.items()}


@pytest.mark.parametrize(("lesson", "exercise"), WRITTEN)
def test_no_trick_is_right_for_more_than_one_question_of_three_learners(lesson, exercise):
    """So few, since a model judges each answer."""
    n_right: Counter[str] = Counter()
    words = read_words(f"exercises/{lesson}")
    different = {repr(drawn(exercise, seed).values): seed for seed in SEEDS[:3]}
    for seed in different.values():
        task = drawn(exercise, seed)
        question = section(words, exercise, task, "question")
        made = tricks if exercise.kind == "text" else trick_pairs
        texts = made(task, question, first_answer(exercise, seed), seed)
        is_right = {text: check_answer(task, text).outcome == "right" for text in {*texts.values()}}
        n_right.update(name for name, text in texts.items() if is_right[text])
    assert max(n_right.values(), default=0) <= 1, n_right


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("The old man sat there quietly.", None),
        ("The conference began in a large garden.", None),
        ("He sat", "too_few_words"),
        ("a b c d e f", "unknown_word"),
        ("The bank q r s t", "unknown_word"),
        ("The unbankable bankness was there.", "unknown_word"),
        ("bank bank bank bank", "repeats_itself"),
        ("Moss wet the on stones cold grew.", "copies_example"),
        ("So the gate creaked in the wind.", "is_printed"),
        ("Der alte Mann geht nach Hause.", "not_english"),
    ],
)
def test_a_sentence_needs_known_words_of_its_own(text: str, hint: str | None):
    example, asks = "Cold moss grew on the wet stones.", learner(1)
    asks = replace(asks, printed="**Look:** the gate creaked in the wind.")

    def check() -> str | None:
        try:
            check_own_sentence(asks, text, examples=[example])
        except UnreadableAnswerError as error:
            return str(error)
        return None

    assert check() == hint
