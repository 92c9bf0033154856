"""How many numbers are learnt: term by term, for own sizes and for published models."""

from dataclasses import replace
from functools import partial

from mlm_core.encoder.bert import BertConfig
from mlm_core.encoder.cost import count_parameters, published_models
from mlm_core.figures.encoder.parameter_count import parameter_terms_html
from pages.kit.part import Part, part

PUBLISHED = {"bert": 0, "xlmr_base": 1, "xlmr_large": 2}  # as published_models() lists them


@part(code=("encoder.cost:count_parameters",))
def show(p: Part) -> None:
    """Show a model's sizes, every term of its parameters, and what was published."""
    p.say("lead")
    chosen = p.choice("count")
    published = published_models()[PUBLISHED[chosen]] if chosen in PUBLISHED else None
    config = _own_sizes(p) if published is None else published.config
    terms = count_parameters(config, tied=p.toggle("tied"))
    total = sum(term.count for term in terms)
    largest = max(terms, key=lambda term: term.count)
    doubled = replace(
        config, hidden_size=2 * config.hidden_size, intermediate_size=2 * config.intermediate_size
    )
    p.say(
        "sum",
        n=total,
        megabytes=4 * total / 1e6,
        largest=p.plain(f"term_{largest.name}"),
        share=largest.count / total,
        factor=sum(term.count for term in count_parameters(doubled)) / total,
    )
    p.figure(
        "parameters",
        partial(parameter_terms_html, terms, name_of=lambda name: p.plain(f"term_{name}")),
        {
            "group": [term.group for term in terms],
            "term": [term.name for term in terms],
            "formula": [term.formula for term in terms],
            "parameters": [term.count for term in terms],
        },
        total=total,
        **vars(config),
    )
    if published is not None:
        p.say(chosen, n=total, published=published.published)
    p.say("notice")


def _own_sizes(p: Part) -> BertConfig:
    """Show a slider for each size. It starts at this lesson's own encoder."""
    sizes = {}
    names = ("vocabulary", "hidden", "layers", "window")
    for column, name in zip(p.columns(*[1] * len(names), gap="small"), names, strict=True):
        with column:
            sizes[name] = p.slider(f"count_{name}")
    return BertConfig(
        vocabulary_size=sizes["vocabulary"],
        hidden_size=sizes["hidden"],
        n_layers=sizes["layers"],
        n_heads=1,  # their number changes no count
        intermediate_size=4 * sizes["hidden"],
        n_positions=sizes["window"],
    )
