"""One head step by step, QKᵀ to output: on three toy words, or on the learner's sentence."""

from functools import partial
from typing import Any

from mlm_core.encoder.attention import AttentionSteps
from mlm_core.figures.encoder.arithmetic import Stage, cell_arithmetic
from mlm_core.figures.matrix import matrix_svg
from mlm_core.number_format import formatted
from pages.kit.part import Part, part
from pages.lessons.attention_mask.setting import choose_head, choose_layer, chosen_cell
from pages.lessons.attention_mask.three_words import show_three_words

SHOWN_NUMBERS = 12  # of an output vector; the table and the file have all of them


@part(code=("encoder.attention:attend", "encoder.attention:causal_mask"))
def show(p: Part) -> None:
    """Let the learner step through the chain and open any cell."""
    p.say("lead")
    with p.row("top"):
        mask, stage = p.choice("worked_mask"), p.choice("stage")
    with p.fold("own", "edit"):
        example = p.choice("example")
    if example == "toy":
        show_three_words(p, mask, stage)
    else:
        _show_sentence(p, mask, stage)


def _show_sentence(p: Part, mask: str, stage: Stage) -> None:
    text = p.text("text")
    is_causal = mask == "causal" and p.model.bert is not None
    tokens, encoding = p.encoding(text, is_causal)
    p.say_what_was_left_out(tokens)
    if not encoding.attention:
        p.note("no_steps", model=p.model_name)
        return
    place = p.place()
    with p.row("top"):
        layer, head = choose_layer(p), choose_head(p)
    steps = encoding.attention[layer - 1].of_head(head - 1)
    with place:
        _draw(p, steps, tokens.texts, stage, layer=layer, head=head, mask=p.label(f"mask_{mask}"))


def _draw(p: Part, steps: AttentionSteps, tokens: list[str], stage: Stage, **about: Any) -> None:
    """Draw the matrix of one stage, with the arithmetic of the chosen cell."""
    values = getattr(steps, stage)
    names = tokens
    if stage == "output":
        names = [str(k) for k in range(min(SHOWN_NUMBERS, values.shape[-1]))]
    row, column = chosen_cell(p, len(tokens), len(names))
    p.say(stage, head_size=steps.query.shape[-1])
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
        on_click=partial(p.choose, "cell"),
        stage=p.label(f"stage_{stage}"),
        **about,
    )
    told = {"undivided": p.plain("not_divided"), "blocked": p.plain("blocked")}
    p.formula(cell_arithmetic(steps, stage, row, column, **told), width="content")
    if stage == "weights":
        sums = steps.weights.sum(dim=-1).tolist()
        shown = "; ".join(formatted(total, ".4f") for total in sums[:SHOWN_NUMBERS])
        p.say("row_sums", sums=shown)
    elif stage == "output":
        p.caption("first_numbers", head_size=values.shape[-1])
