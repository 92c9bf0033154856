"""Minus infinity against a large negative constant, and the row where everything is masked."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from mlm_core.encoder import precision
from mlm_core.encoder.bert import Encoding
from mlm_core.figures.encoder.masked_row import masked_row_svg
from mlm_core.figures.matrix import matrix_svg
from mlm_core.figures.theme import significant
from mlm_core.shapes import Bool, Float, Tensor
from pages.parts.attention_mask.setting import choose_head, choose_layer, who_looks
from pages.shared.caches import cache
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

# The constants by the names that links and labels have for them.
CONSTANTS = dict(zip(("inf", "1e9", "65504", "1e4"), precision.CONSTANTS, strict=True))
GUESSES = ("zeros", "equal", "nan", "unmasked")  # outcomes of precision.py
NEARLY_ALL = 0.95  # of the weight on one token


@dataclass(frozen=True, kw_only=True)
class ScoreRow:
    """A query's scores before any mask, and what they were computed from."""

    tokens: list[str]
    position: int  # of the token that looks
    query: Float[Tensor, " head_size"]
    key: Float[Tensor, "key head_size"]
    scores: Float[Tensor, " key"]  # divided by the root of head_size
    place: dict[str, Any]  # layer, head and token, for the line under a figure


@part(
    code=(
        "encoder.precision:mask_scores",
        "encoder.precision:_mask",
        "encoder.attention:softmax_or_zeros",
    )
)
def show(p: Part) -> None:
    """Ask for a guess, then let the learner try every way to mask a row."""
    p.say("lead")
    if cache.model(p.model_name).bert is None:
        p.note("other_model", model=p.model_name)
        return
    row = _choose_row(p)
    _guess_blocked_row(p, row)
    p.say("try")
    with st.container(horizontal=True):
        masked = p.choice("row")
        number_type = p.choice("type", precision.NUMBER_TYPES)
        constant, way = p.choice("constant"), p.choice("way")
    attention_mask = _may_attend(row, masked)
    trial = precision.mask_scores(
        row.scores, attention_mask, number_type=number_type, constant=CONSTANTS[constant], way=way
    )
    _draw(p, row, trial)
    _show_combinations(p, precision.every_masking(row.scores, attention_mask))
    p.say("notice")


def _may_attend(row: ScoreRow, masked: str) -> Bool[Tensor, " key"]:
    import torch

    return (torch.arange(len(row.tokens)) <= row.position) & (masked == "part")


# One row of real scores: the learner's sentence, a layer, a head and the token that looks.


def _choose_row(p: Part) -> ScoreRow:
    text, encoding = cache.encoding(p.model_name, p.text("text"))
    inputs.say_what_was_left_out(text)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer, head = choose_layer(p), choose_head(p)
        position = who_looks(p, text.texts)
    _offer_spread_head(p, encoding, layer, head, position)
    steps = encoding.attention[layer - 1].of_head(head - 1)
    return ScoreRow(
        tokens=text.texts,
        position=position,
        query=steps.query[position],
        key=steps.key,
        scores=steps.scaled_scores[position],
        place={"layer": layer, "head": head, "token": text.texts[position]},
    )


def _offer_spread_head(p: Part, encoding: Encoding, layer: int, head: int, position: int) -> None:
    """Where one token takes nearly all the weight, offer a head that spreads it.

    Among all heads, the one whose largest weight is nearest to one half: rounding of scores
    can be seen there.
    """
    largest = {
        (i + 1, k + 1): weights[0, k, position].max().item()
        for i, weights in enumerate(encoding.weights)
        for k in range(weights.shape[1])
    }
    if largest[layer, head] < NEARLY_ALL:
        return

    def take(layer: int, head: int) -> None:
        inputs.choose(p.key("layer"), str(layer))
        inputs.choose(p.key("head"), str(head))

    spread = min(largest, key=lambda place: abs(largest[place] - 0.5))
    if largest[spread] < NEARLY_ALL:
        p.say("saturated")
        label = p.label("spread", layer=spread[0], head=spread[1])
        st.button(label, on_click=take, args=spread, icon=":material/swap_horiz:")


# A guess: what are the weights in a row where everything is masked?


def _guess_blocked_row(p: Part, row: ScoreRow) -> None:
    """Ask what a row with everything masked comes to, and show what five programs answer."""
    import torch

    guess = ask_for_guess(p.page, "precision", GUESSES, key=p.key("guess"))
    if guess is None:
        return
    nothing = torch.zeros(len(row.tokens), dtype=torch.bool)
    mask = partial(precision.mask_scores, row.scores, nothing, number_type="float32")
    answers = precision.answer_blocked_row(row.query, row.key)
    written, added = mask(constant=-1e9, way="write"), mask(constant=-1e4, way="add")
    assert written.weights is not None and added.weights is not None
    programs = {
        p.label("ours"): answers.ours,
        p.label("torchs"): answers.torchs,
        p.label("softmax"): answers.softmax,
        p.label("written"): written.weights,
        p.label("added"): added.weights,
    }
    agree = [
        name
        for name, weights in programs.items()
        if precision.name_blocked_row(weights, row.scores) == guess
    ]
    p.say(
        "right" if agree else "wrong",
        guess=p.label(f"guess_{guess}"),
        n=len(agree),
        programs=", ".join(agree),
    )
    table = {name: weights.tolist() for name, weights in programs.items()}
    p.figure(
        "answers",
        partial(matrix_svg, list(table.values()), list(table), row.tokens),
        {"token": row.tokens} | table,
        **row.place,
    )
    p.say("answers_notice")


# What one number type, constant and way of masking make of the row, and what all of them do.


def _draw(p: Part, row: ScoreRow, trial: precision.MaskingTrial) -> None:
    outcome, n_tokens = trial.outcome, len(row.tokens)
    masked = None if trial.masked_scores is None else trial.masked_scores.tolist()
    weights = None if trial.weights is None else trial.weights.tolist()
    scores, sees = trial.scores.tolist(), trial.attention_mask.tolist()
    headings = [p.label(name) for name in ("key", "score", "masked", "weight")]
    told = {"headings": headings, "refused": p.label("refused")}
    figure, verdict = st.columns([3, 2], gap="large")
    with figure:
        p.figure(
            "masked_row",
            partial(masked_row_svg, row.tokens, scores, masked, weights, sees, **told),
            {
                "key": row.tokens,
                "attention_mask": sees,
                "score": scores,
                # None where torch refused.
                "masked_score": masked or [None] * n_tokens,
                "weight": weights or [None] * n_tokens,
            },
            outcome=p.label(outcome),
            type=trial.number_type,
            **row.place,
        )
    with verdict:
        st.metric(p.label("stored"), significant(trial.stored_constant, 6))
        if all(sees):
            p.say("nothing_blocked", **row.place)
        else:
            p.say(f"outcome_{outcome}", n=n_tokens, refusal=trial.refusal or "")


def _show_combinations(p: Part, trials: tuple[precision.MaskingTrial, ...]) -> None:
    """Show one line a type and constant, one column a way."""
    names = {constant: p.plain(f"constant_{name}") for name, constant in CONSTANTS.items()}
    lines: dict[tuple[str, float], dict[str, str]] = {}
    for trial in trials:
        start = {p.plain("type"): trial.number_type, p.plain("constant"): names[trial.constant]}
        line = lines.setdefault((trial.number_type, trial.constant), start)
        line[p.plain(f"way_{trial.way}")] = p.plain(trial.outcome)
    st.markdown(f"**{p.label('all')}**")
    Table(list(lines.values())).show()
