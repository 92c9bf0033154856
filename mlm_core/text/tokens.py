"""Text to subword tokens and back, and three ways to learn where to cut.

The `tokenizers` library does the cutting; here it gets one face. `tokenize` keeps for each
token its word, its characters in the text and its segment, so that a lesson can draw chips
over the very letters that they came from.

Source: SLP3 section 11.1.1; Schuster & Nakajima 2012 (WordPiece), Sennrich et al. 2016 (BPE),
Kudo 2018 (Unigram); the tokenizers library for all three trainers.

Read before this: shapes.py. Read next: corpora.py.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal, get_args

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from tokenizers.processors import TemplateProcessing

Algorithm = Literal["WordPiece", "BPE", "Unigram"]
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")  # BERT's, in BERT's order


@dataclass(frozen=True, kw_only=True)
class Token:
    """One subword token and where it came from."""

    text: str  # as the vocabulary writes it: "##ing", "▁the", "ing</w>"
    id: int  # its row in the vocabulary and in the embedding matrix
    start: int  # first character in the text it was cut from
    stop: int  # one past its last character; start == stop for a token that was added
    word: int | None  # which word of its segment, counted from 0; None for an added token
    segment: int  # 0 in the first text, 1 in the second
    is_special: bool  # [CLS], [SEP], [MASK], ..., added or typed


@dataclass(frozen=True, kw_only=True)
class Word:
    """A stretch of text between cuts that no token crosses, with the tokens it became."""

    text: str
    start: int
    stop: int
    segment: int
    positions: tuple[int, ...]  # of its tokens in TokenizedText.tokens


@dataclass(frozen=True, kw_only=True)
class TokenizedText:
    """A text, or a pair of texts, as the model reads it."""

    text: str
    pair: str | None
    tokens: tuple[Token, ...]
    n_left_out: int  # tokens that did not fit into max_tokens

    @property
    def ids(self) -> list[int]:
        """Return each token's row in the vocabulary."""
        return [token.id for token in self.tokens]

    @property
    def segment_ids(self) -> list[int]:
        """Return 0 for tokens of the first text, 1 for those of the second."""
        return [token.segment for token in self.tokens]

    @property
    def texts(self) -> list[str]:
        """Return the tokens as the vocabulary writes them."""
        return [token.text for token in self.tokens]

    @property
    def words(self) -> tuple[Word, ...]:
        """Return the words in order, each with the positions of its pieces.

        A word is what the tokenizer's pre-tokenizer cuts: BERT's makes every punctuation mark
        a word of its own, so "don't" is three.
        """
        pieces: dict[tuple[int, int], list[int]] = {}
        for position, token in enumerate(self.tokens):
            if token.word is not None:
                pieces.setdefault((token.segment, token.word), []).append(position)
        return tuple(self._word(segment, positions) for (segment, _), positions in pieces.items())

    def _word(self, segment: int, positions: list[int]) -> Word:
        start = min(self.tokens[i].start for i in positions)
        stop = max(self.tokens[i].stop for i in positions)
        source = (self.text if segment == 0 else self.pair) or ""
        return Word(
            text=source[start:stop],
            start=start,
            stop=stop,
            segment=segment,
            positions=tuple(positions),
        )


def load_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer in a folder's tokenizer.json.

    Raises ValueError if the file is missing or damaged.
    """
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise ValueError(
            f"no tokenizer.json in {folder.name}: save the tokenizer there with save_pretrained()"
        )
    try:
        tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # the library raises bare Exception for every kind of damage
        raise ValueError(f"{folder.name}/tokenizer.json is damaged: {error}") from error
    # Length is the caller's choice, each time: tokenize(max_tokens=...).
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def save_tokenizer(tokenizer: Tokenizer, folder: Path, *, max_tokens: int) -> None:
    """Write tokenizer.json and the tokenizer_config.json that AutoTokenizer needs beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    roles = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    config = {
        # The class that takes tokenizer.json as it stands; BertTokenizer would rebuild its rules.
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": max_tokens,
        **dict(zip(roles, SPECIAL_TOKENS, strict=True)),
    }
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


def tokenize(
    tokenizer: Tokenizer, text: str, pair: str | None = None, *, max_tokens: int | None = None
) -> TokenizedText:
    """Return the tokens of `text` (and of `pair` behind it) with the special tokens around them.

    What does not fit into `max_tokens` is left out from the end of the longer text and counted
    in `n_left_out`. Half a surrogate pair, which is no character, is read as "?".
    Raises ValueError if max_tokens leaves no room for the special tokens.
    """
    text = _whole_characters(text)
    pair = None if pair is None else _whole_characters(pair)
    encodings = [tokenizer.encode(text, add_special_tokens=False)]
    if pair is not None:
        encodings.append(tokenizer.encode(pair, add_special_tokens=False))
    n_left_out = 0
    if max_tokens is not None:
        n_special = tokenizer.num_special_tokens_to_add(is_pair=pair is not None)
        if max_tokens < n_special:
            raise ValueError(
                f"max_tokens is {max_tokens}, but {n_special} special tokens come first"
            )
        kept = _share_room([len(encoding) for encoding in encodings], max_tokens - n_special)
        for encoding, n_kept in zip(encodings, kept, strict=True):
            n_left_out += len(encoding) - n_kept
            encoding.truncate(n_kept)
    encoding = tokenizer.post_process(*encodings, add_special_tokens=True)
    special_ids = special_token_ids(tokenizer)
    tokens = tuple(
        Token(
            text=encoding.tokens[i],
            id=encoding.ids[i],
            start=encoding.offsets[i][0],
            stop=encoding.offsets[i][1],
            word=encoding.word_ids[i],
            segment=encoding.type_ids[i],
            is_special=encoding.ids[i] in special_ids,
        )
        for i in range(len(encoding))
    )
    return TokenizedText(text=text, pair=pair, tokens=tokens, n_left_out=n_left_out)


def special_token_ids(tokenizer: Tokenizer) -> frozenset[int]:
    """Return the ids that stand for no text: padding, unknown, [CLS], [SEP], [MASK], ..."""
    added = tokenizer.get_added_tokens_decoder()
    return frozenset(id_ for id_, token in added.items() if token.special)


def train_tokenizer(
    algorithm: Algorithm,
    lines: Iterable[str],
    vocabulary_size: int,
    *,
    alphabet_size: int | None = None,
) -> Tokenizer:
    """Learn a cased subword vocabulary of about `vocabulary_size` entries from `lines`.

    WordPiece cuts by the longest match from the left. BPE replays its merges in the order it
    learned them, with "</w>" at a word's end (Sennrich et al. 2016). Unigram takes the likeliest
    cut under its piece probabilities, with "▁" for the space before a word (Kudo 2018).
    The result is smaller than asked for if the text has no more to learn, and larger if the
    text has more distinct characters than that. `alphabet_size` keeps only the most frequent
    characters (None: all), lest an encyclopedia's foreign names fill the vocabulary with
    letters. Unigram has no such limit. The lines are read once, one after another.

    Departs: the library's WordPiece trainer merges the most frequent pair, as BPE does, and not
    the pair that raises the text's likelihood most, as Schuster & Nakajima describe.
    Raises ValueError for an unknown algorithm, a text without letters, or no room to learn.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm {algorithm!r}: choose one of {', '.join(ALGORITHMS)}")
    if vocabulary_size <= len(SPECIAL_TOKENS):
        raise ValueError(
            f"vocabulary_size is {vocabulary_size}, but the special tokens alone are"
            f" {len(SPECIAL_TOKENS)}: ask for more"
        )
    lines = map(_whole_characters, lines)
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise ValueError("nothing to learn from: the text has no words")
    lines = chain([first], lines)
    # Control characters and odd spaces go; accents and capitals stay.
    options = {"special_tokens": list(SPECIAL_TOKENS), "show_progress": False}
    if alphabet_size is not None and algorithm != "Unigram":
        options["limit_alphabet"] = alphabet_size
    if algorithm == "WordPiece":
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        tokenizer.decoder = decoders.WordPiece()
        trainer = trainers.WordPieceTrainer(vocab_size=vocabulary_size, **options)
    elif algorithm == "BPE":
        tokenizer = Tokenizer(models.BPE(unk_token="[UNK]", end_of_word_suffix="</w>"))
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        tokenizer.decoder = decoders.BPEDecoder()
        trainer = trainers.BpeTrainer(
            vocab_size=vocabulary_size, end_of_word_suffix="</w>", **options
        )
    else:
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Metaspace(), pre_tokenizers.Split(Regex(r"\p{P}"), "isolated")]
        )
        tokenizer.decoder = decoders.Metaspace()
        trainer = trainers.UnigramTrainer(
            vocab_size=vocabulary_size, unk_token="[UNK]", **options
        )
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
    tokenizer.train_from_iterator(lines, trainer)
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")],
    )
    return tokenizer


def _share_room(lengths: list[int], room: int) -> list[int]:
    """Return how many tokens of each text fit, taking from the longer text first."""
    if len(lengths) == 1:
        return [min(lengths[0], room)]
    first, second = lengths
    half = room // 2
    kept_second = min(second, max(half, room - first))
    return [min(first, room - kept_second), kept_second]


def _whole_characters(text: str) -> str:
    return text.encode("utf-8", errors="replace").decode("utf-8")
