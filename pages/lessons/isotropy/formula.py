"""Eq 11.8 to 11.10 with the numbers of one dimension of one word."""

from typing import Any

from mlm_core.figures.charts import histogram_chart, marked
from mlm_core.number_format import in_formula
from mlm_core.shapes import Float, Tensor
from pages.kit.part import Part, part
from pages.lessons.isotropy import computed, setting


@part(code=("embeddings.postprocessing:learn_from_corpus", "embeddings.postprocessing:standardize"))
def show(p: Part) -> None:
    """Take a word and a dimension; write the three equations out, and draw x and z."""
    p.say("lead")
    left, right = p.columns(gap="small")
    with left:
        word = setting.own_word(p, "formula")
    view = setting.choose(p, with_dropped=False)
    setting.read_corpus(p, view.corpus)
    ranked = computed.learned(view.corpus, view.layer).proportions.ranked
    with right:
        highest = p.model.hidden_size - 1
        dimension = p.slider("formula_dimension", highest=highest, start=ranked[0])
        p.caption("largest", ranked=", ".join(map(str, ranked[:5])))
    if word is None:
        return
    uses = setting.vectors_of(p, (word,))
    if uses is None:
        return
    vectors = uses.at(view.layer)
    _write_out(p, view, dimension, vectors[0, dimension].item())
    _draw(p, view, dimension, vectors)
    _say_dimension(p, view, dimension)


def _say_dimension(p: Part, view: setting.View, dimension: int) -> None:
    """Say a dimension's share, mean and deviation, and compare them with the others'."""
    corpus = computed.learned(view.corpus, view.layer)
    deviation, typical = corpus.deviation[dimension].item(), corpus.deviation.median().item()
    p.say(
        "one",
        dimension=dimension,
        layer=view.layer,
        mean=corpus.mean[dimension].item(),
        deviation=deviation,
        typical=corpus.mean.abs().median().item(),
        typical_deviation=typical,
        share=corpus.proportions.proportions[dimension].item(),
        side=p.plain("above" if deviation >= typical else "below"),
    )


def _write_out(p: Part, view: setting.View, dimension: int, x: float) -> None:
    """Write the three equations with the numbers of one dimension and one word's value `x`."""
    corpus = computed.learned(view.corpus, view.layer)
    values = computed.corpus_states(view.corpus, view.layer)[:, dimension].tolist()
    mean, deviation = corpus.mean[dimension].item(), corpus.deviation[dimension].item()
    n, d = len(values), f"_{{{dimension}}}"
    first, second = (_number(value) for value in values[:2])
    m, s = _number(mean), _number(deviation)
    over_all = r"\frac{1}{|C|} \sum_{x \in C}"
    _equation(
        p,
        rf"\mu{d}",
        rf"{over_all} x{d} \quad (11.8)",
        rf"\frac{{{_bracket(first)} + {_bracket(second)} + \dots}}{{{n}}} = {m}",
    )
    _equation(
        p,
        rf"\sigma{d}",
        rf"\sqrt{{{over_all} (x{d} - \mu{d})^2}} \quad (11.9)",
        rf"\sqrt{{\frac{{({first} - {_bracket(m)})^2 + \dots}}{{{n}}}}} = {s}",
    )
    # Where nothing varies there is nothing to divide by.
    z = (x - mean) / deviation if deviation > 0 else x - mean
    _equation(
        p,
        rf"z{d}",
        rf"\frac{{x{d} - \mu{d}}}{{\sigma{d}}} \quad (11.10)",
        rf"\frac{{{_number(x)} - {_bracket(m)}}}{{{s}}} = {_number(z)}",
    )
    side = p.plain("above" if z >= 0 else "below")
    p.say("said" if deviation > 0 else "still", n=n, dimension=dimension, z=abs(z), side=side)


def _equation(p: Part, symbol: str, formula: str, numbers: str) -> None:
    """Write the formula and, on a second line for narrow screens, its numbers."""
    p.formula(rf"\small \begin{{aligned}} {symbol} &= {formula} \\ &= {numbers} \end{{aligned}}")


def _number(value: float) -> str:
    return in_formula(value, ".4g")


def _bracket(shown: str) -> str:
    return f"({shown})" if shown.startswith("-") else shown


def _draw(
    p: Part, view: setting.View, dimension: int, vectors: Float[Tensor, "word hidden"]
) -> None:
    """Draw the dimension's values over the corpus, raw and z-scored, with the word in them."""
    corpus = computed.learned(view.corpus, view.layer)
    states = computed.corpus_states(view.corpus, view.layer)
    names = setting.treatment_names(p, view.n_dropped)
    for postprocessing, column in zip(("raw", "z-scored"), p.columns(gap="small"), strict=True):
        values = corpus.postprocess(states, postprocessing)[:, dimension].tolist()
        value = corpus.postprocess(vectors, postprocessing)[0, dimension].item()
        reach = max(map(abs, [*values, value])) or 1.0
        name = f"formula_{postprocessing}"
        chart = histogram_chart(
            {names[postprocessing]: values},
            low=-reach,
            high=reach * (1 + 1e-6),
            x_title=p.plain(f"axis_{name}", dimension=dimension),
            y_title=p.plain("axis_words"),
            marks=(marked(p.plain("mark_word"), value),),
        )
        told: dict[str, Any] = {"treatment": names[postprocessing], "value": value}
        with column:
            p.figure(
                name,
                chart,
                lambda values=values: {"value": values},
                alt="alt",
                source="source",
                **setting.source_of(p, view) | told,
            )
