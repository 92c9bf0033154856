"""What the whole lesson shares: the learner's sentence, its chosen places, the predictions."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.text.tokens import TokenizedText, role_token, tokenize
from pages.parts.prediction_and_loss import marks
from pages.shared.caches import cache, cache_predictions
from pages.shared.course.words import as_text
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.prediction.masked_words import Predictions

TEXT = "prediction_and_loss_text"


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The learner's sentence, what became of it, and what the model makes of it."""

    text: TokenizedText  # as it stood
    seen: TokenizedText  # as the encoder reads it
    kinds: dict[int, marks.Kind]  # of the chosen places
    predictions: "Predictions"
    losses: list[float]  # -log P of the original at every position, chosen or not


def sentence(page: Page) -> TokenizedText:
    """Return the learner's sentence as the chosen model cuts it."""
    text = st.session_state.get(TEXT, page.words.plain("default_sentence")) or ""
    model = cache.model(page.model_name)
    return tokenize(model.tokenizer, text[: inputs.LONGEST_TEXT], max_tokens=model.max_tokens)


def current_marks(page: Page, text: TokenizedText) -> dict[int, str]:
    """Return the marks that fit the sentence: the learner's, else the figure's or a draw."""
    link = inputs.drawn_value(marks.KEY, None)
    if link is None:
        is_figures = text.text == page.words.plain("default_sentence")
        return (is_figures and marks.of_figure(text)) or marks.drawn(text, 0)
    try:
        found = marks.read(link)
    except ValueError:
        st.warning(page.words.section("marks.bad_link"), icon=":material/link_off:")
        inputs.keep(marks.KEY, marks.NONE, None)
        return {}
    inputs.keep(marks.KEY, link, None)
    allowed = marks.may_be_chosen(text)
    return {position: mark for position, mark in found.items() if position in allowed}


def current(page: Page) -> Setting | None:
    """Return what is chosen now with the model's answer; None, and a hint, if nothing is."""
    text = sentence(page)
    if not marks.may_be_chosen(text):
        st.info(page.words.section("empty"), icon=":material/edit:")
        return None
    chosen = current_marks(page, text)
    if not chosen:
        st.info(page.words.section("nothing_chosen"), icon=":material/ads_click:")
        return None
    tokenizer = cache.model_tokenizer(page.model_name)
    wanted = page.words.plain("figure_random").split(", ")
    replaced = {}
    for position, mark in chosen.items():
        if mark == "m":
            replaced[position] = tokenizer.token_to_id(role_token(tokenizer, "[MASK]"))
        elif mark[0] == "r":
            replaced[position] = marks.random_word(tokenizer, position, int(mark[1:]), wanted)
    seen, predictions, losses = cache_predictions.predictions(
        page.model_name, text.text, tuple(replaced.items()), tuple(sorted(chosen))
    )
    return Setting(
        text=text,
        seen=seen,
        kinds={position: marks.KINDS[mark[0]] for position, mark in chosen.items()},
        predictions=predictions,
        losses=losses,
    )


def choose_place(page: Page, now: Setting) -> int:
    """Show the chosen places to pick from; return the index of one among the predictions."""
    names = {str(i): as_text(f"{i} {now.text.texts[i]}") for i in now.predictions.positions}
    place = inputs.choice(page.words.label("place"), names, key="prediction_and_loss_place")
    return now.predictions.positions.index(int(place))


def choose_place_and_word(page: Page, now: Setting, *, label: str, key: str) -> tuple[int, str]:
    """Show the places beside a field for a word; return the place's index and what was typed."""
    left, right = st.columns([2, 1], gap="medium")
    with left:
        place = choose_place(page, now)
    with right:
        return place, inputs.text(page.words.label(label), "", key=key)


def token_name(page: Page, id_: int) -> str:
    """Return a token as the vocabulary writes it; some models have rows without a token."""
    return cache.model_tokenizer(page.model_name).id_to_token(id_) or f"row {id_}"
