"""The sense of a word in the learner's own sentence, cosine by cosine."""

from functools import partial

from mlm_core.embeddings.sense_inventory import (
    REFUSED,
    UNDECIDED,
    refusal_threshold,
    refused_if_unlisted,
)
from mlm_core.embeddings.word_senses import cosines, sense_centroids
from mlm_core.figures.bars import bars_svg
from mlm_core.figures.embeddings.sense_map import sense_groups
from mlm_core.figures.embeddings.sense_map_uses import ListedUse, use_html, uses_html
from mlm_core.number_format import formatted, in_formula
from mlm_core.shapes import Float, Tensor
from pages.kit.part import Part, part
from pages.lessons.word_senses.inventory import show_inventory
from pages.lessons.word_senses.own_use import Judged, OwnUse, find_use, judge
from pages.lessons.word_senses.setting import Setting, layer_name, with_layer

N_LISTED = 5
N_TERMS = 2  # products that are written out


@part(
    code=(
        "embeddings.word_senses:choose_senses",
        "embeddings.word_senses:sense_centroids",
        "embeddings.sense_inventory:refusal_threshold",
    )
)
def show(p: Part) -> None:
    """Compare the word's vector with each sense's, and with each single example's."""
    p.say("lead")
    now = with_layer(p)
    text = p.text(f"try_{now.name}")
    if not text.strip():
        p.note("no_sentence", icon="edit")
    elif (own := find_use(p, now, text, "try")) is not None:
        _compare(p, now, own)
    with p.fold("inventory", "format_list_bulleted"):
        show_inventory(p, now)


def _compare(p: Part, now: Setting, own: OwnUse) -> None:
    """Compare by centroids and by single examples; fold away the computation."""
    by_means, by_examples = (judge(p, now, own, name) for name in ("centroids", "examples"))
    is_decided = _centroids(p, now, own, by_means)
    _examples(p, now, own, by_means, by_examples, is_decided)
    with p.fold("arithmetic", "calculate"):
        _arithmetic(p, now, own, by_means)


def _centroids(p: Part, now: Setting, own: OwnUse, judged: Judged) -> bool:
    """Show the cosine with each sense's centroid; say which is the largest, and if it is enough.

    Returns whether the largest differs enough from the next one to decide.
    """
    senses, near = now.word.senses, judged.choice.cosines[0].tolist()
    names = [sense.name for sense in senses]
    first, second = sorted(range(len(senses)), key=lambda i: -near[i])[:2]
    examples = judged.vectors, judged.senses, len(senses), judged.groups
    threshold = refusal_threshold(*examples)
    fits, is_decided = near[first] >= threshold, near[first] - near[second] >= UNDECIDED
    note = f"({senses[first].gloss})"
    if fits and is_decided:
        p.drawing("try_use", use_html(own.sentence, sense_groups(names)[first], note))
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
    told = {
        "first": names[first],
        "second": names[second],
        "near": near[first],
        "next": near[second],
        "gap": near[first] - near[second],
        "threshold": threshold,
        "margin": UNDECIDED,
    }
    if not fits:
        p.warn("none_fits", icon="help", **told)
    elif not is_decided:
        p.warn("undecided", icon="balance", **told)
    else:
        p.say("winner", **told)
    with p.fold("threshold", "straighten"):
        p.say(
            "threshold",
            word=now.word.word,
            kept=1 - REFUSED,
            threshold=threshold,
            unlisted=refused_if_unlisted(*examples),
            margin=UNDECIDED,
        )
    return is_decided


def _examples(
    p: Part, now: Setting, own: OwnUse, by_means: Judged, by_examples: Judged, is_decided: bool
) -> None:
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
    p.drawing("try_nearest", uses_html([(p.plain("nearest_examples"), listed)]))
    means, examples = (senses[int(one.choice.senses[0])].name for one in (by_means, by_examples))
    if is_decided:
        p.say("agree" if examples == means else "differ", examples=examples, means=means)


def _arithmetic(p: Part, now: Setting, own: OwnUse, judged: Judged) -> None:
    """Write out a cosine: the first products of the sum, the lengths, the division."""
    names = [sense.name for sense in now.word.senses]
    winner = names[int(judged.choice.senses[0])]
    for number in ("11.6", "11.7"):
        p.equation(number)
    sense = p.choice("arithmetic", names, start=winner)
    centroids = sense_centroids(judged.vectors, judged.senses, len(names))
    use: Float[Tensor, " hidden"] = own.vectors.at(now.layer)[0]
    centroid = centroids[names.index(sense)]
    products = (use * centroid).tolist()
    dot, first, second = sum(products), use.norm().item(), centroid.norm().item()
    terms = " + ".join(
        rf"({in_formula(use[i].item(), '.3f')} \cdot {in_formula(centroid[i].item(), '.3f')})"
        for i in range(N_TERMS)
    )
    p.formula(rf"t \cdot v_s = {terms} + \dots = {in_formula(dot, '.3f')}")
    lengths = rf"{in_formula(first, '.3f')} \cdot {in_formula(second, '.3f')}"
    p.formula(
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
