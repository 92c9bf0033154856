"""Minus infinity against a large negative constant, and the row where everything is masked."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.encoder import precision
from mlm_core.encoder.attention import softmax_or_zeros
from mlm_core.figures.encoder.masked_row import masked_row_svg
from mlm_core.figures.theme import significant
from pages.parts.attention_mask.blocked_row import guess_blocked_row
from pages.parts.attention_mask.score_row import ScoreRow, choose_score_row
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.shapes import Bool, Tensor

# The constants by the names that links and labels have for them.
CONSTANTS = dict(zip(("inf", "1e9", "65504", "1e4"), precision.CONSTANTS, strict=True))


@part
def show(page: Page) -> None:
    """Ask for a guess, then let the learner try every way to mask a row."""
    words = page.words
    st.markdown(words.section("precision.lead"))
    if cache.model(page.model_name).bert is None:
        st.info(words.section("block.other_model", model=page.model_name), icon=":material/info:")
        return
    row = choose_score_row(page)
    guess_blocked_row(page, row)
    st.markdown(words.section("precision.try"))
    with st.container(horizontal=True):
        rows = {name: words.label(f"precision_row_{name}") for name in ("part", "all")}
        masked = inputs.choice(words.label("precision_row"), rows, key="attention_mask_row")
        types = {name: name for name in precision.NUMBER_TYPES}
        number_type = inputs.choice(
            words.label("precision_type"), types, key="attention_mask_type", default="float16"
        )
        constants = {name: words.label(f"precision_constant_{name}") for name in CONSTANTS}
        constant = inputs.choice(
            words.label("precision_constant"),
            constants,
            key="attention_mask_constant",
            default="1e9",
        )
        ways = {name: words.label(f"precision_way_{name}") for name in precision.WAYS}
        way = inputs.choice(words.label("precision_way"), ways, key="attention_mask_way")
    attention_mask = _may_attend(row, masked)
    trial = precision.mask_scores(
        row.scores, attention_mask, number_type=number_type, constant=CONSTANTS[constant], way=way
    )
    _draw(page, row, trial)
    _show_combinations(page, precision.every_masking(row.scores, attention_mask))
    st.markdown(words.section("precision.notice"))
    show_source(
        precision.mask_scores,
        precision._mask,
        softmax_or_zeros,
        key="attention_mask_precision_code",
    )


def _may_attend(row: ScoreRow, masked: str) -> "Bool[Tensor, ' key']":
    import torch

    return (torch.arange(len(row.tokens)) <= row.position) & (masked == "part")


def _draw(page: Page, row: ScoreRow, trial: precision.MaskingTrial) -> None:
    words = page.words
    outcome = trial.outcome
    masked = None if trial.masked_scores is None else trial.masked_scores.tolist()
    weights = None if trial.weights is None else trial.weights.tolist()
    headings = ("key", "score", "masked", "weight")
    figure, verdict = st.columns([3, 2], gap="large")
    with figure:
        show_drawing(
            masked_row_svg(
                row.tokens,
                trial.scores.tolist(),
                masked,
                weights,
                trial.attention_mask.tolist(),
                headings=[words.label(f"precision_{name}") for name in headings],
                refused=words.label("precision_refused"),
                alt=words.plain("precision_alt", outcome=words.label(f"precision_{outcome}")),
            ),
            key="attention_mask_masked_row",
            table=Table(
                {
                    "key": row.tokens,
                    "attention_mask": trial.attention_mask.tolist(),
                    "score": trial.scores.tolist(),
                    # None where torch refused.
                    "masked_score": masked or [None] * len(row.tokens),
                    "weight": weights or [None] * len(row.tokens),
                }
            ),
            source=words.label("precision_source", type=trial.number_type, **row.place),
        )
    with verdict:
        st.metric(words.label("precision_stored"), significant(trial.stored_constant, 6))
        if trial.attention_mask.all():
            st.markdown(words.section("precision.nothing_blocked", token=row.token))
            return
        st.markdown(
            words.section(
                f"precision.outcome_{outcome}", n=len(row.tokens), refusal=trial.refusal or ""
            )
        )


# What every number type, constant and way of masking makes of one row.


def _show_combinations(page: Page, trials: tuple[precision.MaskingTrial, ...]) -> None:
    """Show one line a type and constant, one column a way."""
    words = page.words
    names = dict(zip(CONSTANTS.values(), CONSTANTS, strict=True))
    lines: dict[tuple[str, float], dict[str, str]] = {}
    for trial in trials:
        line = lines.setdefault(
            (trial.number_type, trial.constant),
            {
                words.plain("precision_type"): trial.number_type,
                words.plain("precision_constant"): words.plain(
                    f"precision_constant_{names[trial.constant]}"
                ),
            },
        )
        line[words.plain(f"precision_way_{trial.way}")] = words.plain(f"precision_{trial.outcome}")
    st.markdown(f"**{words.label('precision_all')}**")
    Table(list(lines.values())).show()
