"""Learn a subword vocabulary repeatably, with the `tokenizers` library's trainers.

The library iterates over its tables in a random order: on each run the ids differ, and with them
which of two equally frequent pairs is merged first. Here the same text gives the same vocabulary
on every machine, so that a link always shows the same subwords.

Source: Sennrich et al. 2016 (BPE), Schuster & Nakajima 2012 (WordPiece), Kudo 2018 (Unigram).

Read before this: ../shapes.py.
"""

import json
from collections import Counter
from typing import Any, Literal, get_args

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

Algorithm = Literal["WordPiece", "BPE", "Unigram"]
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")  # BERT's, in BERT's order

# Proportion of the candidates that Unigram keeps in each round. The library's default 0.75 takes
# twice the time; on our sentences tokens per word differ by less than 0.5 %.
KEPT_EACH_ROUND = 0.5


def learn_vocabulary(algorithm: Algorithm, lines: list[str], vocabulary_size: int) -> Tokenizer:
    """Return a tokenizer with a vocabulary from `lines`, the special tokens first.

    Departs: the library's WordPiece trainer merges the most frequent pair, as BPE does, and not
    the pair that raises the text's likelihood most, as Schuster & Nakajima describe.
    """
    if algorithm == "Unigram":
        model = _trained_model(algorithm, lines, vocabulary_size, [])
        assert isinstance(model, models.Unigram)
        model = _by_use(model, lines)
    else:
        letters = _letters(algorithm, lines)
        model = _trained_model(algorithm, lines, vocabulary_size, letters)
    if isinstance(model, models.BPE | models.Unigram):
        # The library would cache up to 10,000 words with their subwords: some megabytes, and it
        # would not be faster (measured on our sentences).
        model._resize_cache(0)
    tokenizer = _rules(algorithm, model)
    tokenizer.add_special_tokens(list(SPECIAL_TOKENS))
    return tokenizer


def _rules(algorithm: Algorithm, model: models.Model | None = None) -> Tokenizer:
    """Return a tokenizer with the algorithm's normalizer, pre-tokenizer and decoder."""
    split = pre_tokenizers.BertPreTokenizer()
    if algorithm == "WordPiece":
        empty = models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100)
        decoder = decoders.WordPiece()
    elif algorithm == "BPE":
        empty = models.BPE(unk_token="[UNK]", end_of_word_suffix="</w>")
        decoder = decoders.BPEDecoder()
    else:
        empty, decoder = models.Unigram(), decoders.Metaspace()
        split = pre_tokenizers.Sequence(
            [pre_tokenizers.Metaspace(), pre_tokenizers.Split(Regex(r"\p{P}"), "isolated")]
        )
    tokenizer = Tokenizer(empty if model is None else model)
    tokenizer.decoder, tokenizer.pre_tokenizer = decoder, split
    # Control characters and unusual spaces are removed; accents and capitals stay.
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
    return tokenizer


def _trained_model(
    algorithm: Algorithm, lines: list[str], vocabulary_size: int, first: list[str]
) -> models.Model:
    """Return a model trained by the library, with `first` after the special tokens."""
    options: dict[str, Any] = {
        "vocab_size": vocabulary_size,
        "special_tokens": [*SPECIAL_TOKENS, *first],
        "show_progress": False,
    }
    if algorithm == "WordPiece":
        trainer = trainers.WordPieceTrainer(**options)
    elif algorithm == "BPE":
        trainer = trainers.BpeTrainer(end_of_word_suffix="</w>", **options)
    else:
        # With fewer entries than letters the library's trainer fails, or does not end.
        options["vocab_size"] = max(vocabulary_size, len(SPECIAL_TOKENS) + _n_letters(lines))
        trainer = trainers.UnigramTrainer(
            unk_token="[UNK]", shrinking_factor=KEPT_EACH_ROUND, **options
        )
    tokenizer = _rules(algorithm)
    tokenizer.train_from_iterator(lines, trainer)
    return tokenizer.model


def _letters(algorithm: Algorithm, lines: list[str]) -> list[str]:
    """Return the one-letter tokens in a fixed order.

    The library numbers "##e" or "e</w>" as it meets them, in random order, and breaks ties
    between equally frequent pairs by these numbers. Listed first, they have fixed numbers.
    """
    # With one entry more than the special tokens, the library returns all letters only.
    model = _trained_model(algorithm, lines, len(SPECIAL_TOKENS) + 1, [])
    return sorted(set(Tokenizer(model).get_vocab()) - set(SPECIAL_TOKENS))


def _n_letters(lines: list[str]) -> int:
    """Return the number of different characters for Unigram, "▁" included."""
    rules = _rules("Unigram")
    clean = (rules.normalizer.normalize_str(line) for line in lines)
    words = (word for line in clean for word, _ in rules.pre_tokenizer.pre_tokenize_str(line))
    return len(set().union(*words))


def _by_use(model: models.Unigram, lines: list[str]) -> models.Unigram:
    """Return the model with its subwords ordered by their frequency in `lines`.

    The library numbers them by probability, whose last digits depend on its random order.
    """
    tokenizer = _rules("Unigram", model)
    subwords = [tuple(entry) for entry in json.loads(tokenizer.to_str())["model"]["vocab"]]
    used = Counter(token for encoding in tokenizer.encode_batch(lines) for token in encoding.tokens)
    n = len(SPECIAL_TOKENS)
    ordered = sorted(subwords[n:], key=lambda entry: (-used[entry[0]], entry[0]))
    return models.Unigram(subwords[:n] + ordered, unk_id=SPECIAL_TOKENS.index("[UNK]"))
