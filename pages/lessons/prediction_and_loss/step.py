"""One gradient step: y - onehot at a chosen position, and the loss before and after it."""

from mlm_core.figures.prediction.one_step import (
    bias_arithmetic,
    gradient_arithmetic,
    gradient_chart,
    promise_arithmetic,
)
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from mlm_core.prediction.one_step import GradientStep, logit_gradient
from pages.kit.part import Part, part
from pages.lessons.prediction_and_loss import computed
from pages.lessons.prediction_and_loss.setting import (
    Setting,
    choose_place_and_word,
    current,
    token_name,
)
from pages.lessons.prediction_and_loss.typed import one_piece

RATES = ("0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1", "3")
N_OTHERS = 4


@part(code=("prediction.one_step:logit_gradient", "prediction.one_step:take_step"))
def show(p: Part) -> None:
    """Draw the gradient at one position, take one step on a copy, say what it changed."""
    p.say("lead")
    now = current(p)
    if now is None:
        return
    place, word = choose_place_and_word(p, now, "step_word")
    if word.strip():
        target = one_piece(p, word, now.text, now.predictions.positions[place])
    else:
        target = now.predictions.true_ids[place]
    if target is None:
        return
    _show_gradient(p, now, place, target)
    if p.model.bert is None:
        p.note("other_model", model=p.model_name)
        return
    step, moved = _take_step(p, now, place, target)
    _show_result(p, step)
    if step.other_losses:
        before, after = (sum(each) / len(each) for each in zip(*step.other_losses, strict=True))
        p.say("others", n=len(step.other_losses), before=before, after=after)
    with p.fold("by_hand", "calculate"):
        p.say(moved, n=step.n_moved)
        gradient = step.gradient[step.target].item()
        p.formula(bias_arithmetic(*step.target_bias, step.rate, gradient))
        loss = step.losses[0]
        p.formula(promise_arithmetic(loss, step.rate, step.squared_length, step.promised_loss))


def _show_gradient(p: Part, now: Setting, place: int, target: int) -> None:
    """Draw the entries of y - onehot: the right token, the likeliest others, all the rest."""
    probabilities = now.predictions.probabilities[place]
    gradient = logit_gradient(now.predictions.logits[place], target)
    best = [id_ for id_ in gradient.topk(N_OTHERS).indices.tolist() if id_ != target]
    shown = [target, *best]
    word, *others = [token_name(p, id_) for id_ in shown]
    names = [word, *others, p.plain("rest", n=len(gradient) - len(shown))]
    rest = gradient.sum().item() - gradient[shown].sum().item()
    values = [*gradient[shown].tolist(), rest]
    p.figure(
        "gradient",
        gradient_chart(list(zip(names, values, strict=True)), x_title=p.plain("x")),
        {
            "token": names,
            "probability": [*probabilities[shown].tolist(), rest],
            "onehot": [1, *[0] * len(best), 0],
            "gradient": values,
        },
        word=word,
        position=now.predictions.positions[place],
    )
    p.formula(gradient_arithmetic(probabilities[target].item()))
    p.say("gradient", word=word)


def _take_step(p: Part, now: Setting, place: int, target: int) -> tuple[GradientStep, str]:
    """Let the learner choose what moves and how far; return the step, and what moved."""
    with p.row("top"):
        moved = p.choice("step_moves")
    rate = float(p.choice("step_rate", {rate: formatted(float(rate), "g") for rate in RATES}))
    chosen = tuple(zip(now.predictions.positions, now.predictions.true_ids, strict=True))
    step = computed.gradient_step(
        p.model_name,
        target,
        now.predictions.positions[place],
        chosen[:place] + chosen[place + 1 :],
        rate,
        moved,
        now.seen.ids,
        now.seen,
    )
    return step, moved


def _show_result(p: Part, step: GradientStep) -> None:
    """Show the loss before and after, and whether it went where the gradient says."""
    loss, after = step.losses
    promised = loss - step.promised_loss
    is_near = abs((loss - after) - promised) <= 0.1 * promised
    came = "worse" if after > loss else "near" if is_near else "far"
    before, later = (
        significant(u.softmax(-1)[step.target].item(), 3) for u in (step.before, step.after)
    )
    p.metrics(
        {
            p.label("p"): f"{before} → {later}",
            p.label("loss"): f"{formatted(loss, '.2f')} → {formatted(after, '.2f')}",
        }
    )
    p.say(came, promised=step.promised_loss, after=after)
