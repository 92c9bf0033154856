"""The opening: the learner's text, and how much each of its tokens surprises the model.

Source: Salazar et al. 2020, Masked Language Model Scoring (pseudo-perplexity).
"""

from pages.lessons.own_style.computed import losses_of

from mlm_core.figures.prediction.losses import loss_rows_chart
from mlm_core.prediction.masked_words import perplexity
from pages.kit.part import Part, part


@part(code=("prediction.fillers:score_positions",), redraws_page=True)
def show(p: Part) -> None:
    """Draw the loss at each token, and write their mean and the pseudo-perplexity."""
    text = p.text("text")
    if not p.tokens(text).words:
        p.note("empty", icon="edit")
        return
    found = losses_of(p.model_name, text)
    p.say("result", mean=found.mean, perplexity=perplexity(found.mean), n=len(found.tokens))
    chart = loss_rows_chart(found.tokens, [("", found.losses)])
    table = {"token": found.tokens, "own_style_loss": found.losses}
    p.figure("losses", chart, table, n=len(found.tokens))
