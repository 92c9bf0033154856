"""The sense of a word in the learner's own sentence, cosine by cosine."""

from functools import partial

import streamlit as st

from mlm_core.embeddings.word_senses import cosines, sense_centroids
from mlm_core.figures.bars import bars_svg
from mlm_core.figures.embeddings.sense_map import sense_groups
from mlm_core.figures.embeddings.sense_map_uses import ListedUse, use_html, uses_html
from mlm_core.number_format import formatted, in_formula
from mlm_core.shapes import Float, Tensor
from pages.parts.word_senses.own_use import Judged, OwnUse, find_use, judge
from pages.parts.word_senses.setting import Setting, current, layer_name
from pages.shared.figures.clickable import drawing
from pages.shared.kit.part import Part, part

N_LISTED = 5
N_TERMS = 2  # products that are written out


@part(code=("embeddings.word_senses:choose_senses", "embeddings.word_senses:sense_centroids"))
def show(p: Part) -> None:
    """Compare the word's vector with each sense's, and with each single example's."""
    now = current(p)
    p.say("lead", word=now.word.word)
    st.latex(
        r"v_s = \frac{1}{n}\sum_{i=1}^{n} v_i \qquad"
        r" \mathrm{sense}(t) = \mathop{\mathrm{argmax}}_{s}\; \cos(t, v_s)"
    )
    text = p.text(f"try_{now.name}")
    if not text.strip():
        p.note("no_sentence", icon="edit")
        return
    own = find_use(p, now, text, "try")
    if own is None:
        return
    by_means, by_examples = (judge(p, now, own, name) for name in ("centroids", "examples"))
    _centroids(p, now, own, by_means)
    st.divider()
    _examples(p, now, own, by_means, by_examples)
    with st.expander(p.label("no_examples"), icon=":material/help:"):
        n = [len(sense.sentences) for sense in now.word.senses]
        most = max(n)
        p.say("no_examples", first=now.word.senses[n.index(most)].name, n=most, share=most / sum(n))


def _centroids(p: Part, now: Setting, own: OwnUse, judged: Judged) -> None:
    """Show the cosine with each sense's centroid, and the computation of one."""
    senses, near = now.word.senses, judged.choice.cosines[0].tolist()
    names = [sense.name for sense in senses]
    ranked = sorted(range(len(senses)), key=lambda i: -near[i])
    first, second = ranked[:2]
    note = f"({senses[first].gloss})"
    drawing(use_html(own.sentence, sense_groups(names)[first], note), key=p.key("try_use"))
    p.figure(
        "try_bars",
        partial(bars_svg, names, [max(0.0, cosine) for cosine in near], longest=1.0),
        {
            "sense": names,
            "meaning": [sense.gloss for sense in senses],
            "cosine": near,
            "examples": [int((judged.senses == i).sum()) for i in range(len(senses))],
        },
        source="source",
        layer=layer_name(p, now.layer),
        n=len(judged.vectors),
        winner=names[first],
        cosine=near[first],
    )
    p.say(
        "winner",
        first=names[first],
        second=names[second],
        near=near[first],
        next=near[second],
        gap=near[first] - near[second],
    )
    sense = p.choice("arithmetic", names, start=names[first])
    centroids = sense_centroids(judged.vectors, judged.senses, len(senses))
    _arithmetic(p, own.vectors.at(now.layer)[0], centroids[names.index(sense)], sense)


def _arithmetic(
    p: Part, use: Float[Tensor, " hidden"], centroid: Float[Tensor, " hidden"], sense: str
) -> None:
    """Write out a cosine: the first products of the sum, the lengths, the division."""
    products = (use * centroid).tolist()
    dot, first, second = sum(products), use.norm().item(), centroid.norm().item()
    terms = " + ".join(
        rf"({in_formula(use[i].item(), '.3f')} \cdot {in_formula(centroid[i].item(), '.3f')})"
        for i in range(N_TERMS)
    )
    st.latex(rf"t \cdot v_s = {terms} + \dots = {in_formula(dot, '.3f')}")
    lengths = rf"{in_formula(first, '.3f')} \cdot {in_formula(second, '.3f')}"
    st.latex(
        rf"\cos(t, v_s) = \frac{{t \cdot v_s}}{{|t|\,|v_s|}} ="
        rf" \frac{{{in_formula(dot, '.3f')}}}{{{lengths}}}"
        rf" = {in_formula(dot / (first * second), '.4f')}"
    )
    largest = max(range(len(products)), key=lambda i: abs(products[i]))
    share = 100 * products[largest] / dot
    p.say("arithmetic", n=len(products), sense=sense, largest=largest, share=share)
    p.numbers(
        "arithmetic",
        lambda: {
            "dimension": list(range(len(products))),
            "t": use.tolist(),
            "v_s": centroid.tolist(),
            "product": products,
        },
        sense=sense,
    )


def _examples(p: Part, now: Setting, own: OwnUse, by_means: Judged, by_examples: Judged) -> None:
    """List the nearest single examples; say whether they give the sense that the means give."""
    senses = now.word.senses
    groups = sense_groups([sense.name for sense in senses])
    near = cosines(own.vectors.at(now.layer), by_examples.vectors)[0]
    nearest, order = near.topk(min(N_LISTED, len(near)))
    listed = [
        ListedUse(
            sentence=by_examples.sentences[i],
            group=groups[int(by_examples.senses[i])],
            number=formatted(cosine, ".3f"),
            is_named=True,
        )
        for i, cosine in zip(order.tolist(), nearest.tolist(), strict=True)
    ]
    drawing(uses_html([(p.plain("nearest_examples"), listed)]), key=p.key("try_nearest"))
    means, examples = (senses[int(one.choice.senses[0])].name for one in (by_means, by_examples))
    p.say("agree" if examples == means else "differ", examples=examples, means=means)
