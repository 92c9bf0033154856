"""A blank for a word of several subwords: n masks, and three scores of the word in them.

    at once         sum of log P(piece_k | all n masked): one pass, each mask for itself
    left to right   sum of log P(piece_k | pieces before it, the later ones masked)
    others in sight sum of log P(piece_k | all other pieces): pseudo-log-likelihood

One [MASK] is one token, so a word of n subwords needs n of them. Nothing tells the model that
its n masks are one word. The sum from left to right is the logarithm of a probability, of the
word given n masks and the rest; the last sum is none.

Source: Salazar et al. 2020 for the pseudo-log-likelihood; Kauf & Ivanova 2023, whose
"within-word left-to-right" masks the later subwords of a word too, which is the sum in the middle;
Ghazvininejad et al. 2019 on masks that are predicted independently.

Read before this: fillers.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from tokenizers import Tokenizer

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.prediction.fillers import MOST_BLANKS, find_blanks, only_blank, score_positions
from mlm_core.prediction.masked_words import put_tokens
from mlm_core.text.tokens import Token, TokenizedText


@dataclass(frozen=True, kw_only=True)
class PieceScore:
    """One subword of a word, and log P of it in three ways; in nats, 0 at most."""

    token: str
    id: int
    at_once: float
    left_to_right: float
    others_in_sight: float


def widen_blank(text: TokenizedText, n: int, tokenizer: Tokenizer) -> TokenizedText:
    """Return a text of one blank with `n` masks in its place, as one word.

    Raises ValueError if the text has not one blank, or for less than one mask or more than
    MOST_BLANKS.
    """
    blank = only_blank(text, tokenizer)
    if not 1 <= n <= MOST_BLANKS:
        raise ValueError(f"{n} masks for one word: choose 1 to {MOST_BLANKS}")
    mask = text.tokens[blank]
    # One word, so that score_positions can mask the rest of it: a number no other word has.
    word = 1 + max((token.word or 0 for token in text.tokens), default=0)
    masks = (replace(mask, word=word),) * n
    return replace(text, tokens=text.tokens[:blank] + masks + text.tokens[blank + 1 :])


def score_pieces(
    model: MaskedLanguageModel, text: TokenizedText, pieces: Sequence[Token]
) -> tuple[PieceScore, ...]:
    """Return the three scores of each subword of a word that is put into the text's one blank.

    Raises ValueError where widen_blank does.
    """
    widened = widen_blank(text, len(pieces), model.tokenizer)
    positions = find_blanks(widened, model.tokenizer)
    ids = [piece.id for piece in pieces]
    filled = put_tokens(widened, dict(zip(positions, ids, strict=True)), model.tokenizer)
    with torch.inference_mode():
        logits = model.vocabulary_logits(widened)[list(positions)]
    at_once = logits.log_softmax(dim=-1)[range(len(ids)), ids].tolist()
    in_turn, in_sight = (
        [
            score.log_probability
            for score in score_positions(model, filled, positions, hide_rest_of_word=hides)
        ]
        for hides in (True, False)
    )
    return tuple(
        PieceScore(token=piece.text, id=piece.id, at_once=a, left_to_right=b, others_in_sight=c)
        for piece, a, b, c in zip(pieces, at_once, in_turn, in_sight, strict=True)
    )
