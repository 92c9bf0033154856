"""Print the model card's neighbours of words, without and with a sentence.

    python -m tools.newcomer_words

First the nearest rows of the embedding table, which don't depend on the sentence; then the nearest
words of our own stored sentences, by the last layer's vectors. The same word in other sentences is
left out, since it is nearly always the nearest. The sentences were written before the results were
known.

Source: SLP3 section 11.3.

Read before this: ../mlm_core/probing/neighbours.py.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.encoder.pretrained import load
from mlm_core.probing.neighbours import (
    NearToken,
    StateBank,
    make_bank,
    nearest_occurrences,
    nearest_tokens,
)
from mlm_core.text import corpora
from mlm_core.text.tokens import tokenize

SENTENCES = (  # each with the word to look up
    ("The king rode through the town.", "king"),
    ("My dog sleeps under the table.", "dog"),
    ("She lives in Paris with her brother.", "Paris"),
    ("He paid the money back on Friday.", "money"),
    ("Her dress was red and blue.", "red"),
    ("We ran to the station.", "ran"),
    ("It was a cold morning in winter.", "cold"),
    ("The doctor came at noon.", "doctor"),
)
N_SHOWN = 5
N_OCCURRENCES = 400  # the nearest, enough to hold N_SHOWN different words


@dataclass(frozen=True, kw_only=True)
class NearWord:
    """A different word, at its nearest occurrence."""

    word: str
    cosine: float  # -1 to 1


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """A word's neighbours, with and without its sentence."""

    sentence: str
    word: str
    in_table: tuple[NearToken, ...] | None  # None: the word is no single token
    in_sentences: tuple[NearWord, ...]


def find_neighbours(
    model: MaskedLanguageModel, bank: StateBank, sentence: str, word: str, n: int = N_SHOWN
) -> Neighbours:
    """Return the neighbours of a word's first occurrence in a sentence.

    Upper and lower case are the same word. Raises ValueError if the word isn't in the sentence.
    """
    text = tokenize(model.tokenizer, sentence, max_tokens=model.max_tokens)
    positions = next((one.positions for one in text.words if one.text == word), None)
    if positions is None:
        raise ValueError(f"{word!r} is no word of {sentence!r}: write it as it stands there")
    nearest: dict[str, NearWord] = {}
    for near in nearest_occurrences(model, bank, text, positions, N_OCCURRENCES):
        found, key = near.occurrence.target, near.occurrence.target.casefold()
        if key != word.casefold() and len(nearest) < n:
            nearest.setdefault(key, NearWord(word=found, cosine=near.cosine))
    in_table = None
    if len(positions) == 1:
        in_table = nearest_tokens(model, text.ids[positions[0]], n)
    return Neighbours(
        sentence=sentence, word=word, in_table=in_table, in_sentences=tuple(nearest.values())
    )


def table(found: Sequence[Neighbours]) -> str:
    """Return neighbours as a table in Markdown, with their cosines."""
    lines = ["| sentence | nearest rows of the input table | nearest words |", "|---|---|---|"]
    for one in found:
        marked = one.sentence.replace(one.word, f"**{one.word}**", 1)
        rows = [f"{near.text} {near.cosine:.2f}" for near in one.in_table or ()]
        words = [f"{near.word} {near.cosine:.2f}" for near in one.in_sentences]
        lines.append(f"| {marked} | {', '.join(rows) or 'no single token'} | {', '.join(words)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table of the bundled model."""
    model = load()
    bank = deque(make_bank(model, corpora.sentences()), maxlen=1).pop()
    print(table([find_neighbours(model, bank, *one) for one in SENTENCES]))


if __name__ == "__main__":
    main()
