"""Does the model need its largest dimension? Held at its mean or at 0, layer by layer."""

from mlm_core.encoder.model_list import READERS
from mlm_core.evaluation.seeds import Z_95
from mlm_core.figures.charts import by_layer_axis, lines_chart
from mlm_core.figures.curves import Curve
from mlm_core.stored.held_dimensions import HeldDimensions, read_held
from pages.kit.part import Part
from pages.lessons.isotropy import setting

GUESSES = ("both", "mean", "zero", "neither")
RISE = 0.1  # nats: what counts as a rise
HEIGHT = 270  # pixels


def show_needed(p: Part) -> None:
    """Take a guess, then draw the loss with each layer's largest dimension held at a value."""
    p.line()
    p.say("needed")
    guess = p.guess("needed", GUESSES, rows=4)
    if guess is None:
        return
    name = READERS[p.language]
    held = read_held(name)
    zero = max(held.layers, key=lambda one: one.loss_at_zero)
    mean = max(held.layers, key=lambda one: one.loss_at_mean)
    rises = {"zero": zero.loss_at_zero - held.loss, "mean": mean.loss_at_mean - held.loss}
    above = [way for way, rise in rises.items() if rise > RISE]
    truth = above[0] if len(above) == 1 else "both" if above else "neither"
    setting.say_guess(p, "needed", guess, truth)
    left, right = p.columns(3, 2)
    with left:
        _draw(p, name, held)
    with right:
        margin = Z_95 * mean.rise_error
        p.say(
            "needed_said",
            model=name,
            dimension=zero.dimension,
            layer=zero.layer,
            whole=held.loss,
            zero=zero.loss_at_zero,
            rise=rises["mean"],
            low=rises["mean"] - margin,
            high=rises["mean"] + margin,
            mean_layer=mean.layer,
        )


def _draw(p: Part, name: str, held: HeldDimensions) -> None:
    """Draw the losses over the layers, next to that of the model as it is."""
    columns = {
        "zero": [one.loss_at_zero for one in held.layers],
        "mean": [one.loss_at_mean for one in held.layers],
        "second": [one.second_at_zero for one in held.layers],
        "whole": [held.loss for _ in held.layers],
    }
    layers = [one.layer for one in held.layers]
    chart = lines_chart(
        [
            Curve(
                name=p.plain(f"held_{way}"),
                points=list(zip(layers, losses, strict=True)),
                pen=pen,
                dots=way != "whole",
            )
            for pen, (way, losses) in enumerate(columns.items())
        ],
        x_title=p.plain("axis_layer"),
        y_title=p.plain("axis_held"),
        x_axis=by_layer_axis(len(layers) + 1),
        height=HEIGHT,
    )
    p.figure(
        "held",
        chart,
        [one._asdict() for one in held.layers],
        model=name,
        n=held.n_masked,
        n_sentences=held.n_sentences,
        whole=held.loss,
        top=max(columns["zero"]),
    )
