"""Exercises whose answer is a row of tags, and the hints for wrong rows.

Read before this: ../exercise.py, ../../tagging/alignment.py.
"""

import re
from collections.abc import Sequence
from random import Random

from mlm_core.exercises.exercise import Learner, NeedsTextError, Task, Verdict, read_words
from mlm_core.labelled.examples import TaggedSentence
from mlm_core.tagging.bio_tags import OUTSIDE, Scheme, encode, split_tag, tags_of

TYPES = ("PER", "ORG", "LOC")
SCHEME_OF: dict[str, Scheme] = {"bio": "BIO", "bioes": "BIOES"}
MOST_WORDS = 12  # of a sentence to tag by hand
IGNORED = "-100"
WINDOW, MOST_SUBWORDS = 4, 12  # words of the learner's sentence, and their subwords


def draw_write_tags(learner: Learner, rng: Random) -> Task:
    """Ask for the tags of a stored sentence, whose entities are in brackets."""
    variant = rng.choice(tuple(SCHEME_OF))
    scheme = SCHEME_OF[variant]
    other: Scheme = "BIOES" if scheme == "BIO" else "BIO"
    sentence = rng.choice(learner.remember("sentences to tag by hand", _sentences_to_tag))
    right = encode(sentence.spans, len(sentence.words), scheme)
    values = {
        "sentence": bracketed(sentence.words, sentence.spans),
        "n": len(right),
        "n_entities": len(sentence.spans),
        "tags": in_a_row(right),
        "as_other": in_a_row(encode(sentence.spans, len(right), other)),
        "as_io": in_a_row(encode(sentence.spans, len(right), "IO")),
    }

    def judge(answer: str) -> Verdict:
        tags = split_row(read_words(answer))
        strange = next((tag for tag in tags if not is_tag(tag, "BIOES")), None)
        if strange is not None:
            return Verdict.wrong("no_tag", tag=strange[:20])
        if len(tags) != len(right):
            return Verdict.wrong("other_count", n_given=len(tags))
        if tags == list(right):
            return Verdict.right()
        for name, form in (("other_scheme", other), ("io_scheme", "IO")):
            if tags == list(encode(sentence.spans, len(tags), form)):
                return Verdict.wrong(name)
        i = next(i for i, pair in enumerate(zip(tags, right, strict=True)) if len({*pair}) == 2)
        predicted = {"word": sentence.words[i], "tag": tags[i], "place": i + 1}
        return Verdict.wrong(_slip(tags[i], right[i]), **predicted)

    return Task(values=values, judge=judge, variant=variant, answer=" ".join(right))


def _slip(tag: str, right: str) -> str:
    """Return the hint that fits a wrong tag."""
    if right == OUTSIDE:
        return "not_inside"
    if tag == OUTSIDE:
        return "not_outside"
    if tag[2:] != right[2:]:
        return "other_type"
    return "begins" if right[0] in "BS" else "goes_on" if right[0] == "I" else "closes"


def _sentences_to_tag() -> list[TaggedSentence]:
    """Return stored sentences that are short and have typical entities."""
    from mlm_core.labelled.conll import stored_entities

    entities = stored_entities()
    return [
        sentence
        for sentence in (*entities.train, *entities.test)
        if len(sentence.words) <= MOST_WORDS
        and len(sentence.spans) >= 2
        and any(span.end - span.start > 1 for span in sentence.spans)
    ]


def bracketed(words: Sequence[str], spans) -> str:
    """Return a sentence with its entities in brackets.

    >>> from mlm_core.tagging.bio_tags import Span
    >>> bracketed(["Ada", "Novak", "sang"], [Span(start=0, end=2, type="PER")])
    '[PER Ada Novak] sang'
    """
    starts, ends = {span.start: span.type for span in spans}, {span.end for span in spans}
    return " ".join(
        (f"[{starts[i]} " if i in starts else "") + word + ("]" if i + 1 in ends else "")
        for i, word in enumerate(words)
    )


def in_a_row(tags: Sequence[str]) -> str:
    """Return tags as one line that does not break at their hyphens."""
    return " ".join(tags).replace("-", "\u2011")


def split_row(text: str) -> list[str]:
    """Return the tags of a typed row in the notation of the schemes.

    >>> split_row("o, b-per | I–PER −100")
    ['O', 'B-PER', 'I-PER', '-100']
    """
    plain = re.sub("[‐‑–—−]", "-", text).upper()
    return [OUTSIDE if tag == "0" else tag for tag in re.split(r"[\s,;|]+", plain) if tag]


def is_tag(tag: str, scheme: Scheme) -> bool:
    """Return whether a text is a tag of a scheme."""
    try:
        split_tag(tag, scheme)
    except ValueError:
        return False
    return True


def draw_subword_labels(learner: Learner, rng: Random) -> Task:
    """Ask for the label of each subword of some of the learner's words."""
    from mlm_core.finetuning.encoded_examples import Reading
    from mlm_core.tagging.alignment import subword_tags

    variant, type_ = rng.choice(("first_only", "copy_to_all")), rng.choice(TYPES)
    tags = tags_of(TYPES, "BIO")
    reading = Reading(tokenizer=learner.tokenizer(), max_tokens=4 * MOST_SUBWORDS, classes=tags)
    words = _words_to_label(reading, learner.text, rng)
    text, word_of_subword = reading.read_words(words)
    word_tags, first = [OUTSIDE] * len(words), _first_of_entity(word_of_subword)
    word_tags[first : first + 2] = f"B-{type_}", f"I-{type_}"
    right = [tag or IGNORED for tag in subword_tags(word_tags, word_of_subword, "BIO", variant)]
    subwords = text.texts
    values = {
        "words": " ".join(words),
        "entity": " ".join(words[first : first + 2]),
        "type": type_,
        "pieces": " | ".join(subwords),
        "n": len(subwords),
        "word_tags": in_a_row(word_tags),
        "n_ignored": right.count(IGNORED),
        "labels": in_a_row(right),
    }

    def judge(answer: str) -> Verdict:
        given = split_row(read_words(answer))
        if len(given) != len(right):
            return Verdict.wrong("other_count", n_given=len(given))
        wrong = [
            i
            for i, (predicted, label) in enumerate(zip(given, right, strict=True))
            if predicted != label
        ]
        if not wrong:
            return Verdict.right()
        i = wrong[0]
        is_later = i > 0 and word_of_subword[i] is not None
        is_later = is_later and word_of_subword[i] == word_of_subword[i - 1]
        hint = "wrong_tag"
        if given[i] != IGNORED and given[i] not in tags:
            hint = "no_label"
        elif word_of_subword[i] is None:
            hint = "added_piece"
        elif is_later:
            hint = "later_piece"
        elif given[i] == IGNORED:
            hint = "first_piece"
        return Verdict.wrong(hint, piece=subwords[i], place=i + 1, label=given[i][:20])

    return Task(values=values, judge=judge, variant=variant, answer=" ".join(right))


def _words_to_label(reading, text: str, rng: Random) -> list[str]:
    """Return a few adjacent words with few enough subwords to label by hand.

    Raises NeedsTextError if there aren't three words that the tokenizer keeps.
    """
    sizes = [(word, _n_subwords(reading, word)) for word in text.split()]
    kept = [(word, n) for word, n in sizes if 0 < n <= MOST_SUBWORDS // 2]
    size = min(WINDOW, len(kept))
    windows = [kept[i : i + size] for i in range(len(kept) - size + 1)]
    totals = [sum(n for _, n in window) for window in windows]
    fitting = [i for i, total in enumerate(totals) if total <= MOST_SUBWORDS]
    if size < 3 or not fitting:
        raise NeedsTextError(5)
    most = max(totals[i] for i in fitting)
    return [word for word, _ in windows[rng.choice([i for i in fitting if totals[i] == most])]]


def _n_subwords(reading, word: str) -> int:
    """Return the number of a word's subwords; 0 if it is a special token."""
    from mlm_core.text.tokens import tokenize

    tokens = tokenize(reading.tokenizer, word).tokens
    inside = [token for token in tokens if token.word is not None]
    added = [token for token in tokens if token.start == token.stop]
    is_whole = len(inside) + len(added) == len(tokens)
    is_typed = any(token.is_special and token.text in word for token in inside)
    return len(inside) if is_whole and not is_typed else 0


def _first_of_entity(word_of_subword: Sequence[int | None]) -> int:
    """Return the first of two words, one of which has the most subwords."""
    words = [word for word in word_of_subword if word is not None]
    largest = max({*words}, key=words.count)
    return min(largest, max(words) - 1)
