"""-log P as surprise: from certain to one in the vocabulary, with the learner's own word."""

import math
from typing import Any

from mlm_core.figures.prediction.losses import dial_chart, loss_curve
from pages.parts.prediction_and_loss.setting import choose_place_and_word, current, token_name
from pages.parts.prediction_and_loss.typed import one_piece
from pages.shared.kit.part import Part, part


@part(code=("prediction.masked_words:predict", "prediction.masked_words:perplexity"))
def show(p: Part) -> None:
    """Put the words of one position, and the ends of the scale, on one dial and on the curve."""
    p.say("lead")
    now = current(p)
    if now is None:
        return
    place, own = choose_place_and_word(p, now, "own")
    probabilities = now.predictions.probabilities[place]
    ids = {
        "best": int(probabilities.argmax()),
        "true": now.predictions.true_ids[place],
        "own": one_piece(p, own) if own.strip() else None,
    }
    rows = [  # kind, name and probability of each
        ("certain", p.plain("certain"), 1.0),
        *(
            (kind, p.plain(kind, word=token_name(p, id_)), max(probabilities[id_].item(), 1e-30))
            for kind, id_ in ids.items()
            if id_ is not None
        ),
        ("uniform", p.plain("uniform"), 1 / len(probabilities)),
    ]
    rows.sort(key=lambda row: -row[2])
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
    about: dict[str, Any] = {"source": "source", "position": now.predictions.positions[place]}
    most = math.log(len(probabilities))
    points = [(kind, name, -math.log(probability)) for kind, name, probability in rows]
    p.figure("surprise", dial_chart(points, largest=most), table, **about)
    p.say("dial", n=len(probabilities), most=most)
    curve = loss_curve(rows, x_title=p.plain("curve_x"), y_title=p.plain("curve_y"))
    p.figure("curve", curve, table, **about)
    p.say("curve")
    p.say("perplexity", loss=now.predictions.loss, perplexity=now.predictions.perplexity)
