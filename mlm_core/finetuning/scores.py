"""Score a fine-tuned model on the test part: two measures for each task.

              proportion right                     F1
    classes   accuracy                             mean of each class's F1 (macro)
    answers   exact match                          mean overlap of the words
    tags      accuracy over words                  of entities, all types together (micro)

Each word gets the likeliest tag at its first subword (greedy decoding); tags become spans in
conlleval's reading. An answer that the window cut off counts as missed.

Source: SLP3 section 11.5.4 (entities) and its chapter on classification (macro-F1); Rajpurkar
et al. 2016 (answers).

Read before this: task.py, ../answers/spans.py, ../tagging/scores.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.answers.spans import exact_match, overlap_f1
from mlm_core.answers.words import ranked_answers
from mlm_core.evaluation.metrics import confusion
from mlm_core.finetuning.encoded_examples import EncodedExample, Reading
from mlm_core.labelled.examples import Example, LabelledText, Question, TaggedSentence
from mlm_core.shapes import Float, Tensor
from mlm_core.tagging.bio_tags import OUTSIDE, Scheme, decode, encode
from mlm_core.tagging.decoding import greedy
from mlm_core.tagging.scores import score_entities, word_accuracy


@dataclass(frozen=True, kw_only=True)
class Scores:
    """The two measures, 0 to 1."""

    proportion_right: float
    f1: float


def score_classes(labels: Sequence[str], predicted: Sequence[str]) -> Scores:
    """Return accuracy and macro-F1 over the classes that occur.

    >>> score_classes(["a", "a", "b"], ["a", "b", "b"]).proportion_right
    0.6666666666666666
    """
    classes = sorted({*labels, *predicted})
    found = confusion(labels, predicted, classes)
    return Scores(proportion_right=found.accuracy, f1=found.macro_f1)


def predicted_class(log_probabilities: Float[Tensor, " class"], classes: Sequence[str]) -> str:
    """Return the likeliest class; of two alike, the first."""
    return classes[int(log_probabilities.argmax())]


def predicted_output(
    example: Example,
    encoded: EncodedExample,
    log_probabilities: Float[Tensor, "*token class"],
    reading: Reading,
) -> str | tuple[str, ...]:
    """Return the predicted class, the answer's text, or the words' tags.

    The answer is empty if the window holds no passage; words beyond the window are O.
    """
    if isinstance(example, LabelledText):
        return predicted_class(log_probabilities, reading.classes)
    if isinstance(example, Question):
        found = ranked_answers(encoded.text, log_probabilities, 1)
        return found[0].text if found else ""
    of_words = reading.combine(log_probabilities, encoded.word_of_subword)
    tags = [reading.classes[i] for i in greedy(of_words).path]
    return tuple(tags + [OUTSIDE] * (len(example.words) - len(tags)))


def right_examples(
    examples: Sequence[Example], predicted: Sequence[str | tuple[str, ...]]
) -> tuple[bool, ...]:
    """Return which classes are right, or which answers word for word.

    Raises TypeError for tags: of a sentence's entities some may be right.
    """

    def is_right(example: Example, one: str | tuple[str, ...]) -> bool:
        if isinstance(example, Question) and isinstance(one, str):
            return exact_match(one, example.answer)
        if isinstance(example, LabelledText):
            return one == example.label
        raise TypeError("a sentence with tags is not right or wrong: use paired_bootstrap()")

    return tuple(is_right(*pair) for pair in zip(examples, predicted, strict=True))


def score_examples(
    examples: Sequence[Example], predicted: Sequence[str | tuple[str, ...]], scheme: Scheme
) -> Scores:
    """Return the scores of predictions: classes, answers' texts or words' tags."""
    first = examples[0]
    if isinstance(first, LabelledText):
        labels = [example.label for example in examples if isinstance(example, LabelledText)]
        return score_classes(labels, [one for one in predicted if isinstance(one, str)])
    if isinstance(first, Question):
        right = [example.answer for example in examples if isinstance(example, Question)]
        answers = [one for one in predicted if isinstance(one, str)]
        return Scores(
            proportion_right=sum(right_examples(examples, predicted)) / len(examples),
            f1=sum(map(overlap_f1, answers, right)) / len(examples),
        )
    sentences = [example for example in examples if isinstance(example, TaggedSentence)]
    return _score_tags(sentences, predicted, scheme)


def _score_tags(
    examples: Sequence[TaggedSentence], predicted: Sequence[Sequence[str]], scheme: Scheme
) -> Scores:
    gold_tags = [encode(example.spans, len(example.words), scheme) for example in examples]
    # The gold spans themselves, since IO tags lose the border between two that touch.
    gold = [example.spans for example in examples]
    spans = [decode(tags, scheme, "conlleval") for tags in predicted]
    return Scores(
        proportion_right=word_accuracy(gold_tags, predicted).accuracy,
        f1=score_entities(gold, spans).micro.f1,
    )
