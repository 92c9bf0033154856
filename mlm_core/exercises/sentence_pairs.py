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
from mlm_core.exercises.tasks.own_words import (
    changed_words,
    check_order,
    check_own_sentence,
    not_one_word_apart,
    stem,
    word_with_stem_of,
)
from mlm_core.number_format import formatted
from mlm_core.prediction.packing import pack
from mlm_core.text import corpora
from mlm_core.text.tokens import tokenize
from mlm_core.text.words import words_of

FEWEST_TOKENS = 4  # [CLS], two of the learner's, [SEP]
MOST_TRIED = 12  # documents: the bundled model's verdict depends on a word in two of three
OF_OTHER_TOPICS = ("football", "president")
FEWEST_POINTS = 30  # by which P(IsNext) must differ: one stray word seldom makes as much


def _second_segment(learner: Learner, rng: Random) -> Task:
    """Ask how many tokens are in the second segment; A is the learner's own."""
    second = rng.choice([one for document in _documents(learner) for one in document])
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


def _documents(learner: Learner) -> tuple[tuple[str, ...], ...]:
    return learner.remember("our documents", corpora.documents)


def _which_label(learner: Learner, rng: Random) -> Task:
    """Ask for the label of a pair, given where its second sentence comes from."""
    right = rng.choice(("is_next", "not_next", "no_pair"))
    variant = {"is_next": "follows", "no_pair": "before"}.get(right)
    variant = variant or rng.choice(("elsewhere", "fits"))
    documents = [document for document in _documents(learner) if len(document) >= 3]
    here, there = rng.sample(documents, 2)
    i = rng.randrange(1, len(here) - 1)
    second = {
        "follows": here[i + 1],
        "elsewhere": rng.choice(there[1:]),
        "fits": rng.choice(there[1:]),
        "before": here[i - 1],
    }[variant]
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
    documents = [document for document in _documents(learner) if len(document) >= 2]
    rng.shuffle(documents)
    some = (one for one in documents[:MOST_TRIED] if _is_told_by_a_word(learner, one))
    first = next(some, documents[0])[0]

    def judge(answer: str) -> Verdict:
        pair = read_pair(answer)
        for second in pair:
            check_own_sentence(learner, second, examples=(first,))
        if fault := not_one_word_apart(pair):
            return fault
        repeated = word_with_stem_of(" ".join(changed_words(*pair)[0]), words_of(first))
        if repeated:
            return Verdict.wrong("repeats_first", repeated=repeated)
        likelier, other = (100 * p_follows(model, first, second) for second in pair)
        values = {"likelier": formatted(likelier, ".0f"), "other": formatted(other, ".0f")}
        if likelier - other >= FEWEST_POINTS:
            check_order(learner, *pair)
            return Verdict.right(**values)
        hint = "turned" if other - likelier >= FEWEST_POINTS else "too_close"
        return Verdict.wrong(hint, **values)

    return Task(values={"first": first, "points": FEWEST_POINTS}, judge=judge)


def _is_told_by_a_word(learner: Learner, document: tuple[str, ...]) -> bool:
    """Return whether one word decides what the model takes for the next sentence of the first."""
    model, first = learner.model(), document[0]
    known = {stem(word) for word in words_of(first)}
    others = {word for word in words_of(" ".join(document[1:])) if stem(word) not in known}

    def differ() -> bool:
        words = (*sorted(others, key=lambda word: (len(word), word))[-2:], *OF_OTHER_TOPICS)
        chances = [100 * p_follows(model, first, f"They liked the {word}.") for word in words]
        return max(chances) - min(chances) >= FEWEST_POINTS

    return learner.remember(f"a word decides for {model.name} after: {first}", differ)


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
