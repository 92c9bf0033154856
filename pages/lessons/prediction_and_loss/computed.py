"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from random import Random

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.prediction import fillers
from mlm_core.prediction.fillers import (
    FillStep,
    Order,
    PositionScore,
    find_blanks,
    score_positions,
    text_before,
    word_tokens,
)
from mlm_core.prediction.masked_words import (
    Predictions,
    hide,
    labels_of,
    losses_everywhere,
    perplexity,
    predict,
    put_tokens,
)
from mlm_core.prediction.one_step import GradientStep, Moved, take_step
from mlm_core.prediction.split_words import PieceScore, score_pieces
from mlm_core.prediction.unmasking import KeepOrder, UnmaskStep, unmask
from mlm_core.text.tokens import TokenizedText, role_id, tokenize
from pages.kit.remember import long_work_lock, model, model_tokenizer, read, remembered


# Each holds logits over the whole vocabulary at every chosen place: a few megabytes.
@remembered(8)
def predictions(
    model_name: str,
    text: str,
    replaced: tuple[tuple[int, int], ...],
    chosen: tuple[int, ...],
) -> tuple[TokenizedText, Predictions, list[float]]:
    """Return a text as the encoder sees it, its predictions, and the loss at every position.

    `replaced` are (position, id) of the tokens that others stand in for.
    """
    asked, original = read(model_name, text)
    mask_id = role_id(asked.tokenizer, "[MASK]")
    seen = put_tokens(original, dict(replaced), asked.tokenizer)
    seen = hide(seen, [place for place, id_ in replaced if id_ == mask_id], asked.tokenizer)
    predicted = predict(asked, seen, labels_of(original.ids, chosen))
    return seen, predicted, losses_everywhere(asked, seen, original.ids).tolist()


@remembered(256)
def filled(model_name: str, text: str, order: Order | None) -> tuple[FillStep, ...]:
    """Return the steps that fill a text's blanks, in an order, or all at once if None."""
    asked, tokenized = read(model_name, text)
    if order is None:
        return fillers.fill_at_once(asked, tokenized)
    return tuple(fillers.fill_in_turn(asked, tokenized, order))


# The steps share the tokens that they leave: some 20 kB a text.
@remembered(512)
def unmasked(
    model_name: str,
    text: str,
    n_steps: int,
    order: KeepOrder,
    temperature: float,
    seed: int,
    again: tuple[int, ...] = (),
) -> tuple[tuple[UnmaskStep, ...], float]:
    """Return the steps that write into a text's blanks, and the pseudo-perplexity of the words.

    Afterwards each blank of `again` is masked once more, and takes a step.
    """
    (asked, tokenized), rng = read(model_name, text), Random(seed)
    blanks = find_blanks(tokenized, asked.tokenizer)
    steps = [*unmask(asked, tokenized, n_steps, order, rng, temperature=temperature)]
    for position in again:
        if position in blanks:
            masked = hide(steps[-1].after, [position], asked.tokenizer)
            steps += unmask(asked, masked, 1, order, rng, temperature=temperature)
    scores = [one.log_probability for one in score_positions(asked, steps[-1].after, blanks)]
    return tuple(steps), perplexity(-sum(scores) / len(scores))


@dataclass(frozen=True, kw_only=True)
class Writing:
    """A text with its blanks, and how they are filled."""

    model_name: str
    text: TokenizedText
    blanks: tuple[int, ...]
    n_steps: int
    order: KeepOrder
    temperature: float
    seed: int

    def written(
        self,
        n_steps: int,
        again: tuple[int, ...] = (),
        *,
        order: KeepOrder | None = None,
        seed: int | None = None,
    ) -> tuple[tuple[UnmaskStep, ...], float]:
        """Return the steps that write in so many steps, and the pseudo-perplexity of the words."""
        order, seed = order or self.order, seed or self.seed
        about = (self.model_name, self.text.text, n_steps, order)
        return unmasked(*about, self.temperature, seed, again)


@remembered(512)
def place_scores(
    model_name: str,
    text: str,
    positions: tuple[int, ...],
    causal: bool = False,
    hide_rest_of_word: bool = False,
) -> tuple[PositionScore, ...]:
    """Return log P of a text's tokens at some positions, each hidden in turn."""
    asked, tokenized = read(model_name, text)
    return tuple(
        fillers.score_positions(
            asked, tokenized, positions, causal=causal, hide_rest_of_word=hide_rest_of_word
        )
    )


# The logits of one position before and after, and their gradient: 64 kB each.
@remembered(32)
def gradient_step(
    model_name: str,
    target: int,
    position: int,
    others: tuple[tuple[int, int], ...],
    rate: float,
    moved: Moved,
    ids: Sequence[int],
    _seen: TokenizedText,
) -> GradientStep:
    """Return one SGD step for a token at a position of a text, which `ids` are the tokens of.

    One at a time: a step on the embedding copies it, and its gradient is as large.
    """
    with long_work_lock():
        return take_step(
            model(model_name),
            _seen,
            position,
            target,
            rate=rate,
            moved=moved,
            others=others,
        )


@remembered(128)
def piece_scores(model_name: str, text: str, word: str, n_tokens: int) -> tuple[PieceScore, ...]:
    """Return three scores of each subword of a word in a text's one blank."""
    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=n_tokens)
    before = text_before(tokenized, fillers.only_blank(tokenized, asked.tokenizer))
    return score_pieces(asked, tokenized, word_tokens(asked.tokenizer, word, before))


def in_short() -> Mapping[str, object]:
    """Return two losses to compare others with: of one in two, and of one in all tokens."""
    n_tokens = model_tokenizer(BUNDLED).get_vocab_size()
    return {"half": log(2), "n_tokens": n_tokens, "blind": log(n_tokens)}
