"""One static vector for the word against a cloud of contextual ones."""

import streamlit as st

from mlm_core.figures.embeddings.sense_map import (
    Frame,
    MapPoint,
    MapSign,
    sense_groups,
    sense_map_chart,
)
from mlm_core.figures.theme import printable
from mlm_core.number_format import formatted
from pages.parts.word_senses import setting
from pages.parts.word_senses.board import LISTED
from pages.parts.word_senses.setting import Setting
from pages.parts.word_senses.uses import gather
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs


@part
def show(page: Page) -> None:
    """Compare two uses by their static and by their contextual vectors, then draw the cloud."""
    words, now = page.words, setting.current(page)
    st.markdown(words.section("static.lead", word=now.word.word))
    uses = gather(page, now.word.sentences, now.pooling)
    _two_uses(page, now, uses)
    _cloud(page, now, uses)
    st.markdown(words.section("static.notice"))
    from mlm_core.embeddings.contextual import all_layers_word_vectors

    show_source(all_layers_word_vectors, key="word_senses_static_code")


def _two_uses(page: Page, now: Setting, uses) -> None:
    from mlm_core.embeddings.word_senses import cosines

    words = page.words
    titles = [printable(sentence.text, LISTED) for sentence in uses.sentences]
    # From the start: the first use of two senses, in the same form if there is one.
    form = uses.sentences[0].target
    other = next(
        (
            i
            for i, number in enumerate(now.word.sense_numbers)
            if number and uses.sentences[i].target == form
        ),
        len(titles) - 1,
    )
    columns = st.columns(2)
    chosen = []
    for name, default, column in zip(("a", "b"), (0, other), columns, strict=True):
        with column:
            key = f"word_senses_{now.name}_{name}"
            chosen.append(
                inputs.position(words.label(f"use_{name}"), titles, key=key, default=default)
            )
    vectors = uses.at(now.layer)[chosen]
    static = cosines(uses.static[chosen], uses.static[chosen])[0, 1].item()
    contextual = cosines(vectors, vectors)[0, 1].item()
    forms = [uses.sentences[i].target for i in chosen]
    with st.container(horizontal=True, gap="medium"):
        st.metric(words.label("cosine_static"), formatted(static, ".3f"), width="content")
        layer = setting.layer_name(page, now.layer)
        st.metric(
            words.label("cosine_context", layer=layer),
            formatted(contextual, ".3f"),
            width="content",
        )
    if static < 0.9995:
        st.caption(words.section("static.forms", first=forms[0], second=forms[1]))


def _cloud(page: Page, now: Setting, uses) -> None:
    import torch

    from mlm_core.embeddings.maps import pca_layout
    from mlm_core.embeddings.word_senses import cosines

    words, vectors = page.words, uses.at(now.layer)
    forms = list(dict.fromkeys(sentence.target for sentence in uses.sentences))
    first_of = [[s.target for s in uses.sentences].index(form) for form in forms]
    static = uses.static[first_of]
    if static.shape[1] != vectors.shape[1]:
        st.info(
            words.section("static.widths", static=static.shape[1], hidden=vectors.shape[1]),
            icon=":material/info:",
        )
        return
    places = pca_layout(torch.cat([vectors, static])).tolist()
    numbers = now.word.sense_numbers
    points = [
        MapPoint(x=x, y=y, group=number, sentence=sentence)
        for (x, y), number, sentence in zip(places, numbers, uses.sentences, strict=False)
    ]
    crosses = [
        MapSign(
            x=x,
            y=y,
            shape="plus",
            title=words.plain("static_cross", form=form),
            legend=words.plain("static_legend"),
        )
        for (x, y), form in zip(places[len(points) :], forms, strict=True)
    ]
    pairs = cosines(vectors, vectors)
    senses = torch.tensor(numbers)
    same = senses[:, None] == senses[None, :]
    others = ~torch.eye(len(senses), dtype=torch.bool)
    numbers_said = {
        "same": pairs[same & others].mean().item(),
        "other": pairs[~same].mean().item(),
        "static": cosines(vectors, static).mean().item(),
    }
    show_chart(
        sense_map_chart(
            points,
            sense_groups([sense.name for sense in now.word.senses]),
            Frame.around([(x, y) for x, y in places]),
            lies="",
            signs=crosses,
        ),
        key="word_senses_cloud",
        alt=words.plain("cloud_alt", n=len(points), forms=len(forms)),
        table=lambda: Table(
            {
                "x": [x for x, _ in places],
                "y": [y for _, y in places],
                "what": [s.text for s in uses.sentences] + [f"static: {form}" for form in forms],
            }
        ),
        source=words.label(
            "source",
            model=page.model_name,
            layer=setting.layer_name(page, now.layer),
            n=len(points),
        )
        + " · "
        + words.plain("kind_named_pca"),
    )
    st.markdown(
        words.section(
            "static.said",
            layer=setting.layer_name(page, now.layer),
            **{name: formatted(value, ".2f") for name, value in numbers_said.items()},
        )
    )
