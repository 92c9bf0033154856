"""Which positions are chosen and what became of each: kept in the link, changed by clicks.

In the link a mark is a position and a letter: "2m-4k-7r3" masks position 2, keeps position 4,
and puts the random word of draw 3 at position 7.
"""

import random
import re
from collections.abc import Mapping
from typing import Literal

from tokenizers import Tokenizer

from mlm_core.text.tokens import TokenizedText
from pages.kit.part import Part

NONE = "none"  # in the link: the learner cleared all marks
LONGEST_LINK = 4_000  # characters; every token of the longest window fits
MOST_DRAWS = 10_000  # tries to draw a whole word from a vocabulary
SHARE, MASKED, RANDOM = 0.15, 0.8, 0.1  # BERT's rates
WORD_MARKS = "Ġ▁"  # how some vocabularies write the space before a word

Kind = Literal["mask", "random", "keep"]
KINDS: dict[str, Kind] = {"m": "mask", "r": "random", "k": "keep"}

_MARK = re.compile(r"(\d{1,3})(m|k|r\d{1,4})")


def read(link: str) -> dict[int, str]:
    """Return the marks in a link, position to "m", "k" or "r" with the number of its draw.

    Raises ValueError if the link says something else.
    """
    if link == NONE:
        return {}
    found = [_MARK.fullmatch(part) for part in link[:LONGEST_LINK].split("-")]
    if not all(found):
        raise ValueError("the marks in this link can't be read: expected is such as 2m-4k-7r3")
    return {int(mark[1]): mark[2] for mark in found if mark}


def write(marks: Mapping[int, str]) -> str:
    """Return the marks as the link has them."""
    return "-".join(f"{position}{marks[position]}" for position in sorted(marks)) or NONE


def of_figure(text: TokenizedText, marked: str) -> dict[int, str]:
    """Return the marks of the example on its sentence: "long m, thanks m, the r0" of SLP3's."""
    marks = dict(one.split(" ") for one in marked.split(", "))
    words = [token.text.lstrip(WORD_MARKS) for token in text.tokens]
    return {i: marks[word] for i, word in enumerate(words) if word in marks}


def drawn(text: TokenizedText, seed: int) -> dict[int, str]:
    """Return 15 % of a text's tokens, at least one, each with a random draw at BERT's rates."""
    rng = random.Random(seed)
    chosen = sample(text, max(1, round(SHARE * len(text.tokens))), seed=seed)
    marks = {}
    for position in chosen:
        draw = rng.random()
        marks[position] = "m" if draw < MASKED else f"r{seed}" if draw < MASKED + RANDOM else "k"
    return marks


def sample(text: TokenizedText, n: int, *, seed: int) -> list[int]:
    """Return `n` of the positions that may be chosen, at random; fewer if there are fewer."""
    positions = may_be_chosen(text)
    return random.Random(seed).sample(positions, min(len(positions), n))


def may_be_chosen(text: TokenizedText) -> list[int]:
    """Return the positions that may be chosen: those of the text without special tokens."""
    return [i for i, token in enumerate(text.tokens) if not token.is_special]


def turn(position: int, marks: Mapping[int, str], seed: int) -> dict[int, str]:
    """Return the marks with the next one at a position: plain, [MASK], random, kept, plain."""
    following = {None: "m", "m": f"r{seed}", "r": "k"}
    before = marks.get(position)
    changed = {at: mark for at, mark in marks.items() if at != position}
    if before != "k":
        changed[position] = following[before and before[0]]
    return changed


def next_draw(p: Part) -> int:
    """Return a number that was not used for a draw yet in this visit."""
    number = p.state.get("marks_draws", 0) % 9_999 + 1
    p.state["marks_draws"] = number
    return number


def random_word(tokenizer: Tokenizer, position: int, draw: int, wanted: list[str]) -> int:
    """Return the id of a random whole word; draw 0 takes a wanted one if there is one.

    Raises ValueError if the vocabulary has no whole word.
    """
    if draw == 0:
        for name in (mark + word for word in wanted for mark in ("", *WORD_MARKS)):
            if (id_ := tokenizer.token_to_id(name)) is not None:
                return id_
    rng = random.Random(f"{draw} {position}")
    for _ in range(MOST_DRAWS):
        id_ = rng.randrange(tokenizer.get_vocab_size())
        name = (tokenizer.id_to_token(id_) or "").lstrip(WORD_MARKS)
        if len(name) > 2 and name.isalpha() and name.islower():
            return id_
    raise ValueError("this vocabulary has no whole word to draw: choose another model")
