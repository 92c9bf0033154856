"""Exercises about answers in a passage: the best span, and overlap F1.

Read before this: ../exercise.py, ../../answers/spans.py.
"""

import re
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

from mlm_core.exercises.exercise import (
    Learner,
    NeedsTextError,
    Task,
    Verdict,
    number_task,
    read_words,
)
from mlm_core.number_format import formatted
from mlm_core.text.words import word_spans

if TYPE_CHECKING:
    from mlm_core.labelled.examples import Question

N_WORDS = 4  # of the learner's sentence, which is the passage
LONGEST_WORD = 20  # letters
STEP = 0.05  # of which all probabilities are multiples
FEWEST_BEHIND = 0.02  # by which the second best stretch is less probable
MOST_MOVED = 2  # words by which an answer's ends are moved


def draw_best_span(learner: Learner, rng: Random) -> Task:
    """Ask for the likeliest span of the learner's words, from two distributions."""
    words = passage_words(learner.text)[:N_WORDS]
    if len(words) < N_WORDS:
        raise NeedsTextError(N_WORDS + 2)  # [CLS] and [SEP] count
    starts, ends, products = _draw_distributions(rng)
    (first, last), (next_first, next_last) = sorted(
        products, key=products.__getitem__, reverse=True
    )[:2]
    values: dict[str, object] = {
        "best": " ".join(words[first : last + 1]),
        "p_best": formatted(products[first, last], ".4g"),
        "second": " ".join(words[next_first : next_last + 1]),
        "p_second": formatted(products[next_first, next_last], ".4g"),
        "start": words[starts.index(max(starts))],
        "end": words[ends.index(max(ends))],
    }
    for i, word in enumerate(words):
        values[f"word_{i + 1}"] = word
        values[f"start_{i + 1}"], values[f"end_{i + 1}"] = (
            formatted(starts[i], ".2f"),
            formatted(ends[i], ".2f"),
        )

    def judge(answer: str) -> Verdict:
        given = [word.casefold() for word in passage_words(read_words(answer))]
        folded = [word.casefold() for word in words]
        predicted = [span for span in products if folded[span[0] : span[1] + 1] == given]
        if (first, last) in predicted:
            return Verdict(outcome="right")
        if predicted:
            p = formatted(products[predicted[0]], ".4g")
            return Verdict(outcome="wrong", hint="less_likely", values={"p": p})
        two = {folded[starts.index(max(starts))], folded[ends.index(max(ends))]}
        return Verdict(outcome="wrong", hint="backwards" if two == {*given} else "no_stretch")

    return Task(values=values, judge=judge, answer=values["best"])


def passage_words(text: str) -> list[str]:
    """Return a text's words without punctuation, up to one that is too long to show.

    >>> passage_words("The old man, at night.")
    ['The', 'old', 'man', 'at', 'night']
    """
    words = (text[start:stop] for start, stop in word_spans(text))
    return [word for word in words if len(word) <= LONGEST_WORD]


def _draw_distributions(
    rng: Random,
) -> tuple[list[float], list[float], dict[tuple[int, int], float]]:
    """Return P(start), P(end) and their products; the likeliest end is before the start."""
    import torch

    from mlm_core.answers.spans import best_spans

    while True:
        starts, ends = _distribution(rng), _distribution(rng)
        logs = [torch.tensor(each, dtype=torch.float64).log() for each in (starts, ends)]
        found = best_spans(*logs, n=N_WORDS**2, longest=N_WORDS)
        products = {(span.first, span.last): _product(starts, ends, span) for span in found}
        ahead = [products[span.first, span.last] for span in found[:2]]
        is_plain = all(sorted(each)[-1] > sorted(each)[-2] for each in (starts, ends))
        is_crossed = starts.index(max(starts)) > ends.index(max(ends))
        if is_plain and is_crossed and ahead[0] - ahead[1] >= FEWEST_BEHIND:
            return starts, ends, products


def _product(starts: list[float], ends: list[float], span) -> float:
    return starts[span.first] * ends[span.last]


def _distribution(rng: Random) -> list[float]:
    """Return four probabilities above 0, multiples of STEP."""
    n_steps = round(1 / STEP)
    cuts = sorted(rng.sample(range(1, n_steps), N_WORDS - 1))
    bounds = [0, *cuts, n_steps]
    return [(stop - start) / n_steps for start, stop in pairwise(bounds)]


def draw_answer_overlap(learner: Learner, rng: Random) -> Task:
    """Ask for the overlap F1 of an answer shifted by a word or two."""
    from mlm_core.answers.spans import answer_words, overlap_f1
    from mlm_core.labelled.tables import stored_questions

    questions = stored_questions()
    while True:
        question = rng.choice((*questions.train, *questions.test))
        given, right = _moved(question, rng), question.answer
        f1 = overlap_f1(given, right)
        if 0 < f1 < 1:
            break
    n_given, n_right = len(answer_words(given)), len(answer_words(right))
    n_shared = round(f1 * (n_given + n_right) / 2)
    with_articles = _f1_of_all_words(given, right)
    return number_task(
        right=f1,
        tolerance=0.006,
        mistakes={
            "articles_counted": with_articles,
            "precision": n_shared / n_given,
            "recall": n_shared / n_right,
            "shared_of_all": n_shared / (n_given + n_right - n_shared),
            "not_doubled": f1 / 2,
            "exact_match": 0,
        },
        values={
            "question": question.question,
            "right": right,
            "given": given,
            "right_words": ", ".join(answer_words(right)),
            "given_words": ", ".join(answer_words(given)),
            "n_shared": n_shared,
            "n_given": n_given,
            "n_right": n_right,
            "precision": formatted(n_shared / n_given, ".2f"),
            "recall": formatted(n_shared / n_right, ".2f"),
            "f1": formatted(f1, ".3f"),
        },
        answer=formatted(f1, ".3f"),
    )


def _moved(question: "Question", rng: Random) -> str:
    """Return a span whose ends are a word or two off the right ones."""
    words = [(m.start(), m.end()) for m in re.finditer(r"\S+", question.passage)]
    inside = [i for i, (a, b) in enumerate(words) if a < question.stop and b > question.start]
    while True:
        first = inside[0] + rng.randint(-MOST_MOVED, MOST_MOVED)
        last = inside[-1] + rng.randint(-MOST_MOVED, MOST_MOVED)
        if 0 <= first <= last < len(words):
            return question.passage[words[first][0] : words[last][1]].strip(" .,;:!?\"'“”")


def _f1_of_all_words(given: str, right: str) -> float:
    """Return the overlap F1 with articles included."""
    from mlm_core.answers.spans import NO_PUNCTUATION

    words, others = (text.lower().translate(NO_PUNCTUATION).split() for text in (given, right))
    n_shared = sum(min(words.count(word), others.count(word)) for word in {*words})
    return 2 * n_shared / (len(words) + len(others))
