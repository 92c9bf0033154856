"""From two distributions over a passage to an answer and its scores.

    answer = argmax over i <= j <= i + n of  log P(start = i) + log P(end = j)

    exact match    1 if both answers are the same, else 0
    overlap F1     2 p r / (p + r),  p = proportion of the predicted answer's words that are right
                                     r = proportion of the right answer's words that are predicted

Both measures ignore case, punctuation and articles.

Source: Devlin et al. 2019, section 4.2 (the answer of highest score); Rajpurkar et al. 2016,
section 6.1, and their evaluation script (the measures).

Read before this: ../labelled/examples.py.
"""

import re
import string
from collections import Counter
from dataclasses import dataclass

import torch

from mlm_core.shapes import Float, Tensor

LONGEST_ANSWER = 16  # tokens
ARTICLES = re.compile(r"\b(a|an|the)\b")
NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, kw_only=True)
class AnswerSpan:
    """A span of tokens and its probability."""

    first: int  # position of its first token
    last: int  # of its last token, inclusive
    log_probability: float  # log P(start) + log P(end), in nats


def best_spans(
    log_start: Float[Tensor, " token"],
    log_end: Float[Tensor, " token"],
    n: int = 1,
    longest: int = LONGEST_ANSWER,
) -> tuple[AnswerSpan, ...]:
    """Return the `n` likeliest spans, the best first; log P of -inf excludes a token.

    >>> best_spans(torch.tensor([0.1, 0.9]).log(), torch.tensor([0.8, 0.2]).log())[0].first
    1
    """
    if n < 1 or longest < 1:
        raise ValueError(f"{n} answers of up to {longest} tokens: ask for at least 1 of each")
    sums = log_start.unsqueeze(1) + log_end.unsqueeze(0)
    ends = torch.arange(len(log_end), device=log_end.device)
    lengths = ends - ends.unsqueeze(1)
    sums = sums.masked_fill((lengths < 0) | (lengths >= longest), float("-inf"))
    found = sums.flatten().topk(min(n, sums.numel()))
    return tuple(
        AnswerSpan(first=place // len(log_end), last=place % len(log_end), log_probability=score)
        for score, place in zip(found.values.tolist(), found.indices.tolist(), strict=True)
        if score > float("-inf")
    )


def answer_words(text: str) -> list[str]:
    """Return the words that count: without case, punctuation and articles.

    >>> answer_words("The copper kettle!")
    ['copper', 'kettle']
    """
    return ARTICLES.sub(" ", text.lower().translate(NO_PUNCTUATION)).split()


def exact_match(answer: str, right: str) -> bool:
    """Return whether both answers have the same words in the same order."""
    return answer_words(answer) == answer_words(right)


def overlap_f1(answer: str, right: str) -> float:
    """Return F1 over the words that both answers share, 0 to 1.

    >>> overlap_f1("a kettle of copper", "copper kettle")
    0.8
    """
    given, wanted = answer_words(answer), answer_words(right)
    if not given or not wanted:
        return float(given == wanted)
    n_shared = sum((Counter(given) & Counter(wanted)).values())
    return 2 * n_shared / (len(given) + len(wanted))
