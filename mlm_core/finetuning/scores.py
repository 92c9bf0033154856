"""How good a fine-tuned model is on the test part: one loss and two measures for each task.

              share right                          F1
    classes   accuracy                             mean of each class's F1 (macro)
    answers   exact match                          mean overlap of the words
    tags      accuracy over words                  of entities, all types together (micro)

Tags are read off greedily at each word's first piece, and their spans by conlleval's reading. An
answer that the window cut off counts as missed.

Source: SLP3 section 11.5.4 (entities) and its chapter on classification (macro-F1); Rajpurkar
et al. 2016 (answers).

Read before this: task.py, ../answers/spans.py, ../tagging/scores.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.answers.spans import best_spans, exact_match, overlap_f1
from mlm_core.evaluation.metrics import confusion
from mlm_core.finetuning.encoded_examples import EncodedExample
from mlm_core.labelled.examples import Example, LabelledText, Question, TaggedSentence
from mlm_core.shapes import Float, Tensor
from mlm_core.tagging.alignment import Labelling, combine_subwords
from mlm_core.tagging.bio_tags import OUTSIDE, Scheme, Span, decode, encode
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


def answer_text(example: EncodedExample, log_probabilities: Float[Tensor, "token end"]) -> str:
    """Return the likeliest answer, as it stands in the passage; empty if there is no room."""
    found = best_spans(log_probabilities[:, 0], log_probabilities[:, 1])
    if not found:
        return ""
    tokens = example.text.tokens
    return example.text.pair[tokens[found[0].first].start : tokens[found[0].last].stop]


def word_tags(
    example: EncodedExample,
    log_probabilities: Float[Tensor, "piece tag"],
    n_words: int,
    tags: Sequence[str],
    scheme: Scheme,
    labelling: Labelling,
) -> tuple[str, ...]:
    """Return each word's likeliest tag at its first piece; O beyond the window."""
    of_words = combine_subwords(
        log_probabilities,
        example.word_of_subword,
        tags,
        scheme,
        labelling=labelling,
        combination="first",
    )
    found = [tags[i] for i in greedy(of_words).path]
    return tuple(found + [OUTSIDE] * (n_words - len(found)))


def score_examples(
    examples: Sequence[Example], predicted: Sequence[str | tuple[str, ...]], scheme: Scheme
) -> Scores:
    """Return the scores of predictions: a class, an answer's text, or the words' tags each."""
    first = examples[0]
    if isinstance(first, LabelledText):
        return score_classes([example.label for example in examples], list(predicted))
    if isinstance(first, Question):
        pairs = [
            (answer, example.answer) for answer, example in zip(predicted, examples, strict=True)
        ]
        n = len(pairs)
        return Scores(
            proportion_right=sum(exact_match(*pair) for pair in pairs) / n,
            f1=sum(overlap_f1(*pair) for pair in pairs) / n,
        )
    return _score_tags(examples, predicted, scheme)


def predicted_spans(tags: Sequence[str], scheme: Scheme) -> tuple[Span, ...]:
    """Return the entities that tags stand for, in conlleval's reading."""
    return decode(tags, scheme, "conlleval")


def _score_tags(
    examples: Sequence[TaggedSentence], predicted: Sequence[Sequence[str]], scheme: Scheme
) -> Scores:
    gold_tags = [encode(example.spans, len(example.words), scheme) for example in examples]
    # IO can't give all gold spans back; they are scored as they are.
    gold = [example.spans for example in examples]
    spans = [predicted_spans(tags, scheme) for tags in predicted]
    accuracy = word_accuracy(gold_tags, predicted)
    return Scores(
        proportion_right=accuracy.n_right / accuracy.n_words,
        f1=score_entities(gold, spans).micro.f1,
    )
