"""What the model predicts at blanks, and pseudo-log-likelihoods of sentences.

    P(token | position) = softmax(u),  u = h E^T, the logits of the masked-language head

Two blanks in one pass are predicted independently. Filled in turn, the prediction of the second
depends on the word at the first. Masking each token of a sentence in turn and adding up log P
gives its pseudo-log-likelihood.

Source: SLP3 chapter 11, Eq 11.3; Ghazvininejad et al. 2019 for filling the most certain
blanks first; Salazar et al. 2020 for the pseudo-log-likelihood, Kauf & Ivanova 2023 for
masking the rest of a word along with one of its subwords.

Read before this: masked_words.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal, get_args

import torch
from tokenizers import Tokenizer

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.prediction.masked_words import hide, put_tokens
from mlm_core.shapes import Float, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import Token, TokenizedText, role_token, tokenize

Order = Literal["left_to_right", "most_certain_first"]
ORDERS: tuple[Order, ...] = get_args(Order)

MOST_BLANKS = 12  # filled in turn: each takes a pass
MOST_POSITIONS = 512  # masked in turn: no window here is longer
BATCH_SIZE = 16  # copies of a text in one pass; more gain nothing on two cores


@dataclass(frozen=True, kw_only=True)
class Filler:
    """One prediction for a blank."""

    id: int  # its row in the vocabulary
    probability: float  # 0 to 1
    # As the vocabulary writes it; None if no tokenizer was given.
    token: str | None = field(default=None, compare=False)


@short_repr("position", "guesses")
@dataclass(frozen=True, kw_only=True)
class FillStep:
    """One blank that was filled, and the model's predictions for it at that moment."""

    position: int
    before: TokenizedText  # what the model saw
    guesses: tuple[Filler, ...]  # likeliest first; the first was put in

    @property
    def chosen(self) -> Filler:
        """Return the guess that was put in."""
        return self.guesses[0]


@dataclass(frozen=True, kw_only=True)
class PositionScore:
    """The log-probability of the token at a position that is masked."""

    position: int
    id: int
    log_probability: float  # nats, 0 at most


def top_fillers(
    logits: Float[Tensor, " vocabulary"], n: int, tokenizer: Tokenizer | None = None
) -> tuple[Filler, ...]:
    """Return the `n` likeliest tokens for one position, likeliest first.

    With a tokenizer each has its text.

    >>> top_fillers(torch.tensor([0.0, 1.0, 0.0]), 1)[0].id
    1
    """
    best = torch.softmax(logits, dim=-1).topk(min(n, len(logits)))
    return tuple(
        Filler(
            id=id_,
            probability=probability,
            token=None if tokenizer is None else tokenizer.id_to_token(id_),
        )
        for probability, id_ in zip(best.values.tolist(), best.indices.tolist(), strict=True)
    )


def rank_of(logits: Float[Tensor, " vocabulary"], id_: int) -> int:
    """Return a token's rank, 1 for the likeliest; equal logits have the better rank.

    >>> rank_of(torch.tensor([3.0, 1.0, 2.0, 2.0]), 2)
    2
    """
    return 1 + int((logits > logits[id_]).sum())


def text_before(text: TokenizedText, position: int) -> str:
    """Return what is written before a token, where a word in its place is looked up."""
    token = text.tokens[position]
    written = (text.pair if token.segment else text.text) or ""
    inside = written[token.start : token.stop]  # some tokens have the space before them
    return written[: token.stop - len(inside.lstrip())]


def word_tokens(tokenizer: Tokenizer, word: str, before: str = " ") -> tuple[Token, ...]:
    """Return the subwords of a word behind the text `before`; a blank stands for one of them.

    RoBERTa's family has other tokens for a word that begins a text than for one after a space.
    Behind a letter, the word is cut as if it were alone.
    """
    edge, word = before.rstrip(), word.strip()
    if before[-1:].isalnum():
        return word_tokens(tokenizer, word, "")
    cut = tokenize(tokenizer, edge + " " * (edge != before) + word).tokens
    words = {token.word for token in cut if token.stop > max(token.start, len(edge))}
    found = tuple(token for token in cut if token.word in words and token.stop > len(edge))
    is_joined = any(token.start < len(edge) for token in found)
    return word_tokens(tokenizer, word, "") if is_joined else found


def known_tokens(tokenizer: Tokenizer, word: str, before: str = " ") -> tuple[Token, ...]:
    """Return `word_tokens`. Raises ValueError if one is [UNK], which any unknown word is."""
    tokens, unknown = word_tokens(tokenizer, word, before), role_token(tokenizer, "[UNK]")
    if any(token.text == unknown for token in tokens):
        raise ValueError(
            f"{word!r} is not in this model's vocabulary, which has {unknown} for it: choose"
            " another word"
        )
    return tokens


def answer_id(tokenizer: Tokenizer, word: str, before: str = " ") -> int:
    """Return the id of the one token that a word is behind the text `before`.

    Raises ValueError if it is none.
    """
    tokens = known_tokens(tokenizer, word, before)
    if len(tokens) != 1:
        raise ValueError(f"{word!r} has {len(tokens)} subwords: a blank stands for one")
    return tokens[0].id


def find_blanks(text: TokenizedText, tokenizer: Tokenizer) -> tuple[int, ...]:
    """Return the positions of [MASK], whatever this tokenizer calls it."""
    mask = role_token(tokenizer, "[MASK]")
    return tuple(i for i, token in enumerate(text.tokens) if token.text == mask)


def only_blank(text: TokenizedText, tokenizer: Tokenizer) -> int:
    """Return the position of a text's blank. Raises ValueError unless it has exactly one."""
    blanks = find_blanks(text, tokenizer)
    if len(blanks) != 1:
        raise ValueError(f"{len(blanks)} blanks: write [MASK] exactly once")
    return blanks[0]


@torch.inference_mode()
def fill_at_once(
    model: MaskedLanguageModel, text: TokenizedText, *, n: int = 5
) -> tuple[FillStep, ...]:
    """Fill each blank with its likeliest token, all from one pass: independently."""
    logits = model.vocabulary_logits(text)
    return tuple(
        FillStep(
            position=blank, before=text, guesses=top_fillers(logits[blank], n, model.tokenizer)
        )
        for blank in find_blanks(text, model.tokenizer)
    )


def fill_in_turn(
    model: MaskedLanguageModel, text: TokenizedText, order: Order
) -> Iterator[FillStep]:
    """Fill one blank after another; each prediction depends on the words before.

    "most_certain_first" takes the blank whose best token is likeliest at that moment.
    Raises ValueError for an unknown order or more than MOST_BLANKS blanks.
    """
    if order not in ORDERS:
        raise ValueError(f"order {order!r}: choose one of {', '.join(ORDERS)}")
    n_blanks = len(find_blanks(text, model.tokenizer))
    if n_blanks > MOST_BLANKS:
        raise ValueError(
            f"{n_blanks} blanks, and each takes a pass: write at most {MOST_BLANKS} of them"
        )
    for _ in range(n_blanks):
        steps = fill_at_once(model, text)
        if order == "left_to_right":
            step = steps[0]
        else:
            step = max(steps, key=lambda step: step.chosen.probability)
        yield step
        text = put_tokens(text, {step.position: step.chosen.id}, model.tokenizer)


def score_positions(
    model: MaskedLanguageModel,
    text: TokenizedText,
    positions: Sequence[int] | None = None,
    *,
    causal: bool = False,
    hide_rest_of_word: bool = False,
) -> Iterator[PositionScore]:
    """Mask each token in turn and yield its log P, for the pseudo-log-likelihood.

    `positions` default to all but the special tokens; a caller that shows progress passes
    a few at a time. With `causal`, each is predicted from the left context; then the sum is the
    logarithm of a probability, the product of P(x_i | x_1 ... x_i-1).
    `hide_rest_of_word` also masks the later subwords of the same word, which would make it easy
    to predict.
    Raises ValueError for more than MOST_POSITIONS positions.
    """
    if positions is None:
        positions = positions_to_score(text)
    if len(positions) > MOST_POSITIONS:
        raise ValueError(
            f"{len(positions)} places, and each takes a pass: score at most {MOST_POSITIONS}"
        )
    for first in range(0, len(positions), BATCH_SIZE):
        batch = positions[first : first + BATCH_SIZE]
        hidden = [_hide(model, text, i, rest=hide_rest_of_word) for i in batch]
        log_probabilities = _logits_at(model, hidden, batch, causal=causal).log_softmax(dim=-1)
        for row, position in zip(log_probabilities, batch, strict=True):
            id_ = text.tokens[position].id
            yield PositionScore(position=position, id=id_, log_probability=row[id_].item())


@torch.inference_mode()
def score_among_hidden(
    model: MaskedLanguageModel, text: TokenizedText, masked_rate: float, rng: Random
) -> list[float]:
    """Return log P of tokens that are masked together with others, `masked_rate` of the text.

    BATCH_SIZE tokens are asked about; in a shorter text each comes several times, with other ones
    hidden. A generator of the same seed asks about the same tokens at every rate, and hides the
    same others at a higher rate, and more.
    """
    places = positions_to_score(text)
    asked = sorted(rng.sample(places, min(len(places), BATCH_SIZE)))
    asked *= max(1, BATCH_SIZE // len(asked))
    n_others = max(0, round(masked_rate * len(places)) - 1)
    hidden = []
    for position in asked:
        others = [i for i in places if i != position]
        also = rng.sample(others, len(others))[:n_others]
        hidden.append(hide(text, (position, *also), model.tokenizer))
    log_probabilities = _logits_at(model, hidden, asked, causal=False).log_softmax(dim=-1)
    rows = zip(log_probabilities, asked, strict=True)
    return [row[text.tokens[position].id].item() for row, position in rows]


def positions_to_score(text: TokenizedText) -> tuple[int, ...]:
    """Return the positions of all tokens but the special ones."""
    return tuple(i for i, token in enumerate(text.tokens) if not token.is_special)


def _hide(
    model: MaskedLanguageModel, text: TokenizedText, position: int, *, rest: bool
) -> TokenizedText:
    word, segment = text.tokens[position].word, text.tokens[position].segment
    hidden = [position]
    for i, token in enumerate(text.tokens[position + 1 :], start=position + 1):
        if rest and word is not None and (token.word, token.segment) == (word, segment):
            hidden.append(i)
    return hide(text, hidden, model.tokenizer)


@torch.inference_mode()
def _logits_at(
    model: MaskedLanguageModel,
    texts: Sequence[TokenizedText],
    positions: Sequence[int],
    *,
    causal: bool,
) -> Float[Tensor, "batch vocabulary"]:
    """Return the logits at one position of each text; all texts have one length."""
    if model.bert is None:
        rows = [
            model.vocabulary_logits(text, causal=causal)[position]
            for text, position in zip(texts, positions, strict=True)
        ]
        return torch.stack(rows)
    states = model.encode_batch(texts, causal=causal).last
    return model.bert.masked_language_logits(states[range(len(texts)), list(positions)])
