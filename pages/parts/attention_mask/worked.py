"""The three-word example: every number can be changed, every cell's arithmetic is written out."""

import streamlit as st

from mlm_core.encoder.attention import AttentionSteps, attend, bidirectional_mask, causal_mask
from mlm_core.figures.encoder import worked_example as example
from pages.parts.attention_mask.matrix_editor import KEYS, edit_matrix, show_refusals, start_over
from pages.parts.attention_mask.worked_chain import choose_cell, draw_chain
from pages.shared import inputs
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.source import show_source

PROJECTIONS = (("query", "wq"), ("key", "wk"), ("value", "wv"))
PRINTED = "[0.2447, 0.5106, 0.2447]"  # the manual's section 8


@part
def show(page: Page) -> None:
    """Let the learner edit the example and read any cell's arithmetic."""
    words = page.words
    st.markdown(words.section("worked.lead"))
    names = words.label("worked_words").split()
    table, settings = st.columns(2, gap="large")
    with table:
        embeddings = edit_matrix(page, "e", names)
    with settings:
        masks = {kind: words.label(f"mask_{kind}") for kind in ("bidirectional", "causal")}
        mask = inputs.choice(words.label("worked_mask"), masks, key="attention_mask_worked_mask")
        scales = {state: words.label(f"worked_scale_{state}") for state in ("on", "off")}
        scale = inputs.choice(
            words.label("worked_scale"), scales, key="attention_mask_worked_scale"
        )
        inputs.button(
            words.label("worked_reset"),
            changes=KEYS,
            on_click=start_over,
            icon=":material/restart_alt:",
            key="attention_mask_worked_reset",
        )
    projections = {}
    with st.expander(words.label("worked_projections"), icon=":material/tune:"):
        for column, (name, key) in zip(st.columns(3), PROJECTIONS, strict=True):
            with column:
                projections[name] = edit_matrix(page, key, ["1", "2", "3"])
    show_refusals()
    chosen = {"causal": mask == "causal", "divide_by_root": scale == "on"}
    steps = _compute(embeddings, projections, **chosen)
    cell = choose_cell(page, names)
    source = words.label("worked_source", mask=masks[mask], scale=scales[scale])
    draw_chain(page, steps, names, cell, scale, source)
    for line in example.arithmetic(
        steps, embeddings, projections, cell=cell, divide_by_root=scale == "on"
    ):
        st.latex(line, width="content")
    st.markdown(words.section("worked.notice"))
    st.markdown(words.section("worked.error", **_corrected()))
    with st.expander(words.label("worked_numpy"), icon=":material/content_copy:"):
        st.markdown(words.section("worked.numpy"))
        st.code(example.numpy_script(embeddings, projections, **chosen), language="python")
    show_source(attend, causal_mask, key="attention_mask_worked_code")


def _compute(
    embeddings: example.Matrix,
    projections: dict[str, example.Matrix],
    *,
    causal: bool,
    divide_by_root: bool,
) -> AttentionSteps:
    import torch

    words = torch.tensor(embeddings, dtype=torch.float64)
    query, key, value = (words @ torch.tensor(w, dtype=torch.float64) for w in projections.values())
    mask = causal_mask(len(words)) if causal else bidirectional_mask(len(words))
    return attend(query, key, value, mask, divide_by_root=divide_by_root)


def _corrected() -> dict[str, str]:
    """Return the softmax that the manual printed wrongly, computed with and without scaling."""
    import torch

    one_hot = torch.eye(example.SIZE, dtype=torch.float64)
    without, scaled = (
        [round(weight, 4) for weight in steps.weights[1].tolist()]
        for steps in (
            attend(one_hot, one_hot, one_hot, divide_by_root=False),
            attend(one_hot, one_hot, one_hot),
        )
    )
    as_text = "[{:.4f}, {:.4f}, {:.4f}]"
    return {
        "printed": PRINTED,
        "without": as_text.format(*without),
        "scaled": as_text.format(*scaled),
    }
