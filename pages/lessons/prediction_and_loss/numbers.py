"""One chosen position opened: h, the transform, u, softmax and -log P as numbers."""

import math
from functools import partial

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.encoder.bert import strips_html
from mlm_core.figures.prediction.losses import (
    logit_arithmetic,
    softmax_arithmetic,
    surprise_arithmetic,
)
from mlm_core.prediction.fillers import top_fillers
from pages.kit.part import Part, part
from pages.lessons.prediction_and_loss.setting import Setting, choose_place, current, token_name

N_GUESSES = 6
MOST_ROWS = 1000  # of the table


@part(code=("prediction.masked_words:predict", "encoder.bert:MaskedLanguageHead"))
def show(p: Part) -> None:
    """Follow one position and one vocabulary entry from the encoder's state to the loss."""
    p.say("lead")
    now = current(p)
    if now is None:
        return
    with p.row("top"):
        place = choose_place(p, now)
        entry = p.choice("entry")
    logits, y = now.predictions.logits[place], now.predictions.probabilities[place]
    best = top_fillers(logits, N_GUESSES)
    id_ = now.predictions.true_ids[place] if entry == "true" else best[0].id
    word, probability = token_name(p, id_), y[id_].item()
    _vectors(p, now, place, id_)
    p.say("softmax", n=len(logits), word=word)
    p.formula(softmax_arithmetic(logits[id_].item(), logits.logsumexp(dim=-1).item(), probability))

    def likeliest() -> dict[str, list]:
        rows = logits.topk(min(MOST_ROWS, len(logits)))
        return {
            "token": [token_name(p, each) for each in rows.indices.tolist()],
            "logit": rows.values.tolist(),
            "probability": y[rows.indices].tolist(),
        }

    tokens, values = [token_name(p, one.id) for one in best], [one.probability for one in best]
    bars = partial(bars_svg, tokens, values, longest=1.0)
    p.figure("distribution", bars, likeliest, position=now.predictions.positions[place])
    p.say("sum", total=y.sum().item())
    p.say(f"loss_{entry}", word=word)
    p.formula(surprise_arithmetic(probability, -logits.log_softmax(dim=-1)[id_].item()))
    p.say("perplexity", loss=now.predictions.loss, perplexity=now.predictions.perplexity)


def _vectors(p: Part, now: Setting, place: int, id_: int) -> None:
    """Show h, the transformed h, and their way to one logit, where the model shows them."""
    bert, predictions = p.model.bert, now.predictions
    if bert is None or predictions.states is None or predictions.transformed is None:
        p.note("other_model", model=p.model_name)
        return
    word = token_name(p, id_)
    vectors = {
        "h": predictions.states[place].tolist(),
        "t": predictions.transformed[place].tolist(),
        "E": bert.embeddings.token.weight[id_].tolist(),
    }
    p.say("states", n=len(vectors["h"]), word=word)
    strips = partial(
        strips_html,
        [(sign, p.plain(f"vector_{sign}"), vector) for sign, vector in vectors.items()],
        [math.hypot(*vector) for vector in vectors.values()],
        length_sign=p.plain("vector_length"),
    )
    p.figure("vectors", strips, vectors, position=predictions.positions[place])
    assert bert.masked_language_head is not None
    bias = bert.masked_language_head.bias[id_].item()
    logit = predictions.logits[place, id_].item()
    p.say("logit", word=word)
    p.formula(logit_arithmetic(vectors["t"], vectors["E"], bias, logit))
