"""The chain from scores to output: QKᵀ, divided, masked, softmax, times V, cell by cell."""

import streamlit as st

from mlm_core.encoder.attention import AttentionSteps, attend
from mlm_core.figures.encoder.arithmetic import STAGES, Stage, cell_arithmetic
from mlm_core.figures.matrix import matrix_svg
from mlm_core.number_format import formatted
from pages.parts.attention_mask.setting import Setting, choose, who_looks
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

SHOWN_NUMBERS = 12  # of an output vector; the table and the file have all of them


@part
def show(page: Page) -> None:
    """Let the learner step through the chain and open any number."""
    words = page.words
    st.markdown(words.section("chain.lead"))
    setting = choose(page)
    if setting.steps is None:
        st.info(words.section("chain.no_steps", model=page.model_name), icon=":material/info:")
        return
    steps = setting.steps.of_head(setting.head - 1)
    stage: Stage = inputs.choice(
        words.label("chain_stage"),
        {name: words.label(f"chain_{name}") for name in STAGES},
        key="attention_mask_stage",
    )
    st.markdown(words.section(f"chain.{stage}", head_size=steps.query.shape[-1]))
    row, column, names = _choose_cell(page, setting, stage, steps)
    told = {
        "undivided": words.plain("worked_scaled_scores_off"),
        "blocked": words.plain("chain_blocked"),
    }
    st.latex(cell_arithmetic(steps, stage, row, column, **told))
    _draw(page, setting, stage, steps, (row, column), names)
    if stage == "weights":
        sums = steps.weights.sum(dim=-1).tolist()
        shown = "; ".join(formatted(total, ".4f") for total in sums[:SHOWN_NUMBERS])
        st.markdown(words.section("chain.row_sums", sums=shown))
    show_source(attend, key="attention_mask_chain_code")


def _choose_cell(
    page: Page, setting: Setting, stage: Stage, steps: AttentionSteps
) -> tuple[int, int, list[str]]:
    """Show the row and column pickers; return the cell and the names of the columns."""
    tokens = setting.text.texts
    left, right = st.columns(2)
    with left:
        row = who_looks(page, setting)
    with right:
        if stage == "output":
            names = [str(k) for k in range(min(SHOWN_NUMBERS, steps.output.shape[-1]))]
            column = inputs.position(
                page.words.label("chain_number"), names, key="attention_mask_number", default=0
            )
        else:
            names = tokens
            column = inputs.position(
                page.words.label("key"), tokens, key="attention_mask_key", default=1
            )
    return row, column, names


def _draw(
    page: Page,
    setting: Setting,
    stage: Stage,
    steps: AttentionSteps,
    cell: tuple[int, int],
    names: list[str],
) -> None:
    values = getattr(steps, stage)
    tokens = setting.text.texts
    masked = stage in ("masked_scores", "weights")

    def open_cell(value: str) -> None:
        row, _, column = value.partition(",")
        inputs.choose("attention_mask_query", row)
        inputs.choose(
            "attention_mask_number" if stage == "output" else "attention_mask_key", column
        )

    show_drawing(
        matrix_svg(
            values[:, : len(names)].tolist(),
            tokens,
            names,
            blocked=(~steps.attention_mask).tolist() if masked else None,
            scale="weights" if stage == "weights" else "signed",
            selected_cell=cell,
            clickable="cells",
            alt=page.words.plain("chain_alt", stage=page.words.label(f"chain_{stage}")),
        ),
        key=f"attention_mask_{stage}",
        table=Table(
            [
                {"row": i, "token": token, "column": k, "value": values[i, k].item()}
                for i, token in enumerate(tokens)
                for k in range(values.shape[1])
            ]
        ),
        source=setting.source,
        on_click=open_cell,
    )
