"""One static vector for the word against a cloud of contextual ones."""

from typing import Any

import torch

from mlm_core.embeddings.contextual import WordVectors
from mlm_core.embeddings.maps import pca_layout
from mlm_core.embeddings.word_senses import cosines
from mlm_core.figures.embeddings.sense_map import (
    Frame,
    MapPoint,
    MapSign,
    sense_groups,
    sense_map_chart,
)
from mlm_core.figures.theme import printable
from mlm_core.number_format import formatted
from pages.kit.part import Part, as_text, part
from pages.lessons.word_senses.board import LISTED
from pages.lessons.word_senses.lesson import use_of_another_sense
from pages.lessons.word_senses.own_use import OwnUse, use_of_opening
from pages.lessons.word_senses.setting import Setting, layer_name, with_layer
from pages.lessons.word_senses.uses import gather


@part(code=("embeddings.contextual:all_layers_word_vectors",))
def show(p: Part) -> None:
    """Compare two uses by their static and by their contextual vectors, then draw the cloud."""
    p.say("lead")
    now = with_layer(p)
    uses = gather(p, now.word.sentences, now.pooling)
    own = use_of_opening(p, now)
    _two_uses(p, now, uses, own)
    _cloud(p, now, uses, own)
    p.say("notice")


def _two_uses(p: Part, now: Setting, uses: WordVectors, own: OwnUse | None) -> None:
    """Let the learner choose two uses; show the cosine of their vectors, static and contextual."""
    sentences, vectors, inputs = list(uses.sentences), uses.at(now.layer), uses.static
    titles = [printable(sentence.text, LISTED) for sentence in sentences]
    if own is not None:
        sentences.append(own.sentence)
        titles.append(f"{p.plain('star')}: {printable(own.sentence.text, LISTED)}")
        vectors = torch.cat([vectors, own.vectors.at(now.layer)])
        inputs = torch.cat([inputs, own.vectors.static])
    starts = {"a": 0 if own is None else len(titles) - 1, "b": use_of_another_sense(now.name)}
    chosen = []
    for (name, start), column in zip(starts.items(), p.columns(gap="small"), strict=True):
        with column:
            chosen.append(p.position(f"{now.name}_{name}", titles, default=start))
            p.write_small(as_text(sentences[chosen[-1]].text))
    static, contextual = (
        cosines(pair, pair)[0, 1].item() for pair in (inputs[chosen], vectors[chosen])
    )
    p.metrics(
        {
            p.label("cosine_static"): formatted(static, ".3f"),
            p.label("cosine_context", layer=layer_name(p, now.layer)): formatted(contextual, ".3f"),
        }
    )
    if static < 0.9995:
        first, second = (sentences[i].target for i in chosen)
        p.caption("forms", first=first, second=second)


def _cloud(p: Part, now: Setting, uses: WordVectors, own: OwnUse | None) -> None:
    """Draw the contextual vectors as points and the static one of each form as a cross."""
    vectors, sentences = uses.at(now.layer), uses.sentences
    forms = [sentence.target for sentence in sentences]
    crosses = {form: forms.index(form) for form in forms}
    static = uses.static[list(crosses.values())]
    if static.shape[1] != vectors.shape[1]:
        p.note("widths", static=static.shape[1], hidden=vectors.shape[1])
        return
    stars = vectors[:0] if own is None else own.vectors.at(now.layer)
    places = pca_layout(torch.cat([vectors, static, stars])).tolist()
    points = [
        MapPoint(x=x, y=y, group=sense, sentence=sentence)
        for (x, y), sense, sentence in zip(places, now.word.sense_numbers, sentences, strict=False)
    ]
    signs = [
        MapSign(
            x=x,
            y=y,
            shape="plus",
            title=p.plain("static_cross", form=form),
            legend=p.plain("static_vectors_name"),
        )
        for (x, y), form in zip(places[len(points) :], crosses, strict=False)
    ]
    if own is not None:
        x, y = places[-1]
        star = p.plain("star")
        signs.append(MapSign(x=x, y=y, shape="star", title=star, legend=star))
    groups = sense_groups([sense.name for sense in now.word.senses])
    about: dict[str, Any] = {"layer": layer_name(p, now.layer)}
    texts = [sentence.text for sentence in sentences] + [f"static: {form}" for form in crosses]
    left, right = p.columns(3, 2)
    with left:
        p.figure(
            "cloud",
            sense_map_chart(
                points, groups, Frame.around([(x, y) for x, y in places]), lies="", signs=signs
            ),
            lambda: {
                "x": [x for x, _ in places],
                "y": [y for _, y in places],
                "what": texts + ([] if own is None else [own.sentence.text]),
            },
            n=len(points),
            forms=len(crosses),
            **about,
        )
    pairs, senses = cosines(vectors, vectors), torch.tensor(now.word.sense_numbers)
    same = senses[:, None] == senses[None, :]
    others = ~torch.eye(len(senses), dtype=torch.bool)
    with right:
        p.say(
            "said",
            same=pairs[same & others].mean().item(),
            other=pairs[~same].mean().item(),
            static=cosines(uses.static, uses.static)[others].mean().item(),
            **about,
        )
