"""Exercises of the lesson "prediction and loss".

Read before this: exercise.py, ../prediction/fillers.py.
"""

import math
from random import Random

from mlm_core.exercises.exercise import (
    Exercise,
    Learner,
    NeedsModelError,
    Task,
    Verdict,
    number_task,
    read_words,
)
from mlm_core.exercises.tasks.own_words import check_order, check_own_sentence, word_with_stem_of
from mlm_core.number_format import formatted
from mlm_core.text.tokens import entry_of, role_token, tokenize

RATES = (0.1, 0.2, 0.5, 2.0)
CHANCES = (0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9)
VOCABULARIES = (3_000, 5_000, 8_000, 12_000, 20_000, 30_000, 50_000, 80_000, 120_000, 250_000)
# Frequent enough that any English model knows them as one token.
WORDS_TO_FIND = ("water", "book", "door", "city", "children", "years", "film", "team")
N_TOP = 5


def _mean_loss(learner: Learner, rng: Random) -> Task:
    """Ask for the loss of a sentence: the mean over the chosen positions only."""
    first, second, third = rng.sample(CHANCES, 3)
    kept, other = rng.choice((0.9, 0.95)), rng.choice((0.85, 0.99))
    chosen = (first, second, third)
    losses = [-math.log(chance) for chance in chosen]
    loss = sum(losses) / 3
    everywhere = (*chosen, kept, other)
    return number_task(
        right=loss,
        tolerance=0.015,
        mistakes={
            "all_positions": -sum(map(math.log, everywhere)) / 5,
            "divided_by_all": sum(losses) / 5,
            "loss_of_mean": -math.log(sum(chosen) / 3),
            "sum": sum(losses),
        },
        values={
            "first": first,
            "second": second,
            "third": third,
            "kept": kept,
            "other": other,
            "losses": " + ".join(formatted(each, ".2f") for each in losses),
            "loss": formatted(loss, ".3f"),
        },
        answer=formatted(loss, ".3f"),
    )


def _one_step(learner: Learner, rng: Random) -> Task:
    """Ask how far one SGD step on the output bias lifts the right token's logit."""
    chance, rate = rng.choice(CHANCES), rng.choice(RATES)
    right = rate * (1 - chance)
    return number_task(
        right=right,
        tolerance=right / 50,
        mistakes={
            "without_rate": 1 - chance,
            "only_probability": rate * chance,
            "sign": -right,
            "loss": -rate * math.log(chance),
        },
        values={
            "chance": chance,
            "rate": rate,
            "gradient": formatted(chance - 1, ".2f"),
            "right": formatted(right, ".3f"),
        },
        answer=formatted(right, ".3f"),
    )


def _perplexity(learner: Learner, rng: Random) -> Task:
    """Ask for the loss of a uniform guess, or for the perplexity of a loss."""
    size, loss = rng.choice(VOCABULARIES), rng.randint(15, 45) / 10
    if rng.random() < 0.5:
        right = math.log(size)
        return number_task(
            right=right,
            tolerance=0.06,
            mistakes={
                "base_two": math.log2(size),
                "base_ten": math.log10(size),
                "chance": 1 / size,
            },
            values={"size": formatted(size, ","), "loss": formatted(right, ".2f")},
            variant="knows_nothing",
            answer=formatted(right, ".2f"),
        )
    right = math.exp(loss)
    return number_task(
        right=right,
        tolerance=right / 50,
        mistakes={"base_two": 2**loss, "base_ten": 10**loss, "chance": math.exp(-loss)},
        values={"given_loss": loss, "perplexity": formatted(right, ".1f")},
        variant="of_loss",
        answer=formatted(right, ".1f"),
    )


def _two_blanks(learner: Learner, rng: Random) -> Task:
    """Ask how often two independently filled blanks don't fit together."""
    # So that the answers, and not the probabilities, are even.
    percent = round(50 + 50 * math.sqrt(1 - rng.uniform(0.1, 0.99)))
    p = percent / 100
    return number_task(
        right=200 * p * (1 - p),
        tolerance=0.6,
        mistakes={
            "one_of_two": 100 * p * (1 - p),
            "they_fit": 100 * (p * p + (1 - p) ** 2),
            "second": 100 * (1 - p),
        },
        values={
            "first": percent,
            "second": 100 - percent,
            "right": round(200 * p * (1 - p), 1),
            "one": round(100 * p * (1 - p), 1),
        },
        in_percent=True,
    )


def _top_five(learner: Learner, rng: Random) -> Task:
    """Ask for a sentence whose blank has a given word in the model's top 5."""
    from mlm_core.prediction.fillers import word_tokens

    model, known = learner.model(), []
    for word in WORDS_TO_FIND:
        tokens = word_tokens(model.tokenizer, word)
        if len(tokens) == 1 and not tokens[0].is_special:  # not [UNK]
            known.append(word)
    if not known:
        raise NeedsModelError("needs_words")
    word = rng.choice(known)

    def judge(answer: str) -> Verdict:
        from mlm_core.prediction.fillers import find_blanks, rank_of, text_before, top_fillers

        typed = read_words(answer)
        stands = word_with_stem_of(typed, [word])
        if stands:
            return Verdict.wrong("word_given", stands=stands)
        check_own_sentence(learner, typed)
        typed = typed.replace("[MASK]", role_token(model.tokenizer, "[MASK]"))
        text = tokenize(model.tokenizer, typed, max_tokens=model.max_tokens)
        blanks = find_blanks(text, model.tokenizer)
        if len(blanks) != 1:
            return Verdict.wrong("no_blank" if not blanks else "many_blanks")
        logits = model.vocabulary_logits(text)[blanks[0]]
        top = top_fillers(logits, N_TOP)
        here = word_tokens(model.tokenizer, word, text_before(text, blanks[0]))
        target = (here if len(here) == 1 else word_tokens(model.tokenizer, word))[0].id
        rank = rank_of(logits, target)
        values = {
            "rank": formatted(rank, ","),
            "top": ", ".join(entry_of(model.tokenizer, each.id).strip("Ġ▁") for each in top),
            "percent": formatted(100 * logits.softmax(dim=-1)[target].item(), ".1f"),
        }
        if rank > N_TOP:
            return Verdict.wrong("not_among", **values)
        check_order(learner, typed)
        return Verdict.right(**values)

    return Task(values={"word": word, "n_top": N_TOP}, judge=judge)


EXERCISES = (
    Exercise(id="mean_loss", kind="number", ask=_mean_loss),
    Exercise(id="one_step", kind="number", ask=_one_step),
    Exercise(id="perplexity", kind="number", ask=_perplexity),
    Exercise(id="top_five", kind="text", ask=_top_five),
    Exercise(id="two_blanks", kind="number", ask=_two_blanks),
)
