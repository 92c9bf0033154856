"""One static vector for the word against a cloud of contextual ones."""

from typing import Any

import streamlit as st

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
from pages.parts.word_senses.board import LISTED
from pages.parts.word_senses.controls import use_of_another_sense
from pages.parts.word_senses.setting import Setting, current, layer_name
from pages.parts.word_senses.uses import gather
from pages.shared.kit.part import Part, part


@part(code=("embeddings.contextual:all_layers_word_vectors",))
def show(p: Part) -> None:
    """Compare two uses by their static and by their contextual vectors, then draw the cloud."""
    now = current(p)
    p.say("lead", word=now.word.word)
    uses = gather(p, now.word.sentences, now.pooling)
    _two_uses(p, now, uses)
    _cloud(p, now, uses)
    p.say("notice")


def _two_uses(p: Part, now: Setting, uses: WordVectors) -> None:
    """Let the learner choose two uses; show the cosine of their vectors, static and contextual."""
    titles = [printable(sentence.text, LISTED) for sentence in uses.sentences]
    starts = {"a": 0, "b": use_of_another_sense(now.word)}
    chosen = []
    for (name, start), column in zip(starts.items(), st.columns(2), strict=True):
        with column:
            chosen.append(p.position(f"{now.name}_{name}", titles, default=start))
    vectors, inputs = uses.at(now.layer)[chosen], uses.static[chosen]
    static, contextual = (cosines(pair, pair)[0, 1].item() for pair in (inputs, vectors))
    with st.container(horizontal=True, gap="medium"):
        st.metric(p.label("cosine_static"), formatted(static, ".3f"), width="content")
        label = p.label("cosine_context", layer=layer_name(p, now.layer))
        st.metric(label, formatted(contextual, ".3f"), width="content")
    if static < 0.9995:
        first, second = (uses.sentences[i].target for i in chosen)
        p.caption("forms", first=first, second=second)


def _cloud(p: Part, now: Setting, uses: WordVectors) -> None:
    """Draw the contextual vectors as points and the static one of each form as a cross."""
    import torch

    vectors, sentences = uses.at(now.layer), uses.sentences
    forms = [sentence.target for sentence in sentences]
    crosses = {form: forms.index(form) for form in forms}
    static = uses.static[list(crosses.values())]
    if static.shape[1] != vectors.shape[1]:
        p.note("widths", static=static.shape[1], hidden=vectors.shape[1])
        return
    places = pca_layout(torch.cat([vectors, static])).tolist()
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
            legend=p.plain("static_legend"),
        )
        for (x, y), form in zip(places[len(points) :], crosses, strict=True)
    ]
    groups = sense_groups([sense.name for sense in now.word.senses])
    frame = Frame.around([(x, y) for x, y in places])
    about: dict[str, Any] = {"layer": layer_name(p, now.layer)}
    p.figure(
        "cloud",
        sense_map_chart(points, groups, frame, lies="", signs=signs),
        lambda: {
            "x": [x for x, _ in places],
            "y": [y for _, y in places],
            "what": [s.text for s in sentences] + [f"static: {form}" for form in crosses],
        },
        n=len(points),
        forms=len(crosses),
        **about,
    )
    pairs, senses = cosines(vectors, vectors), torch.tensor(now.word.sense_numbers)
    same = senses[:, None] == senses[None, :]
    others = ~torch.eye(len(senses), dtype=torch.bool)
    p.say(
        "said",
        same=pairs[same & others].mean().item(),
        other=pairs[~same].mean().item(),
        static=cosines(vectors, static).mean().item(),
        **about,
    )
