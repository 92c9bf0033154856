"""A WordPiece vocabulary from a corpus of any size, the same on every run.

`train_tokenizer` holds its text in memory and gives every character an entry. Here the text is
read twice from disk, and only the most frequent characters get entries: an encyclopedia has
thousands, most of them in one foreign name only.

Source: Schuster & Nakajima 2012; the tokenizers library's trainer, which merges the most
frequent pair; Devlin et al. 2019 for the cased vocabulary.

Read before this: ../text/tokens.py.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from tokenizers import Tokenizer, models, trainers

from mlm_core.text.tokens import SPECIAL_TOKENS, learnable, train_tokenizer


def learn_wordpieces(
    read_lines: Callable[[], Iterable[str]], vocabulary_size: int, alphabet_size: int
) -> Tokenizer:
    """Return a cased WordPiece tokenizer of at most `vocabulary_size` entries.

    `read_lines` is called twice and must give the same lines. A word with a character beyond the
    `alphabet_size` most frequent ones becomes [UNK].
    Raises ValueError if the text has no words, or the alphabet is too large.
    """
    alphabet = _most_frequent_characters(read_lines(), alphabet_size)
    # The library numbers single characters in random order, and breaks ties between pairs by
    # these numbers. Given first and in order, they have fixed ones (see subword_trainers.py).
    letters = [*alphabet, *(f"##{character}" for character in alphabet)]
    if vocabulary_size <= len(SPECIAL_TOKENS) + len(letters):
        raise ValueError(
            f"vocabulary_size is {vocabulary_size}, but {len(SPECIAL_TOKENS)} special tokens and"
            f" {len(letters)} single characters come first: ask for more, or a smaller alphabet"
        )
    # The rules around the vocabulary are those of every other tokenizer of ours.
    tokenizer = train_tokenizer("WordPiece", alphabet, len(SPECIAL_TOKENS) + 1)
    learner = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    learner.normalizer, learner.pre_tokenizer = tokenizer.normalizer, tokenizer.pre_tokenizer
    trainer = trainers.WordPieceTrainer(
        vocab_size=vocabulary_size,
        special_tokens=[*SPECIAL_TOKENS, *letters],
        limit_alphabet=len(alphabet),
        initial_alphabet=alphabet,
        show_progress=False,
    )
    learner.train_from_iterator(map(learnable, read_lines()), trainer)
    # A model alone, so that the letters given first do not count as special tokens.
    tokenizer.model = models.WordPiece(
        learner.get_vocab(), unk_token="[UNK]", max_input_chars_per_word=100
    )
    return tokenizer


def _most_frequent_characters(lines: Iterable[str], n: int) -> list[str]:
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(learnable(line))
    printable = [c for c in counts if not c.isspace() and c.isprintable()]
    if not printable:
        raise ValueError("nothing to learn from: the text has no words")
    return sorted(printable, key=lambda c: (-counts[c], c))[:n]
