"""The number of "write": the pseudo-perplexity of texts of fewer and of more steps."""

from statistics import median, quantiles

from mlm_core.figures.charts import lines_chart, log_axis
from mlm_core.figures.curves import Curve
from mlm_core.prediction.unmasking import KeepOrder
from mlm_core.stored.sentence_scores import perplexities_near
from pages.kit.part import Part
from pages.lessons.prediction_and_loss.computed import Writing
from pages.lessons.prediction_and_loss.setting import PATIENCE_SECONDS

N_SEEDS = 3  # texts of one setting of the curve, where words are drawn at random


def show_texts(p: Part, writing: Writing, again: tuple[int, ...]) -> None:
    """Show the texts of one step and of now with their pseudo-perplexity."""
    shown = {"one_step": (1, ())}
    if writing.n_steps > 1:
        shown["n_steps"] = (writing.n_steps, ())
    if again:
        shown["after"] = (writing.n_steps, again)
    tokenizer = p.tokenizer
    columns = p.columns(*[1] * len(shown))
    for column, (name, (n_steps, clicks)) in zip(columns, shown.items(), strict=True):
        steps, perplexity = writing.written(n_steps, clicks)
        text = tokenizer.decode(steps[-1].after.ids)
        about = {"text": text, "perplexity": perplexity, "n": n_steps, "clicks": len(clicks)}
        with column:
            p.say(name, **about)


def say_ours(p: Part, writing: Writing) -> None:
    """Say what pseudo-perplexity our own sentences of this length have."""
    ours = perplexities_near(writing.model_name, len(writing.text.tokens))
    if ours:
        low, middle, high = quantiles(ours, method="inclusive")
        p.say("ours", n=len(ours), median=middle, low=low, high=high)


def show_curve(p: Part, writing: Writing) -> None:
    """Draw the pseudo-perplexity by number of steps, and that of another order."""
    p.button("compare", p.state.update, {"write_compared": True}, icon="show_chart")
    if not p.state.get("write_compared"):
        return
    n = len(writing.blanks)
    counts = sorted({n, *(2**k for k in range(n.bit_length()))})
    other = "most_certain_first" if writing.order == "left_to_right" else "left_to_right"
    jobs = [(order, n_steps) for order in (writing.order, other) for n_steps in counts]
    found = {
        (order, n_steps): _by_seed(writing, n_steps, order)
        for order, n_steps in p.progress("comparing", jobs, patience=PATIENCE_SECONDS)
    }
    curves = []
    for pen, order in enumerate((writing.order, other)):
        of_order = {n_steps: found[order, n_steps] for n_steps in counts}
        name = p.plain(f"way_{order}")
        points = [(n_steps, median(values)) for n_steps, values in of_order.items()]
        curves.append(Curve(name=name, points=points, pen=pen, dots=True))
        if len(of_order[n]) > 1:
            for side in (min, max):
                points = [(n_steps, side(values)) for n_steps, values in of_order.items()]
                name = p.plain(f"by_steps_{side.__name__}", n=N_SEEDS)
                curves.append(Curve(name=name, points=points, pen=pen, faint=True))
    rows = [
        {
            "order": p.plain(f"way_{order}"),
            "steps": n_steps,
            "seed": writing.seed + i,
            "pseudo-perplexity": perplexity,
        }
        for (order, n_steps), values in found.items()
        for i, perplexity in enumerate(values)
    ]
    drawn = lines_chart(
        curves,
        x_title=p.plain("by_steps_x"),
        y_title=p.plain("by_steps_y"),
        x_axis=log_axis(counts),
        y_axis=log_axis([10**k for k in range(7)]),
    )
    best, worst = min(found[writing.order, n]), max(found[writing.order, 1])
    p.figure(
        "by_steps", drawn, rows, n=n, lowest=best, highest=worst, temperature=writing.temperature
    )
    p.say("curve")


def _by_seed(writing: Writing, n_steps: int, order: KeepOrder) -> list[float]:
    """Return the pseudo-perplexity by seed; a single one where nothing is drawn at random."""
    is_drawn = writing.temperature > 0 or order == "random"
    all_seeds = range(writing.seed, writing.seed + (N_SEEDS if is_drawn else 1))
    return [writing.written(n_steps, order=order, seed=seed)[1] for seed in all_seeds]
