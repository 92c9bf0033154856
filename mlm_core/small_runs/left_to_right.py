"""One text by two small models: one that predicts the next word, one that fills blanks.

    next word       log P(text) = sum of log P(x_i | x_1 ... x_i-1)    all from one pass
    masked words    sum of log P(x_i | all other tokens)               a pass for each token

The first sum is the logarithm of a probability: over all texts of one length the probabilities add
up to 1. The second one is a pseudo-log-likelihood. It compares texts, and nothing makes it add up.

Source: the chapter on masked language models, "Difference from Autoregressive Modeling"; Salazar
et al. 2020 for the second sum.

Read before this: snapshot.py, ../prediction/fillers.py.
"""

from math import fsum

import torch

from mlm_core.encoder.language_model import OwnModel
from mlm_core.prediction.fillers import fill_at_once, positions_to_score, score_positions
from mlm_core.small_runs.settings import Objective
from mlm_core.small_runs.snapshot import blank_guesses
from mlm_core.text.tokens import tokenize


def write_next_words(model: OwnModel, beginning: str, n: int) -> list[str]:
    """Return the `n` words that a next-word model writes: the likeliest one, a pass for each.

    Raises ValueError if the text outgrows the model's window.
    """
    written: list[str] = []
    for _ in range(n):
        text = " ".join([beginning, *written, "[MASK]"])
        guess = blank_guesses(model, text, "next_word", 1).guesses[0]
        assert guess.token is not None  # this model has a tokenizer
        written.append(guess.token)
    return written


def fill_after(model: OwnModel, beginning: str, n: int) -> list[str]:
    """Return the likeliest words for `n` blanks after a beginning, all from one pass."""
    text = tokenize(model.tokenizer, beginning + n * " [MASK]", max_tokens=model.max_tokens)
    return [step.chosen.token or "" for step in fill_at_once(model, text, n=1)]


@torch.inference_mode()
def log_probability(model: OwnModel, sentence: str, objective: Objective) -> float:
    """Return a sentence's log-probability in nats, or its pseudo-log-likelihood.

    [SEP] is no word and isn't counted.
    """
    text = tokenize(model.tokenizer, sentence, max_tokens=model.max_tokens)
    if objective != "next_word":
        return fsum(score.log_probability for score in score_positions(model, text))
    log_probabilities = model.vocabulary_logits(text, causal=True).log_softmax(dim=-1)
    # What comes at a position is predicted at the one before; [CLS] is at position 0.
    return fsum(
        log_probabilities[i - 1, text.tokens[i].id].item() for i in positions_to_score(text)
    )
