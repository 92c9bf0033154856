"""Exercises of the lesson "sentence pairs".

Read before this: exercise.py, ../prediction/next_sentence.py.
"""

import math
from random import Random

from mlm_core.exercises.exercise import (
    Exercise,
    Learner,
    NeedsModelError,
    NeedsTextError,
    Task,
    Verdict,
    choice_task,
    number_task,
    read_pair,
)
from mlm_core.exercises.tasks.fine_tuned_tasks import words_apart
from mlm_core.exercises.tasks.own_words import check_own_sentence
from mlm_core.number_format import formatted
from mlm_core.prediction.packing import pack
from mlm_core.text import corpora
from mlm_core.text.tokens import tokenize

FEWEST_TOKENS = 4  # [CLS], two of the learner's, [SEP]
FEWEST_WORDS = 4  # of each of the two answers
FEWEST_POINTS = 30  # by which P(IsNext) must differ: one stray word seldom makes as much


def _second_segment(learner: Learner, rng: Random) -> Task:
    """Ask how many tokens are in the second segment; A is the learner's own."""
    second = rng.choice(corpora.sentences())
    subwords = [t.text for t in tokenize(learner.tokenizer(), second).tokens if t.word is not None]
    n_first = sum(t.word is not None for t in tokenize(learner.tokenizer(), learner.text).tokens)
    if n_first + 2 < FEWEST_TOKENS:
        raise NeedsTextError(FEWEST_TOKENS)
    n = len(subwords)
    return number_task(
        right=n + 1,
        tolerance=0,
        mistakes={
            "no_separator": n,
            "both_separators": n + 2,
            "all": n_first + n + 3,
            "first_segment": n_first + 2,
        },
        values={
            "second": second,
            "pieces": " ".join(subwords),
            "n_first": n_first,
            "n": n,
            "right": n + 1,
            "n_all": n_first + n + 3,
            "n_first_segment": n_first + 2,
        },
    )


def _which_label(learner: Learner, rng: Random) -> Task:
    """Ask for the label of a pair, given where its second sentence comes from."""
    variant = rng.choice(("follows", "elsewhere", "fits", "before"))
    documents = [document for document in corpora.documents() if len(document) >= 3]
    here, there = rng.sample(documents, 2)
    i = rng.randrange(1, len(here) - 1)
    second = {
        "follows": here[i + 1],
        "elsewhere": rng.choice(there[1:]),
        "fits": rng.choice(there[1:]),
        "before": here[i - 1],
    }[variant]
    right = {"follows": "is_next", "before": "no_pair"}.get(variant, "not_next")
    return choice_task(
        ("is_next", "not_next", "no_pair"),
        right=right,
        values={"first": here[i], "second": second},
        variant=variant,
    )


def _total_loss(learner: Learner, rng: Random) -> Task:
    """Ask for BERT's pretraining loss of one pair."""
    masked = rng.randint(12, 48) / 10
    percent = rng.choice((10, 20, 30, 60, 70, 80, 90, 95))
    variant = rng.choice(("true_pair", "random_pair"))
    p_next = percent / 100
    p_true, p_false = (p_next, 1 - p_next) if variant == "true_pair" else (1 - p_next, p_next)
    right = masked - math.log(p_true)
    return number_task(
        right=right,
        tolerance=0.015,
        mistakes={
            "other_class": masked - math.log(p_false),
            "mean": right / 2,
            "product": -masked * math.log(p_true),
            "minus": masked + math.log(p_true),
        },
        values={
            "masked": masked,
            "p_next": p_next,
            "p_true": round(p_true, 2),
            "pair_loss": formatted(-math.log(p_true), ".3f"),
            "total": formatted(right, ".3f"),
        },
        variant=variant,
        answer=formatted(right, ".3f"),
    )


def _padding_proportion(learner: Learner, rng: Random) -> Task:
    """Ask for the proportion of padding with one window for each document."""
    window = rng.choice((64, 128, 256))
    lengths = [rng.randint(window // 6, window - 4) for _ in range(4)]
    packing = pack([[n] for n in lengths], window, "document")
    percent = 100 * packing.padding_proportion
    return number_task(
        right=percent,
        tolerance=0.6,
        mistakes={
            "specials_forgotten": 100 * (1 - sum(lengths) / (4 * window)),
            "full_share": 100 - percent,
            "tokens": percent / 100 * 4 * window,
        },
        values={
            "window": window,
            "lengths": ", ".join(map(str, lengths)),
            "n_all": 4 * window,
            "n_used": sum(lengths) + 8,
            "n_text": sum(lengths),
            "percent": formatted(percent, ".1f"),
            "packed": len(pack([[n] for n in lengths], window, "stream").windows),
        },
        in_percent=True,
        answer=formatted(percent, ".1f"),
    )


def _two_continuations(learner: Learner, rng: Random) -> Task:
    """Ask for two second sentences, one word apart, that the NSP head tells apart."""
    model = learner.model()
    if model.bert is None or model.bert.next_sentence_head is None:
        raise NeedsModelError("needs_next_sentence")
    documents = [document for document in corpora.documents() if len(document) >= 2]
    first = rng.choice(documents)[0]

    def judge(answer: str) -> Verdict:
        pair = read_pair(answer)
        for second in pair:
            check_own_sentence(second, model.tokenizer, fewest=FEWEST_WORDS, examples=(first,))
        apart = words_apart(*pair)
        if apart != 1:
            hint = "nothing_changed" if apart == 0 else "too_far_apart"
            return Verdict.wrong(hint, n=apart)
        likelier, other = (100 * p_follows(model, first, second) for second in pair)
        values = {"likelier": formatted(likelier, ".0f"), "other": formatted(other, ".0f")}
        if likelier - other >= FEWEST_POINTS:
            return Verdict.right(**values)
        hint = "turned" if other - likelier >= FEWEST_POINTS else "too_close"
        return Verdict.wrong(hint, **values)

    return Task(values={"first": first, "points": FEWEST_POINTS}, judge=judge)


def p_follows(model, first: str, second: str) -> float:
    """Return the model's P(IsNext) of a pair, cut to its window."""
    from mlm_core.prediction.next_sentence import next_sentence_steps

    text = tokenize(model.tokenizer, first, second, max_tokens=model.max_tokens)
    return next_sentence_steps(model.bert, model.encode(text).last[0]).p_follows


EXERCISES = (
    Exercise(id="second_segment", kind="number", ask=_second_segment, uses_text=True),
    Exercise(id="which_label", kind="choice", ask=_which_label),
    Exercise(id="total_loss", kind="number", ask=_total_loss),
    Exercise(id="two_continuations", kind="pair", ask=_two_continuations),
    Exercise(id="padding_share", kind="number", ask=_padding_proportion),
)
