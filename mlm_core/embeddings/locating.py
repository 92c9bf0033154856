"""Find a word in a text: its characters, and the positions of its tokens.

    We sat on the  [ bank ]  and watched        characters 14 to 18
    We sat on the  bank  ##s  and watched       positions 5 and 6

A word is found as a whole ("art" is not in "party"), in upper or lower case (../text/words.py).
Its other forms ("banks" for "bank") are found only if they are given, because a form can have
other senses. A sentence longer than the model's window is cut, with the word in the middle.

Read before this: ../text/words.py, senses_data.py, ../encoder/language_model.py.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.text.tokens import Token, TokenizedText, tokenize
from mlm_core.text.words import find_whole, word_spans

VOWELS = "aeiou"


@dataclass(frozen=True, kw_only=True)
class FoundWord:
    """All occurrences of a word in one text."""

    text: str
    word: str
    spans: tuple[tuple[int, int], ...]  # (first character, one past the last), in order

    def marked(self, number: int = 0) -> MarkedSentence:
        """Return the text with one occurrence of the word marked, counted from 0.

        Raises ValueError if there is no such occurrence.
        """
        if not self.spans:
            beginning = self.text if len(self.text) <= 60 else self.text[:57] + "..."
            raise ValueError(
                f"{self.word!r} is not in {beginning!r}: write a sentence with it, or ask for its"
                " other forms"
            )
        if not 0 <= number < len(self.spans):
            raise ValueError(
                f"place {number} of {self.word!r}, which stands in the text {len(self.spans)}"
                f" times: choose from 0 to {len(self.spans) - 1}"
            )
        start, end = self.spans[number]
        return MarkedSentence(text=self.text, start=start, end=end)


def find_word(text: str, word: str, forms: Sequence[str] = ()) -> FoundWord:
    """Return the occurrences of a word, or of its other forms, in a text.

    Raises ValueError if the word is empty.

    >>> find_word("A bank by the river bank.", "Bank").spans
    ((2, 6), (20, 24))
    """
    word = word.strip()
    if not word:
        raise ValueError("no word to look for: type one")
    return FoundWord(text=text, word=word, spans=tuple(find_whole(text, (word, *forms))))


def regular_forms(word: str) -> tuple[str, ...]:
    """Return an English word's regular plural, past and -ing forms, by rule.

    >>> regular_forms("match")
    ('matches', 'matched', 'matching')
    >>> regular_forms("bat")
    ('bats', 'batted', 'batting')
    """
    word = word.strip()
    if len(word) < 2 or not word.isalpha():
        return ()
    last, before = word[-1].lower(), word[-2].lower()
    if last == "e":
        stem = word[:-1]
        # "die" keeps no e before -ing and changes its i: "dying".
        return (word + "s", word + "d", (stem[:-1] + "y" if before == "i" else stem) + "ing")
    if last == "y" and before not in VOWELS:
        return (word[:-1] + "ies", word[:-1] + "ied", word + "ing")
    plural = word + ("es" if re.search(r"(s|x|z|ch|sh)$", word.lower()) else "s")
    # One vowel and one consonant at the end of a short word: the consonant is doubled.
    is_short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", word.lower()) is not None
    stem = word + last if is_short else word
    return (plural, stem + "ed", stem + "ing")


def marked_words(texts: Iterable[str]) -> tuple[MarkedSentence, ...]:
    """Return every word of every text, marked in it, without numbers and signs."""
    return tuple(
        MarkedSentence(text=text, start=start, end=end)
        for text in texts
        for start, end in word_spans(text)
        if any(map(str.isalpha, text[start:end]))
    )


@dataclass(frozen=True, kw_only=True)
class LocatedWord:
    """A sentence as the model reads it, and which of its tokens are the word."""

    text: TokenizedText  # a long sentence is cut to a window around the word
    positions: tuple[int, ...]

    @property
    def subwords(self) -> tuple[Token, ...]:
        """Return the word's tokens."""
        return tuple(self.text.tokens[i] for i in self.positions)


def locate_words(
    model: MaskedLanguageModel, sentences: Sequence[MarkedSentence]
) -> Iterator[LocatedWord]:
    """Yield each sentence's tokens, cut to the model's window around the word.

    Raises ValueError if the tokenizer leaves nothing of a word, or it is longer than the window.
    """
    known: dict[str, TokenizedText] = {}
    for sentence in sentences:
        if sentence.text not in known:
            known[sentence.text] = tokenize(model.tokenizer, sentence.text)
        text = known[sentence.text]
        yield cut_to_window(text, token_positions(text, sentence), model.max_tokens)


def token_positions(text: TokenizedText, sentence: MarkedSentence) -> tuple[int, ...]:
    """Return the positions of the tokens that share a character with the marked word.

    RoBERTa's subwords contain the space before a word, so one may begin before the word does.
    Raises ValueError if there is none.
    """
    positions = tuple(
        i
        for i, token in enumerate(text.tokens)
        if token.segment == 0 and token.start < sentence.end and token.stop > sentence.start
    )
    if not positions:
        raise ValueError(
            f"this model's tokenizer leaves nothing of {sentence.target!r}: choose another word"
        )
    return positions


def cut_to_window(text: TokenizedText, positions: tuple[int, ...], max_tokens: int) -> LocatedWord:
    """Return the text, cut to the window if it is longer, with the word in the middle.

    Raises ValueError if the word alone is longer than the window.
    """
    if len(text.tokens) <= max_tokens:
        return LocatedWord(text=text, positions=positions)
    added = [
        i for i, token in enumerate(text.tokens) if token.word is None and token.start == token.stop
    ]
    content = [i for i in range(len(text.tokens)) if i not in set(added)]
    room = max_tokens - len(added)
    first, last = content.index(positions[0]), content.index(positions[-1])
    n_word = last - first + 1
    if n_word > room:
        raise ValueError(
            f"a word of {n_word} pieces (the first is {text.tokens[positions[0]].text!r}), but this"
            f" model has room for {room}: choose a shorter one"
        )
    start = min(max(0, first - (room - n_word) // 2), len(content) - room)
    kept = sorted([*added, *content[start : start + room]])
    shifted = {old: new for new, old in enumerate(kept)}
    shorter = replace(
        text,
        tokens=tuple(text.tokens[i] for i in kept),
        n_left_out=text.n_left_out + len(text.tokens) - len(kept),
    )
    return LocatedWord(text=shorter, positions=tuple(shifted[i] for i in positions))


def split_readable(
    model: MaskedLanguageModel, sentences: Sequence[MarkedSentence]
) -> tuple[tuple[int, ...], dict[int, str]]:
    """Return the numbers of the readable sentences, and the errors of the others."""
    refusals: dict[int, str] = {}
    for number, sentence in enumerate(sentences):
        try:
            next(locate_words(model, [sentence]))
        except ValueError as error:
            refusals[number] = str(error)
    return tuple(i for i in range(len(sentences)) if i not in refusals), refusals
