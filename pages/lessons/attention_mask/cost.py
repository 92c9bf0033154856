"""What attention costs: N x N scores, counted for texts of any length."""

from mlm_core.encoder.bert import BertConfig
from mlm_core.encoder.cost import attention_cost, crossing
from mlm_core.figures.encoder.cost import growth_chart
from pages.kit.part import Part, part

FEWEST, AT_LEAST = 16, 1024  # tokens at the ends of the axis
# What is counted, and the fields and properties of AttentionCost that are drawn for it.
COUNTS = {
    "scores": {"head": "scores_per_head", "layer": "scores_per_layer", "model": "scores_per_model"},
    "products": {"quadratic": "quadratic_products", "linear": "linear_products"},
    "bytes": {"weights_bytes": "weights_bytes", "parameter_bytes": "parameter_bytes"},
}


@part(code=("encoder.cost:attention_cost",))
def show(p: Part) -> None:
    """Count and draw what a longer text costs."""
    model = p.model
    p.say("lead")
    if model.bert is None:
        p.note("other_model", model=p.model_name)
        return
    text = p.encoding(p.text("text"))[0]
    p.say_what_was_left_out(text)
    _show_growth(p, len(text.tokens), model.bert.config)
    p.say("cache")


def _show_growth(p: Part, own: int, config: BertConfig) -> None:
    """Draw what a text costs by its length, past the point where the lines cross."""
    count = p.choice("count")
    cross = crossing(config)
    sizes = _sizes_up_to(max(AT_LEAST, config.n_positions, cross, own))
    costs = [attention_cost(n_tokens, config) for n_tokens in sizes]
    lines = {
        p.label(name): [getattr(cost, field) for cost in costs]
        for name, field in COUNTS[count].items()
    }
    marks = {p.label("own", n=own): own}
    if config.n_positions != own:
        marks[p.label("window", n=config.n_positions)] = config.n_positions
    if count == "products":
        marks[p.label("crossing", n=cross)] = cross
    titles = {"x_title": p.label("x"), "y_title": p.label(f"y_{count}")}
    chart = growth_chart(sizes, lines, marks=marks, **titles)
    p.figure("growth", chart, {"n_tokens": sizes} | lines, most=sizes[-1], **vars(config))
    p.say(f"notice_{count}", crossing=cross)


def _sizes_up_to(most: int) -> list[int]:
    """Return doubled text lengths, until one is `most` tokens or more."""
    sizes = [FEWEST]
    while sizes[-1] < most:
        sizes.append(2 * sizes[-1])
    return sizes
