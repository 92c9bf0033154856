"""The chain from scores to output: QKᵀ, divided, masked, softmax, times V, cell by cell."""

from functools import partial

import streamlit as st

from mlm_core.figures.encoder.arithmetic import cell_arithmetic
from mlm_core.figures.matrix import matrix_svg
from mlm_core.number_format import formatted
from pages.parts.attention_mask.setting import choose, who_looks
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

SHOWN_NUMBERS = 12  # of an output vector; the table and the file have all of them


@part(code=("encoder.attention:attend",))
def show(p: Part) -> None:
    """Let the learner step through the chain and open any number."""
    p.say("lead")
    setting = choose(p)
    steps, tokens = setting.steps, setting.text.texts
    if steps is None:
        p.note("no_steps", model=p.model_name)
        return
    stage = p.choice("stage")
    p.say(stage, head_size=steps.query.shape[-1])
    left, right = st.columns(2)
    with left:
        row = who_looks(p, tokens)
    with right:
        if stage == "output":
            names = [str(k) for k in range(min(SHOWN_NUMBERS, steps.output.shape[-1]))]
            column = p.position("number", names, default=0)
        else:
            names, column = tokens, p.position("key", tokens, default=1)
    told = {"undivided": p.plain("worked_scaled_scores_off"), "blocked": p.plain("blocked")}
    st.latex(cell_arithmetic(steps, stage, row, column, **told))
    values = getattr(steps, stage)

    def open_cell(value: str) -> None:
        row, _, column = value.partition(",")
        inputs.choose(p.key("query"), row)
        inputs.choose(p.key("number" if stage == "output" else "key"), column)

    is_masked = stage in ("masked_scores", "weights")
    p.figure(
        stage,
        partial(
            matrix_svg,
            values[:, : len(names)].tolist(),
            tokens,
            names,
            blocked=(~steps.attention_mask).tolist() if is_masked else None,
            scale="weights" if stage == "weights" else "signed",
            selected_cell=(row, column),
            clickable="cells",
        ),
        [
            {"row": i, "token": token, "column": k, "value": values[i, k].item()}
            for i, token in enumerate(tokens)
            for k in range(values.shape[1])
        ],
        alt="alt",
        source="source",
        on_click=open_cell,
        stage=p.label(f"stage_{stage}"),
        **setting.place,
    )
    if stage == "weights":
        sums = steps.weights.sum(dim=-1).tolist()
        shown = "; ".join(formatted(total, ".4f") for total in sums[:SHOWN_NUMBERS])
        p.say("row_sums", sums=shown)
