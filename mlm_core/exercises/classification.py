"""Exercises of the lesson "classification".

Read before this: tasks/fine_tuned_tasks.py.
"""

import math
from random import Random

from mlm_core.encoder.bert import BertConfig
from mlm_core.encoder.cost import count_parameters
from mlm_core.evaluation.metrics import Counts
from mlm_core.exercises.exercise import Exercise, Learner, Task, choice_task, number_task
from mlm_core.exercises.tasks.fine_tuned_tasks import draw_more_than_chance, draw_one_word_apart
from mlm_core.number_format import formatted

CLASSES = ("negative", "neutral", "positive")
# The smallest is the one of the course page's example.
WIDTHS = (32, 256, 384, 512, 768, 1024)
LAYERS = (4, 6, 12, 24)
OPTIONS = ("a_a", "a_b", "b_a", "b_b")  # who has the higher accuracy, who the higher macro-F1
N_RARE, N_COMMON = 10, 90  # test texts of each class
LEAST_LEAD = 0.025  # by which one model is ahead in each measure


def _head_by_hand(learner: Learner, rng: Random) -> Task:
    """Ask for the probability of a class from h and W."""
    while True:
        h = [rng.choice((-3, -2, -1, 1, 2, 3, 5)) / 2 for _ in range(2)]
        weights = [[rng.randint(-2, 2) for _ in CLASSES] for _ in h]
        logits = [h[0] * first + h[1] * second for first, second in zip(*weights, strict=True)]
        exponentials = [math.exp(logit) for logit in logits]
        proportions = [e / sum(exponentials) for e in exponentials]
        wanted = rng.randrange(len(CLASSES))
        others = [proportion for i, proportion in enumerate(proportions) if i != wanted]
        is_plain = max(map(abs, logits)) <= 4 and len({*logits}) == len(CLASSES)
        if is_plain and 0.08 < proportions[wanted] < 0.9 and logits[wanted] != 0:
            break
    values: dict[str, object] = {
        "h": "; ".join(formatted(x, "g") for x in h),
        "wanted": CLASSES[wanted],
        "logits": "; ".join(formatted(logit, "g") for logit in logits),
        "exponentials": "; ".join(formatted(e, ".3f") for e in exponentials),
        "above": formatted(exponentials[wanted], ".3f"),
        "sum": formatted(sum(exponentials), ".3f"),
        "p": formatted(proportions[wanted], ".3f"),
        "all": "; ".join(formatted(proportion, ".3f") for proportion in proportions),
    }
    for i, row in enumerate(weights):
        values.update({f"w_{i + 1}_{j + 1}": weight for j, weight in enumerate(row)})
    return number_task(
        right=proportions[wanted],
        tolerance=0.007,
        mistakes={
            "logit": logits[wanted],
            "not_divided": exponentials[wanted],
            "no_exponential": logits[wanted] / sum(logits) if sum(logits) else math.inf,
            "sigmoid": 1 / (1 + math.exp(-logits[wanted])),
            "other_class": others[0],
            "another_class": others[1],
        },
        values=values,
        answer=formatted(proportions[wanted], ".3f"),
    )


def _trained_numbers(learner: Learner, rng: Random) -> Task:
    """Ask how many parameters are trained: a head, or some layers and the head."""
    variant = rng.choice(("mean", "cls", "top"))
    d, n_classes, n_layers = rng.choice(WIDTHS), rng.randint(2, 6), rng.choice(LAYERS)
    n_top = rng.randint(2, n_layers - 1)
    head = (d + 1) * n_classes
    a_layer = _numbers_of_a_layer(d)
    right = {"mean": head, "cls": d * d + d + head, "top": n_top * a_layer + head}[variant]
    mistakes = {
        "mean": {"no_biases": d * n_classes, "with_pooler": d * d + d + head, "states": d},
        "cls": {
            "no_biases": d * d + d * n_classes,
            "no_pooler": head,
            "pooler_alone": d * d + d,
        },
        "top": {
            "one_layer": a_layer + head,
            "every_layer": n_layers * a_layer + head,
            "attention_alone": n_top * 4 * (d * d + d) + head,
            "feed_forward_alone": n_top * (8 * d * d + 5 * d) + head,
            "frozen_ones": (n_layers - n_top) * a_layer + head,
        },
    }[variant]
    return number_task(
        right=right,
        # Of millions the head's few numbers need not be remembered.
        tolerance=right / 200 if variant == "top" else 0,
        mistakes=mistakes,
        values={
            "d": d,
            "inner": formatted(4 * d, ","),
            "n_classes": n_classes,
            "n_layers": n_layers,
            "n_top": n_top,
            "head": formatted(head, ","),
            "pooler": formatted(d * d + d, ","),
            "a_layer": formatted(a_layer, ","),
            "right": formatted(right, ","),
            "percent": formatted(100 * head / right, ".2f"),
        },
        variant=variant,
    )


def _numbers_of_a_layer(d: int) -> int:
    config = BertConfig(hidden_size=d, intermediate_size=4 * d, n_layers=1, n_heads=1)
    return sum(term.count for term in count_parameters(config) if term.group == "layers")


def _two_measures(learner: Learner, rng: Random) -> Task:
    """Ask which of two models has the higher accuracy, and which the higher macro-F1."""
    right = rng.choice(OPTIONS)
    while True:
        tables = {name: _draw_counts(rng) for name in "ab"}
        leads = [one - other for one, other in zip(*map(_measures, tables.values()), strict=True)]
        is_clear = all(abs(lead) >= LEAST_LEAD for lead in leads)
        if is_clear and right == "_".join("a" if lead > 0 else "b" for lead in leads):
            break
    values: dict[str, object] = {"n_rare": N_RARE, "n_common": N_COMMON, "n": N_RARE + N_COMMON}
    for name, (rare, common) in tables.items():
        accuracy, macro_f1 = _measures((rare, common))
        values |= {
            f"rare_hits_{name}": rare.n_hits,
            f"rare_missed_{name}": rare.n_missed,
            f"common_hits_{name}": common.n_hits,
            f"common_missed_{name}": common.n_missed,
            f"accuracy_{name}": formatted(accuracy, ".2f"),
            f"f1_{name}": formatted(macro_f1, ".3f"),
            f"f1_rare_{name}": formatted(rare.measures.f1, ".3f"),
        }

    return choice_task(
        OPTIONS,
        right=right,
        values=values,
        variant="agree" if right in ("a_a", "b_b") else "disagree",
        hint_for=lambda name: "other_f1" if name[0] == right[0] else "other_accuracy",
    )


def _draw_counts(rng: Random) -> tuple[Counts, Counts]:
    """Return the right predictions of a model for the rare and the common class."""
    rare, common = rng.randint(1, N_RARE), rng.randint(N_COMMON * 7 // 10, N_COMMON)
    rare_alarms, common_alarms = N_COMMON - common, N_RARE - rare
    return (
        Counts(n_hits=rare, n_gold=N_RARE, n_predicted=rare + rare_alarms),
        Counts(n_hits=common, n_gold=N_COMMON, n_predicted=common + common_alarms),
    )


def _measures(counts: tuple[Counts, Counts]) -> tuple[float, float]:
    """Return accuracy and macro-F1."""
    n_right = sum(each.n_hits for each in counts)
    return n_right / (N_RARE + N_COMMON), sum(each.measures.f1 for each in counts) / 2


EXERCISES = (
    Exercise(id="head_by_hand", kind="number", ask=_head_by_hand),
    Exercise(id="trained_numbers", kind="number", ask=_trained_numbers),
    Exercise(id="two_measures", kind="choice", ask=_two_measures),
    Exercise(id="one_word_apart", kind="pair", ask=draw_one_word_apart),
    Exercise(id="more_than_chance", kind="number", ask=draw_more_than_chance),
)
