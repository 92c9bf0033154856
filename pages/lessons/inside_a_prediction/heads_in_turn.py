"""The heads switched off one after another, as a film with the loss as a curve."""

from functools import partial

from mlm_core.figures.inside.heads_in_turn import Gone, heads_in_turn_html
from pages.kit.part import Part
from pages.lessons.inside_a_prediction.broken import (
    PATIENCE_SECONDS,
    Broken,
    board_names,
    rise_without_each_head,
)

ASKED = "heads_in_turn"  # state: the model whose heads are switched off


def show_heads_in_turn(p: Part, broken: Broken) -> None:
    """Switch the heads off, the least important one first, as a film with the loss as a curve."""
    p.button("in_turn", p.state.update, {ASKED: p.model_name}, icon="trending_up")
    if p.state.get(ASKED) != p.model_name:
        return
    changes = rise_without_each_head(p, broken, "loss")
    order = sorted(changes, key=changes.__getitem__)
    gone, gone_heads = [], ()
    for n, head in enumerate(p.progress("switching", order, patience=PATIENCE_SECONDS), 1):
        gone_heads += (head,)
        loss = broken.loss(tuple(sorted(gone_heads)))
        said = p.plain("said", n=n, layer=head.layer, head=head.head, loss=loss)
        gone.append(Gone(layer=head.layer - 1, head=head.head - 1, loss=loss, said=said))
    all_on = broken.loss()
    rows = [
        {"heads off": n, "layer": one.layer + 1, "head": one.head + 1, "loss": one.loss}
        for n, one in enumerate(gone, 1)
    ]
    free = max((n for n, one in enumerate(gone, 1) if one.loss <= all_on + 0.1), default=0)
    p.figure(
        "film",
        partial(
            heads_in_turn_html,
            gone,
            broken.n_layers,
            broken.n_heads,
            all_on,
            p.film_names,
            said=p.plain("said_start", loss=all_on),
            board=board_names(p),
            x_title=p.plain("film_x"),
            y_title=p.plain("film_y"),
        ),
        rows,
        n=len(gone),
        first=all_on,
        last=gone[-1].loss,
    )
    p.say("in_turn", n=free, of=len(gone), loss=all_on)
