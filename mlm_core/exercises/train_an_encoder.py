"""Exercises of the lesson "train an encoder": by hand, and with stored runs.

Read before this: exercise.py, tasks/stored_run_tasks.py.
"""

from random import Random

from mlm_core.exercises.exercise import Exercise, Learner, Task, number_task
from mlm_core.exercises.tasks.stored_run_tasks import draw_nearest_token, draw_nsp_ablation
from mlm_core.number_format import formatted

VOCABULARIES = (1_000, 2_000, 4_000, 8_000, 16_000, 30_000)
WIDTHS = (64, 128, 256, 512)
LAYERS = (2, 3, 4, 6, 12)
WINDOW = 64  # tokens
# Positions, biases and LayerNorms, which a sum of the large terms leaves out, stay below 4 %.
FEWEST_LAYER_SHARE, MOST_LAYER_SHARE = 0.25, 0.75


def _how_many_parameters(learner: Learner, rng: Random) -> Task:
    """Ask for an encoder's size from V, d and L; the two largest terms suffice."""
    from mlm_core.encoder.bert import BertConfig
    from mlm_core.encoder.cost import count_parameters

    while True:
        v, d, n = rng.choice(VOCABULARIES), rng.choice(WIDTHS), rng.choice(LAYERS)
        table, layer = v * d, 12 * d * d
        if FEWEST_LAYER_SHARE < n * layer / (table + n * layer) < MOST_LAYER_SHARE:
            break
    config = BertConfig(
        vocabulary_size=v,
        hidden_size=d,
        n_layers=n,
        n_heads=1,  # their number changes no count
        intermediate_size=4 * d,
        n_positions=WINDOW,
    )
    terms = count_parameters(config)
    right = sum(term.count for term in terms if term.group in ("embeddings", "layers"))
    return number_task(
        right=right,
        tolerance=right / 20,
        mistakes={
            "table_only": table,
            "layers_only": n * layer,
            "one_layer": table + layer,
            "attention_only": table + n * layer // 3,
        },
        values={
            "vocabulary": formatted(v, ","),
            "width": d,
            "inner": formatted(4 * d, ","),
            "layers": n,
            "window": WINDOW,
            "table": formatted(table, ","),
            "layer": formatted(layer, ","),
            "all_layers": formatted(n * layer, ","),
            "rough": formatted(table + n * layer, ","),
            "exact": formatted(right, ","),
        },
    )


def _hidden_shape(learner: Learner, rng: Random) -> Task:
    """Ask for the size of the last layer's output after a change of hidden_size."""
    batch, length = rng.randint(2, 9), rng.choice((8, 12, 16, 24, 32, 48))
    before, after = rng.sample((32, 48, 64, 96, 128), 2)
    right = batch * length * after
    return number_task(
        right=right,
        tolerance=0,
        mistakes={
            "old_width": batch * length * before,
            "width_only": after,
            "one_text": length * after,
            "one_vector_a_text": batch * after,
            "no_width": batch * length,
        },
        values={
            "batch": batch,
            "length": length,
            "before": before,
            "after": after,
            "right": formatted(right, ","),
        },
    )


def _rate_of_step(learner: Learner, rng: Random) -> Task:
    """Ask for the learning rate at a step of the warm-up or of the decay."""
    from mlm_core.training.loop import TrainingSettings, learning_rate_at

    n, proportion, peak = (
        rng.choice((1_000, 1_600, 2_000, 4_000)),
        rng.choice((0.05, 0.1, 0.2)),
        rng.choice((0.0003, 0.0005, 0.0007, 0.001, 0.0015, 0.002, 0.003, 0.004)),
    )
    n_warm, tenths = round(n * proportion), rng.choice((1, 2, 3, 4, 6, 7, 8, 9))
    variant = rng.choice(("warm_up", "decay"))
    # The last step has one step left: itself.
    left = (n - n_warm) * tenths // 10
    step = n_warm * tenths // 10 if variant == "warm_up" else n + 1 - left
    settings = TrainingSettings(n_steps=n, peak_learning_rate=peak, warmup_proportion=proportion)
    right = learning_rate_at(step - 1, settings)  # which counts steps from 0
    mistakes = {"still_peak": peak, "share_of_all": peak * step / n}
    if variant == "warm_up":
        mistakes["already_down"] = peak * (n + 1 - step) / (n - n_warm)
    else:
        mistakes["no_warm_up"] = peak * left / n
        mistakes["upside_down"] = peak * (step - 1 - n_warm) / (n - n_warm)
    return number_task(
        right=right,
        tolerance=peak / 100,
        mistakes=mistakes,
        values={
            "n": formatted(n, ","),
            "percent": round(100 * proportion),
            "n_warm": n_warm,
            "n_down": formatted(n - n_warm, ","),
            "left": formatted(left, ","),
            "peak": peak,
            "step": formatted(step, ","),
            "rate": formatted(right, ".3g"),
        },
        variant=variant,
    )


EXERCISES = (
    Exercise(id="how_many_parameters", kind="number", ask=_how_many_parameters),
    Exercise(id="nearest_token", kind="choice", ask=draw_nearest_token),
    Exercise(id="nsp_ablation", kind="choice", ask=draw_nsp_ablation),
    Exercise(id="rate_of_step", kind="number", ask=_rate_of_step),
    Exercise(id="hidden_shape", kind="number", ask=_hidden_shape),
)
