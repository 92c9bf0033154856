"""Which sentence is likelier? The pseudo-log-likelihood of two, position by position."""

from mlm_core.figures.prediction.losses import loss_rows_chart
from mlm_core.number_format import formatted
from pages.kit.part import Part, part
from pages.lessons.prediction_and_loss.setting import score_text

WHICH = ("first", "second")


@part(code=("prediction.fillers:score_positions",))
def show(p: Part) -> None:
    """Score two sentences, draw the loss at each position, compare the sums and the means."""
    p.say("lead")
    typed = []
    for name, column in zip(WHICH, p.columns(), strict=True):
        with column:
            typed.append(p.text(name))
    texts = [p.tokens(text) for text in typed]
    rest = p.choice("pieces")
    scores = [score_text(p, text, hide_rest_of_word=rest == "hidden") for text in texts]
    if not all(scores):
        p.note("empty", icon="edit")
        return
    losses = [[-score.log_probability for score in each] for each in scores]
    largest = max(map(max, losses))
    sums = [-sum(each) for each in losses]
    means = [total / len(each) for total, each in zip(sums, losses, strict=True)]
    for i, column in enumerate(p.columns()):
        with column:
            with p.row("top"):
                p.metric("pll", formatted(sums[i], ".1f"))
                p.metric("per_token", formatted(means[i], ".2f"))
            tokens = [texts[i].texts[score.position] for score in scores[i]]
            p.figure(
                f"{WHICH[i]}_places",
                loss_rows_chart(tokens, [("", losses[i])], largest=largest),
                {"token": tokens, "log_probability": [-loss for loss in losses[i]]},
                alt="alt",
                source="source",
                n=len(tokens),
            )
    if sums[0] == sums[1]:
        p.say("same")
    else:
        by_sum, by_mean = (WHICH[pair[1] > pair[0]] for pair in (sums, means))
        p.say(
            "agree" if by_sum == by_mean else "differ",
            sentence=p.label(f"the_{by_sum}"),
            other=p.label(f"the_{by_mean}"),
            difference=abs(sums[0] - sums[1]),
        )
    p.say("notice")
