"""One row of real scores: the learner's sentence, a layer, a head and the token that looks."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.attention_mask.setting import HEAD, LAYER, choose_head, choose_layer, sentence
from pages.shared.caches import cache
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.encoder.bert import Encoding
    from mlm_core.shapes import Float, Tensor

NEARLY_ALL = 0.95  # of the weight on one token


@dataclass(frozen=True, kw_only=True)
class ScoreRow:
    """A query's scores before any mask, and what they were computed from."""

    model_name: str
    tokens: list[str]
    position: int  # of the token that looks
    layer: int  # from 1
    head: int  # from 1
    query: "Float[Tensor, ' head_size']"
    key: "Float[Tensor, 'key head_size']"
    scores: "Float[Tensor, ' key']"  # divided by the root of head_size

    @property
    def token(self) -> str:
        """Return the token that looks."""
        return self.tokens[self.position]

    @property
    def place(self) -> dict[str, object]:
        """Return what the line under a figure says of the row."""
        return {
            "model": self.model_name,
            "layer": self.layer,
            "head": self.head,
            "token": self.token,
        }


def choose_score_row(page: Page) -> ScoreRow:
    """Show the widgets; return the chosen row. The model must run in our own encoder."""
    words = page.words
    text, encoding = cache.encoding(page.model_name, sentence(page))
    inputs.say_what_was_left_out(text)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer, head = choose_layer(page), choose_head(page)
        position = inputs.position(
            words.label("query"),
            text.texts,
            key="attention_mask_query",
            default=min(2, len(text.tokens) - 1),
        )
    _offer_spread_head(page, encoding, layer, head, position)
    steps = encoding.attention[layer - 1]
    return ScoreRow(
        model_name=page.model_name,
        tokens=text.texts,
        position=position,
        layer=layer,
        head=head,
        query=steps.query[0, head - 1, position],
        key=steps.key[0, head - 1],
        scores=steps.scaled_scores[0, head - 1, position],
    )


def _offer_spread_head(
    page: Page, encoding: "Encoding", layer: int, head: int, position: int
) -> None:
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
        inputs.choose(LAYER, str(layer))
        inputs.choose(HEAD, str(head))

    spread = min(largest, key=lambda place: abs(largest[place] - 0.5))
    if largest[spread] < NEARLY_ALL:
        label = page.words.label("precision_spread").format(layer=spread[0], head=spread[1])
        st.markdown(page.words.section("precision.saturated"))
        st.button(label, on_click=take, args=spread, icon=":material/swap_horiz:")
