"""What the whole lesson shares: the learner's sentence, its chosen positions, the predictions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mlm_core.figures.bars import bars_svg
from mlm_core.prediction.fillers import PositionScore, positions_to_score
from mlm_core.prediction.masked_words import Predictions
from mlm_core.text.tokens import TokenizedText, role_id, tokenize
from pages.kit.part import LONGEST_TEXT, Part, as_text
from pages.lessons.prediction_and_loss import computed, marks

AT_ONCE = 16  # tokens of a text that are hidden in one call
PATIENCE_SECONDS = 0.5  # before a bar of progress shows: most texts are done by then


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The learner's sentence, what became of it, and what the model makes of it."""

    text: TokenizedText  # as it was typed
    seen: TokenizedText  # as the encoder reads it
    kinds: dict[int, marks.Kind]  # of the chosen positions
    predictions: Predictions
    losses: list[float]  # -log P of the original at every position, chosen or not


def sentence(p: Part) -> TokenizedText:
    """Return the learner's sentence as the chosen model cuts it."""
    text, model = p.chosen("text")[:LONGEST_TEXT], p.model
    return tokenize(model.tokenizer, text, max_tokens=model.max_tokens)


def current_marks(p: Part, text: TokenizedText) -> dict[int, str]:
    """Return the marks that fit the sentence: the learner's, else the figure's or a draw."""
    link = p.drawn_value("marks", None)
    if link is None:
        if text.text != p.examples.plain("default_text"):
            return marks.drawn(text, 0)
        return marks.of_figure(text, p.examples.plain("figure_marks")) or marks.drawn(text, 0)
    try:
        found = marks.read(link)
    except ValueError:
        p.warn("marks.bad_link", icon="link_off")
        p.write_to_link("marks", marks.NONE, None)
        return {}
    p.write_to_link("marks", link, None)
    allowed = marks.may_be_chosen(text)
    return {position: mark for position, mark in found.items() if position in allowed}


def current(p: Part) -> Setting | None:
    """Return what is chosen now with the model's answer; None, and a hint, if nothing is."""
    text = sentence(p)
    if not marks.may_be_chosen(text):
        p.note("empty", icon="edit")
        return None
    chosen = current_marks(p, text)
    if not chosen:
        p.note("nothing_chosen", icon="ads_click")
        return None
    tokenizer = p.tokenizer
    wanted = p.examples.plain("figure_random").split(", ")
    replaced = {}
    for position, mark in chosen.items():
        if mark == "m":
            replaced[position] = role_id(tokenizer, "[MASK]")
        elif mark[0] == "r":
            replaced[position] = marks.random_word(tokenizer, position, int(mark[1:]), wanted)
    seen, predictions, losses = computed.predictions(
        p.model_name, text.text, tuple(replaced.items()), tuple(sorted(chosen))
    )
    return Setting(
        text=text,
        seen=seen,
        kinds={position: marks.KINDS[mark[0]] for position, mark in chosen.items()},
        predictions=predictions,
        losses=losses,
    )


def choose_place(p: Part, now: Setting) -> int:
    """Show the chosen positions to pick from; return the index of one among the predictions."""
    names = {str(i): as_text(f"{i} {now.text.texts[i]}") for i in now.predictions.positions}
    return now.predictions.positions.index(int(p.choice("place", names, start=next(iter(names)))))


def choose_place_and_word(p: Part, now: Setting, word: str) -> tuple[int, str]:
    """Show the positions next to the field `word`; return the chosen index and the typed word."""
    left, right = p.columns(2, 1)
    with left:
        place = choose_place(p, now)
    with right:
        return place, p.text(word, "")


def token_name(p: Part, id_: int) -> str:
    """Return a token as the vocabulary writes it; some models have rows without a token."""
    return p.tokenizer.id_to_token(id_) or f"row {id_}"


def show_bars(
    p: Part,
    name: str,
    tokens: Sequence[str],
    probabilities: Sequence[float],
    *,
    longest: float | None = None,
    **about: Any,
) -> None:
    """Draw tokens with their probabilities; `about` goes to the figure of that name."""
    p.figure(
        name,
        partial(bars_svg, tokens, probabilities, longest=longest or max(probabilities)),
        {"token": tokens, "probability": probabilities},
        **about,
    )


def score_text(
    p: Part, text: TokenizedText, *, causal: bool = False, hide_rest_of_word: bool = False
) -> list[PositionScore]:
    """Return log P of each token of the text, in order, each hidden in its turn."""
    positions, scores = positions_to_score(text), []
    groups = range(0, len(positions), AT_ONCE)
    for first in p.progress(
        "scoring", groups, patience=PATIENCE_SECONDS, n_positions=len(positions)
    ):
        hidden = positions[first : first + AT_ONCE]
        scores += computed.place_scores(p.model_name, text.text, hidden, causal, hide_rest_of_word)
    return scores
