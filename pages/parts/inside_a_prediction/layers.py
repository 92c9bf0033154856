"""Opening: the head read on every layer's state at the blank, as a film."""

from functools import partial

import streamlit as st

from mlm_core.figures.film import FilmNames
from mlm_core.figures.inside.lens import DrawnLayer, LensWord, lens_html
from pages.parts.inside_a_prediction.setting import blank_sentence, token_name
from pages.shared.caches import cache_inside
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

N_WORDS = 3
MOST_DIGITS = 7  # of a token's id


@part(code=("inside.lens:lens",))
def show(p: Part) -> None:
    """Draw the lens of the sentence; a click on a word follows that word's rank."""
    line, figure = st.container(), st.container()
    with line:
        found = blank_sentence(p, "text")
    if found is None:
        return
    text, _ = found
    read = cache_inside.lens(p.model_name, text.text, N_WORDS)
    shown = {filler.id for row in read.rows for filler in row.top}
    answer = read.answer
    clicked = p.drawn("followed", "", longest=MOST_DIGITS) or ""
    followed = int(clicked) if clicked.isdecimal() and int(clicked) in shown else answer.id
    inputs.keep(p.key("followed"), "" if followed == answer.id else str(followed), "")
    if followed != answer.id:
        read = cache_inside.lens(p.model_name, text.text, N_WORDS, followed)
    last = len(read.rows) - 1
    names = [p.plain("state_0"), *(p.plain("state", layer=i) for i in range(1, last + 1))]
    word = token_name(p, followed)
    layers = [
        DrawnLayer(
            name=p.plain("embedding") if i == 0 else str(i),
            words=[
                LensWord(
                    text=token_name(p, filler.id),
                    probability=filler.probability,
                    is_followed=filler.id == followed,
                    value=str(filler.id),
                )
                for filler in row.top
            ],
            rank=row.rank,
            said=p.plain(
                "said", state=names[i], best=token_name(p, row.top[0].id), word=word, rank=row.rank
            ),
        )
        for i, row in enumerate(read.rows)
    ]
    film = FilmNames(
        **{name: p.plain(f"film_{name}") for name in ("back", "play", "pause", "next")}
    )
    table = [
        {
            "layer": i,
            "rank": row.rank,
            "probability": row.followed.probability,
            "words": ", ".join(token_name(p, filler.id) for filler in row.top),
        }
        for i, row in enumerate(read.rows)
    ]
    with figure:
        p.figure(
            "lens",
            partial(
                lens_html,
                layers,
                read.logits.shape[1],
                film,
                words=p.plain("words"),
                rank=p.plain("rank", word=word),
                press=p.plain("press"),
                begins=0 if followed == answer.id else last,
            ),
            table,
            on_click=partial(inputs.choose, p.key("followed")),
            word=word,
            first=read.ranks[0],
            last=read.ranks[-1],
            layers=last,
        )
        p.say("notice", layers=last)
