"""Two distributions over a passage, word by word, and the likeliest answers.

    P(answer starts in word w) = sum of P(start = i) over the subwords i of w
    P(answer ends in word w)   = sum of P(end = i)   over the subwords i of w

The model has a probability for each subword. Summed by word, both distributions still add up to
1. Answers are spans of subwords, ranked by the log P of their first and last subword.

Source: Devlin et al. 2019, section 4.2. Departs: the sum over a word's subwords, for display only.

Read before this: spans.py, ../evaluation/seeds.py.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.answers.spans import answer_words, best_spans, exact_match, overlap_f1
from mlm_core.evaluation.seeds import standard_error
from mlm_core.labelled.examples import Question
from mlm_core.shapes import Float, Tensor
from mlm_core.text.tokens import TokenizedText

PASSAGE = 1  # its segment


@dataclass(frozen=True, kw_only=True)
class PassageWord:
    """A word of the passage; P that the answer starts in it, and ends in it."""

    text: str
    start: int  # first character in the passage
    stop: int  # one past the last
    subwords: tuple[str, ...]
    p_start: float
    p_end: float


@dataclass(frozen=True, kw_only=True)
class RankedAnswer:
    """One of the likeliest answers."""

    text: str
    start: int  # first character in the passage
    stop: int
    log_start: float  # log P of its first subword to be the start, in nats
    log_end: float  # log P of its last subword to be the end

    @property
    def log_probability(self) -> float:
        """Return log P(start) + log P(end), by which answers are ranked."""
        return self.log_start + self.log_end


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """An answer's two scores, and the counts behind them."""

    n_given: int  # words of the predicted answer, without articles and punctuation
    n_right: int
    n_shared: int
    is_exact: bool
    f1: float


@dataclass(frozen=True, kw_only=True)
class AnswerScores:
    """Both scores over many questions, each with its standard error, all 0 to 1."""

    right: tuple[bool, ...]  # which questions are answered exactly
    exact: float
    exact_error: float
    f1: float
    f1_error: float


def passage_words(
    text: TokenizedText, log_probabilities: Float[Tensor, "token end"]
) -> tuple[PassageWord, ...]:
    """Return the passage's words inside the model's window."""
    p = log_probabilities.exp().tolist()
    return tuple(
        PassageWord(
            text=word.text,
            start=word.start,
            stop=word.stop,
            subwords=tuple(text.tokens[i].text for i in word.positions),
            p_start=sum(p[i][0] for i in word.positions),
            p_end=sum(p[i][1] for i in word.positions),
        )
        for word in text.words
        if word.segment == PASSAGE
    )


def ranked_answers(
    text: TokenizedText, log_probabilities: Float[Tensor, "token end"], n: int
) -> tuple[RankedAnswer, ...]:
    """Return the `n` likeliest answers as they stand in the passage, the best first."""
    log_start, log_end = log_probabilities.unbind(dim=-1)
    found = []
    for span in best_spans(log_start, log_end, n):
        start, stop = text.tokens[span.first].start, text.tokens[span.last].stop
        found.append(
            RankedAnswer(
                text=(text.pair or "")[start:stop],
                start=start,
                stop=stop,
                log_start=log_start[span.first].item(),
                log_end=log_end[span.last].item(),
            )
        )
    return tuple(found)


def overlap(answer: str, right: str) -> Overlap:
    """Return both scores of an answer and the counts behind them.

    >>> overlap("a kettle of copper", "copper kettle").n_shared
    2
    """
    given, wanted = answer_words(answer), answer_words(right)
    return Overlap(
        n_given=len(given),
        n_right=len(wanted),
        n_shared=sum((Counter(given) & Counter(wanted)).values()),
        is_exact=exact_match(answer, right),
        f1=overlap_f1(answer, right),
    )


def score_answers(questions: Sequence[Question], predicted: Sequence[str]) -> AnswerScores:
    """Return both scores of the answers to `questions`.

    Raises ValueError if there is not one answer to each of at least two questions.
    """
    if len(questions) != len(predicted) or len(predicted) < 2:
        raise ValueError(
            f"{len(predicted)} answers to {len(questions)} questions: give one for each, at least"
            " two"
        )
    n = len(predicted)
    found = [overlap(answer, one.answer) for answer, one in zip(predicted, questions, strict=True)]
    right = tuple(one.is_exact for one in found)
    exact, f1 = sum(right) / n, math.fsum(one.f1 for one in found) / n
    variance = math.fsum((one.f1 - f1) ** 2 for one in found) / (n - 1)
    return AnswerScores(
        right=right,
        exact=exact,
        exact_error=standard_error(exact, n),
        f1=f1,
        f1_error=math.sqrt(variance / n),
    )


def different_answers(
    questions: Sequence[Question], predicted: Sequence[str]
) -> tuple[float, float]:
    """Return the mean number of questions, and of different answers, of a passage.

    A model that doesn't read the question gives the same answer to all of a passage's questions.

    >>> asked = [Question(question=q, passage="Rain fell.", start=0, stop=4) for q in "ab"]
    >>> different_answers(asked, ["Rain", "rain"])
    (2.0, 1.0)
    """
    of: dict[str, list[str]] = {}
    for one, answer in zip(questions, predicted, strict=True):
        of.setdefault(one.passage, []).append(" ".join(answer_words(answer)))
    if not of:
        raise ValueError("no questions: give at least one")
    n_different = sum(len(set(answers)) for answers in of.values())
    return len(questions) / len(of), n_different / len(of)
