"""Which of the model's tokens are the word, and what of a long sentence is read.

    We sat on the  [ bank ]  and watched        characters 14 to 18
    We sat on the  bank  ##s  and watched       positions 5 and 6

A sentence longer than the model's window is cut to a stretch with the word in its middle.

Read before this: locating.py, ../text/tokens.py. Read next: contextual.py
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.text.tokens import Token, TokenizedText, tokenize


@dataclass(frozen=True, kw_only=True)
class PlacedWord:
    """A sentence as the model reads it, and which of its tokens are the word."""

    text: TokenizedText  # a long sentence is cut to a window around the word
    positions: tuple[int, ...]

    @property
    def pieces(self) -> tuple[Token, ...]:
        """Return the word's tokens."""
        return tuple(self.text.tokens[i] for i in self.positions)


def place_words(
    model: MaskedLanguageModel, sentences: Sequence[MarkedSentence]
) -> Iterator[PlacedWord]:
    """Yield each sentence's tokens, cut to the model's window around the word.

    Raises ValueError if the tokenizer leaves nothing of a word, or it is longer than the window.
    """
    known: dict[str, TokenizedText] = {}
    for sentence in sentences:
        if sentence.text not in known:
            known[sentence.text] = tokenize(model.tokenizer, sentence.text)
        text = known[sentence.text]
        positions = token_positions(text, sentence)
        yield cut_to_window(text, positions, model.max_tokens)


def token_positions(text: TokenizedText, sentence: MarkedSentence) -> tuple[int, ...]:
    """Return the positions of the tokens that share a character with the marked word.

    RoBERTa's pieces carry the space before a word, so a piece may begin before the word does.
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


def cut_to_window(text: TokenizedText, positions: tuple[int, ...], max_tokens: int) -> PlacedWord:
    """Return the text, cut if it must be to a stretch with the word in its middle.

    Raises ValueError if the word alone is longer than the window.
    """
    if len(text.tokens) <= max_tokens:
        return PlacedWord(text=text, positions=positions)
    added = [i for i, token in enumerate(text.tokens) if token.word is None and not _width(token)]
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
    return PlacedWord(text=shorter, positions=tuple(shifted[i] for i in positions))


def split_readable(
    model: MaskedLanguageModel, sentences: Sequence[MarkedSentence]
) -> tuple[tuple[int, ...], dict[int, str]]:
    """Return the numbers of the sentences the model can read, and why it can't read the others.

    So that one strange word among a thousand pasted sentences doesn't stop the rest.
    """
    refusals: dict[int, str] = {}
    for number, sentence in enumerate(sentences):
        try:
            next(place_words(model, [sentence]))
        except ValueError as error:
            refusals[number] = str(error)
    return tuple(i for i in range(len(sentences)) if i not in refusals), refusals


def _width(token: Token) -> int:
    return token.stop - token.start
