"""Exercises of the lesson "subword tokens".

Read before this: exercise.py, ../text/cutting.py.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise
from random import Random

from mlm_core.exercises.exercise import (
    Exercise,
    Learner,
    Task,
    Verdict,
    choice_task,
    number_task,
    read_words,
)
from mlm_core.exercises.tasks.own_words import is_word, our_words
from mlm_core.number_format import formatted
from mlm_core.text.cutting import END_OF_WORD, first_merges, wordpiece_attempts
from mlm_core.text.tokens import Token, tokenize

LONG_WORDS = (
    *("unhappily", "overlooked", "misreading", "underwater", "replaying", "outsiders"),
    *("disliked", "forgotten", "meanwhile", "something", "newspaper", "sometimes"),
)
SHORT_WORDS = (
    *("sing", "ring", "rain", "gain", "sand", "grain", "sting", "train", "lost", "salt", "hand"),
    *("lamp", "rust", "hunt", "tune", "nest", "road", "leaf", "goal", "coal", "sold", "tree"),
)
FIRST_LETTERS = "bcdfglmprstw"
WIDTHS = (256, 384, 512, 768, 1024)
VOCABULARIES = (8_000, 16_000, 30_000, 50_000, 120_000, 250_000)


def _longest_match(learner: Learner, rng: Random) -> Task:
    """Ask how WordPiece cuts a word that can be cut in several ways."""
    word = rng.choice(LONG_WORDS)
    vocabulary = draw_vocabulary(word, rng)
    cut = [attempt.subword for attempt in wordpiece_attempts(word, vocabulary) if attempt.found]

    def judge(answer: str) -> Verdict:
        subwords = re.split(r"[\s,+|]+", read_words(answer).strip(" ,+|"))
        bare = [subword.removeprefix("##") for subword in subwords]
        if "".join(bare) != word:
            return Verdict.wrong("letters", joined="".join(bare))
        marked = [bare[0], *("##" + subword for subword in bare[1:])]
        strange = [subword for subword in marked if subword not in vocabulary]
        if strange:
            return Verdict.wrong("not_in_vocabulary", piece=strange[0])
        if marked != cut:
            i = next(i for i, (a, b) in enumerate(zip(marked, cut, strict=False)) if a != b)
            return Verdict.wrong("not_longest", piece=marked[i])
        if subwords != marked:
            return Verdict.wrong("marks")
        return Verdict.right()

    values = {
        "word": word,
        "vocabulary": ",  ".join(sorted(vocabulary, key=lambda subword: subword.strip("#"))),
        "cut": " ".join(cut),
        "n_attempts": len(wordpiece_attempts(word, vocabulary)),
    }
    return Task(values=values, judge=judge, answer=" ".join(cut))


def _first_merge(learner: Learner, rng: Random) -> Task:
    """Ask which pair BPE merges first in a small text."""
    while True:
        counts = {word: rng.randint(2, 12) for word in sorted(rng.sample(SHORT_WORDS, 4))}
        pairs = count_pairs(counts)
        (best, n_best), (_, n_next) = pairs.most_common(2)
        # The same two letters must not be two pairs, once inside words and once at their end.
        spelled = Counter("".join(pair).removesuffix(END_OF_WORD) for pair in pairs)
        if n_best > n_next and spelled["".join(best).removesuffix(END_OF_WORD)] == 1:
            break
    learnt = first_merges(counts, 1)[0]
    right = (learnt.left + learnt.right).removesuffix(END_OF_WORD)

    def judge(answer: str) -> Verdict:
        typed = re.sub(r"[\s,+|]+", "", read_words(answer)).removesuffix(END_OF_WORD).lower()
        if typed == right:
            return Verdict.right()
        n = max(
            (n for pair, n in pairs.items() if "".join(pair).removesuffix(END_OF_WORD) == typed),
            default=None,
        )
        if n is None:
            return Verdict.wrong("no_such_pair", pair=typed[:20])
        return Verdict.wrong("rarer_pair", pair=typed, n=n)

    values = {
        "counts": ",  ".join(f"{word} {n}" for word, n in counts.items()),
        "left": learnt.left,
        "right": learnt.right,
        "n_best": learnt.count,
        "n_next": n_next,
    }
    return Task(values=values, judge=judge, answer=right)


def _find_word(learner: Learner, rng: Random) -> Task:
    """Ask for a real word that the chosen tokenizer splits into many subwords."""
    letter, n_goal = rng.choice(FIRST_LETTERS), rng.choice((2, 3))
    longest = 3 * n_goal

    def judge(answer: str) -> Verdict:
        word = read_words(answer)
        if not word.isalpha():
            return Verdict.wrong("letters_only")
        if not is_word(word, our_words()):
            return Verdict.wrong("unknown_word", given=word[:30])
        subwords = _subwords_of(learner, word)
        values = {
            "given": word,
            "letters": len(word),
            "n": len(subwords),
            "pieces": " ".join(subword.text for subword in subwords),
        }
        if word[0].lower() != letter:
            hint = "other_letter"
        elif len(word) > longest:
            hint = "too_many_letters"
        elif any(subword.is_special for subword in subwords):
            hint = "unknown"
        elif len(subwords) != n_goal:
            hint = "fewer_pieces" if len(subwords) < n_goal else "more_pieces"
        else:
            return Verdict.right(**values)
        return Verdict.wrong(hint, **values)

    return Task(values={"letter": letter, "goal": n_goal, "longest": longest}, judge=judge)


def _which_table(learner: Learner, rng: Random) -> Task:
    """Ask in which of its three embeddings a token differs from another."""
    i, j = sorted(rng.sample(range(2, 12), 2))
    # Each token as (its row of the token table, its position, its segment).
    cases = {
        "same_text": ((7, i, 0), (7, j, 0)),
        "other_text": ((7, i, 0), (7, j, 1)),
        "other_word": ((7, i, 0), (8, i, 0)),
        "start": ((1, 0, 0), (1, 0, 0)),
    }
    variant = rng.choice(tuple(cases))
    pairs = zip(("token", "position", "segment"), *cases[variant], strict=True)
    right = "_".join(name for name, one, other in pairs if one != other) or "none"
    options = ("token", "position", "position_segment", "none")
    return choice_task(options, right=right, values={"i": i, "j": j}, variant=variant)


def _vocabulary_price(learner: Learner, rng: Random) -> Task:
    """Ask how many parameters a larger vocabulary costs, in millions."""
    width = rng.choice(WIDTHS)
    small, large = sorted(rng.sample(VOCABULARIES, 2))
    millions = (large - small) * width / 1e6
    return number_task(
        right=millions,
        tolerance=millions / 100,
        mistakes={
            "whole_table": large * width / 1e6,
            "no_width": (large - small) / 1e6,
            "not_millions": millions * 1e6,
        },
        values={
            "width": width,
            "small": formatted(small, ","),
            "large": formatted(large, ","),
            "more": formatted(large - small, ","),
            "millions": formatted(millions, ".1f"),
        },
        answer=formatted(millions, ".1f"),
    )


def _subwords_of(learner: Learner, word: str) -> list[Token]:
    return [t for t in tokenize(learner.tokenizer(), word).tokens if t.word is not None]


def draw_vocabulary(word: str, rng: Random) -> frozenset[str]:
    """Return subwords that allow several segmentations, WordPiece's included.

    >>> "under" in draw_vocabulary("under", Random(0))
    False
    """
    while True:
        stops = [sorted(rng.sample(range(1, len(word)), rng.choice((2, 3)))) for _ in range(2)]
        subwords = {
            ("##" if start else "") + word[start:stop]
            for cut in stops
            for start, stop in zip([0, *cut], [*cut, len(word)], strict=True)
        }
        # One more that tempts: it begins the word or ends it.
        middle = rng.randrange(2, len(word) - 1)
        subwords.add(rng.choice((word[:middle], "##" + word[middle:])))
        is_cut = wordpiece_attempts(word, subwords)[-1].found
        if is_cut and len(subwords) >= 5 and n_cuts(word, subwords) >= 2:
            return frozenset(subwords)


def n_cuts(word: str, vocabulary: Collection[str]) -> int:
    """Return the number of a word's segmentations into subwords.

    >>> n_cuts("abc", {"a", "ab", "##c", "##bc"})
    2
    """
    ways = [1] + [0] * len(word)
    for stop in range(1, len(word) + 1):
        for start in range(stop):
            if ("##" if start else "") + word[start:stop] in vocabulary:
                ways[stop] += ways[start]
    return ways[-1]


def count_pairs(word_counts: Mapping[str, int]) -> Counter[tuple[str, str]]:
    """Return the count of each pair of adjacent letters, before any merge."""
    pairs: Counter[tuple[str, str]] = Counter()
    for word, count in word_counts.items():
        letters = [*word[:-1], word[-1] + END_OF_WORD]
        for pair in pairwise(letters):
            pairs[pair] += count
    return pairs


EXERCISES = (
    Exercise(id="longest_match", kind="text", ask=_longest_match),
    Exercise(id="first_merge", kind="text", ask=_first_merge),
    Exercise(id="find_word", kind="text", ask=_find_word),
    Exercise(id="which_table", kind="choice", ask=_which_table),
    Exercise(id="vocabulary_price", kind="number", ask=_vocabulary_price),
)
