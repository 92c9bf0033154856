"""An answer by rule, without any model: the baseline of fine-tuning.

    sentence   the one with most of the question's words
    answer     its first run of words after the last shared word, or else its last run

A stop word (the, of, who, ...) is never a shared word. A run ends at a stop word, a shared word
or a mark such as a comma. Two words are the same if their first five letters are: "bakers" is
"bakery". The stop words and the choice of the run were tuned on the training part only.

Source: Rajpurkar et al. 2016, section 5, which compares with a baseline of the same kind (a
window that slides over the passage, after Richardson et al. 2013). Departs: one rule, no weights.

Read before this: spans.py, ../classification/bag_of_words.py.
"""

import re
from collections.abc import Sequence

from mlm_core.labelled.examples import Question
from mlm_core.text.sentences import sentence_spans
from mlm_core.text.words import word_spans

PAUSE = re.compile(r"[,;:.!?()\"“”]")
SAME_LETTERS = 5  # of the beginning of two words
STOP_WORDS = frozenset(
    "a about after all am an and are as at be because been before being but by can could did do"
    " does down for from had has have he her here him his how i if in into is it its may me might"
    " must my no not of on one or our out over shall she should so than that the their them then"
    " there these they this those to too under until up us very was we were what when where which"
    " while who whom whose why will with would you your".split()
)


def answer_by_rule(question: str, passage: str) -> str:
    """Return a span of the passage; empty if the best sentence has no run of words.

    >>> answer_by_rule("What was baked?", "It rained. They baked forty rolls for the fair.")
    'forty rolls'
    """
    words = (question[start:stop] for start, stop in word_spans(question))
    wanted = {_beginning(word) for word in words if word.lower() not in STOP_WORDS}
    sentences = [passage[start:stop] for start, stop in sentence_spans(passage)]
    sentence = max(sentences, key=lambda one: _n_shared(wanted, one), default="")
    spans = word_spans(sentence)
    shared = [stop for start, stop in spans if _beginning(sentence[start:stop]) in wanted]
    runs = _runs(sentence, spans, wanted)
    after = [run for run in runs if run[0] >= max(shared, default=0)]
    for first, last in (after or runs[-1:])[:1]:
        return sentence[first:last]
    return ""


def answer_all(questions: Sequence[Question]) -> list[str]:
    """Return the rule's answer to each question."""
    return [answer_by_rule(one.question, one.passage) for one in questions]


def _beginning(word: str) -> str:
    return word.lower()[:SAME_LETTERS]


def _n_shared(wanted: set[str], sentence: str) -> int:
    return len(wanted & {_beginning(sentence[start:stop]) for start, stop in word_spans(sentence)})


def _runs(
    sentence: str, words: Sequence[tuple[int, int]], wanted: set[str]
) -> list[tuple[int, int]]:
    """Return the runs of words without a stop word, a shared word or a pause inside."""
    runs: list[tuple[int, int]] = []
    before = -1  # the end of a word that the next one may join
    for start, stop in words:
        word = sentence[start:stop]
        if word.lower() in STOP_WORDS or _beginning(word) in wanted:
            before = -1
            continue
        if before >= 0 and not PAUSE.search(sentence, before, start):
            runs[-1] = (runs[-1][0], stop)
        else:
            runs.append((start, stop))
        before = stop
    return runs
