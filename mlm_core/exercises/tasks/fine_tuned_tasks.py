"""Exercises with stored fine-tunings: their test results, and own sentences.

Source: the BERT manual, section 9, exercise 3: what a change of the pretraining does to a task
with pairs of sentences.

Read before this: ../exercise.py, ../../stored/finetunes.py.
"""

import math
from random import Random

from mlm_core.exercises.exercise import (
    Learner,
    NeedsModelError,
    Task,
    Verdict,
    number_task,
    read_pair,
)
from mlm_core.exercises.tasks.own_words import check_order, check_own_sentence, not_one_word_apart
from mlm_core.number_format import formatted

# Two stored fine-tunings each, and what their comparison asks.
COMPARED = {
    "pretraining": ("sentiment_top", "sentiment_random"),
    "layers": ("sentiment_all", "sentiment_head"),
    "examples": ("sentiment_100", "sentiment_10"),
    "vector": ("sentiment_top", "sentiment_cls"),
    "pairs": ("entailment_top", "entailment_random"),
}
N_DRAWN = 100  # of the test examples, other ones for each learner
FEWEST_APART = 8  # examples that only one of the two gets right
ASKED = "sentiment_head"  # small enough to be kept for all learners


def draw_more_than_chance(learner: Learner, rng: Random) -> Task:
    """Ask for the standardized lead of one fine-tuning over another."""
    while True:
        variant = rng.choice(tuple(COMPARED))
        first, second = (_right_answers(learner, name) for name in COMPARED[variant])
        drawn = rng.sample(range(len(first)), N_DRAWN)
        only_first = sum(first[i] and not second[i] for i in drawn)
        only_second = sum(second[i] and not first[i] for i in drawn)
        n_apart = only_first + only_second
        if n_apart >= FEWEST_APART and only_first != only_second:
            break
    lead, deviation = only_first - only_second, math.sqrt(n_apart) / 2
    right = (only_first - n_apart / 2) / deviation
    return number_task(
        right=right,
        tolerance=0.06,
        mistakes={
            "turned": -right,
            "by_all": lead / math.sqrt(N_DRAWN),
            "not_divided": only_first - n_apart / 2,
            "the_lead": lead,
            "by_variance": (only_first - n_apart / 2) / deviation**2,
            "root_not_halved": right / 2,
        },
        values={
            "n": N_DRAWN,
            "right_first": sum(first[i] for i in drawn),
            "right_second": sum(second[i] for i in drawn),
            "both": sum(first[i] and second[i] for i in drawn),
            "only_first": only_first,
            "only_second": only_second,
            "n_apart": n_apart,
            "half": formatted(n_apart / 2, "g"),
            "deviation": formatted(deviation, ".2f"),
            "distance": formatted(right, "+.2f"),
        },
        variant=variant,
        answer=formatted(right, ".2f"),
    )


def _right_answers(learner: Learner, name: str) -> tuple[bool, ...]:
    """Return for each test example whether a stored fine-tuning is right."""
    from mlm_core.finetuning.scores import right_examples
    from mlm_core.stored.finetunes import read_stored

    def make() -> tuple[bool, ...]:
        run = read_stored(name)
        return right_examples(run.data.test, run.tested.predicted)

    return learner.remember(f"right answers of the fine-tuning {name}", make)


def draw_one_word_apart(learner: Learner, rng: Random) -> Task:
    """Ask for sentences that differ in one word and get different classes."""
    from mlm_core.encoder.language_model import OwnModel
    from mlm_core.finetuning.fine_tuned import fine_tuned
    from mlm_core.stored.finetunes import read_stored

    encoder = learner.model()
    snapshot = learner.remember(f"fine-tuning {ASKED}", lambda: read_stored(ASKED))
    if encoder.name != snapshot.settings.model or not isinstance(encoder, OwnModel):
        raise NeedsModelError("needs_bundled")
    model = fine_tuned(snapshot, encoder)
    wanted = rng.sample(model.classes, 2)

    def judge(answer: str) -> Verdict:
        sentences = read_pair(answer)
        for sentence in sentences:
            check_own_sentence(learner, sentence)
        if fault := not_one_word_apart(sentences):
            return fault
        predicted, proportions = [], []
        for sentence in sentences:
            log_p = model.class_log_probabilities(sentence)
            predicted.append(model.classes[int(log_p.argmax())])
            proportions.append(formatted(100 * log_p.max().exp().item(), ".0f"))
        values = {
            "said_1": predicted[0],
            "said_2": predicted[1],
            "p_1": proportions[0],
            "p_2": proportions[1],
        }
        if predicted == wanted:
            check_order(learner, *sentences)
            return Verdict.right(**values)
        hint = "same_class" if predicted[0] == predicted[1] else "other_classes"
        return Verdict.wrong(hint, **values)

    values = {"first": wanted[0], "second": wanted[1], "classes": ", ".join(model.classes)}
    return Task(values=values, judge=judge)
