"""How a subword vocabulary is learnt: the `tokenizers` library's trainers, made repeatable.

Left alone, the library walks through its tables in a random order: on each run ids differ,
and with them which of two equally frequent pairs is merged first. Here the same text gives
the same vocabulary on every machine, so that a link shows the same pieces tomorrow.

Source: Sennrich et al. 2016 (BPE), Schuster & Nakajima 2012 (WordPiece), Kudo 2018 (Unigram).

Read before this: ../shapes.py.
"""

import json
from collections import Counter
from typing import Literal, get_args

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

Algorithm = Literal["WordPiece", "BPE", "Unigram"]
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")  # BERT's, in BERT's order

# Share of the candidates that Unigram keeps in each round. The library's own 0.75 takes twice
# the time; on our sentences tokens per word differ by less than 0.5 %.
KEPT_EACH_ROUND = 0.5


def learn_vocabulary(algorithm: Algorithm, lines: list[str], vocabulary_size: int) -> Tokenizer:
    """Return a tokenizer with a vocabulary learnt from `lines`, the special tokens first.

    Departs: the library's WordPiece trainer merges the most frequent pair, as BPE does, and not
    the pair that raises the text's likelihood most, as Schuster & Nakajima describe.
    """
    if algorithm == "Unigram":
        model = _by_use(_trained_model(algorithm, lines, vocabulary_size, []), lines)
    else:
        letters = _letters(algorithm, lines)
        model = _trained_model(algorithm, lines, vocabulary_size, letters)
    if algorithm != "WordPiece":
        # The library would keep up to 10,000 words and their pieces, a hundred kilobytes at once
        # and megabytes in the end, and be no faster for it (measured on our sentences).
        model._resize_cache(0)
    tokenizer = _rules(algorithm, model)
    tokenizer.add_special_tokens(list(SPECIAL_TOKENS))
    return tokenizer


def _rules(algorithm: Algorithm, model: models.Model | None = None) -> Tokenizer:
    """Return the rules around a model: how text becomes words, and tokens become text."""
    if algorithm == "WordPiece":
        empty = models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100)
        decoder = decoders.WordPiece()
    elif algorithm == "BPE":
        empty = models.BPE(unk_token="[UNK]", end_of_word_suffix="</w>")
        decoder = decoders.BPEDecoder()
    else:
        empty, decoder = models.Unigram(), decoders.Metaspace()
    tokenizer = Tokenizer(empty if model is None else model)
    tokenizer.decoder = decoder
    if algorithm == "Unigram":
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Metaspace(), pre_tokenizers.Split(Regex(r"\p{P}"), "isolated")]
        )
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    # Control characters and odd spaces go; accents and capitals stay.
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
    return tokenizer


def _trained_model(
    algorithm: Algorithm, lines: list[str], vocabulary_size: int, first: list[str]
) -> models.Model:
    """Return a model trained by the library, with `first` right behind the special tokens."""
    options = {
        "vocab_size": vocabulary_size,
        "special_tokens": [*SPECIAL_TOKENS, *first],
        "show_progress": False,
    }
    if algorithm == "WordPiece":
        trainer = trainers.WordPieceTrainer(**options)
    elif algorithm == "BPE":
        trainer = trainers.BpeTrainer(end_of_word_suffix="</w>", **options)
    else:
        # With less room than letters the library's trainer fails, or never comes to an end.
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
    # With room for one token more than the special ones, all letters come and nothing else.
    model = _trained_model(algorithm, lines, len(SPECIAL_TOKENS) + 1, [])
    return sorted(set(Tokenizer(model).get_vocab()) - set(SPECIAL_TOKENS))


def _n_letters(lines: list[str]) -> int:
    """Return how many different characters Unigram sees, the mark for a space included."""
    rules = _rules("Unigram")
    clean = (rules.normalizer.normalize_str(line) for line in lines)
    words = (word for line in clean for word, _ in rules.pre_tokenizer.pre_tokenize_str(line))
    return len(set().union(*words))


def _by_use(model: models.Unigram, lines: list[str]) -> models.Unigram:
    """Return the model with its pieces numbered by how often they are used in `lines`.

    The library numbers them by probability, whose last digits depend on its random order.
    """
    tokenizer = _rules("Unigram", model)
    pieces = [tuple(entry) for entry in json.loads(tokenizer.to_str())["model"]["vocab"]]
    used = Counter(token for encoding in tokenizer.encode_batch(lines) for token in encoding.tokens)
    n = len(SPECIAL_TOKENS)
    ordered = sorted(pieces[n:], key=lambda piece: (-used[piece[0]], piece[0]))
    return models.Unigram(pieces[:n] + ordered, unk_id=SPECIAL_TOKENS.index("[UNK]"))
