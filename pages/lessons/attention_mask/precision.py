"""Minus infinity against a large negative constant, on one row of real scores."""

from functools import partial
from typing import Any

import torch

from mlm_core.encoder import precision
from mlm_core.figures.encoder.masked_row import masked_row_svg
from mlm_core.figures.theme import significant
from pages.kit.part import Part, Table, part

# The constants by the names that links and labels have for them.
CONSTANTS = dict(zip(("inf", "1e9", "65504", "1e4"), precision.CONSTANTS, strict=True))
LAYER, HEAD = 1, 4  # where the bundled model's weights are spread, so that rounding shows


@part(
    code=(
        "encoder.precision:mask_scores",
        "encoder.precision:_mask",
        "encoder.attention:softmax_or_zeros",
    )
)
def show(p: Part) -> None:
    """Let the learner try every way to mask a row of scores from their sentence."""
    p.say("lead")
    if p.model.bert is None:
        p.note("other_model", model=p.model_name)
        return
    text, encoding = p.encoding(p.text("text"))
    p.say_what_was_left_out(text)
    with p.row("top"):
        masked = p.choice("row")
        number_type = p.choice("type", precision.NUMBER_TYPES)
        constant, way = p.choice("constant"), p.choice("way")
    attention = encoding.attention[LAYER - 1]
    head = min(HEAD, attention.scores.shape[1])
    position = (len(text.texts) - 1) // 2  # in the middle: there is something on its right
    scores = attention.of_head(head - 1).scaled_scores[position]
    mask = (torch.arange(len(scores)) <= position) & (masked == "part")
    trial = precision.mask_scores(
        scores, mask, number_type=number_type, constant=CONSTANTS[constant], way=way
    )
    _draw(p, trial, text.texts, layer=LAYER, head=head, token=text.texts[position])
    _show_combinations(p, precision.every_masking(scores, mask, number_type))
    p.say("notice")


def _draw(p: Part, trial: precision.MaskingTrial, tokens: list[str], **place: Any) -> None:
    """Draw what one number type, constant and way of masking make of the row."""
    masked = None if trial.masked_scores is None else trial.masked_scores.tolist()
    weights = None if trial.weights is None else trial.weights.tolist()
    scores, sees = trial.scores.tolist(), trial.attention_mask.tolist()
    headings = [p.label(name) for name in ("key", "score", "masked", "weight")]
    told = {"headings": headings, "refused": p.label("refused")}
    figure, verdict = p.columns(3, 2, gap="large")
    with figure:
        p.figure(
            "masked_row",
            partial(masked_row_svg, tokens, scores, masked, weights, sees, **told),
            {
                "key": tokens,
                "attention_mask": sees,
                "score": scores,
                # None where torch refused.
                "masked_score": masked or [None] * len(tokens),
                "weight": weights or [None] * len(tokens),
            },
            outcome=p.label(trial.outcome),
            type=trial.number_type,
            **place,
        )
    with verdict:
        p.metric("stored", significant(trial.stored_constant, 6))
        p.say(f"outcome_{trial.outcome}", n=len(tokens), refusal=trial.refusal or "")


def _show_combinations(p: Part, trials: tuple[precision.MaskingTrial, ...]) -> None:
    """Show one line a constant, one column a way."""
    names = {constant: p.plain(f"constant_{name}") for name, constant in CONSTANTS.items()}
    lines: dict[float, dict[str, str]] = {}
    for trial in trials:
        line = lines.setdefault(trial.constant, {p.plain("constant"): names[trial.constant]})
        line[p.plain(f"way_{trial.way}")] = p.plain(trial.outcome)
    p.write(f"**{p.label('all', type=trials[0].number_type)}**")
    Table(list(lines.values())).show()
