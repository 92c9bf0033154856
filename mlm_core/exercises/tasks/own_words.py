"""A learner's own sentences: words of the word list, in an order, and none that stands ready.

Exercises that a model checks could else be passed with an example's words in any order, with a
sentence of the page, with invented words, or with words in no order.

    check_own_sentence(learner, text)   # before a text is judged
    check_order(learner, text)          # before it is right: it takes passes of the model

The word list has the words of our English texts, with other endings. Of a model's vocabulary, which
also has the beginnings of words, it takes no more than a quarter of a text.

Read before this: ../exercise.py, ../../prediction/fillers.py.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from statistics import median

from mlm_core.exercises.exercise import Learner, UnreadableAnswerError, Verdict
from mlm_core.text import corpora
from mlm_core.text.words import words_of

FEWEST_WORDS = 4  # of a sentence
FEWEST_DIFFERENT = 0.6  # of a text's words, beside repeated ones
MOST_OUTSIDE = 0.25  # of a text's words, outside of the word list
MOST_SHARED = 0.5  # of a text's words with an example, beside the most frequent ones
RUN = 4  # words: half of a text's runs of so many, found in one of ours, make it a copy
MOST_COMPARED = 64  # words of the learner's sentence
N_FREQUENT = 60  # words such as "the" and "with", which any two sentences share
N_LEVEL = 8  # of our sentences, from which a model's usual surprisal is taken
# Nats a token above the usual 2.5 of mini-bert: 58 of 60 of our sentences stay below, and 3 of 60
# with their words in any order.
MOST_ABOVE = 1.8


@dataclass(frozen=True, kw_only=True)
class OwnTexts:
    """What is known of our texts."""

    english: str  # folded words with a space between two
    stems: frozenset[str]  # of the English ones
    frequent: frozenset[str]
    german: frozenset[str]


def our_texts(learner: Learner) -> OwnTexts:
    """Return what is known of our texts, read once."""
    return learner.remember("words of our texts", read_our_texts)


def read_our_texts() -> OwnTexts:
    """Return what is known of our texts: a second's work."""
    texts = list(corpora.sentences())
    for pattern in ("senses/*.txt", "classification/*.tsv"):
        files = (file for file in corpora.DATA_FOLDER.glob(pattern) if "_de" not in file.stem)
        texts += [file.read_text(encoding="utf-8") for file in files]
    words = [word for text in texts for word in words_of(text)]
    german = (word for sentence in corpora.sentences("de") for word in words_of(sentence))
    return OwnTexts(
        english=f" {' '.join(words)} ",
        stems=frozenset(stem(word) for word in {*words} if len(word) > 1),
        frequent=frozenset(word for word, _ in Counter(words).most_common(N_FREQUENT)),
        german=frozenset(german),
    )


def check_own_sentence(learner: Learner, text: str, *, examples: Iterable[str] = ()) -> None:
    """Raise UnreadableAnswerError if a text is no sentence of the learner's own."""
    ours, words = our_texts(learner), words_of(text)[:MOST_COMPARED]
    if len(words) < FEWEST_WORDS:
        raise UnreadableAnswerError("too_few_words")
    if len({*words}) < FEWEST_DIFFERENT * len(words):
        raise UnreadableAnswerError("repeats_itself")
    outside = [word for word in words if not is_word(word, ours)]
    unknown = next((word for word in outside if not _is_whole(word, learner)), None)
    if unknown or len(outside) > MOST_OUTSIDE * len(words):
        if sum(word in ours.german for word in words) > len(words) / 2:
            raise UnreadableAnswerError("not_english")
        raise UnreadableAnswerError("unknown_word", given=(unknown or outside[-1])[:30])
    if any(is_made_of(text, example, ours) for example in examples):
        raise UnreadableAnswerError("copies_example")
    if is_printed(words, ours.english, f" {' '.join(words_of(learner.printed))} "):
        raise UnreadableAnswerError("is_printed")


def check_order(learner: Learner, *texts: str) -> None:
    """Raise UnreadableAnswerError if the model is far more surprised than by a sentence."""
    model = learner.model()

    def usual() -> float:
        some = Random(0).sample(corpora.sentences(), N_LEVEL)
        return median(surprisal(learner, one) for one in some)

    most = learner.remember(f"usual surprisal of {model.name}", usual) + MOST_ABOVE
    if any(surprisal(learner, text) > most for text in texts):
        raise UnreadableAnswerError("no_sentence")


def surprisal(learner: Learner, text: str) -> float:
    """Return the mean −log P of a text's tokens in nats, each masked in turn; no blank counts."""
    from mlm_core.prediction.fillers import score_positions
    from mlm_core.text.tokens import tokenize

    model = learner.model()
    read = tokenize(model.tokenizer, text, max_tokens=model.max_tokens)
    scores = [-each.log_probability for each in score_positions(model, read)]
    return sum(scores) / max(1, len(scores))


def is_printed(words: list[str], *printed: str) -> bool:
    """Return whether a text is in printed ones, or nearly: half of its runs of four words are.

    >>> is_printed("so they sat on the bank".split(), " they sat on the bank ")
    True
    """
    runs = [words[i : i + RUN] for i in range(len(words) - RUN + 1)]
    runs = [run for run in runs if "mask" not in run]  # a blank stands for any word
    found = (any(f" {' '.join(run)} " in one for one in printed) for run in runs)
    return sum(found) > len(runs) / 2


def is_made_of(text: str, example: str, ours: OwnTexts) -> bool:
    """Return whether most of a text's words stand in an example, or most of the example's in it."""
    own, other = ({*words_of(one)} - ours.frequent for one in (text, example))
    return len(own & other) > MOST_SHARED * min(len(own), len(other))


def is_word(word: str, ours: OwnTexts) -> bool:
    """Return whether a word is in the word list, with any ending, or is a number."""
    folded = word.casefold()
    is_listed = folded in ("a", "i") or stem(folded.partition("'")[0]) in ours.stems
    return is_listed or word.isdecimal()


def _is_whole(word: str, learner: Learner) -> bool:
    from mlm_core.prediction.fillers import word_tokens

    is_long = len(word) >= 3 and word.isalpha()
    tokens = word_tokens(learner.model().tokenizer, word) if is_long else ()
    return len(tokens) == 1 and not tokens[0].is_special


def content_apart(first: str, second: str, ours: OwnTexts) -> int:
    """Return how many words of the word list are in one text alone, beside the most frequent."""
    apart = {*words_of(first)} ^ {*words_of(second)}
    return sum(is_word(word, ours) and word not in ours.frequent for word in apart)


def not_one_word_apart(pair: tuple[str, str]) -> Verdict | None:
    """Return what is wrong with two texts that are to differ in one word; None if nothing is."""
    n = words_apart(*pair)
    hint = "nothing_changed" if n == 0 else "too_far_apart"
    return None if n == 1 else Verdict.wrong(hint, n=n)


def words_apart(first: str, second: str) -> int:
    """Return how many words differ between two sentences; an added word counts as 1.

    >>> words_apart("It was good.", "It was not good."), words_apart("A b c.", "A x y.")
    (1, 2)
    """
    return max(map(len, changed_words(first, second)))


def changed_words(first: str, second: str) -> tuple[list[str], list[str]]:
    """Return the words of each sentence between those that both begin and end with.

    >>> changed_words("It was good.", "It was not good.")
    ([], ['not'])
    """
    one, other = words_of(first), words_of(second)
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return one, other


def stem(word: str) -> str:
    """Return a word without the commonest English endings, by a rule that knows no words.

    >>> [stem(word) for word in ("cities", "city", "children", "child", "years", "boxes", "bus")]
    ['cit', 'cit', 'child', 'child', 'year', 'box', 'bus']
    >>> [stem(word) for word in ("moves", "moving", "hitting", "hit", "lends", "spring")]
    ['mov', 'mov', 'hit', 'hit', 'lend', 'spring']
    """
    word = word.casefold()
    for ending, shortest in (("ies", 3), ("ren", 5), ("ing", 3), ("ed", 3), ("s", 3)):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= shortest and re.search("[aeiouy]", rest):
            word = rest
            break
    if re.search("(s|x|z|ch|sh)e$", word):
        word = word[:-1]
    word = re.sub("[eiy]$", "", word) if len(word) > 3 else word
    return re.sub(r"([^aeiou])\1$", r"\1", word)


def word_with_stem_of(text: str, others: Iterable[str]) -> str | None:
    """Return the first word of a text that is one of `others` but for its ending.

    >>> word_with_stem_of("Two cities by the sea", ["city"])
    'cities'
    """
    stems = {stem(other) for other in others}
    return next((word for word in words_of(text) if stem(word) in stems), None)
