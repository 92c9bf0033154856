"""Who sees whom: one query's view as lines, all queries' weights as the matrix."""

import streamlit as st

from mlm_core.encoder.attention import attend, causal_mask, padding_mask
from mlm_core.figures.encoder.attention import flow_svg
from mlm_core.figures.matrix import matrix_svg
from mlm_core.number_format import formatted
from pages.parts.attention_mask import drawing_board
from pages.parts.attention_mask.setting import QUERY, Setting, choose, who_looks
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs, locks


@part
def show(page: Page) -> None:
    """Let the learner choose a mask and a query, and draw who sees whom."""
    words = page.words
    st.markdown(words.section("flow.lead"))
    setting = choose(page, paints=True)
    query = who_looks(page, setting)
    names, weights = setting.text.texts, setting.weights.tolist()
    sees = setting.attention_mask[query].tolist()
    st.markdown(_in_words(page, setting, query))

    def make_query(value: str) -> None:
        inputs.choose(QUERY, value)

    def paint(value: str) -> None:
        drawing_board.paint(value, len(names))
        row = value.split(" ")[-1].partition(",")[0]
        if row in map(str, range(len(names))) and not locks.is_fixed(QUERY):
            make_query(row)

    is_drawn = setting.mask == "drawn"
    left, right = st.columns(2)
    with left:
        show_drawing(
            flow_svg(
                names,
                query,
                sees,
                weights[query],
                headings=(words.label("flow_looks"), words.label("flow_seen")),
                alt=words.plain("flow_alt", token=names[query], n=sum(sees), of=len(names)),
            ),
            key="attention_mask_flow",
            table=Table({"key": names, "attention_mask": sees, "weight": weights[query]}),
            source=setting.source,
            on_click=make_query,
        )
    with right:
        show_drawing(
            matrix_svg(
                weights,
                names,
                names,
                blocked=(~setting.attention_mask).tolist(),
                selected_row=None if is_drawn else query,
                clickable="paint" if is_drawn else "rows",
                alt=words.plain("matrix_alt", n=len(names)),
            ),
            key="attention_mask_matrix",
            table=weight_table(names, weights),
            source=setting.source,
            on_click=paint if is_drawn else make_query,
        )
    st.markdown(words.section("flow.notice"))
    show_source(causal_mask, padding_mask, attend, key="attention_mask_flow_code")


def weight_table(names: list[str], values: list[list[float]]) -> Table:
    """Return a matrix as a table of one line a cell: positions, tokens, value."""
    return Table(
        [
            {"query": i, "query_token": row, "key": j, "key_token": column, "value": values[i][j]}
            for i, row in enumerate(names)
            for j, column in enumerate(names)
        ]
    )


def _in_words(page: Page, setting: Setting, query: int) -> str:
    names = setting.text.texts
    sees = setting.attention_mask[query].tolist()
    if not any(sees):
        return page.words.section("flow.sees_nothing", token=names[query], position=query)
    most = int(setting.weights[query].argmax())
    return page.words.section(
        "flow.in_words",
        token=names[query],
        position=query,
        n=sum(sees),
        of=len(names),
        most=names[most],
        weight=formatted(setting.weights[query, most], ".2f"),
    )
