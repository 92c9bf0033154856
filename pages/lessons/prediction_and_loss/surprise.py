"""Surprisal and temperature: how unexpected a word is, and how unsure the model."""

import math
from functools import partial

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.prediction.losses import loss_curve
from mlm_core.number_format import formatted
from mlm_core.prediction.temperature import at_temperature, entropy
from pages.kit.part import Part, part
from pages.lessons.prediction_and_loss.setting import (
    Setting,
    choose_place_and_word,
    current,
    token_name,
)
from pages.lessons.prediction_and_loss.typed import one_piece

N_GUESSES = 6
SMALLEST = 1e-30  # a probability; smaller ones have no logarithm


@part(code=("prediction.temperature:at_temperature", "prediction.temperature:entropy"))
def show(p: Part) -> None:
    """Draw a distribution at a temperature, and put words on the curve of -log P."""
    p.say("lead")
    now = current(p)
    if now is None:
        return
    left, right = p.columns()
    with left:
        place, own = choose_place_and_word(p, now, "own")
    with right:
        temperature = p.slider("temperature")
    _show_distributions(p, now, place, temperature)
    _show_curve(p, now, place, own, temperature)
    p.say("notice")


def _show_distributions(p: Part, now: Setting, place: int, chosen: float) -> None:
    """Draw the likeliest tokens of one position at T = 1 and at the chosen T."""
    logits = now.predictions.logits[place]
    best = logits.topk(N_GUESSES).indices.tolist()
    tokens = [token_name(p, id_) for id_ in best]
    both = {"one": 1.0, "own": chosen}
    for (name, temperature), column in zip(both.items(), p.columns(), strict=True):
        y = at_temperature(logits, temperature)
        probabilities, nats = y[best].tolist(), entropy(y)
        with column:
            p.say("at", temperature=temperature)
            p.figure(
                f"temperature_{name}",
                partial(bars_svg, tokens, probabilities, longest=1.0),
                {"token": tokens, "logit": logits[best].tolist(), "probability": probabilities},
                alt="alt",
                source="source",
                position=now.predictions.positions[place],
                temperature=temperature,
            )
            p.metrics(
                {
                    p.label("entropy"): formatted(nats, ".2f"),
                    p.label("as_many"): formatted(math.exp(nats), ",.0f"),
                }
            )


def _show_curve(p: Part, now: Setting, place: int, own: str, temperature: float) -> None:
    """Mark words of one position, and the ends of the scale, on the curve of -log P."""
    y = at_temperature(now.predictions.logits[place], temperature)
    position = now.predictions.positions[place]
    ids = {
        "best": int(y.argmax()),
        "true": now.predictions.true_ids[place],
        "own": one_piece(p, own, now.text, position) if own.strip() else None,
    }
    found = {
        kind: (token_name(p, id_), max(y[id_].item(), SMALLEST))
        for kind, id_ in ids.items()
        if id_ is not None
    }
    found = {"certain": ("", 1.0), **found, "uniform": ("", 1 / len(y))}
    rows = [
        (kind, p.plain(kind, word=word, nats=abs(math.log(probability))), probability)
        for kind, (word, probability) in sorted(found.items(), key=lambda row: -row[1][1])
    ]
    table = [
        {
            "word": name,
            "probability": probability,
            "one_in": 1 / probability,
            "nats": -math.log(probability),
            "bits": -math.log2(probability),
        }
        for _, name, probability in rows
    ]
    curve = loss_curve(rows, x_title=p.plain("curve_x"), y_title=p.plain("curve_y"))
    position = now.predictions.positions[place]
    p.figure("curve", curve, table, position=position, temperature=temperature)
