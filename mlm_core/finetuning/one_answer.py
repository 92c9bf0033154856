"""One input, and what a fine-tuned model predicts for it, with its probabilities.

    classes   a text, or two       P of every class
    answers   question, passage    the likeliest answer, P = P(start) P(end)
    tags      words                each word's likeliest tag at its first subword, and that tag's P

Source: as heads.py and ../answers/spans.py.

Read before this: fine_tuned.py, ../tagging/alignment.py.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.answers.spans import best_spans
from mlm_core.finetuning.fine_tuned import FineTuned
from mlm_core.labelled.examples import Kind
from mlm_core.tagging.decoding import greedy


@dataclass(frozen=True, kw_only=True)
class OneAnswer:
    """An input and its predictions, with their probabilities in the same order."""

    kind: Kind
    asked: tuple[str, ...]  # the input: one or two texts; question and passage; the words
    predicted: tuple[str, ...]  # the classes; the answer; the tag of each word that was read
    probabilities: tuple[float, ...]
    n_left_out: int  # tokens that the model's window cut off

    @property
    def best(self) -> str:
        """Return the likeliest class, the answer, or all tags with spaces between."""
        if self.kind == "classes":
            return self.predicted[self.probabilities.index(max(self.probabilities))]
        return " ".join(self.predicted)


def ask(model: FineTuned, *asked: str) -> OneAnswer:
    """Return the prediction for a text (or two), a question and its passage, or words.

    Raises ValueError if there are none, or another number of texts than the model reads.
    """
    kind = model.dataset.kind
    if kind == "tags":
        return _tags(model, asked)
    wanted = 2 if model.dataset.has_pairs else 1
    if len(asked) != wanted:
        raise ValueError(f"{len(asked)} texts: this model reads {wanted} at once, give {wanted}")
    return _answer(model, *asked) if kind == "answers" else _classes(model, *asked)


def _classes(model: FineTuned, text: str, pair: str | None = None) -> OneAnswer:
    return OneAnswer(
        kind="classes",
        asked=(text,) if pair is None else (text, pair),
        predicted=model.classes,
        probabilities=tuple(model.class_log_probabilities(text, pair).exp().tolist()),
        n_left_out=model.read(text, pair).n_left_out,
    )


def _answer(model: FineTuned, question: str, passage: str) -> OneAnswer:
    text = model.reading.read_question(question, passage)
    if not any(token.segment == 1 and token.word is not None for token in text.tokens):
        raise ValueError("no passage to answer from: write one, or shorten the question")
    found = model.answer_log_probabilities(text)
    (best,) = best_spans(found[:, 0], found[:, 1])
    first, last = text.tokens[best.first], text.tokens[best.last]
    return OneAnswer(
        kind="answers",
        asked=(question, passage),
        predicted=((text.pair or "")[first.start : last.stop],),
        probabilities=(math.exp(best.log_probability),),
        n_left_out=text.n_left_out,
    )


def _tags(model: FineTuned, words: Sequence[str]) -> OneAnswer:
    if not words:
        raise ValueError("no word to tag: write a sentence")
    text, word_of_subword = model.reading.read_words(words)
    of_words = model.reading.combine(model.tag_log_probabilities(text), word_of_subword)
    path = greedy(of_words).path
    return OneAnswer(
        kind="tags",
        asked=tuple(words),
        predicted=tuple(model.classes[i] for i in path),
        probabilities=tuple(of_words[word, i].exp().item() for word, i in enumerate(path)),
        n_left_out=text.n_left_out,
    )
