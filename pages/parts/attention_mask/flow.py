"""Who sees whom: one query's view as lines, all queries' weights as the matrix."""

from functools import partial
from typing import Any

import streamlit as st

from mlm_core.figures.encoder.attention import flow_svg
from mlm_core.figures.matrix import matrix_svg
from pages.parts.attention_mask import drawing_board
from pages.parts.attention_mask.setting import choose, who_looks
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs, locks


@part(
    code=(
        "encoder.attention:causal_mask",
        "encoder.attention:padding_mask",
        "encoder.attention:attend",
    )
)
def show(p: Part) -> None:
    """Let the learner choose a mask and a query, and draw who sees whom."""
    p.say("lead")
    setting = choose(p, paints=True)
    tokens, weights = setting.text.texts, setting.weights.tolist()
    query = who_looks(p, tokens)
    sees = setting.attention_mask[query].tolist()
    about: dict[str, Any] = {
        "token": tokens[query],
        "position": query,
        "n": sum(sees),
        "of": len(tokens),
    }
    if any(sees):
        most = int(setting.weights[query].argmax())
        p.say("in_words", most=tokens[most], weight=weights[query][most], **about)
    else:
        p.say("sees_nothing", **about)

    def make_query(value: str) -> None:
        inputs.choose(p.key("query"), value)

    def paint(value: str) -> None:
        drawing_board.paint(value, len(tokens))
        row = value.split(" ")[-1].partition(",")[0]
        if row in map(str, range(len(tokens))) and not locks.is_fixed(p.key("query")):
            make_query(row)

    is_drawn = setting.mask == "drawn"
    left, right = st.columns(2)
    with left:
        p.figure(
            "flow",
            partial(
                flow_svg,
                tokens,
                query,
                sees,
                weights[query],
                headings=(p.label("looks"), p.label("seen")),
            ),
            {"key": tokens, "attention_mask": sees, "weight": weights[query]},
            source="source",
            on_click=make_query,
            **setting.place | about,
        )
    with right:
        p.figure(
            "matrix",
            partial(
                matrix_svg,
                weights,
                tokens,
                tokens,
                blocked=(~setting.attention_mask).tolist(),
                selected_row=None if is_drawn else query,
                clickable="paint" if is_drawn else "rows",
            ),
            [
                {"query": i, "query_token": row, "key": j, "key_token": column, "value": weight}
                for i, row in enumerate(tokens)
                for j, (column, weight) in enumerate(zip(tokens, weights[i], strict=True))
            ],
            source="source",
            on_click=paint if is_drawn else make_query,
            **setting.place | about,
        )
    p.say("notice")
